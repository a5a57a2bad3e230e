// Watch mode of `run`: runs test files again when a file that they load changes. In: the files that
// each test file has loaded. Out: calls with the test files to run again. Directories are watched,
// so that a replaced file is noticed too.
'use strict';

const { dirname, join } = require('path');
const { setTimeout, clearTimeout } = internalBinding('queues');

/** An editor writes several files, and a file in several writes. */
const DEBOUNCE_MS = 50;

class FileWatcher {
  #onChange;
  /** Test files by each file that they load. @type {Map<string, Set<string>>} */
  #owners = new Map();
  /** By directory. */
  #watchers = new Map();
  #changed = new Set();
  #timer;

  constructor(onChange) { this.#onChange = onChange; }

  /** From now on a change of `path` concerns `owner`. */
  add(path, owner) {
    const owners = this.#owners.get(path) ?? new Set();
    owners.add(owner);
    this.#owners.set(path, owners);
    const directory = dirname(path);
    if (this.#watchers.has(directory)) return;
    try {
      const watcher = require('fs').watch(directory, (_, name) => this.#note(join(directory, `${name}`)));
      watcher.on('error', () => {});
      this.#watchers.set(directory, watcher);
    } catch {
      // The directory is gone, and with it what could change.
    }
  }

  #note(path) {
    for (const owner of this.#owners.get(path) ?? []) this.#changed.add(owner);
    if (this.#changed.size === 0) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      const changed = [...this.#changed];
      this.#changed.clear();
      this.#onChange(changed);
    }, DEBOUNCE_MS);
  }

  close() {
    clearTimeout(this.#timer);
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }
}

module.exports = { FileWatcher };
