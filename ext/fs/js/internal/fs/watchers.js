// fs.watch: what happens to a file, or in a directory. In: a path. Out: FSWatcher, which tells
// `rename` and `change` as libuv does. One set of the kernel's watches serves all watchers. Absent:
// asking from time to time, which is stat_watcher.js; directories below, recursive_watch.js.
'use strict';

const { nextTick } = internalBinding('queues');
const EventEmitter = require('events');
const { binding, getOptions, getValidatedPath, toBuffer } = require('internal/fs/utils');
const { validateAbortSignal, validateBoolean, validateIgnoreOption } = require('internal/validators');

// inotify(7)
const IN_MODIFY = 0x2;
const IN_ATTRIB = 0x4;
const IN_MOVED_FROM = 0x40;
const IN_MOVED_TO = 0x80;
const IN_CREATE = 0x100;
const IN_DELETE = 0x200;
const IN_DELETE_SELF = 0x400;
const IN_MOVE_SELF = 0x800;
const IN_IGNORED = 0x8000;
const IN_ISDIR = 0x40000000;
const WANTED = IN_ATTRIB | IN_CREATE | IN_MODIFY | IN_DELETE | IN_DELETE_SELF | IN_MOVE_SELF | IN_MOVED_FROM | IN_MOVED_TO;

/** The kernel's set; undefined as long as nobody watches. */
let set;
/** Number of a watch to those who listen. @type {Map<number, Set<Listener>>} */
const listeners = new Map();
let kept = 0;

/**
 * One who listens to a path: `tell(mask, name)`, the name as bytes, or undefined where it is the
 * path itself. Its number is the kernel's, which is the same for all paths of one file.
 */
class Listener {
  constructor(path, tell, isKept) {
    set ??= binding.watchOpen(dispatch);
    this.tell = tell;
    this.isKept = false;
    this.number = binding.watchAdd(set, path, WANTED);
    let all = listeners.get(this.number);
    if (all === undefined) listeners.set(this.number, all = new Set());
    all.add(this);
    this.keep(isKept);
  }

  /** Whether the loop goes on for it. */
  keep(isKept) {
    if (isKept === this.isKept) return;
    this.isKept = isKept;
    kept += isKept ? 1 : -1;
    if (set !== undefined && kept === (isKept ? 1 : 0)) binding.watchKeep(set, isKept);
  }

  close() {
    this.keep(false);
    const all = listeners.get(this.number);
    if (all === undefined || !all.delete(this) || all.size > 0) return;
    listeners.delete(this.number);
    binding.watchRemove(set, this.number);
    if (listeners.size === 0) {
      binding.watchClose(set);
      set = undefined;
    }
  }
}

function dispatch(number, mask, name) {
  const all = listeners.get(number);
  if (all === undefined) return;
  if (mask & IN_IGNORED) listeners.delete(number);
  for (const listener of [...all]) {
    if (all.has(listener)) listener.tell(mask, name);
  }
  if (mask & IN_IGNORED) {
    for (const listener of all) listener.keep(false);
  }
}

const isChange = (mask) => (mask & (IN_ATTRIB | IN_MODIFY)) !== 0;

/** An error as `watch` throws it. */
function describe(error, filename) {
  if (error.code === 'ENOSPC') {
    const limit = 'System limit for number of file watchers reached';
    error.message = error.message.replace('no space left on device', limit);
  }
  const { code, path } = error;
  // In the order in which Node has them.
  delete error.code;
  delete error.path;
  return Object.assign(error, { code, path, filename });
}

/**
 * Whether a name is not to be told: by a pattern, a regular expression, a function, or a list of
 * them.
 */
function ignorer(ignore) {
  if (ignore == null) return () => false;
  const matchers = (Array.isArray(ignore) ? ignore : [ignore]).map((each) => {
    if (typeof each === 'function') return each;
    if (typeof each !== 'string') return (name) => each.exec(name) !== null;
    return require('internal/fs/glob_pattern').compileIgnored(each);
  });
  return (name) => typeof name === 'string' && matchers.some((matches) => matches(name));
}

function decoded(name, encoding) {
  const buffer = toBuffer(name);
  return encoding === 'buffer' ? buffer : buffer.toString(encoding || 'utf8');
}

class FSWatcher extends EventEmitter {
  #listener = null;
  #isIgnored;

  constructor(ignore) {
    super();
    this.#isIgnored = ignorer(ignore);
  }

  start(filename, persistent, encoding) {
    if (this.#listener !== null) return;
    filename = getValidatedPath(filename, 'filename');
    const { Buffer } = require('buffer');
    const bytes = typeof filename === 'string' ? Buffer.from(filename) : toBuffer(filename);
    const own = bytes.subarray(bytes.lastIndexOf(47) + 1);
    try {
      this.#listener = new Listener(filename, (mask, name) => this.#tell(mask, decoded(name ?? own, encoding)), persistent);
    } catch (error) {
      throw describe(error, typeof filename === 'string' ? filename : filename.toString());
    }
  }

  #tell(mask, name) {
    if (this.#listener === null || this.#isIgnored(name)) return;
    this.emit('change', isChange(mask) ? 'change' : 'rename', name);
  }

  close() {
    if (this.#listener === null) return;
    this.#listener.close();
    this.#listener = null;
    nextTick(emitClose, this);
  }

  ref() {
    this.#listener?.keep(true);
    return this;
  }

  unref() {
    this.#listener?.keep(false);
    return this;
  }
}

function emitClose(self) {
  self.emit('close');
}

function watch(filename, options, listener) {
  if (typeof options === 'function') listener = options;
  options = { ...getOptions(options) };
  if (options.persistent === undefined) options.persistent = true;
  if (options.recursive === undefined) options.recursive = false;
  const { persistent, recursive, encoding, signal, ignore } = options;
  validateBoolean(recursive, 'options.recursive');
  validateIgnoreOption(ignore, 'options.ignore');
  if (signal !== undefined) validateAbortSignal(signal, 'options.signal');
  let watcher;
  if (recursive) {
    watcher = new (require('internal/fs/recursive_watch').RecursiveWatcher)(options);
    watcher.start(getValidatedPath(filename, 'filename'));
  } else {
    watcher = new FSWatcher(ignore);
    watcher.start(filename, Boolean(persistent), encoding);
  }
  if (listener) watcher.addListener('change', listener);
  if (signal) closeOnAbort(watcher, signal);
  return watcher;
}

function closeOnAbort(watcher, signal) {
  if (signal.aborted) {
    nextTick(() => watcher.close());
    return;
  }
  const onAbort = () => watcher.close();
  signal.addEventListener('abort', onAbort, { once: true });
  watcher.once('close', () => signal.removeEventListener('abort', onAbort));
}

module.exports = {
  FSWatcher, Listener, decoded, describe, ignorer, isChange, watch,
  IN_CREATE, IN_DELETE_SELF, IN_IGNORED, IN_ISDIR, IN_MOVED_FROM, IN_MOVED_TO, IN_MOVE_SELF,
};
