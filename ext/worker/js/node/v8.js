// `node:v8`, on an engine that is not V8. Out: heap statistics and heap snapshots of JavaScriptCore
// in V8's form; V8's serialization format (internal/serdes). Absent: startup snapshots, profiles of
// allocations, queries of objects; these functions exist and throw
// ERR_FEATURE_UNAVAILABLE_ON_PLATFORM.

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

/** One space: the engine's heap has no spaces as V8's. */
function getHeapSpaceStatistics() {
  const { total_heap_size: size, used_heap_size: used, total_available_size: available } = getHeapStatistics();
  return [{ space_name: 'heap', space_size: size, space_used_size: used, space_available_size: available, physical_space_size: size }];
}

/**
 * V8's flags have no effect in this engine, but for `--expose-gc`: with it, new contexts of node:vm
 * have a global `gc`, which is how detectors of leaks get at it.
 */
function setFlagsFromString(flags) {
  validateString(flags, 'flags');
  for (const [, no] of flags.matchAll(/(?:^|\s)--(no-?)?expose[-_]gc(?=\s|$)/g)) require('internal/process/gc').setExposed(no === undefined);
}

/** As in Node, does nothing without NODE_V8_COVERAGE; programs call it in any case. */
function coverageFunction(name, operation) {
  return Object.defineProperty(function () {
    if (process.env.NODE_V8_COVERAGE) require('internal/process/coverage')[operation]();
  }, 'name', { value: name });
}

function notAvailable(name) {
  return Object.defineProperty(function () {
    throw new ERR_FEATURE_UNAVAILABLE_ON_PLATFORM(`v8.${name}`);
  }, 'name', { value: name });
}

/** Startup snapshots are not supported. */
function throwNotBuildingSnapshot() {
  throw new ERR_NOT_BUILDING_SNAPSHOT();
}

const startupSnapshot = {
  addDeserializeCallback() { throwNotBuildingSnapshot(); },
  addSerializeCallback() { throwNotBuildingSnapshot(); },
  setDeserializeMainFunction() { throwNotBuildingSnapshot(); },
  isBuildingSnapshot: () => false,
};

const TWO_BYTE = /[^\0-\xff]/;

/** Whether each code unit is at most 0xFF. */
function isStringOneByteRepresentation(content) {
  validateString(content, 'content');
  return !TWO_BYTE.test(content);
}

/** A CPU profile of this thread that is being recorded. */
class SyncCPUProfileHandle {
  #recording = require('internal/profiler/sampler').start();

  /** The profile as JSON; undefined if it was stopped before. */
  stop() {
    if (this.#recording === undefined) return undefined;
    const recording = require('internal/profiler/sampler').stop(this.#recording);
    this.#recording = undefined;
    return JSON.stringify(require('internal/profiler/cpu_profile').toProfile(recording));
  }

  [Symbol.dispose]() { this.stop(); }
}

const startCpuProfile = () => new SyncCPUProfileHandle();

function getHeapSnapshot(options) { return require('internal/profiler/heap_snapshot').getHeapSnapshot(options); }

function writeHeapSnapshot(filename, options) { return require('internal/profiler/heap_snapshot').writeHeapSnapshot(filename, options); }

module.exports = {
  startCpuProfile, getHeapSnapshot, writeHeapSnapshot,
  getHeapStatistics, getHeapSpaceStatistics, setFlagsFromString, cachedDataVersionTag: () => 0, startupSnapshot, isStringOneByteRepresentation,
  ...require('internal/serdes/defaults'),
};
for (const name of [
  'setHeapSnapshotNearHeapLimit', 'getHeapCodeStatistics', 'getCppHeapStatistics', 'queryObjects', 'GCProfiler',
]) {
  module.exports[name] = notAvailable(name);
}
for (const operation of ['take', 'stop']) module.exports[`${operation}Coverage`] = coverageFunction(`${operation}Coverage`, operation);
// The engine has no promise hooks.
module.exports.promiseHooks = {};
for (const name of ['createHook', 'onInit', 'onBefore', 'onAfter', 'onSettled']) {
  module.exports.promiseHooks[name] = notAvailable(`promiseHooks.${name}`);
}
