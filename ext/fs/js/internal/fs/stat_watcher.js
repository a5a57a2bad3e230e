// fs.watchFile: a file that is looked at from time to time. In: a path, how often. Out:
// StatWatcher, which tells what the file is and what it was; a file that is not there has stats of
// zeros. Absent: being told by the kernel, which is watchers.js.
'use strict';

const { nextTick } = internalBinding('queues');
const EventEmitter = require('events');
const { binding, getValidatedPath } = require('internal/fs/utils');
const { emptyStats, statsOfWords } = require('internal/fs/stats');
const { validateFunction, validateUint32 } = require('internal/validators');

const kInterval = 5007;

/** What makes a file another one, or changed. */
const FIELDS = ['ctimeMs', 'mtimeMs', 'birthtimeMs', 'size', 'mode', 'uid', 'gid', 'ino', 'dev'];

class StatWatcher extends EventEmitter {
  #bigint;
  #path;
  #interval;
  #timer;
  #isKept = true;
  #isOver = true;
  /** Nothing seen yet, the code of the last error, or that it was there. */
  #state = undefined;
  #before;

  constructor(bigint) {
    super();
    this.#bigint = bigint;
  }

  start(filename, persistent, interval) {
    this.#path = getValidatedPath(filename, 'filename');
    validateUint32(interval, 'interval');
    this.#interval = Math.max(1, interval);
    this.#isKept = Boolean(persistent);
    this.#isOver = false;
    this.#before = emptyStats(this.#bigint);
    this.#look();
  }

  #look() {
    binding.stat(this.#path, false, this.#bigint, false, (error) => {
      if (this.#isOver) return;
      if (error) this.#miss(error.code);
      else this.#see(statsOfWords(this.#bigint));
      if (this.#isOver) return;
      this.#timer = setTimeout(() => this.#look(), this.#interval);
      if (!this.#isKept) this.#timer.unref();
    });
  }

  #miss(code) {
    if (this.#state === code) return;
    this.#state = code;
    const before = this.#before;
    this.#before = emptyStats(this.#bigint);
    this.emit('change', this.#before, before);
  }

  #see(stats) {
    const before = this.#before;
    const isChanged = this.#state !== undefined && (this.#state !== true || FIELDS.some((field) => stats[field] !== before[field]));
    this.#state = true;
    this.#before = stats;
    if (isChanged) this.emit('change', stats, before);
  }

  stop() {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#timer);
    nextTick(() => this.emit('stop'));
  }

  ref() {
    this.#isKept = true;
    this.#timer?.ref();
    return this;
  }

  unref() {
    this.#isKept = false;
    this.#timer?.unref();
    return this;
  }
}

/** Path to the watcher that all listeners of the path share. @type {Map<string, StatWatcher>} */
const watchers = new Map();

function absolute(path) {
  return require('path').resolve(typeof path === 'string' ? path : path.toString());
}

function watchFile(filename, options, listener) {
  filename = absolute(getValidatedPath(filename));
  if (options === null || typeof options !== 'object') {
    listener = options;
    options = null;
  }
  options = { interval: kInterval, persistent: true, bigint: false, ...options };
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
  filename = absolute(getValidatedPath(filename));
  const watcher = watchers.get(filename);
  if (watcher === undefined) return;
  if (typeof listener === 'function') watcher.removeListener('change', listener);
  else watcher.removeAllListeners('change');
  if (watcher.listenerCount('change') > 0) return;
  watcher.stop();
  watchers.delete(filename);
}

module.exports = { StatWatcher, unwatchFile, watchFile };
