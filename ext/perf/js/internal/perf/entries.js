// Entries of the performance timeline, and who is told of them. In: marks and measures of a
// program. Out: the classes of entries, the list that `performance` keeps, `PerformanceObserver`.
// Absent: entries of the network (resource.js has those of fetch), of collections: nobody makes
// any.

'use strict';

const { codes } = require('internal/errors');
const { validateFunction, validateObject, validateString } = require('internal/validators');
const { customInspectSymbol } = require('internal/util');
const { ERR_ILLEGAL_CONSTRUCTOR, ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE, ERR_INVALID_THIS, ERR_MISSING_ARGS } = codes;

const kMake = Symbol('kMake');

function show(self, name, depth, options, fields) {
  if (depth < 0) {
    return self;
  }
  const { inspect } = require('internal/util/inspect');
  return `${name} ${inspect(fields, { ...options, depth: options.depth == null ? null : options.depth - 1 })}`;
}

class PerformanceEntry {
  #name;
  #entryType;
  #startTime;
  #duration;
  #detail;

  constructor(mark, name, entryType, startTime, duration, detail) {
    if (mark !== kMake) {
      throw new ERR_ILLEGAL_CONSTRUCTOR();
    }
    this.#name = name;
    this.#entryType = entryType;
    this.#startTime = startTime;
    this.#duration = duration;
    this.#detail = detail;
  }

  static #check(self) {
    if (!(typeof self === 'object' && self !== null && #name in self)) {
      throw new ERR_INVALID_THIS('PerformanceEntry');
    }
  }

  get name() {
    PerformanceEntry.#check(this);
    return this.#name;
  }

  get entryType() {
    PerformanceEntry.#check(this);
    return this.#entryType;
  }

  get startTime() {
    PerformanceEntry.#check(this);
    return this.#startTime;
  }

  get duration() {
    PerformanceEntry.#check(this);
    return this.#duration;
  }

  static detailOf(entry, name) {
    if (!(typeof entry === 'object' && entry !== null && #detail in entry)) {
      throw new ERR_INVALID_THIS(name);
    }
    return entry.#detail;
  }

  [customInspectSymbol](depth, options) {
    return show(this, this.constructor.name, depth, options, this.toJSON());
  }

  toJSON() {
    PerformanceEntry.#check(this);
    const fields = { name: this.#name, entryType: this.#entryType, startTime: this.#startTime, duration: this.#duration };
    return this.#detail === undefined ? fields : { ...fields, detail: this.#detail };
  }
}
const { detailOf } = PerformanceEntry;
delete PerformanceEntry.detailOf;
enumerate(PerformanceEntry, ['name', 'entryType', 'startTime', 'duration', 'toJSON']);

/** As Web IDL has members of classes. */
function enumerate(Class, names) {
  for (const name of names) {
    Object.defineProperty(Class.prototype, name, { enumerable: true });
  }
  Object.defineProperty(Class.prototype, Symbol.toStringTag, { value: Class.name, configurable: true, enumerable: false, writable: false });
}

/** Names of nodeTiming's own: nobody marks them. */
const RESERVED = new Set(['nodeStart', 'v8Start', 'environment', 'loopStart', 'loopExit', 'bootstrapComplete']);

/** A copy, as messages are copied; none is null. */
function cloned(detail) {
  if (detail === undefined || detail === null) {
    return null;
  }
  return typeof detail === 'object' || typeof detail === 'function' || typeof detail === 'symbol' ? structuredClone(detail) : detail;
}

/** A name as text; what has none is refused in the words that programs know. */
function textOf(name) {
  if (typeof name === 'symbol') throw new TypeError('Cannot convert a Symbol value to a string');
  return `${name}`;
}

class PerformanceMark extends PerformanceEntry {
  constructor(name, options = undefined) {
    if (arguments.length === 0) {
      throw new ERR_MISSING_ARGS('name');
    }
    const text = textOf(name);
    if (RESERVED.has(text)) {
      throw new ERR_INVALID_ARG_VALUE('name', text);
    }
    if (options != null) {
      validateObject(options, 'options');
    }
    const startTime = options?.startTime ?? require('internal/perf/clock').now();
    if (typeof startTime !== 'number') {
      require('internal/validators').validateNumber(startTime, 'startTime');
    }
    if (startTime < 0) {
      throw new codes.ERR_PERFORMANCE_INVALID_TIMESTAMP(startTime);
    }
    super(kMake, text, 'mark', startTime, 0, cloned(options?.detail));
  }

  get detail() {
    return detailOf(this, 'PerformanceMark');
  }
}
enumerate(PerformanceMark, ['detail']);

class PerformanceMeasure extends PerformanceEntry {
  constructor(...[mark, name, startTime, duration, detail]) {
    super(mark, name, 'measure', startTime, duration, detail);
  }

  get detail() {
    return detailOf(this, 'PerformanceMeasure');
  }
}
enumerate(PerformanceMeasure, ['detail']);

/** A function that was timed, and whatever else has a detail of its own. */
class PerformanceNodeEntry extends PerformanceEntry {
  get detail() {
    return detailOf(this, 'PerformanceNodeEntry');
  }
}

// --- the list, and who is told

const byStart = (one, other) => one.startTime - other.startTime;
/** What `performance` keeps, by its type. */
const lists = { mark: [], measure: [], resource: [] };

/** The newest first: the last mark of a name counts. */
function findMark(name) {
  return lists.mark.findLast((mark) => mark.name === name);
}

function listed(name, type) {
  const all = Object.values(lists).flat().sort(byStart);
  return all.filter((entry) => (name === undefined || entry.name === name) && (type === undefined || entry.entryType === type));
}

function clear(type, name) {
  lists[type] = name === undefined ? [] : lists[type].filter((entry) => entry.name !== name);
}

const keep = (entry) => lists[entry.entryType].push(entry);
const kept = (type) => lists[type].length;

const KINDS = Object.freeze(['dns', 'function', 'gc', 'http', 'http2', 'mark', 'measure', 'net', 'resource']);
const observers = new Set();
let isScheduled = false;
/** More entries than these are told of once: somebody never clears them. */
const ENTRIES_MAX = 1e6;
const warned = new Set();

function warnOfMany(type, count) {
  if (count > ENTRIES_MAX && !warned.has(type)) {
    warned.add(type);
    const warning = new Error(
      `Possible perf_hooks memory leak detected. ${count} ${type} entries added to the global performance entry buffer. ` +
        `Use ${type === 'mark' ? 'performance.clearMarks' : 'performance.clearMeasures'} to clear the buffer.`,
    );
    warning.name = 'MaxPerformanceEntryBufferExceededWarning';
    Object.assign(warning, { entryType: type, count });
    require('process').emitWarning(warning);
  }
}

function enqueue(entry) {
  const { entryType } = entry;
  if (entryType === 'mark' || entryType === 'measure') {
    warnOfMany(entryType, keep(entry));
  }
  for (const observer of observers) {
    if (observer.wants(entryType)) {
      observer.take(entry);
    }
  }
}

function schedule() {
  if (isScheduled) {
    return;
  }
  isScheduled = true;
  setImmediate(() => {
    isScheduled = false;
    for (const observer of [...observers]) {
      observer.tell();
    }
  });
}

const isObserved = (type) => [...observers].some((observer) => observer.wants(type));

class PerformanceObserverEntryList {
  #entries;

  constructor(mark, entries) {
    if (mark !== kMake) {
      throw new ERR_ILLEGAL_CONSTRUCTOR();
    }
    this.#entries = entries.sort(byStart);
  }

  getEntries() {
    return [...this.#entries];
  }

  getEntriesByType(type) {
    if (arguments.length === 0) {
      throw new ERR_MISSING_ARGS('type');
    }
    return this.#entries.filter(({ entryType }) => entryType === `${type}`);
  }

  getEntriesByName(name, type) {
    if (arguments.length === 0) {
      throw new ERR_MISSING_ARGS('name');
    }
    return this.#entries.filter((entry) => entry.name === `${name}` && (type === undefined || entry.entryType === `${type}`));
  }

  [customInspectSymbol](depth, options) {
    return show(this, 'PerformanceObserverEntryList', depth, options, this.#entries);
  }
}
enumerate(PerformanceObserverEntryList, ['getEntries', 'getEntriesByType', 'getEntriesByName']);

class PerformanceObserver {
  #buffer = [];
  #types = new Set();
  #kind;
  #callback;
  #self = { wants: (type) => this.#types.has(type), take: (entry) => this.#take(entry), tell: () => this.#tell() };

  constructor(callback) {
    validateFunction(callback, 'callback');
    this.#callback = require('internal/async_context').bind(callback);
  }

  static get supportedEntryTypes() {
    return KINDS;
  }

  #take(entry) {
    this.#buffer.push(entry);
    schedule();
  }

  #tell() {
    if (this.#buffer.length > 0) {
      const entries = this.takeRecords();
      Reflect.apply(this.#callback, this, [new PerformanceObserverEntryList(kMake, entries), this]);
    }
  }

  observe(options = {}) {
    validateObject(options, 'options');
    const { entryTypes, type, buffered } = { ...options };
    if (entryTypes === undefined && type === undefined) {
      throw new ERR_MISSING_ARGS('options.entryTypes', 'options.type');
    }
    if (entryTypes != null && type != null) {
      throw new ERR_INVALID_ARG_VALUE('options.entryTypes', entryTypes, 'options.entryTypes can not set with options.type together');
    }
    const kind = entryTypes === undefined ? 'single' : 'multiple';
    if (this.#kind !== undefined && this.#kind !== kind) {
      const { lazyDOMException } = require('internal/util');
      throw lazyDOMException(`PerformanceObserver can not change to ${kind} observations`, 'InvalidModificationError');
    }
    this.#kind = kind;
    if (kind === 'multiple') {
      if (!Array.isArray(entryTypes)) {
        throw new ERR_INVALID_ARG_TYPE('options.entryTypes', 'string[]', entryTypes);
      }
      this.#types = new Set(entryTypes.filter((entryType) => KINDS.includes(entryType)));
    } else {
      validateString(type, 'options.type');
      if (!KINDS.includes(type)) {
        return;
      }
      this.#types.add(type);
      if (buffered) {
        this.#buffer.push(...listed(undefined, type));
        schedule();
      }
    }
    if (this.#types.size > 0) {
      observers.add(this.#self);
    } else {
      this.disconnect();
    }
  }

  disconnect() {
    this.#buffer = [];
    this.#types.clear();
    this.#kind = undefined;
    observers.delete(this.#self);
  }

  takeRecords() {
    const entries = this.#buffer;
    this.#buffer = [];
    return entries;
  }

  [customInspectSymbol](depth, options) {
    return show(this, 'PerformanceObserver', depth, options, { connected: observers.has(this.#self), pending: isScheduled, entryTypes: [...this.#types], buffer: this.#buffer });
  }
}
enumerate(PerformanceObserver, ['observe', 'disconnect', 'takeRecords']);

module.exports = {
  PerformanceEntry, PerformanceMark, PerformanceMeasure, PerformanceNodeEntry, PerformanceObserver, PerformanceObserverEntryList,
  RESERVED, cloned, clear, enqueue, enumerate, findMark, isObserved, kMake, keep, kept, listed, show, textOf,
};
require('internal/perf/observe').attach(module.exports);
