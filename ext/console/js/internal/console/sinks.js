// What stands between the global console and its streams. As long as a program has not looked at
// `process.stdout` or `process.stderr`, lines go to the descriptors at once; afterwards to what it
// finds there. In: the process object, when it is first seen; a function that publishes, when a
// channel of the console's is made. Out: the stream to write to, if there is one.
'use strict';

const NAMES = { 1: 'stdout', 2: 'stderr' };
const getters = {};
const own = {};
let process;

module.exports = {
  /**
   * Whether nothing at all stands between: no process object, no channel, no stream of a program's.
   */
  isBare: true,
  /** @type {((method: string, args: unknown[]) => void) | undefined} */
  publish: undefined,

  /** Publishes what is logged from now on. */
  publishBy(publish) {
    module.exports.publish = publish;
    module.exports.isBare = false;
  },

  /** Puts a stream in place of the program's. */
  replace(fd, stream) {
    own[fd] = stream;
    module.exports.isBare = false;
  },

  /** Called when a program first sees `process`, whose streams are not made yet. */
  watch(made) {
    if (process !== undefined) return;
    process = made;
    module.exports.isBare = false;
    for (const fd of [1, 2]) getters[fd] = Object.getOwnPropertyDescriptor(made, NAMES[fd])?.get;
  },

  /** All goes by the streams of `made`: its descriptors are of others. */
  useStreams(made) {
    process = made;
    module.exports.isBare = false;
  },

  /** The stream of the program for a descriptor, if it has one by now. */
  streamOf(fd) {
    if (own[fd] !== undefined) return own[fd];
    if (process === undefined) return undefined;
    const descriptor = Object.getOwnPropertyDescriptor(process, NAMES[fd]);
    if (getters[fd] !== undefined && descriptor?.get === getters[fd]) return undefined;
    return process[NAMES[fd]];
  },
};
