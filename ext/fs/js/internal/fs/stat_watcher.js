// `fs.watchFile`: polls a file's stats, as libuv's uv_fs_poll. In: a path, an interval. Out:
// StatWatcher, which emits the current and previous stats; a missing file has stats of zeros.
// Absent: inotify (watchers.js).
'use strict';

const { nextTick } = internalBinding('queues');
const EventEmitter = require('events');
const active = require('internal/process/active_resources');
const { binding, getValidatedPath } = require('internal/fs/utils');
const { emptyStats, getStatsFromBinding } = require('internal/fs/stats');
const { validateFunction, validateUint32 } = require('internal/validators');

const kDefaultInterval = 5007;

/** A difference in one of these is a change. */
const FIELDS = ['ctimeMs', 'mtimeMs', 'birthtimeMs', 'size', 'mode', 'uid', 'gid', 'ino', 'dev'];

class StatWatcher extends EventEmitter {
  #bigint;
  #path;
  #interval;
  #timer;
  #isRef = true;
  #isStopped = true;
  /** undefined: not polled yet; a string: the last error's code; true: the file exists. */
  #state = undefined;
  #previous;

  constructor(bigint) {
    super();
    this.#bigint = bigint;
  }

  start(filename, persistent, interval) {
    this.#path = getValidatedPath(filename, 'filename');
    validateUint32(interval, 'interval');
    this.#interval = Math.max(1, interval);
    this.#isRef = Boolean(persistent);
    this.#isStopped = false;
    active.add(this, 'StatWatcher', this);
    this.#previous = emptyStats(this.#bigint);
    this.#poll();
  }

  #poll() {
    binding.stat(this.#path, false, this.#bigint, false, (error) => {
      if (this.#isStopped) return;
      if (error) this.#onError(error.code);
      else this.#onStats(getStatsFromBinding(this.#bigint));
      if (this.#isStopped) return;
      this.#timer = setTimeout(() => {
        this.#timer = undefined;
        this.#poll();
      }, this.#interval);
      if (!this.#isRef) this.#timer.unref();
    });
  }

  #onError(code) {
    if (this.#state === code) return;
    this.#state = code;
    const previous = this.#previous;
    this.#previous = emptyStats(this.#bigint);
    this.emit('change', this.#previous, previous);
  }

  #onStats(stats) {
    const previous = this.#previous;
    const isChanged = this.#state !== undefined && (this.#state !== true || FIELDS.some((field) => stats[field] !== previous[field]));
    this.#state = true;
    this.#previous = stats;
    if (isChanged) this.emit('change', stats, previous);
  }

  stop() {
    if (this.#isStopped) return;
    this.#isStopped = true;
    active.remove(this);
    clearTimeout(this.#timer);
    this.#timer = undefined;
    nextTick(() => this.emit('stop'));
  }

  hasRef() { return this.#isRef; }

  /** Whether a timer of this file keeps the event loop alive, which Node has none of. */
  get hasRefTimer() { return this.#isRef && this.#timer !== undefined; }

  get path() { return this.#path; }

  ref() {
    this.#isRef = true;
    this.#timer?.ref();
    return this;
  }

  unref() {
    this.#isRef = false;
    this.#timer?.unref();
    return this;
  }
}

/** By path; all listeners of a path share a watcher. @type {Map<string, StatWatcher>} */
const watchers = new Map();

function toAbsolutePath(path) {
  return require('path').resolve(typeof path === 'string' ? path : path.toString());
}

function watchFile(filename, options, listener) {
  filename = toAbsolutePath(getValidatedPath(filename));
  if (options === null || typeof options !== 'object') {
    listener = options;
    options = null;
  }
  options = { interval: kDefaultInterval, persistent: true, bigint: false, ...options };
  validateFunction(listener, 'listener');
  let watcher = watchers.get(filename);
  if (watcher === undefined) {
    watcher = new StatWatcher(options.bigint);
    watcher.start(filename, options.persistent, options.interval);
    watchers.set(filename, watcher);
  } else if (options.persistent) {
    watcher.ref();
  }
  watcher.addListener('change', listener);
  return watcher;
}

function unwatchFile(filename, listener) {
  filename = toAbsolutePath(getValidatedPath(filename));
  const watcher = watchers.get(filename);
  if (watcher === undefined) return;
  if (typeof listener === 'function') watcher.removeListener('change', listener);
  else watcher.removeAllListeners('change');
  if (watcher.listenerCount('change') > 0) return;
  watcher.stop();
  watchers.delete(filename);
}

module.exports = { StatWatcher, unwatchFile, watchFile };
