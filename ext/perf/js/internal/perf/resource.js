// Entries of what was fetched, as who fetches tells of them. In: times and sizes, by the names that
// the fetch standard has. Out: the class of the entries, and the rule by which `performance` keeps
// as many as a program wants. Absent: fetching.
'use strict';

const { codes: { ERR_ILLEGAL_CONSTRUCTOR, ERR_INVALID_THIS } } = require('internal/errors');
const { customInspectSymbol } = require('internal/util');
const { PerformanceEntry, clear, enqueue, enumerate, kMake, keep, kept, show } = require('internal/perf/entries');

/** What a head adds to a body, in bytes, by the standard. */
const HEAD_BYTES = 300;

/** Names of the entry and where its value stands, in the order in which it is shown. */
const FIELDS = {
  initiatorType: ({ initiatorType }) => initiatorType,
  nextHopProtocol: ({ connection }) => connection?.ALPNNegotiatedProtocol,
  workerStart: ({ timing }) => timing.finalServiceWorkerStartTime,
  redirectStart: ({ timing }) => timing.redirectStartTime,
  redirectEnd: ({ timing }) => timing.redirectEndTime,
  fetchStart: ({ timing }) => timing.postRedirectStartTime,
  domainLookupStart: ({ connection }) => connection?.domainLookupStartTime,
  domainLookupEnd: ({ connection }) => connection?.domainLookupEndTime,
  connectStart: ({ connection }) => connection?.connectionStartTime,
  connectEnd: ({ connection }) => connection?.connectionEndTime,
  secureConnectionStart: ({ connection }) => connection?.secureConnectionStartTime,
  requestStart: ({ timing }) => timing.finalNetworkRequestStartTime,
  responseStart: ({ timing }) => timing.finalNetworkResponseStartTime,
  responseEnd: ({ timing }) => timing.endTime,
  transferSize: ({ cacheMode, timing }) => (
    cacheMode === 'local' ? 0 : cacheMode === 'validated' ? HEAD_BYTES : timing.encodedBodySize + HEAD_BYTES),
  encodedBodySize: ({ timing }) => timing.encodedBodySize,
  decodedBodySize: ({ timing }) => timing.decodedBodySize,
  deliveryType: ({ deliveryType }) => deliveryType,
  responseStatus: ({ responseStatus }) => responseStatus,
};

class PerformanceResourceTiming extends PerformanceEntry {
  #told;

  constructor(mark, name, told) {
    if (mark !== kMake) throw new ERR_ILLEGAL_CONSTRUCTOR();
    const { startTime, endTime } = told.timing;
    super(mark, name, 'resource', startTime, endTime - startTime);
    this.#told = told;
  }

  static {
    for (const key of Object.keys(FIELDS)) {
      const { get } = Object.getOwnPropertyDescriptor({
        get [key]() {
          if (typeof this !== 'object' || this === null || !(#told in this)) throw new ERR_INVALID_THIS('PerformanceResourceTiming');
          return FIELDS[key](this.#told);
        },
      }, key);
      Object.defineProperty(this.prototype, key, { __proto__: null, configurable: true, get });
    }
  }

  [customInspectSymbol](depth, options) {
    return show(this, this.constructor.name, depth, options, this.toJSON());
  }

  toJSON() {
    const json = super.toJSON();
    for (const key of Object.keys(FIELDS)) json[key] = this[key];
    return json;
  }
}
enumerate(PerformanceResourceTiming, [...Object.keys(FIELDS), 'toJSON']);

let limit = 250;
/** Those that found no room, until who listens was told. */
let waiting = [];
let isFull = false;

const hasRoom = () => kept('resource') < limit;

/** `tell` is called when the room has ended, later. */
function add(entry, tell) {
  if (hasRoom() && !isFull) {
    keep(entry);
    return;
  }
  if (!isFull) {
    isFull = true;
    setImmediate(empty, tell);
  }
  waiting.push(entry);
}

/** Tells as long as somebody makes room by it. */
function empty(tell) {
  while (waiting.length > 0) {
    const before = waiting.length;
    if (!hasRoom()) tell();
    while (waiting.length > 0 && hasRoom()) keep(waiting.shift());
    if (waiting.length >= before) waiting = [];
  }
  isFull = false;
}

function markResourceTiming(tell, timing, url, initiatorType, cacheMode, responseStatus, deliveryType) {
  const told = { timing, connection: timing.finalConnectionTimingInfo, initiatorType, cacheMode, responseStatus, deliveryType };
  const entry = new PerformanceResourceTiming(kMake, url, told);
  enqueue(entry);
  add(entry, tell);
  return entry;
}

module.exports = {
  PerformanceResourceTiming,
  clearResourceTimings() { clear('resource'); },
  markResourceTiming,
  setResourceTimingBufferSize(size) { limit = size >>> 0; },
};
