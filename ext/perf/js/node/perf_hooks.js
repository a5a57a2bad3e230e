// `node:perf_hooks`: `performance`, marks and measures, observers, histograms. Absent: entries of
// garbage collections; an observer of those gets none.

'use strict';

const { codes } = require('internal/errors');
const { validateFunction, validateObject } = require('internal/validators');
const { customInspectSymbol } = require('internal/util');
const entries = require('internal/perf/entries');
const { threadStart, now, timeOrigin } = require('internal/perf/clock');
const { EventTarget } = require('web/events');
const {
  PerformanceEntry, PerformanceMark, PerformanceMeasure, PerformanceNodeEntry, PerformanceObserver, PerformanceObserverEntryList,
  RESERVED, makeEnumerable, kMake,
} = entries;
const resources = () => require('internal/perf/resource');
const { ERR_ILLEGAL_CONSTRUCTOR, ERR_INVALID_ARG_TYPE, ERR_INVALID_THIS, ERR_MISSING_ARGS, ERR_PERFORMANCE_INVALID_TIMESTAMP, ERR_PERFORMANCE_MEASURE_INVALID_OPTIONS } = codes;

// --- PerformanceNodeTiming

/** A milestone of this thread relative to the time origin; negative where it was not reached. */
const sinceOrigin = (moment) => (moment > 0 ? threadStart + moment : moment);

class PerformanceNodeTiming extends PerformanceEntry {
  constructor(mark) {
    super(mark, 'node', 'node', 0, 0);
    const started = internalBinding('process').milestones();
    const fixed = { name: 'node', entryType: 'node', startTime: 0 };
    const late = {
      duration: now,
      nodeStart: () => threadStart + started[0],
      v8Start: () => threadStart + started[1],
      bootstrapComplete: () => threadStart + started[3],
      environment: () => threadStart + started[2],
      loopStart: () => sinceOrigin(internalBinding('process').loop()[0]),
      loopExit: () => sinceOrigin(internalBinding('process').loop()[1]),
      idleTime: () => internalBinding('process').loop()[2],
    };
    for (const name of Object.keys(fixed)) {
      Object.defineProperty(this, name, { value: fixed[name], enumerable: true, configurable: true });
    }
    for (const name of Object.keys(late)) {
      Object.defineProperty(this, name, { get: late[name], enumerable: true, configurable: true });
    }
  }

  [customInspectSymbol](depth, options) {
    if (depth < 0) {
      return this;
    }
    const { inspect } = require('internal/util/inspect');
    return `PerformanceNodeTiming ${inspect(this.toJSON(), { ...options, depth: options.depth == null ? null : options.depth - 1 })}`;
  }

  get uvMetricsInfo() {
    const [, , , loopCount, events] = internalBinding('process').loop();
    return { loopCount, events, eventsWaiting: 0 };
  }

  toJSON() {
    const names = ['name', 'entryType', 'startTime', 'duration', 'nodeStart', 'v8Start', 'bootstrapComplete', 'environment', 'loopStart', 'loopExit', 'idleTime'];
    return Object.fromEntries(names.map((name) => [name, this[name]]));
  }
}

let nodeTiming;
const timing = () => (nodeTiming ??= new PerformanceNodeTiming(kMake));

// --- event loop utilization

function eventLoopUtilization(one, other) {
  const [loopStart, , idle] = internalBinding('process').loop();
  if (loopStart <= 0) {
    return { idle: 0, active: 0, utilization: 0 };
  }
  return require('internal/perf/utilization')(idle, now() - threadStart - loopStart - idle, one, other);
}

// --- timerify

function timerify(fn, options = {}) {
  validateFunction(fn, 'fn');
  validateObject(options, 'options');
  const { histogram } = options;
  if (histogram !== undefined && typeof histogram?.record !== 'function') {
    throw new ERR_INVALID_ARG_TYPE('options.histogram', 'RecordableHistogram', histogram);
  }
  function timerified(...args) {
    const start = now();
    const result = new.target ? Reflect.construct(fn, args, new.target === timerified ? fn : new.target) : Reflect.apply(fn, this, args);
    if (!new.target && typeof result?.finally === 'function') {
      return result.finally(() => finish(fn, args, start, histogram));
    }
    finish(fn, args, start, histogram);
    return result;
  }
  Object.defineProperties(timerified, {
    length: { configurable: false, enumerable: true, value: fn.length },
    name: { configurable: false, enumerable: true, value: `timerified ${fn.name}` },
  });
  return timerified;
}

function finish(fn, args, start, histogram) {
  const duration = now() - start;
  histogram?.record(Math.ceil(duration * 1e6));
  const entry = new PerformanceNodeEntry(kMake, fn.name, 'function', start, duration, args);
  // The arguments by index, for older programs.
  for (let i = 0; i < args.length; i++) entry[i] = args[i];
  entries.enqueue(entry);
}

// --- measures

function markTime(mark) {
  if (mark === undefined) {
    return undefined;
  }
  if (typeof mark === 'number') {
    if (mark < 0) {
      throw new ERR_PERFORMANCE_INVALID_TIMESTAMP(mark);
    }
    return mark;
  }
  const name = `${mark}`;
  if (RESERVED.has(name)) {
    return timing()[name];
  }
  const entry = entries.findMark(name);
  if (entry === undefined) {
    const { lazyDOMException } = require('internal/util');
    throw lazyDOMException(`The "${name}" performance mark has not been set`, 'SyntaxError');
  }
  return entry.startTime;
}

function measureSpan(startOrOptions, end) {
  const isOptions = typeof startOrOptions === 'object' && startOrOptions !== null;
  const options = isOptions ? startOrOptions : {};
  const hasOptions = isOptions && (options.start !== undefined || options.end !== undefined || options.duration !== undefined);
  if (hasOptions) {
    if (end !== undefined) {
      throw new ERR_PERFORMANCE_MEASURE_INVALID_OPTIONS('endMark must not be specified');
    }
    if (options.start === undefined && options.end === undefined) {
      throw new ERR_PERFORMANCE_MEASURE_INVALID_OPTIONS('One of options.start or options.end is required');
    }
    if (options.start !== undefined && options.end !== undefined && options.duration !== undefined) {
      throw new ERR_PERFORMANCE_MEASURE_INVALID_OPTIONS('Must not have options.start, options.end, and options.duration specified');
    }
  }
  let last;
  if (end !== undefined) {
    last = markTime(end);
  } else if (hasOptions && options.end !== undefined) {
    last = markTime(options.end);
  } else if (hasOptions && options.start !== undefined && options.duration !== undefined) {
    last = markTime(options.start) + markTime(options.duration);
  } else {
    last = now();
  }
  let first = 0;
  if (typeof startOrOptions === 'string') {
    first = markTime(startOrOptions);
  } else if (hasOptions && options.start !== undefined) {
    first = markTime(options.start);
  } else if (hasOptions && options.duration !== undefined && options.end !== undefined) {
    first = last - markTime(options.duration);
  }
  return { first, last, detail: entries.cloneDetail(options.detail) };
}

// --- the object

class Performance extends EventTarget {
  constructor() {
    if (arguments[0] !== kMake) {
      throw new ERR_ILLEGAL_CONSTRUCTOR();
    }
    super();
  }

  clearMarks(name = undefined) {
    check(this);
    entries.clear('mark', name === undefined ? undefined : entries.toName(name));
  }

  clearMeasures(name = undefined) {
    check(this);
    entries.clear('measure', name === undefined ? undefined : entries.toName(name));
  }

  clearResourceTimings() {
    check(this);
    resources().clearResourceTimings();
  }

  getEntries() {
    check(this);
    return entries.getEntries();
  }

  getEntriesByName(name, type = undefined) {
    check(this);
    if (arguments.length === 0) {
      throw new ERR_MISSING_ARGS('name');
    }
    return entries.getEntries(`${name}`, type === undefined ? undefined : `${type}`);
  }

  getEntriesByType(type) {
    check(this);
    if (arguments.length === 0) {
      throw new ERR_MISSING_ARGS('type');
    }
    return entries.getEntries(undefined, `${type}`);
  }

  mark(name, options = {}) {
    check(this);
    if (arguments.length === 0) {
      throw new ERR_MISSING_ARGS('name');
    }
    const mark = new PerformanceMark(name, options);
    entries.enqueue(mark);
    return mark;
  }

  measure(name, startOrMeasureOptions = undefined, endMark = undefined) {
    check(this);
    if (arguments.length === 0) {
      throw new ERR_MISSING_ARGS('name');
    }
    require('internal/validators').validateString(name, 'name');
    const { first, last, detail } = measureSpan(startOrMeasureOptions, endMark);
    const measure = new PerformanceMeasure(kMake, name, first, last - first, detail);
    entries.enqueue(measure);
    return measure;
  }

  now() {
    check(this);
    return now();
  }

  setResourceTimingBufferSize(maxSize) {
    check(this);
    if (arguments.length === 0) {
      throw new ERR_MISSING_ARGS('maxSize');
    }
    resources().setResourceTimingBufferSize(maxSize);
  }

  get timeOrigin() {
    check(this);
    return timeOrigin;
  }

  toJSON() {
    check(this);
    return { nodeTiming: this.nodeTiming, timeOrigin: this.timeOrigin, eventLoopUtilization: this.eventLoopUtilization() };
  }

  [customInspectSymbol](depth, options) {
    if (depth < 0) {
      return this;
    }
    const { inspect } = require('internal/util/inspect');
    return `Performance ${inspect({ nodeTiming: timing(), timeOrigin }, { ...options, depth: options.depth == null ? null : options.depth - 1 })}`;
  }
}

/** Called by implementations of fetch. */
function markResourceTiming(timingInfo, requestedUrl, initiatorType, global, cacheMode, bodyInfo, responseStatus, deliveryType = '') {
  const { Event } = require('web/events');
  const onBufferFull = () => performance.dispatchEvent(new Event('resourcetimingbufferfull'));
  return resources().markResourceTiming(onBufferFull, timingInfo, requestedUrl, initiatorType, cacheMode, responseStatus, deliveryType);
}
Object.defineProperty(markResourceTiming, 'length', { value: 7, configurable: true });

let performance;

function check(self) {
  if (self !== performance) {
    throw new ERR_INVALID_THIS('Performance');
  }
}

makeEnumerable(Performance, [
  'clearMarks', 'clearMeasures', 'clearResourceTimings', 'getEntries', 'getEntriesByName', 'getEntriesByType', 'mark', 'measure', 'now',
  'setResourceTimingBufferSize', 'timeOrigin', 'toJSON',
]);
Object.defineProperties(Performance.prototype, {
  eventLoopUtilization: { configurable: true, enumerable: false, writable: true, value: eventLoopUtilization },
  nodeTiming: { configurable: true, enumerable: false, get: timing, set(value) {
    Object.defineProperty(this, 'nodeTiming', { value, configurable: true, enumerable: false, writable: true });
  } },
  markResourceTiming: { configurable: true, enumerable: false, writable: true, value: markResourceTiming },
  timerify: { configurable: true, enumerable: false, writable: true, value: timerify },
});
require('web/events').defineEventHandler(Performance.prototype, 'resourcetimingbufferfull');
performance = new Performance(kMake);

const constants = {
  NODE_PERFORMANCE_GC_MAJOR: 4,
  NODE_PERFORMANCE_GC_MINOR: 1,
  NODE_PERFORMANCE_GC_INCREMENTAL: 8,
  NODE_PERFORMANCE_GC_WEAKCB: 16,
  NODE_PERFORMANCE_GC_FLAGS_NO: 0,
  NODE_PERFORMANCE_GC_FLAGS_CONSTRUCT_RETAINED: 2,
  NODE_PERFORMANCE_GC_FLAGS_FORCED: 4,
  NODE_PERFORMANCE_GC_FLAGS_SYNCHRONOUS_PHANTOM_PROCESSING: 8,
  NODE_PERFORMANCE_GC_FLAGS_ALL_AVAILABLE_GARBAGE: 16,
  NODE_PERFORMANCE_GC_FLAGS_ALL_EXTERNAL_MEMORY: 32,
  NODE_PERFORMANCE_GC_FLAGS_SCHEDULE_IDLE: 64,
};

module.exports = {
  Performance, PerformanceEntry, PerformanceMark, PerformanceMeasure, PerformanceObserver, PerformanceObserverEntryList,
  monitorEventLoopDelay: (...args) => require('internal/perf/histogram').monitorEventLoopDelay(...args),
  eventLoopUtilization, timerify,
  createHistogram: (...args) => require('internal/perf/histogram').createHistogram(...args),
  performance,
};
require('internal/globals').lazy(module.exports, 'PerformanceResourceTiming', () => resources().PerformanceResourceTiming, true);
Object.defineProperty(module.exports, 'constants', { value: Object.freeze(constants), enumerable: true, configurable: false, writable: false });
