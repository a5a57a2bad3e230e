// fs.watch of a directory and all below it, which Linux does not have: every directory is watched
// for itself. In: a path. Out: a watcher whose names are relative to that path. A directory that
// appears is watched at once, and what it holds by then is told. Absent: following links.
'use strict';

const { nextTick } = internalBinding('queues');
const EventEmitter = require('events');
const { binding } = require('internal/fs/utils');
const { direntsOf, statsOfWords } = require('internal/fs/stats');
const {
  IN_CREATE, IN_IGNORED, IN_ISDIR, IN_MOVED_FROM, IN_MOVED_TO, Listener, decoded, describe, ignorer, isChange,
} = require('internal/fs/watchers');
const { join } = require('path');

class RecursiveWatcher extends EventEmitter {
  #persistent;
  #encoding;
  #isIgnored;
  #root = null;
  /** Relative path of a directory to who listens there. @type {Map<string, Listener>} */
  #folders = new Map();

  constructor({ persistent, encoding, ignore }) {
    super();
    this.#persistent = Boolean(persistent);
    this.#encoding = encoding;
    this.#isIgnored = ignorer(ignore);
  }

  start(root) {
    root = typeof root === 'string' ? root : root.toString();
    this.#root = root;
    try {
      binding.stat(root, false, false, false);
      if (statsOfWords(false).isDirectory()) {
        this.#add('');
        this.#addBelow('', false);
      } else {
        const name = root.slice(root.lastIndexOf('/') + 1);
        this.#folders.set('', new Listener(root, (mask) => this.#tell(mask, name), this.#persistent));
      }
    } catch (error) {
      if (error.syscall === 'stat') {
        error.message = error.message.replace(', stat ', ', watch ');
        error.syscall = 'watch';
      }
      throw describe(error, root);
    }
  }

  #add(folder) {
    if (this.#folders.has(folder)) return;
    const listener = new Listener(join(this.#root, folder), (mask, name) => this.#hear(folder, mask, name), this.#persistent);
    this.#folders.set(folder, listener);
  }

  /**
   * Watches the directories in a directory, and tells what is there, if it has appeared just now.
   */
  #addBelow(folder, isNew) {
    let found;
    try {
      found = direntsOf(binding.readdir(join(this.#root, folder), true, false), folder);
    } catch {
      return;
    }
    for (const dirent of found) {
      const path = folder === '' ? dirent.name : `${folder}/${dirent.name}`;
      if (isNew) this.#tell(IN_CREATE, path);
      if (!dirent.isDirectory() || this.#isIgnored(path)) continue;
      try {
        this.#add(path);
      } catch (error) {
        // It may have gone again; a limit of the system is told.
        if (error.code === 'ENOENT') continue;
        if (isNew) {
          this.emit('error', describe(error, path));
          continue;
        }
        throw error;
      }
      this.#addBelow(path, isNew);
    }
  }

  #hear(folder, mask, bytes) {
    if (mask & IN_IGNORED) {
      this.#folders.delete(folder);
      return;
    }
    // What a directory says of itself, the one above says too.
    if (bytes === undefined) {
      if (folder === '') this.#tell(mask, this.#root.slice(this.#root.lastIndexOf('/') + 1));
      return;
    }
    const name = decoded(bytes, 'utf8');
    const path = folder === '' ? name : `${folder}/${name}`;
    this.#tell(mask, path);
    if ((mask & IN_ISDIR) === 0 || this.#root === null || this.#isIgnored(path)) return;
    if (mask & (IN_CREATE | IN_MOVED_TO)) {
      try {
        this.#add(path);
      } catch {
        return;
      }
      this.#addBelow(path, true);
    } else if (mask & IN_MOVED_FROM) {
      this.#forget(path);
    }
  }

  /** A directory went elsewhere, with all below it. */
  #forget(path) {
    for (const [folder, listener] of this.#folders) {
      if (folder !== path && !folder.startsWith(`${path}/`)) continue;
      this.#folders.delete(folder);
      listener.close();
    }
  }

  #tell(mask, path) {
    if (this.#root === null || this.#isIgnored(path)) return;
    const name = this.#encoding === undefined || this.#encoding === 'utf8' ? path :
      decoded(require('buffer').Buffer.from(path), this.#encoding);
    this.emit('change', isChange(mask) ? 'change' : 'rename', name);
  }

  close() {
    if (this.#root === null) return;
    this.#root = null;
    for (const listener of this.#folders.values()) listener.close();
    this.#folders.clear();
    nextTick(() => this.emit('close'));
  }

  ref() {
    for (const listener of this.#folders.values()) listener.keep(true);
    this.#persistent = true;
    return this;
  }

  unref() {
    for (const listener of this.#folders.values()) listener.keep(false);
    this.#persistent = false;
    return this;
  }

  [Symbol.asyncIterator]() {
    return require('internal/fs/watch_iterator').iterate(this, {});
  }
}

module.exports = { RecursiveWatcher };
