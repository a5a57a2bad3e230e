// Statements of `bun:sqlite`. In: the number of a prepared statement. Out: rows as objects, arrays
// or bytes. A statement has one cursor, which its newest run owns.
'use strict';

const binding = require('internal/sqlite/binding');

const finalized = new FinalizationRegistry((id) => binding.finalize(id));

/** A BigInt as SQLite stores it: 64 bits. */
function toWord(value, isSafe) {
  if (typeof value !== 'bigint') return value;
  const word = BigInt.asIntN(64, value);
  if (isSafe && word !== value) throw new RangeError(`BigInt value '${value}' is out of range`);
  return word;
}

function isNamed(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value) && !(value instanceof ArrayBuffer)
    && !(typeof SharedArrayBuffer === 'function' && value instanceof SharedArrayBuffer) && !(value instanceof Date);
}

/** The function that makes an object of a row. Later columns of one name win. */
function rowMaker(names) {
  const unique = new Map(names.map((name, index) => [name, index]));
  const fields = [...unique].map(([name, index]) => (name === '__proto__' ? `['__proto__']:row[${index}]` : `${JSON.stringify(name)}:row[${index}]`));
  return new Function('row', `return {${fields.join(',')}}`);
}

class Statement {
  #id;
  #database;
  #columns;
  #parameters;
  #readonly;
  #isFinalized = false;
  #safeIntegers;
  #strict;
  #makeRow;
  #prototype;
  #run = 0;

  constructor(handle) {
    if (typeof handle !== 'object' || handle === null || typeof handle.id !== 'number') throw new TypeError('Statement is made by a Database');
    const { id, database, safeIntegers, strict, defaults } = handle;
    this.#id = id;
    this.#database = database;
    this.#safeIntegers = safeIntegers;
    this.#strict = strict;
    [this.#columns, this.#parameters, this.#readonly] = binding.describe(id);
    finalized.register(this, id, this);
    if (defaults !== undefined) this.#bind(defaults);
  }

  #check() {
    if (this.#isFinalized) throw new Error(this.#database.isClosed ? 'Database has closed' : 'Statement has finalized');
  }

  /** Begins a run with these parameters; without any with those that were bound last. */
  #begin(params) {
    this.#check();
    this.#run++;
    if (params.length === 0) binding.reset(this.#id);
    else this.#bind(params);
  }

  #bind(params) { binding.bind(this.#id, this.#values(params)); }

  #values(params) {
    if (params.length === 1 && isNamed(params[0])) return this.#namedValues(params[0]);
    if (params.length === 1 && Array.isArray(params[0])) params = params[0];
    if (params.length === 0) return [];
    const expected = this.#parameters.length;
    if (params.length !== expected) throw new Error(`SQLite query expected ${expected} values, received ${params.length}`);
    return params.map((value) => toWord(value, this.#safeIntegers));
  }

  #namedValues(named) {
    return this.#parameters.map((name) => {
      if (name === null) return null;
      const bare = name.slice(1);
      const keys = this.#strict ? [bare, name] : [name, bare];
      const key = keys.find((one) => Object.hasOwn(named, one) || one in named);
      if (key === undefined && this.#strict) throw new Error(`Missing parameter "${bare}"`);
      return key === undefined ? null : toWord(named[key], this.#safeIntegers);
    });
  }

  #toObject(row) {
    this.#makeRow ??= rowMaker(this.#columns);
    const made = this.#makeRow(row);
    return this.#prototype === undefined ? made : Object.assign(Object.create(this.#prototype), made);
  }

  get(...params) {
    this.#begin(params);
    const row = binding.step(this.#id, this.#safeIntegers, false);
    binding.reset(this.#id);
    return row === undefined || this.#columns.length === 0 ? null : this.#toObject(row);
  }

  all(...params) {
    this.#begin(params);
    const rows = binding.all(this.#id, this.#safeIntegers, false);
    for (let index = 0; index < rows.length; index++) rows[index] = this.#toObject(rows[index]);
    return rows;
  }

  values(...params) {
    this.#begin(params);
    return binding.all(this.#id, this.#safeIntegers, false);
  }

  raw(...params) {
    this.#begin(params);
    return binding.all(this.#id, false, true);
  }

  run(...params) {
    this.#begin(params);
    const [changes, lastInsertRowid] = binding.run(this.#id, this.#safeIntegers);
    return { changes, lastInsertRowid };
  }

  *iterate(...params) {
    this.#begin(params);
    const run = this.#run;
    try {
      for (;;) {
        if (run !== this.#run) throw new Error('This iterator was invalidated: its statement was run again. Use db.prepare() to get a statement with a cursor of its own.');
        this.#check();
        const row = binding.step(this.#id, this.#safeIntegers, false);
        if (row === undefined) return;
        yield this.#toObject(row);
      }
    } finally {
      if (run === this.#run && !this.#isFinalized && !this.#database.isFinal) binding.reset(this.#id);
    }
  }

  [Symbol.iterator]() { return this.iterate(); }

  as(Class) {
    if (typeof Class !== 'function') throw new TypeError('Expected class to be a constructor');
    this.#prototype = Class.prototype;
    return this;
  }

  safeIntegers(enabled) {
    if (enabled === undefined) return this.#safeIntegers;
    this.#safeIntegers = Boolean(enabled);
    return this;
  }

  finalize() {
    if (this.#isFinalized) return;
    this.#isFinalized = true;
    finalized.unregister(this);
    binding.finalize(this.#id);
  }

  toString() { return this.#isFinalized || this.#database.isFinal ? '' : binding.expandedSql(this.#id); }

  toJSON() {
    return { sql: this.toString(), isFinalized: this.#isFinalized, paramsCount: this.paramsCount, columnNames: this.columnNames };
  }

  get columnNames() { return [...this.#columns]; }

  get columnTypes() {
    this.#check();
    if (!this.#readonly) throw new Error('columnTypes is not available for a statement that changes the database');
    this.#run++;
    return binding.columnTypes(this.#id);
  }

  get declaredTypes() {
    this.#check();
    return binding.declaredTypes(this.#id);
  }

  get paramsCount() { return this.#parameters.length; }
  get isFinalized() { return this.#isFinalized; }
  get reader() { return this.#columns.length > 0; }
  get readonly() { return this.#readonly; }
  get native() { return { id: this.#id }; }
  [Symbol.dispose]() { this.finalize(); }
}

module.exports = { Statement };
