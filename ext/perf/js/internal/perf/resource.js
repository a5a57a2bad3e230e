// PerformanceResourceTiming, and the resource timing buffer. In: times and sizes, with the names of
// the fetch standard. Out: the class, and a buffer of limited size. Absent: fetching.
'use strict';

const { codes: { ERR_ILLEGAL_CONSTRUCTOR, ERR_INVALID_THIS } } = require('internal/errors');
const { customInspectSymbol } = require('internal/util');
const { PerformanceEntry, clear, enqueue, makeEnumerable, kMake, addToBuffer, bufferSize, inspectEntry } = require('internal/perf/entries');

/** Bytes that the standard adds to the body for the header. */
const HEAD_BYTES = 300;

/** The entry's properties with their values, in the order in which they are shown. */
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
  #info;

  constructor(mark, name, info) {
    if (mark !== kMake) throw new ERR_ILLEGAL_CONSTRUCTOR();
    const { startTime, endTime } = info.timing;
    super(mark, name, 'resource', startTime, endTime - startTime);
    this.#info = info;
  }

  static {
    for (const key of Object.keys(FIELDS)) {
      const { get } = Object.getOwnPropertyDescriptor({
        get [key]() {
          if (typeof this !== 'object' || this === null || !(#info in this)) throw new ERR_INVALID_THIS('PerformanceResourceTiming');
          return FIELDS[key](this.#info);
        },
      }, key);
      Object.defineProperty(this.prototype, key, { __proto__: null, configurable: true, get });
    }
  }

  [customInspectSymbol](depth, options) {
    return inspectEntry(this, this.constructor.name, depth, options, this.toJSON());
  }

  toJSON() {
    const json = super.toJSON();
    for (const key of Object.keys(FIELDS)) json[key] = this[key];
    return json;
  }
}
makeEnumerable(PerformanceResourceTiming, [...Object.keys(FIELDS), 'toJSON']);

let limit = 250;
/** Entries that did not fit the buffer, until 'resourcetimingbufferfull' was dispatched. */
let secondaryBuffer = [];
let isFullEventPending = false;

const hasRoom = () => bufferSize('resource') < limit;

/** Adds an entry. `onBufferFull` is called later, if the buffer is full. */
function add(entry, onBufferFull) {
  if (hasRoom() && !isFullEventPending) {
    addToBuffer(entry);
    return;
  }
  if (!isFullEventPending) {
    isFullEventPending = true;
    setImmediate(flushSecondaryBuffer, onBufferFull);
  }
  secondaryBuffer.push(entry);
}

/** Calls `onBufferFull` as long as its listeners clear or enlarge the buffer. */
function flushSecondaryBuffer(onBufferFull) {
  while (secondaryBuffer.length > 0) {
    const before = secondaryBuffer.length;
    if (!hasRoom()) onBufferFull();
    while (secondaryBuffer.length > 0 && hasRoom()) addToBuffer(secondaryBuffer.shift());
    if (secondaryBuffer.length >= before) secondaryBuffer = [];
  }
  isFullEventPending = false;
}

function markResourceTiming(onBufferFull, timing, url, initiatorType, cacheMode, responseStatus, deliveryType) {
  const info = { timing, connection: timing.finalConnectionTimingInfo, initiatorType, cacheMode, responseStatus, deliveryType };
  const entry = new PerformanceResourceTiming(kMake, url, info);
  enqueue(entry);
  add(entry, onBufferFull);
  return entry;
}

module.exports = {
  PerformanceResourceTiming,
  clearResourceTimings() { clear('resource'); },
  markResourceTiming,
  setResourceTimingBufferSize(size) { limit = size >>> 0; },
};
