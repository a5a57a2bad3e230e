// The globals of a program. In: the global object. Out: properties that load their file when they
// are first touched, or asked what they are, and are then ordinary ones. Absent: timers and
// queueMicrotask (js/bootstrap.js), and what the language has.
'use strict';

const { standIns } = require('internal/modules/function_import');

// [file, names]; the name is what the file exports. Without those of which Node has accessors, too.
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

// [file, the global that is the file itself].
const WHOLE = [['internal/console/global', ['console']], ['bun', ['Bun']]];

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

/**
 * `rows`: [file, names]; `load` gets both. Out: the getters. One function with two loops: the
 * engine starts its compilers' threads for what is called some thirty times, which is half a
 * millisecond of a start.
 */
function lazyAll(target, rows, load, enumerables) {
  const getters = [];
  for (const [file, names] of rows) {
    for (let index = 0; index < names.length; index++) {
      const name = names[index];
      const enumerable = enumerables.includes(name);
      const get = () => put(target, name, load(file, name), enumerable);
      // What programs see when they walk over the globals is called as in Node.
      if (enumerable) defineProperty(get, 'name', { __proto__: null, value: `get ${name}`, configurable: true });
      getters.push(get);
      defineProperty(target, name, {
        __proto__: null,
        configurable: true,
        enumerable,
        get,
        // Of what inherits from it an assignment makes a property of its own, as with a plain one.
        set(value) {
          if (this === target || this === undefined) put(target, name, value, enumerable);
          else put(this, name, value, true);
        },
      });
    }
  }
  return getters;
}

function lazy(target, name, load, enumerable) {
  lazyAll(target, [[undefined, [name]]], (file, key) => load(key), enumerable ? [name] : []);
}

/**
 * Whoever asks what a global is that nobody has touched yet, touches it: elsewhere it is a plain
 * property, and what replaces functions for tests looks for one. `waiting`: the getters that stand
 * for plain properties.
 */
function installDescriptors(target, waiting) {
  for (const owner of [Object, Reflect]) {
    const { getOwnPropertyDescriptor: native } = owner;
    const { getOwnPropertyDescriptor } = {
      getOwnPropertyDescriptor(object, name) {
        const found = native(object, name);
        if (object !== target || found === undefined || found.get === undefined || !waiting.includes(found.get)) return found;
        found.get();
        return native(object, name);
      },
    };
    defineProperty(owner, 'getOwnPropertyDescriptor', { __proto__: null, value: getOwnPropertyDescriptor });
  }
  const { getOwnPropertyDescriptors: all } = Object;
  const { getOwnPropertyDescriptors } = {
    getOwnPropertyDescriptors(object) {
      if (object === target) for (const name of Object.keys(all(target))) Object.getOwnPropertyDescriptor(target, name);
      return all(object);
    },
  };
  defineProperty(Object, 'getOwnPropertyDescriptors', { __proto__: null, value: getOwnPropertyDescriptors });
}

// As Node has them in `Object.keys(globalThis)`.
const ENUMERABLE = ['structuredClone', 'fetch', 'atob', 'btoa'];

/**
 * A getter that stays. Either it knows whose it is, or a setter gives it another value: both are
 * alike of any object, as in Node.
 */
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

/** What it rejects with is to have a message. */
function completeAny(Promise) {
  const { any: engine } = Promise;
  const { any } = { any(values) { return require('internal/errors/promise_any')(engine, this, values); } };
  standIns.add(any);
  defineProperty(Promise, 'any', { __proto__: null, value: any, writable: true, configurable: true });
}

/** The language has it since 2025. */
function completeErrors(Error) {
  if (Error.isError !== undefined) return;
  const value = require('internal/errors/is_error');
  standIns.add(value);
  defineProperty(Error, 'isError', { __proto__: null, value, writable: true, configurable: true });
}

/**
 * Strings that are no JSON are refused in V8's words, which need the text, and so are values that
 * hold themselves. `errors`: what the engine's errors there inherit from.
 */
function completeJson(JSON, errors) {
  const { parse: engine, stringify: engineStringify } = JSON;
  const { parse } = {
    parse(text, reviver) {
      const source = typeof text === 'string' ? text : `${text}`;
      try {
        return engine(source, reviver);
      } catch (error) {
        const isRefused = isPrototypeOf(errors, error) && error.name === 'SyntaxError';
        const fault = isRefused ? require('internal/errors/json_parse_message')(source) : undefined;
        if (fault !== undefined) {
          error.message = fault.message;
          require('internal/errors/json_error_position').setPosition(error, source, fault.at);
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
        const isCyclic = isPrototypeOf(errors, error) && Reflect.getOwnPropertyDescriptor(error, 'message')?.value === CYCLIC;
        const words = isCyclic ? require('internal/errors/json_stringify_cycle')(engineStringify, value, replacer) : undefined;
        if (words !== undefined) error.message = words;
        throw error;
      }
    },
  };
  for (const [name, value] of Object.entries({ parse, stringify })) {
    standIns.add(value);
    defineProperty(JSON, name, { __proto__: null, value, writable: true, configurable: true });
  }
}
const CYCLIC = 'JSON.stringify cannot serialize cyclic structures.';
const isPrototypeOf = (prototype, value) => Reflect.apply(Object.prototype.isPrototypeOf, prototype, [value]);

/** The console watches whose streams a program sees. */
function watchedProcess(file) {
  const found = require(file);
  require('internal/console/sinks').watchProcess(found);
  return found;
}

module.exports = {
  lazy,
  completeJson,
  install(target) {
    const exported = (file, name) => require(file)[name];
    const waiting = lazyAll(target, LAZY, exported, ENUMERABLE);
    waiting.push(...lazyAll(target, WHOLE, require, []));
    // Node has accessors of these, too.
    lazyAll(target, [['buffer', ['Buffer']]], exported, []);
    lazyAll(target, [['process', ['process']]], watchedProcess, []);
    for (const row of ACCESSORS) accessor(target, row);
    completeAny(target.Promise);
    completeErrors(target.Error);
    completeJson(target.JSON, target.Error.prototype);
    const { Atomics, WebAssembly } = target;
    waiting.push(...lazyAll(target, [['internal/worker/atomics', ['Atomics']]], (file) => require(file).extend(Atomics), []));
    if (WebAssembly !== undefined) {
      waiting.push(...lazyAll(target, [['internal/modules/webassembly', ['WebAssembly']]], (file) => require(file).watch(WebAssembly), []));
    }
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
