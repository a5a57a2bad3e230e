// Modules of `--preload`, and their hooks. In: names. Out: hooks around each file of this global
// object; `beforeAll` before the first test, `afterAll` after the last file. Absent: calling them
// (execute.js).
'use strict';

const { HOOK_KINDS, collection } = require('internal/test_files/tree');

class Preloads {
  /** By kind, once the modules are loaded. */
  hooks = undefined;
  /** Of `setDefaultTimeout`. */
  defaultTimeout = undefined;
  /** `beforeAll` was called. */
  hasBegun = false;
  /** What it has returned to be called after the last file. */
  teardowns = [];
  /** What it threw: no test runs. */
  failure = undefined;

  /** @param {(name: string) => Promise<void>} importModule */
  constructor(names, importModule) {
    this.names = names;
    this.importModule = importModule;
  }

  /** Whether there is anything to load. */
  get isEmpty() { return this.names.length === 0; }

  get hasHooks() { return this.hooks?.beforeAll.length > 0 || this.hooks?.afterAll.length > 0; }

  /** Evaluates the modules for the first file; what they have defined is kept for all. */
  async load() {
    if (this.hooks === undefined) {
      for (const name of this.names) await this.importModule(name);
      const { hooks } = collection.root;
      this.hooks = Object.fromEntries(HOOK_KINDS.map((kind) => [kind, hooks[kind].splice(0)]));
      this.defaultTimeout = collection.defaultTimeout;
    }
    collection.defaultTimeout = this.defaultTimeout;
  }

  /** What preloads have set up is there until the file's own hooks have run. */
  surround({ hooks }) {
    if (this.isEmpty) return;
    hooks.beforeEach.unshift(...this.hooks.beforeEach);
    hooks.afterEach.push(...this.hooks.afterEach);
  }

  async begin(execution) {
    if (!this.hasBegun) {
      this.hasBegun = true;
      this.failure = await execution.runHooks(this.hooks.beforeAll, 'beforeAll', { teardowns: this.teardowns });
    }
    return this.failure;
  }

  async end(execution) { await execution.endGroup(this.hooks, collection.root, this.teardowns); }
}

module.exports = { Preloads };
