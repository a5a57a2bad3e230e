// Global properties, loaded lazily. In: the global object. Out: accessors that load their module on
// first use, and become data properties then. Absent: timers and queueMicrotask (js/bootstrap.js),
// the globals of the engine.
'use strict';

const { standIns } = require('internal/modules/function_import');

// [module, names of its exports]. Without those that are accessors in Node, too.
const LAZY = [
  ['buffer', ['atob', 'btoa', 'Blob', 'File']],
  ['web/encoding', ['TextEncoder', 'TextDecoder']],
  ['web/url', ['URL', 'URLSearchParams']],
  ['web/url_pattern', ['URLPattern']],
  ['web/events', ['Event', 'EventTarget', 'CustomEvent']],
  ['web/abort', ['AbortController', 'AbortSignal']],
  ['web/async_disposable_stack', ['AsyncDisposableStack']],
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
  ['web/websocket', ['WebSocket']],
  ['web/navigator', ['Navigator']],
  ['web/fetch/headers', ['Headers']],
  ['web/fetch/request', ['Request']],
  ['web/fetch/response', ['Response']],
  ['web/fetch/form_data', ['FormData']],
  ['web/fetch/fetch', ['fetch']],
  ['internal/html_rewriter/html_rewriter', ['HTMLRewriter']],
  ['internal/bundler/messages', ['BuildMessage', 'ResolveMessage']],
  ['perf_hooks', [
    'Performance', 'PerformanceEntry', 'PerformanceMark', 'PerformanceMeasure', 'PerformanceObserver',
    'PerformanceObserverEntryList', 'PerformanceResourceTiming',
  ]],
  ['crypto', ['Crypto', 'CryptoKey', 'SubtleCrypto']],
];

// [module, the global that is the module itself].
const MODULES = [['internal/console/global', ['console']], ['bun', ['Bun']]];

// [global, module, export, whether it can be replaced]: those that are accessors in Node, too.
const ACCESSORS = [
  ['crypto', 'crypto', 'webcrypto', false],
  ['navigator', 'web/navigator', 'navigator', false],
  ['performance', 'perf_hooks', 'performance', true],
];

const { defineProperty } = Object;

/** Makes a function of ours one of the program's global object. */
const adopt = (own) => Object.setPrototypeOf(own, Function.prototype);

function defineData(target, name, value, enumerable) {
  defineProperty(target, name, { __proto__: null, value, writable: true, configurable: true, enumerable });
  return value;
}

/**
 * `rows`: [module, names]; `load` gets a module and a name. Returns the getters. One function with
 * two loops: after about thirty calls of a function the engine starts its compiler threads, which
 * costs half a millisecond at startup.
 */
function defineLazyRows(target, rows, load, enumerables) {
  const getters = [];
  for (const [file, names] of rows) {
    for (let index = 0; index < names.length; index++) {
      const name = names[index];
      const enumerable = enumerables.includes(name);
      const get = () => defineData(target, name, load(file, name), enumerable);
      // Enumerable ones have Node's function names.
      if (enumerable) defineProperty(get, 'name', { __proto__: null, value: `get ${name}`, configurable: true });
      getters.push(get);
      defineProperty(target, name, {
        __proto__: null,
        configurable: true,
        enumerable,
        get,
        // As with a data property, an assignment to an inheriting object defines its own property.
        set(value) {
          if (this === target || this === undefined) defineData(target, name, value, enumerable);
          else defineData(this, name, value, true);
        },
      });
    }
  }
  return getters;
}

/** `isData`: descriptors show the data property that it stands for (`installDescriptors`). */
function lazy(target, name, load, enumerable, isData = false) {
  const getters = defineLazyRows(target, [[undefined, [name]]], (file, key) => load(key), enumerable ? [name] : []);
  // Others would only keep their objects.
  if (isData && target === globalThis) lazyGetters.push(...getters);
}

/** The getters in place of data properties of the global object. */
const lazyGetters = [];

/**
 * Makes `getOwnPropertyDescriptor` load a lazy global: in Node it is a data property, and libraries
 * that mock functions look for one.
 */
function installDescriptors(target) {
  for (const owner of [Object, Reflect]) {
    const { getOwnPropertyDescriptor: native } = owner;
    const { getOwnPropertyDescriptor } = {
      getOwnPropertyDescriptor(object, name) {
        const descriptor = native(object, name);
        if (object !== target || descriptor === undefined || descriptor.get === undefined || !lazyGetters.includes(descriptor.get)) return descriptor;
        descriptor.get();
        return native(object, name);
      },
    };
    adopt(getOwnPropertyDescriptor);
    defineProperty(owner, 'getOwnPropertyDescriptor', { __proto__: null, value: getOwnPropertyDescriptor });
  }
  const { getOwnPropertyDescriptors: all } = Object;
  const { getOwnPropertyDescriptors } = {
    getOwnPropertyDescriptors(object) {
      if (object === target) for (const name of Object.keys(all(target))) Object.getOwnPropertyDescriptor(target, name);
      return all(object);
    },
  };
  adopt(getOwnPropertyDescriptors);
  defineProperty(Object, 'getOwnPropertyDescriptors', { __proto__: null, value: getOwnPropertyDescriptors });
}

// Those in Node's `Object.keys(globalThis)`.
const ENUMERABLE = ['structuredClone', 'fetch', 'atob', 'btoa'];

/** `isPerformanceReplaced`: the only accessor that can be replaced was assigned to. */
const state = { isPerformanceReplaced: false };

/**
 * Defines a global that remains an accessor. As in Node it either checks `this`, or has a setter
 * that replaces the value.
 */
function accessor(target, [name, file, key, isReplaceable]) {
  let cached;
  let isReplaced = false;
  const holder = isReplaceable ? {
    get [name]() { return isReplaced ? cached : cached ??= require(file)[key]; },
    set [name](value) {
      cached = value;
      isReplaced = true;
      state.isPerformanceReplaced = true;
    },
  } : {
    get [name]() {
      if (this !== target && this !== undefined && this !== null) throw notGlobal();
      return cached ??= require(file)[key];
    },
  };
  const { get, set } = Object.getOwnPropertyDescriptor(holder, name);
  defineProperty(target, name, { __proto__: null, configurable: true, enumerable: true, get, set });
}

function notGlobal() {
  const { codes: { ERR_INVALID_THIS } } = require('internal/errors');
  return new ERR_INVALID_THIS('nullish or must be the global object');
}

/** Adds the message of the AggregateError. */
function completeAny(Promise) {
  const { any: engine } = Promise;
  const { any } = { any(values) { return require('internal/errors/promise_any')(engine, this, values); } };
  standIns.add(adopt(any));
  defineProperty(Promise, 'any', { __proto__: null, value: any, writable: true, configurable: true });
}

/** `Error.isError`, for engines without it. */
function completeErrors(Error) {
  if (Error.isError !== undefined) return;
  const value = require('internal/errors/is_error');
  standIns.add(value);
  defineProperty(Error, 'isError', { __proto__: null, value, writable: true, configurable: true });
}

/**
 * Gives errors of invalid JSON and of circular values V8's messages, which need the text or the
 * value. `errorPrototype`: `Error.prototype` of the context.
 */
function completeJson(JSON, errorPrototype) {
  const { parse: engine, stringify: engineStringify } = JSON;
  const { parse } = {
    parse(text, reviver) {
      const source = typeof text === 'string' ? text : `${text}`;
      try {
        return engine(source, reviver);
      } catch (error) {
        const isSyntaxError = isPrototypeOf(errorPrototype, error) && error.name === 'SyntaxError';
        const jsonError = isSyntaxError ? require('internal/errors/json_parse_message')(source) : undefined;
        if (jsonError !== undefined) {
          error.message = jsonError.message;
          require('internal/errors/json_error_position').setPosition(error, source, jsonError.offset);
        }
        throw error;
      }
    },
  };
  const { stringify } = {
    stringify(value, replacer, space) {
      try {
        return engineStringify(value, replacer, space);
      } catch (error) {
        const isCyclic = isPrototypeOf(errorPrototype, error) && Reflect.getOwnPropertyDescriptor(error, 'message')?.value === CYCLIC;
        const message = isCyclic ? require('internal/errors/json_stringify_cycle')(engineStringify, value, replacer) : undefined;
        if (message !== undefined) error.message = message;
        throw error;
      }
    },
  };
  for (const [name, value] of Object.entries({ parse, stringify })) {
    standIns.add(adopt(value));
    defineProperty(JSON, name, { __proto__: null, value, writable: true, configurable: true });
  }
}
const CYCLIC = 'JSON.stringify cannot serialize cyclic structures.';
const isPrototypeOf = (prototype, value) => Reflect.apply(Object.prototype.isPrototypeOf, prototype, [value]);

/** Loads `process`; the console watches replacements of its streams. */
function loadProcess(file) {
  const process = require(file);
  require('internal/console/sinks').watchProcess(process);
  return process;
}

module.exports = {
  lazy,
  state,
  completeJson,
  install(target) {
    const exported = (file, name) => require(file)[name];
    lazyGetters.push(...defineLazyRows(target, LAZY, exported, ENUMERABLE));
    lazyGetters.push(...defineLazyRows(target, MODULES, require, []));
    // These are accessors in Node, too.
    defineLazyRows(target, [['buffer', ['Buffer']]], exported, []);
    defineLazyRows(target, [['process', ['process']]], loadProcess, []);
    for (const row of ACCESSORS) accessor(target, row);
    require('internal/date').install(target);
    completeAny(target.Promise);
    completeErrors(target.Error);
    completeJson(target.JSON, target.Error.prototype);
    const { Atomics, WebAssembly } = target;
    lazyGetters.push(...defineLazyRows(target, [['internal/worker/atomics', ['Atomics']]], (file) => require(file).extend(Atomics), []));
    if (WebAssembly !== undefined) {
      lazyGetters.push(...defineLazyRows(target, [['internal/modules/webassembly', ['WebAssembly']]], (file) => require(file).watch(WebAssembly), []));
    }
    installDescriptors(target);
    // For engines without `using`.
    for (const name of ['dispose', 'asyncDispose']) {
      if (!(name in Symbol)) Object.defineProperty(Symbol, name, { __proto__: null, value: Symbol.for(`Symbol.${name}`) });
    }
    // For classes with decorators. Writable: programs polyfill it.
    if (!('metadata' in Symbol)) {
      Object.defineProperty(Symbol, 'metadata', { __proto__: null, value: Symbol.for('Symbol.metadata'), writable: true, configurable: true });
    }
    Object.defineProperty(target, Symbol.toStringTag, { __proto__: null, value: 'global', writable: false, enumerable: false, configurable: true });
    Object.defineProperty(target, 'global', { __proto__: null, value: target, writable: true, enumerable: true, configurable: true });
  },
};
