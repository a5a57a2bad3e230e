// Module record of a mocked module. In: its exports as getters, what is read where the mock has no
// export. Out: a record for the module map. Absent: which modules are mocked (module_mocks.js).
'use strict';

const { SyntheticRecord } = require('internal/esm/record');

/** Whose names are those of other programs: what asks for them does not want an export. */
const ASKED_OF_ANY_VALUE = ['then', 'toJSON', 'constructor', 'asymmetricMatch', 'nodeType', 'tagName', 'message', 'stack', 'name', 'length', 'inspect'];

/** A mock of jest or vitest: an import of a name that it does not have is no error by itself. */
class MockRecord extends SyntheticRecord {
  #readMissing;

  constructor(url, names, evaluate, readMissing) {
    super(url, names, evaluate);
    this.#readMissing = readMissing;
  }

  resolveExport(name) {
    if (!this.names.has(name) && !(name in this.bindings)) {
      const get = () => this.#readMissing(name, get);
      Object.defineProperty(this.bindings, name, { __proto__: null, get, enumerable: false, configurable: true });
    }
    return [this, name];
  }

  /** What a namespace has under a name that is not exported. */
  readMissing(key) {
    if (typeof key !== 'string' || /^[_$@]/.test(key) || ASKED_OF_ANY_VALUE.includes(key)) return undefined;
    return this.#readMissing(key, this.readMissing);
  }
}

/**
 * @param {Map<string, () => any>} entries
 * @param {((name: string, caller: Function) => any) | undefined} readMissing
 */
function makeRecord(url, entries, readMissing) {
  const evaluate = ({ bindings }) => {
    for (const [name, get] of entries) Object.defineProperty(bindings, name, { __proto__: null, get, enumerable: true, configurable: true });
  };
  return readMissing === undefined ? new SyntheticRecord(url, entries.keys(), evaluate) : new MockRecord(url, entries.keys(), evaluate, readMissing);
}

module.exports = { makeRecord };
