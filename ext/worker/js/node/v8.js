// `v8`, on an engine that is not V8. In: nothing. Out: what the engine here can say of its heap in
// V8's shape, and what programs ask before they do something else; values as bytes in V8's form
// (internal/serdes). Absent: snapshots, profiles: each is there by name and says so when it is
// called.

'use strict';

const { codes: { ERR_FEATURE_UNAVAILABLE_ON_PLATFORM, ERR_NOT_BUILDING_SNAPSHOT } } = require('internal/errors');
const { validateString } = require('internal/validators');

function getHeapStatistics() {
  const { rss, heapTotal, heapUsed, external } = require('process').memoryUsage();
  const limit = require('os').totalmem();
  return {
    total_heap_size: heapTotal,
    total_heap_size_executable: 0,
    total_physical_size: rss,
    total_available_size: Math.max(limit - heapUsed, 0),
    used_heap_size: heapUsed,
    heap_size_limit: limit,
    malloced_memory: external,
    peak_malloced_memory: external,
    does_zap_garbage: 0,
    number_of_native_contexts: 1,
    number_of_detached_contexts: 0,
    total_global_handles_size: 0,
    used_global_handles_size: 0,
    external_memory: external,
    total_allocated_bytes: heapTotal,
  };
}

/** One space: the engine's heap is not divided as V8's is. */
function getHeapSpaceStatistics() {
  const { total_heap_size: size, used_heap_size: used, total_available_size: available } = getHeapStatistics();
  return [{ space_name: 'heap', space_size: size, space_used_size: used, space_available_size: available, physical_space_size: size }];
}

/** Flags of V8's say nothing to this engine. */
function setFlagsFromString(flags) {
  validateString(flags, 'flags');
}

/** Does nothing unless coverage is wanted, as in Node; programs call it whether it is or not. */
function coverage(name) {
  const refuse = absent(name);
  return Object.defineProperty(function () {
    if (process.env.NODE_V8_COVERAGE) refuse();
  }, 'name', { value: name });
}

function absent(name) {
  return Object.defineProperty(function () {
    throw new ERR_FEATURE_UNAVAILABLE_ON_PLATFORM(`v8.${name}`);
  }, 'name', { value: name });
}

/** Nobody is building a snapshot of a program here, ever. */
function notBuilding() {
  throw new ERR_NOT_BUILDING_SNAPSHOT();
}

const startupSnapshot = {
  addDeserializeCallback() { notBuilding(); },
  addSerializeCallback() { notBuilding(); },
  setDeserializeMainFunction() { notBuilding(); },
  isBuildingSnapshot: () => false,
};

const WIDE = /[^\0-\xff]/;

/** Whether each letter fits a byte. */
function isStringOneByteRepresentation(content) {
  validateString(content, 'content');
  return !WIDE.test(content);
}

module.exports = {
  getHeapStatistics, getHeapSpaceStatistics, setFlagsFromString, cachedDataVersionTag: () => 0, startupSnapshot, isStringOneByteRepresentation,
  ...require('internal/serdes/defaults'),
};
for (const name of [
  'getHeapSnapshot', 'writeHeapSnapshot', 'setHeapSnapshotNearHeapLimit', 'getHeapCodeStatistics', 'getCppHeapStatistics', 'queryObjects',
  'startCpuProfile', 'GCProfiler',
]) {
  module.exports[name] = absent(name);
}
for (const name of ['takeCoverage', 'stopCoverage']) module.exports[name] = coverage(name);
// The engine tells nobody of its promises.
module.exports.promiseHooks = {};
for (const name of ['createHook', 'onInit', 'onBefore', 'onAfter', 'onSettled']) {
  module.exports.promiseHooks[name] = absent(`promiseHooks.${name}`);
}
