// Watching of directories: files that were written and closed, or renamed into place. In:
// directories. Out: paths that have changed.
'use strict';

const fs = internalBinding('fs');

/** inotify(7): `IN_CLOSE_WRITE`, `IN_MOVED_TO`, `IN_DELETE`, `IN_MOVED_FROM`, `IN_ONLYDIR`. */
const MASK = 0x8 | 0x80 | 0x200 | 0x40 | 0x1000000;
const CREATE = 0x100;

class FileWatcher {
  #instance;
  #paths = new Map();
  #watched = new Set();

  /**
   * @param onChange called with a path
   * @param options `isRef`: it keeps the event loop alive
   */
  constructor(onChange, { isRef = false } = {}) {
    this.#instance = fs.inotifyInit((watch, mask, name) => {
      const directory = this.#paths.get(watch);
      if (directory === undefined || name === undefined) return;
      const path = `${directory}/${Buffer.from(name).toString()}`;
      // A file that was created is written next; a link is complete.
      if ((mask & CREATE) === 0 || isLink(path)) onChange(path);
    });
    if (isRef) fs.inotifySetRef(this.#instance, true);
  }

  watch(directories) {
    for (const directory of directories) {
      if (this.#watched.has(directory) || this.#instance === undefined) continue;
      try {
        this.#paths.set(fs.inotifyAddWatch(this.#instance, directory, MASK | CREATE), directory);
        this.#watched.add(directory);
      } catch {
        // It was removed meanwhile; it is tried again at the next change.
      }
    }
  }

  close() {
    if (this.#instance !== undefined) fs.inotifyClose(this.#instance);
    this.#instance = undefined;
  }
}

function isLink(path) { return require('fs').lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true; }

module.exports = { FileWatcher };
