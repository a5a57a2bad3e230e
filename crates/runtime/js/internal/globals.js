// The globals of a program. In: the global object. Out: properties that load their file when they are first touched, or asked what they are, and are
// then ordinary ones. Absent: timers and queueMicrotask (js/bootstrap.js), and what the language has.
'use strict';

// [file, names]; the name is what the file exports.
const LAZY = [
  ['buffer', ['Buffer', 'atob', 'btoa', 'Blob', 'File']],
  ['web/encoding', ['TextEncoder', 'TextDecoder']],
  ['web/url', ['URL', 'URLSearchParams']],
  ['web/url_pattern', ['URLPattern']],
  ['web/events', ['Event', 'EventTarget', 'CustomEvent']],
  ['web/abort', ['AbortController', 'AbortSignal']],
  ['web/message_port', ['MessageChannel', 'MessagePort']],
  ['web/message_event', ['MessageEvent']],
  ['web/broadcast_channel', ['BroadcastChannel']],
  ['web/dom_exception', ['DOMException']],
  ['web/structured_clone', ['structuredClone']],
  ['web/streams', [
    'ReadableStream', 'ReadableStreamDefaultReader', 'ReadableStreamBYOBReader', 'ReadableStreamBYOBRequest',
    'ReadableByteStreamController', 'ReadableStreamDefaultController', 'WritableStream', 'WritableStreamDefaultController',
    'WritableStreamDefaultWriter', 'TransformStream', 'TransformStreamDefaultController', 'ByteLengthQueuingStrategy',
    'CountQueuingStrategy', 'TextEncoderStream', 'TextDecoderStream', 'CompressionStream', 'DecompressionStream',
  ]],
  ['web/event_kinds', ['ErrorEvent', 'CloseEvent']],
  ['web/worker', ['Worker']],
  ['web/navigator', ['Navigator']],
  ['web/fetch/headers', ['Headers']],
  ['web/fetch/request', ['Request']],
  ['web/fetch/response', ['Response']],
  ['web/fetch/form_data', ['FormData']],
  ['web/fetch/fetch', ['fetch']],
  ['perf_hooks', [
    'Performance', 'PerformanceEntry', 'PerformanceMark', 'PerformanceMeasure', 'PerformanceObserver',
    'PerformanceObserverEntryList', 'PerformanceResourceTiming',
  ]],
  ['crypto', ['Crypto', 'CryptoKey', 'SubtleCrypto']],
];

// [global, file, export]; no export: the file itself.
const NAMED = [
  ['process', 'process', undefined],
  ['console', 'internal/console/global', undefined],
  ['Bun', 'bun', undefined],
];

// [global, file, export, whether it may be replaced]: those that are accessors in Node as well.
const ACCESSORS = [
  ['crypto', 'crypto', 'webcrypto', false],
  ['navigator', 'web/navigator', 'navigator', false],
  ['performance', 'perf_hooks', 'performance', true],
];

const { defineProperty } = Object;

function put(target, name, value, enumerable) {
  defineProperty(target, name, { __proto__: null, value, writable: true, configurable: true, enumerable });
  return value;
}

function lazy(target, name, load, enumerable) {
  const get = () => put(target, name, load(name), enumerable);
  // What programs see when they walk over the globals is called as in Node.
  if (enumerable) defineProperty(get, 'name', { __proto__: null, value: `get ${name}`, configurable: true });
  defineProperty(target, name, {
    __proto__: null,
    configurable: true,
    enumerable,
    get,
    set(value) { put(target, name, value, enumerable); },
  });
  return get;
}

// What Node has accessors of, too.
const NEVER_PLAIN = new Set(['Buffer', 'process']);

/**
 * Whoever asks what a global is that nobody has touched yet, touches it: elsewhere it is a plain property, and what replaces functions for tests
 * looks for one. `waiting`: their getters by their names.
 */
function installDescriptors(target, waiting) {
  const plain = (object, name, { get }) => {
    if (object !== target || get === undefined || waiting.get(name) !== get) return false;
    waiting.delete(name);
    get();
    return true;
  };
  for (const owner of [Object, Reflect]) {
    const { getOwnPropertyDescriptor: native } = owner;
    const { getOwnPropertyDescriptor } = {
      getOwnPropertyDescriptor(object, name) {
        const found = native(object, name);
        return found !== undefined && plain(object, name, found) ? native(object, name) : found;
      },
    };
    defineProperty(owner, 'getOwnPropertyDescriptor', { __proto__: null, value: getOwnPropertyDescriptor });
  }
  const { getOwnPropertyDescriptors: all } = Object;
  const { getOwnPropertyDescriptors } = {
    getOwnPropertyDescriptors(object) {
      if (object === target) for (const name of [...waiting.keys()]) Object.getOwnPropertyDescriptor(target, name);
      return all(object);
    },
  };
  defineProperty(Object, 'getOwnPropertyDescriptors', { __proto__: null, value: getOwnPropertyDescriptors });
}

// As Node has them in `Object.keys(globalThis)`.
const ENUMERABLE = new Set(['structuredClone', 'fetch', 'atob', 'btoa']);

/** A getter that stays. Either it knows whose it is, or a setter gives it another value: both are alike of any object, as in Node. */
function accessor(target, [name, file, key, isReplaceable]) {
  let found;
  let isReplaced = false;
  const own = isReplaceable ? {
    get [name]() { return isReplaced ? found : found ??= require(file)[key]; },
    set [name](value) {
      found = value;
      isReplaced = true;
    },
  } : {
    get [name]() {
      if (this !== target && this !== undefined && this !== null) throw notGlobal();
      return found ??= require(file)[key];
    },
  };
  const { get, set } = Object.getOwnPropertyDescriptor(own, name);
  defineProperty(target, name, { __proto__: null, configurable: true, enumerable: true, get, set });
}

function notGlobal() {
  const { codes: { ERR_INVALID_THIS } } = require('internal/errors');
  return new ERR_INVALID_THIS('nullish or must be the global object');
}

/** What a file exports; the console watches whose streams a program sees. */
function whole(file) {
  const found = require(file);
  if (file === 'process') require('internal/console/sinks').watch(found);
  return found;
}

module.exports = {
  lazy,
  install(target) {
    const waiting = new Map();
    const wait = (name, load) => {
      const get = lazy(target, name, load, ENUMERABLE.has(name));
      if (!NEVER_PLAIN.has(name)) waiting.set(name, get);
    };
    for (const [file, names] of LAZY) {
      const load = (name) => require(file)[name];
      for (let index = 0; index < names.length; index++) wait(names[index], load);
    }
    for (const [name, file, key] of NAMED) wait(name, () => (key === undefined ? whole(file) : require(file)[key]));
    for (const row of ACCESSORS) accessor(target, row);
    const { WebAssembly } = target;
    if (WebAssembly !== undefined) wait('WebAssembly', () => require('internal/webassembly').watch(WebAssembly));
    const { Atomics } = target;
    wait('Atomics', () => require('internal/atomics').extend(Atomics));
    installDescriptors(target, waiting);
    // What engines have that know `using`.
    for (const name of ['dispose', 'asyncDispose']) {
      if (!(name in Symbol)) Object.defineProperty(Symbol, name, { __proto__: null, value: Symbol.for(`Symbol.${name}`) });
    }
    // Of classes with decorators. Programs set it as they like, for most engines have none.
    if (!('metadata' in Symbol)) {
      Object.defineProperty(Symbol, 'metadata', { __proto__: null, value: Symbol.for('Symbol.metadata'), writable: true, configurable: true });
    }
    Object.defineProperty(target, Symbol.toStringTag, { __proto__: null, value: 'global', writable: false, enumerable: false, configurable: true });
    Object.defineProperty(target, 'global', { __proto__: null, value: target, writable: true, enumerable: true, configurable: true });
  },
};
