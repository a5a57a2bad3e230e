// Kept builtins: those that files load and that stay for the next file, as Node's libraries are
// part of what CommonJS packages need (`process`, `module`, streams). In: the builtins that earlier
// files in this process have loaded. Out: they are loaded before a file is looked at; the objects
// by which programs reach their state; whether what no object shows of it is as it was. Absent:
// comparing the objects (reuse.js).
//
// A builtin is in the list if all its state is in these objects, is compared in `hasSameState`, or
// is of no consequence: a cache of what does not change.
'use strict';

const binding = internalBinding('test_runner');
const { getOwnPropertyDescriptor } = {}.constructor;

const KEPT = /^(?:events|module|os|path|perf_hooks|process|stream|util|web\/(?:events|fetch\/(?:form_data|webidl)|navigator|streams\/webidl_utils)|internal\/(?:console\/(?:global|sinks)|errors\/(?:messages|system)|events\/symbols|io\/(?:pipe|stream_handle)|modules\/(?:circular_exports|kept_functions)|os\/constants|path\/(?:posix|shared|win32)|perf\/(?:clock|entries|observe)|process\/(?:active_resources|env|signal_events|stdio|versions)|streams\/(?:destroy|duplex|end-of-stream|legacy|members|passthrough|pipe|readable|readable_flow|readable_state|state|transform|utils|writable|writable_flow)|url\/pairs|util\/(?:externals|inspect(?:\/(?:collections|colors|errors|format|names|objects|primitives|regexp|shape|width))?)))$/;

/** Globals of a builtin, which are read before a file is looked at. */
const GLOBALS = {
  __proto__: null,
  process: ['process'],
  perf_hooks: ['performance', 'Performance', 'PerformanceEntry', 'PerformanceMark', 'PerformanceMeasure', 'PerformanceObserver', 'PerformanceObserverEntryList'],
  'internal/console/global': ['console'],
  'web/events': ['Event', 'EventTarget', 'CustomEvent'],
  'web/fetch/form_data': ['FormData'],
  'web/navigator': ['navigator', 'Navigator'],
};

/** Exports of builtins that programs get. */
const PUBLIC = ['events', 'module', 'os', 'path', 'perf_hooks', 'process', 'stream', 'util', 'web/events', 'web/fetch/form_data', 'web/navigator'];

/**
 * Exports that are loaded when they are read. The runner itself uses such a builtin: its state is
 * compared once a file has imported it.
 */
const LAZY_EXPORTS = { __proto__: null, util: ['inspect', 'types'] };

/** Those of these builtins whose exports were read before a file was looked at. */
const complete = [];

const isComplete = (id) => LAZY_EXPORTS[id] === undefined || complete.includes(id);

/** Objects that programs get otherwise. */
const HIDDEN = {
  __proto__: null,
  perf_hooks: ({ performance }) => [performance.nodeTiming],
  'internal/io/pipe': ({ Pipe }) => [Pipe],
  'internal/io/stream_handle': ({ Handle }) => [Handle],
  'internal/process/env': ({ env }) => [env],
  'internal/util/inspect': ({ inspect }) => [inspect.defaultOptions],
  'internal/util/inspect/colors': ({ colors, styles }) => [colors, styles],
  'internal/process/versions': ({ release, features }) => [release, features],
};

const has = (id) => require.isLoaded(id);

/** Loads what files before have loaded. */
function load() {
  const ids = binding.keptBuiltins();
  for (let index = 0; index < ids.length; index++) {
    require(ids[index]);
    for (const name of GLOBALS[ids[index]] ?? []) Reflect.get(globalThis, name);
    for (const name of LAZY_EXPORTS[ids[index]] ?? []) Reflect.get(require(ids[index]), name);
    if (!isComplete(ids[index])) complete.push(ids[index]);
  }
  if (has('module')) require('module').keepFunctions(binding.structureOf);
  if (has('internal/console/global')) readFunctions(require('internal/console/global'));
}

/**
 * Files spy on these functions, which reads their names. Of a function that was never read only the
 * structure is compared, which that changes.
 */
function readFunctions(object) {
  const keys = Reflect.ownKeys(object);
  for (let index = 0; index < keys.length; index++) {
    const { value } = getOwnPropertyDescriptor(object, keys[index]);
    if (typeof value === 'function') for (const key of ['name', 'length']) Reflect.get(value, key);
  }
}

/**
 * From the next global object on these are loaded before a file is looked at.
 * @param {string[]} ids builtins that a file has loaded
 */
function keep(ids) { if (ids.length > 0 && ids.every(isKept)) binding.keepBuiltins(ids); }

const isKept = (id) => KEPT.test(id);

/** The same for builtins that files have imported and that were loaded before. */
function keepImported(names) { if (names.every((name) => !isComplete(name))) keep(names); }

/** Whether a builtin of this name shows nothing that is not compared. */
const isKeptName = (name) => PUBLIC.includes(name) && has(name) && isComplete(name);

/** Objects that lead to the state of kept builtins. */
function roots() {
  const found = [];
  for (const id of PUBLIC) if (has(id) && isComplete(id)) found.push(require(id));
  for (const id of Object.keys(HIDDEN)) if (has(id)) found.push(...HIDDEN[id](require(id)));
  return found;
}

/** Forgets what is known of the program, once objects are as they were. Whether that is all. */
function reset() {
  require('internal/util').forgetWarnings();
  return resetProcess() && resetGlobals()
    && (!has('module') || require('module').reset())
    && (!has('events') || require('events').defaultMaxListeners === MAX_LISTENERS)
    && (!has('internal/streams/state') || hasSameStreams(require('internal/streams/state')))
    && (!has('internal/console/sinks') || require('internal/console/sinks').reset())
    && (!has('internal/perf/entries') || hasNoEntries(require('internal/perf/entries')))
    && (!has('perf_hooks') || hasNoListeners(require('perf_hooks').performance));
}

const MAX_LISTENERS = 10;

function resetProcess() {
  if (has('internal/process/stdio') && !require('internal/process/stdio').forget()) return false;
  if (has('internal/process/active_resources') && require('internal/process/active_resources').entries().length > 0) return false;
  if (has('internal/process/signal_events') && require('internal/process/signal_events').listenedSignals().length > 0) return false;
  if (has('process')) require('process').exitCode = undefined;
  return true;
}

/** A global accessor that a program may have assigned to. */
function resetGlobals() {
  const { state } = require('internal/globals');
  if (!state.isPerformanceReplaced) return true;
  if (!has('perf_hooks')) return false;
  globalThis.performance = require('perf_hooks').performance;
  state.isPerformanceReplaced = false;
  return true;
}

const hasSameStreams = ({ getDefaultHighWaterMark }) => getDefaultHighWaterMark(false) === 64 * 1024 && getDefaultHighWaterMark(true) === 16;

function hasNoEntries({ PerformanceObserver, bufferSize, isObserved }) {
  return ['mark', 'measure', 'resource'].every((type) => bufferSize(type) === 0) && !PerformanceObserver.supportedEntryTypes.some(isObserved);
}

function hasNoListeners(performance) {
  const { kMaxEventTargetListeners, kMaxEventTargetListenersWarned } = require('internal/events/symbols');
  return !require('web/events').hasAnyListeners(performance)
    && performance[kMaxEventTargetListeners] === MAX_LISTENERS && performance[kMaxEventTargetListenersWarned] === false;
}

module.exports = { isKept, isKeptName, keep, keepImported, load, reset, roots };
