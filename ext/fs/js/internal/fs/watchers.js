// `fs.watch`: inotify events of a file or directory, as Node's lib/internal/fs/watchers.js. In: a
// path. Out: FSWatcher, which emits `rename` and `change` as libuv does. All watchers share one
// inotify instance. Absent: polling (stat_watcher.js); subdirectories (recursive_watch.js).
'use strict';

const { nextTick } = internalBinding('queues');
const EventEmitter = require('events');
const active = require('internal/process/active_resources');
const { binding, getOptions, getValidatedPath, toBuffer } = require('internal/fs/utils');
const { validateAbortSignal, validateBoolean, validateIgnoreOption } = require('internal/validators');

const {
  IN_ATTRIB, IN_CREATE, IN_DELETE, IN_DELETE_SELF, IN_IGNORED, IN_ISDIR, IN_MODIFY, IN_MOVED_FROM, IN_MOVED_TO, IN_MOVE_SELF,
} = binding.inotify;
const WATCH_MASK = IN_ATTRIB | IN_CREATE | IN_MODIFY | IN_DELETE | IN_DELETE_SELF | IN_MOVE_SELF | IN_MOVED_FROM | IN_MOVED_TO;

/** The inotify instance; undefined while there are no watches. */
let instance;
/** By watch descriptor. @type {Map<number, Set<FSEvent>>} */
const handlesByWatch = new Map();
let refCount = 0;

/**
 * Watch handle of a path. `onEvent(mask, name)` gets the name as bytes, or undefined for the path
 * itself. The watch descriptor is the kernel's, which is the same for all paths of one file.
 */
class FSEvent {
  constructor(path, onEvent, isRef) {
    instance ??= binding.inotifyInit(onInotifyEvent);
    this.onEvent = onEvent;
    this.isRef = false;
    this.watch = binding.inotifyAddWatch(instance, path, WATCH_MASK);
    let handles = handlesByWatch.get(this.watch);
    if (handles === undefined) handlesByWatch.set(this.watch, handles = new Set());
    handles.add(this);
    this.setRef(isRef);
    this.path = path;
    active.add(this, 'FSEventWrap', this);
  }

  hasRef() { return this.isRef; }

  /** Whether it keeps the event loop alive. */
  setRef(isRef) {
    if (isRef === this.isRef) return;
    this.isRef = isRef;
    refCount += isRef ? 1 : -1;
    if (instance !== undefined && refCount === (isRef ? 1 : 0)) binding.inotifySetRef(instance, isRef);
  }

  close() {
    active.remove(this);
    this.setRef(false);
    const handles = handlesByWatch.get(this.watch);
    if (handles === undefined || !handles.delete(this) || handles.size > 0) return;
    handlesByWatch.delete(this.watch);
    binding.inotifyRmWatch(instance, this.watch);
    if (handlesByWatch.size === 0) {
      binding.inotifyClose(instance);
      instance = undefined;
    }
  }
}

function onInotifyEvent(watch, mask, name) {
  const handles = handlesByWatch.get(watch);
  if (handles === undefined) return;
  if (mask & IN_IGNORED) handlesByWatch.delete(watch);
  for (const handle of [...handles]) {
    if (handles.has(handle)) handle.onEvent(mask, name);
  }
  if (mask & IN_IGNORED) {
    for (const handle of handles) {
      active.remove(handle);
      handle.setRef(false);
    }
  }
}

const isChangeEvent = (mask) => (mask & (IN_ATTRIB | IN_MODIFY)) !== 0;

/** Changes an error to what `fs.watch` throws. */
function toWatchError(error, filename) {
  if (error.code === 'ENOSPC') {
    const limit = 'System limit for number of file watchers reached';
    error.message = error.message.replace('no space left on device', limit);
  }
  const { code, path } = error;
  // Redefines the properties in Node's order.
  delete error.code;
  delete error.path;
  return Object.assign(error, { code, path, filename });
}

/** Predicate for the `ignore` option: a pattern, a regular expression, a function, or a list. */
function createIgnoreMatcher(ignore) {
  if (ignore == null) return () => false;
  const matchers = (Array.isArray(ignore) ? ignore : [ignore]).map((each) => {
    if (typeof each === 'function') return each;
    if (typeof each !== 'string') return (name) => each.exec(name) !== null;
    return require('internal/fs/glob_pattern').compileIgnored(each);
  });
  return (name) => typeof name === 'string' && matchers.some((matches) => matches(name));
}

function decodeFilename(name, encoding) {
  const buffer = toBuffer(name);
  return encoding === 'buffer' ? buffer : buffer.toString(encoding || 'utf8');
}

class FSWatcher extends EventEmitter {
  #handle = null;
  #isIgnored;

  constructor(ignore) {
    super();
    this.#isIgnored = createIgnoreMatcher(ignore);
  }

  start(filename, persistent, encoding) {
    if (this.#handle !== null) return;
    filename = getValidatedPath(filename, 'filename');
    const { Buffer } = require('buffer');
    const bytes = typeof filename === 'string' ? Buffer.from(filename) : toBuffer(filename);
    const basename = bytes.subarray(bytes.lastIndexOf(47) + 1);
    try {
      this.#handle = new FSEvent(filename, (mask, name) => this.#emitChange(mask, decodeFilename(name ?? basename, encoding)), persistent);
    } catch (error) {
      throw toWatchError(error, typeof filename === 'string' ? filename : filename.toString());
    }
  }

  #emitChange(mask, name) {
    if (this.#handle === null || this.#isIgnored(name)) return;
    this.emit('change', isChangeEvent(mask) ? 'change' : 'rename', name);
  }

  close() {
    if (this.#handle === null) return;
    this.#handle.close();
    this.#handle = null;
    nextTick(emitClose, this);
  }

  ref() {
    this.#handle?.setRef(true);
    return this;
  }

  unref() {
    this.#handle?.setRef(false);
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
  FSWatcher, FSEvent, decodeFilename, toWatchError, createIgnoreMatcher, isChangeEvent, watch,
  IN_CREATE, IN_DELETE_SELF, IN_IGNORED, IN_ISDIR, IN_MOVED_FROM, IN_MOVED_TO, IN_MOVE_SELF,
};
