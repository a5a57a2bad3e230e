// Performance timeline: entries and observers. In: marks and measures of a program. Out: the
// classes of entries, the timeline's buffer, `PerformanceObserver`. Absent: entries of fetch
// (resource.js), of garbage collections.

'use strict';

const { codes } = require('internal/errors');
const { validateFunction, validateObject, validateString } = require('internal/validators');
const { customInspectSymbol } = require('internal/util');
const { ERR_ILLEGAL_CONSTRUCTOR, ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE, ERR_INVALID_THIS, ERR_MISSING_ARGS } = codes;

const kMake = Symbol('kMake');

function inspectEntry(self, name, depth, options, fields) {
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
    return inspectEntry(this, this.constructor.name, depth, options, this.toJSON());
  }

  toJSON() {
    PerformanceEntry.#check(this);
    const fields = { name: this.#name, entryType: this.#entryType, startTime: this.#startTime, duration: this.#duration };
    return this.#detail === undefined ? fields : { ...fields, detail: this.#detail };
  }
}
const { detailOf } = PerformanceEntry;
delete PerformanceEntry.detailOf;
makeEnumerable(PerformanceEntry, ['name', 'entryType', 'startTime', 'duration', 'toJSON']);

/** Makes members enumerable, as in Web IDL. */
function makeEnumerable(Class, names) {
  for (const name of names) {
    Object.defineProperty(Class.prototype, name, { enumerable: true });
  }
  Object.defineProperty(Class.prototype, Symbol.toStringTag, { value: Class.name, configurable: true, enumerable: false, writable: false });
}

/** Names of nodeTiming's milestones, which cannot be marked. */
const RESERVED = new Set(['nodeStart', 'v8Start', 'environment', 'loopStart', 'loopExit', 'bootstrapComplete']);

/** A structured clone; null for no detail. */
function cloneDetail(detail) {
  if (detail === undefined || detail === null) {
    return null;
  }
  return typeof detail === 'object' || typeof detail === 'function' || typeof detail === 'symbol' ? structuredClone(detail) : detail;
}

/** A name as a string; a symbol throws the error that programs know. */
function toName(name) {
  if (typeof name === 'symbol') throw new TypeError('Cannot convert a Symbol value to a string');
  return `${name}`;
}

class PerformanceMark extends PerformanceEntry {
  constructor(name, options = undefined) {
    if (arguments.length === 0) {
      throw new ERR_MISSING_ARGS('name');
    }
    const text = toName(name);
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
    super(kMake, text, 'mark', startTime, 0, cloneDetail(options?.detail));
  }

  get detail() {
    return detailOf(this, 'PerformanceMark');
  }
}
makeEnumerable(PerformanceMark, ['detail']);

class PerformanceMeasure extends PerformanceEntry {
  constructor(...[mark, name, startTime, duration, detail]) {
    super(mark, name, 'measure', startTime, duration, detail);
  }

  get detail() {
    return detailOf(this, 'PerformanceMeasure');
  }
}
makeEnumerable(PerformanceMeasure, ['detail']);

/** An entry of a builtin, with its own detail: timerified functions, DNS, HTTP. */
class PerformanceNodeEntry extends PerformanceEntry {
  get detail() {
    return detailOf(this, 'PerformanceNodeEntry');
  }
}

// --- buffer and observers

const byStart = (one, other) => one.startTime - other.startTime;
/** The timeline's buffer, by entry type. */
const buffers = { mark: [], measure: [], resource: [] };

/** The last mark of a name. */
function findMark(name) {
  return buffers.mark.findLast((mark) => mark.name === name);
}

function getEntries(name, type) {
  const all = Object.values(buffers).flat().sort(byStart);
  return all.filter((entry) => (name === undefined || entry.name === name) && (type === undefined || entry.entryType === type));
}

function clear(type, name) {
  buffers[type] = name === undefined ? [] : buffers[type].filter((entry) => entry.name !== name);
}

const addToBuffer = (entry) => buffers[entry.entryType].push(entry);
const bufferSize = (type) => buffers[type].length;

const KINDS = Object.freeze(['dns', 'function', 'gc', 'http', 'http2', 'mark', 'measure', 'net', 'resource']);
const observers = new Set();
let isScheduled = false;
/** With more entries a warning is emitted once: the program never clears them. */
const ENTRIES_MAX = 1e6;
const warned = new Set();

function warnIfTooMany(type, count) {
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
    warnIfTooMany(entryType, addToBuffer(entry));
  }
  for (const observer of observers) {
    if (observer.observes(entryType)) {
      observer.add(entry);
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
      observer.dispatch();
    }
  });
}

const isObserved = (type) => [...observers].some((observer) => observer.observes(type));

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
    return inspectEntry(this, 'PerformanceObserverEntryList', depth, options, this.#entries);
  }
}
makeEnumerable(PerformanceObserverEntryList, ['getEntries', 'getEntriesByType', 'getEntriesByName']);

class PerformanceObserver {
  #buffer = [];
  #types = new Set();
  #kind;
  #callback;
  #observer = { observes: (type) => this.#types.has(type), add: (entry) => this.#bufferEntry(entry), dispatch: () => this.#dispatch() };

  constructor(callback) {
    validateFunction(callback, 'callback');
    this.#callback = require('internal/async_context').bind(callback);
  }

  static get supportedEntryTypes() {
    return KINDS;
  }

  #bufferEntry(entry) {
    this.#buffer.push(entry);
    schedule();
  }

  #dispatch() {
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
        this.#buffer.push(...getEntries(undefined, type));
        schedule();
      }
    }
    if (this.#types.size > 0) {
      observers.add(this.#observer);
    } else {
      this.disconnect();
    }
  }

  disconnect() {
    this.#buffer = [];
    this.#types.clear();
    this.#kind = undefined;
    observers.delete(this.#observer);
  }

  takeRecords() {
    const entries = this.#buffer;
    this.#buffer = [];
    return entries;
  }

  [customInspectSymbol](depth, options) {
    return inspectEntry(this, 'PerformanceObserver', depth, options, { connected: observers.has(this.#observer), pending: isScheduled, entryTypes: [...this.#types], buffer: this.#buffer });
  }
}
makeEnumerable(PerformanceObserver, ['observe', 'disconnect', 'takeRecords']);

module.exports = {
  PerformanceEntry, PerformanceMark, PerformanceMeasure, PerformanceNodeEntry, PerformanceObserver, PerformanceObserverEntryList,
  RESERVED, cloneDetail, clear, enqueue, makeEnumerable, findMark, isObserved, kMake, addToBuffer, bufferSize, getEntries, inspectEntry, toName,
};
require('internal/perf/observe').attach(module.exports);
