// Databases of `bun:sqlite`.
'use strict';

const binding = require('internal/sqlite/binding');
const { constants } = require('internal/sqlite/constants');
const { Statement } = require('internal/sqlite/statement');

const { SQLITE_OPEN_CREATE: CREATE, SQLITE_OPEN_READONLY: READONLY, SQLITE_OPEN_READWRITE: READWRITE } = constants;
const { SQLITE_PREPARE_PERSISTENT: PERSISTENT } = constants;
const HOOKS = { insert: 'onInsert', update: 'onUpdate', delete: 'onDelete' };

const released = new FinalizationRegistry((id) => binding.release(id));
const isObject = (value) => typeof value === 'object' && value !== null;

/** Flags of `sqlite3_open_v2`, of bun's options. */
function openFlags(options) {
  if (typeof options === 'number') return options;
  if (options === undefined || options === null) return READWRITE | CREATE;
  if (!isObject(options)) throw new TypeError('Expected options to be a number or an object');
  const { readonly, create, readwrite } = options;
  if (readonly || readwrite === false) {
    if (create || (readonly && readwrite)) {
      throw new TypeError('A read-only database ("readonly: true" or "readwrite: false") cannot have "create: true" or "readwrite: true"');
    }
    return READONLY;
  }
  return create === false ? READWRITE : READWRITE | CREATE;
}

/** The path that SQLite opens: a `file:` URL is one only with the flag for it. */
function toPath(filename) {
  if (filename === undefined || filename === null || filename === '') return ':memory:';
  if (typeof filename !== 'string') throw new TypeError(`Expected 'filename' to be a string, got '${typeof filename}'`);
  return filename.trim() === '' ? ':memory:' : filename;
}

class Database {
  static MAX_QUERY_CACHE_SIZE = 20;

  #id;
  #filename;
  #safeIntegers = false;
  #strict = false;
  #state = { isClosed: false, isFinal: false };
  #cache = new Map();
  #hooks = { insert: null, update: null, delete: null };

  constructor(filename, options) {
    if (ArrayBuffer.isView(filename)) {
      this.#id = binding.deserialize(filename, Boolean(isObject(options) && options.readonly));
      this.#filename = ':memory:';
    } else {
      const flags = openFlags(options);
      this.#filename = toPath(filename);
      this.#id = binding.open(this.#filename, flags);
    }
    if (isObject(options)) {
      this.#safeIntegers = Boolean(options.safeIntegers);
      this.#strict = Boolean(options.strict);
    }
    released.register(this, this.#id, this);
  }

  static open(filename, options) { return new Database(filename, options); }

  static deserialize(serialized, options) {
    const bytes = ArrayBuffer.isView(serialized) ? serialized : new Uint8Array(serialized);
    return new Database(bytes, typeof options === 'boolean' ? { readonly: options } : options);
  }

  /** The distribution's library is always used, as bun on Linux uses its own. */
  static setCustomSQLite() { return false; }

  get filename() { return this.#filename; }
  get handle() { return this.#id; }
  get inTransaction() { return !this.#state.isClosed && binding.inTransaction(this.#id); }

  #check() {
    if (this.#state.isClosed) throw new Error('Database has closed');
  }

  #prepare(sql, flags, defaults) {
    this.#check();
    if (typeof sql !== 'string') throw new TypeError(`Expected SQL to be a string, got '${typeof sql}'`);
    const [id] = binding.prepare(this.#id, sql, flags);
    if (id === 0) throw new RangeError('Invalid SQL statement');
    return new Statement({ id, database: this.#state, safeIntegers: this.#safeIntegers, strict: this.#strict, defaults });
  }

  prepare(sql, ...params) { return this.#prepare(sql, 0, params.length === 0 ? undefined : params); }

  query(sql) {
    this.#check();
    const known = this.#cache.get(sql);
    if (known !== undefined && !known.isFinalized) return known;
    const statement = this.#prepare(sql, PERSISTENT, undefined);
    this.#cache.set(sql, statement);
    // The oldest leaves. It is finalized when the program has dropped it.
    if (this.#cache.size > Database.MAX_QUERY_CACHE_SIZE) this.#cache.delete(this.#cache.keys().next().value);
    return statement;
  }

  clearQueryCache() {
    for (const statement of this.#cache.values()) statement.finalize();
    this.#cache.clear();
  }

  /** Runs all statements of the SQL; parameters are those of the first. */
  run(sql, ...params) {
    this.#check();
    if (typeof sql !== 'string') throw new TypeError(`Expected SQL to be a string, got '${typeof sql}'`);
    if (sql === '') throw new Error("SQL string mustn't be blank");
    const total = { changes: 0, lastInsertRowid: 0 };
    let rest = sql;
    let values = params;
    for (;;) {
      const [id, after] = binding.prepare(this.#id, rest, 0);
      if (id === 0) {
        if (rest === sql) throw new Error('Query contained no valid SQL statement; likely empty query.');
        return total;
      }
      const statement = new Statement({ id, database: this.#state, safeIntegers: this.#safeIntegers, strict: this.#strict });
      try {
        const { changes, lastInsertRowid } = statement.run(...values);
        total.changes += changes;
        total.lastInsertRowid = lastInsertRowid;
      } finally {
        statement.finalize();
      }
      if (after === '') return total;
      [rest, values] = [after, []];
    }
  }

  exec(sql, ...params) { return this.run(sql, ...params); }

  transaction(body) { return require('internal/sqlite/transaction').makeTransaction(this, body); }

  function(name, options, body) {
    this.#check();
    const { defineFunction } = require('internal/sqlite/functions');
    if (typeof options === 'function') defineFunction(this.#id, name, {}, options, this.#safeIntegers);
    else defineFunction(this.#id, name, options ?? {}, body, this.#safeIntegers);
    return this;
  }

  aggregate(name, options) {
    this.#check();
    require('internal/sqlite/functions').defineAggregate(this.#id, name, options, this.#safeIntegers);
    return this;
  }

  #setHook(kind, hook) {
    this.#check();
    if (hook !== null && hook !== undefined && typeof hook !== 'function') throw new TypeError(`Expected ${HOOKS[kind]} to be a function or null`);
    this.#hooks[kind] = hook ?? null;
    const hooks = this.#hooks;
    if (Object.values(hooks).every((one) => one === null)) {
      binding.setHook(this.#id, null, false);
      return;
    }
    const self = new WeakRef(this);
    const tell = (change, table, row, schema) => {
      const database = self.deref();
      if (hooks[change] !== null && database !== undefined) Reflect.apply(hooks[change], database, [database, table, row, schema]);
    };
    binding.setHook(this.#id, tell, this.#safeIntegers);
  }

  get onInsert() { return this.#hooks.insert; }
  set onInsert(hook) { this.#setHook('insert', hook); }
  get onUpdate() { return this.#hooks.update; }
  set onUpdate(hook) { this.#setHook('update', hook); }
  get onDelete() { return this.#hooks.delete; }
  set onDelete(hook) { this.#setHook('delete', hook); }

  serialize(name = 'main') {
    this.#check();
    return Buffer.from(binding.serialize(this.#id, String(name)).buffer);
  }

  loadExtension(file, entryPoint) {
    this.#check();
    binding.loadExtension(this.#id, String(file), entryPoint === undefined ? undefined : String(entryPoint));
  }

  fileControl(name, operation, argument) {
    this.#check();
    if (typeof name === 'number') return binding.fileControl(this.#id, null, name, operation ?? null);
    return binding.fileControl(this.#id, String(name), operation, argument ?? null);
  }

  /** `true`: statements that are still there are finalized, too. */
  close(throwOnError = false) {
    if (!this.#state.isClosed) {
      this.clearQueryCache();
      released.unregister(this);
      binding.release(this.#id);
    }
    if (throwOnError) this.#state.isFinal = true;
    this.#state.isClosed = true;
    if (throwOnError && !binding.finalizeAll(this.#id)) throw new Error('unable to close due to unfinalized statements');
  }

  [Symbol.dispose]() { this.close(true); }
}

module.exports = { Database };
