// Recursive `fs.watch`, as Node's lib/internal/fs/recursive_watch.js: inotify is not recursive, so
// every directory has its own watch. In: a path. Out: a watcher whose names are relative to the
// path. A new directory is watched at once, and its existing entries are reported. Absent:
// following links.
'use strict';

const { nextTick } = internalBinding('queues');
const EventEmitter = require('events');
const { binding } = require('internal/fs/utils');
const { getDirents, getStatsFromBinding } = require('internal/fs/stats');
const {
  IN_CREATE, IN_IGNORED, IN_ISDIR, IN_MOVED_FROM, IN_MOVED_TO, FSEvent, decodeFilename, toWatchError, createIgnoreMatcher, isChangeEvent,
} = require('internal/fs/watchers');
const { join } = require('path');

class RecursiveWatcher extends EventEmitter {
  #persistent;
  #encoding;
  #isIgnored;
  #root = null;
  /** By the directory's relative path. @type {Map<string, FSEvent>} */
  #handles = new Map();

  constructor({ persistent, encoding, ignore }) {
    super();
    this.#persistent = Boolean(persistent);
    this.#encoding = encoding;
    this.#isIgnored = createIgnoreMatcher(ignore);
  }

  start(root) {
    root = typeof root === 'string' ? root : root.toString();
    this.#root = root;
    try {
      binding.stat(root, false, false, false);
      if (getStatsFromBinding(false).isDirectory()) {
        this.#watchDirectory('');
        this.#watchSubdirectories('', false);
      } else {
        const name = root.slice(root.lastIndexOf('/') + 1);
        this.#handles.set('', new FSEvent(root, (mask) => this.#emitChange(mask, name), this.#persistent));
      }
    } catch (error) {
      if (error.syscall === 'stat') {
        error.message = error.message.replace(', stat ', ', watch ');
        error.syscall = 'watch';
      }
      throw toWatchError(error, root);
    }
  }

  #watchDirectory(directory) {
    if (this.#handles.has(directory)) return;
    const handle = new FSEvent(join(this.#root, directory), (mask, name) => this.#onEvent(directory, mask, name), this.#persistent);
    this.#handles.set(directory, handle);
  }

  /** Watches the subdirectories of a directory; reports its entries if it is new. */
  #watchSubdirectories(directory, isNew) {
    let dirents;
    try {
      dirents = getDirents(binding.readdir(join(this.#root, directory), true, false), directory);
    } catch {
      return;
    }
    for (const dirent of dirents) {
      const path = directory === '' ? dirent.name : `${directory}/${dirent.name}`;
      if (isNew) this.#emitChange(IN_CREATE, path);
      if (!dirent.isDirectory() || this.#isIgnored(path)) continue;
      try {
        this.#watchDirectory(path);
      } catch (error) {
        // It may be removed already. The system's limit of watches is reported.
        if (error.code === 'ENOENT') continue;
        if (isNew) {
          this.emit('error', toWatchError(error, path));
          continue;
        }
        throw error;
      }
      this.#watchSubdirectories(path, isNew);
    }
  }

  #onEvent(directory, mask, bytes) {
    if (mask & IN_IGNORED) {
      this.#handles.delete(directory);
      return;
    }
    // An event of the directory itself is reported by its parent's watch too.
    if (bytes === undefined) {
      if (directory === '') this.#emitChange(mask, this.#root.slice(this.#root.lastIndexOf('/') + 1));
      return;
    }
    const name = decodeFilename(bytes, 'utf8');
    const path = directory === '' ? name : `${directory}/${name}`;
    this.#emitChange(mask, path);
    if ((mask & IN_ISDIR) === 0 || this.#root === null || this.#isIgnored(path)) return;
    if (mask & (IN_CREATE | IN_MOVED_TO)) {
      try {
        this.#watchDirectory(path);
      } catch {
        return;
      }
      this.#watchSubdirectories(path, true);
    } else if (mask & IN_MOVED_FROM) {
      this.#unwatchTree(path);
    }
  }

  /** Closes the watches of a directory that was moved away, and of its subdirectories. */
  #unwatchTree(path) {
    for (const [directory, handle] of this.#handles) {
      if (directory !== path && !directory.startsWith(`${path}/`)) continue;
      this.#handles.delete(directory);
      handle.close();
    }
  }

  #emitChange(mask, path) {
    if (this.#root === null || this.#isIgnored(path)) return;
    const name = this.#encoding === undefined || this.#encoding === 'utf8' ? path :
      decodeFilename(require('buffer').Buffer.from(path), this.#encoding);
    this.emit('change', isChangeEvent(mask) ? 'change' : 'rename', name);
  }

  close() {
    if (this.#root === null) return;
    this.#root = null;
    for (const handle of this.#handles.values()) handle.close();
    this.#handles.clear();
    nextTick(() => this.emit('close'));
  }

  ref() {
    for (const handle of this.#handles.values()) handle.setRef(true);
    this.#persistent = true;
    return this;
  }

  unref() {
    for (const handle of this.#handles.values()) handle.setRef(false);
    this.#persistent = false;
    return this;
  }

  [Symbol.asyncIterator]() {
    return require('internal/fs/watch_iterator').iterate(this, {});
  }
}

module.exports = { RecursiveWatcher };
