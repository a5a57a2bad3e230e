// Sinks of the global console: file descriptors or streams. Lines go directly to the descriptors
// until a program accesses `process.stdout` or `process.stderr`; then to the streams of these
// names. In: the process object, at its first access; a publish function, when a console channel is
// made. Out: the stream to write to, if there is one.
'use strict';

const STREAM_NAMES = { 1: 'stdout', 2: 'stderr' };
const originalGetters = {};
const replacements = {};
let process;

module.exports = {
  /**
   * true while lines go directly to the descriptors: no process object, no channel, no replaced
   * stream.
   */
  isDirect: true,
  /** @type {((method: string, args: unknown[]) => void) | undefined} */
  publish: undefined,

  /** Publishes console calls from now on. */
  setPublisher(publish) {
    module.exports.publish = publish;
    module.exports.isDirect = false;
  },

  /** Replaces the stream of a descriptor. */
  replace(fd, stream) {
    replacements[fd] = stream;
    module.exports.isDirect = false;
  },

  /** Called at the program's first access to `process`, whose streams do not exist yet. */
  watchProcess(processObject) {
    if (process !== undefined) return;
    process = processObject;
    module.exports.isDirect = false;
    for (const fd of [1, 2]) originalGetters[fd] = Object.getOwnPropertyDescriptor(processObject, STREAM_NAMES[fd])?.get;
  },

  /**
   * Uses the streams of `processObject` for all output: the descriptors belong to another thread.
   */
  useStreams(processObject) {
    process = processObject;
    module.exports.isDirect = false;
  },

  /** Whether to use colors, by descriptor, once a line was formatted for it. */
  isColored: { __proto__: null },

  /**
   * Forgets what is known of the program. Whether that is all: no channel and no stream was set.
   */
  reset() {
    module.exports.isColored = { __proto__: null };
    return module.exports.publish === undefined && Object.keys(replacements).length === 0;
  },

  /** Returns the program's stream of a descriptor, if it exists. */
  streamOf(fd) {
    if (replacements[fd] !== undefined) return replacements[fd];
    if (process === undefined) return undefined;
    const descriptor = Object.getOwnPropertyDescriptor(process, STREAM_NAMES[fd]);
    if (originalGetters[fd] !== undefined && descriptor?.get === originalGetters[fd]) return undefined;
    return process[STREAM_NAMES[fd]];
  },
};
