// Utilities of builtins: promisify, deprecate, lazy properties, encodings, names of system errors,
// functions on objects. Absent: the rest of `node:util`, which is in node/util.js.
'use strict';

const { validateFunction, validateString, validateUint32 } = require('internal/validators');

const kEmptyObject = Object.freeze({ __proto__: null });
const kEnumerableProperty = Object.freeze({ __proto__: null, enumerable: true });
const customInspectSymbol = Symbol.for('nodejs.util.inspect.custom');
const kCustomPromisifiedSymbol = Symbol.for('nodejs.util.promisify.custom');
const customPromisifyArgs = Symbol('customPromisifyArgs');
const SymbolDispose = Symbol.dispose ?? Symbol.for('Symbol.dispose');
const SymbolAsyncDispose = Symbol.asyncDispose ?? Symbol.for('Symbol.asyncDispose');

// --- functions

/** Wraps a function so that it is called at most once. */
function once(callback, { preserveReturnValue = false } = kEmptyObject) {
  let called = false;
  let returned;
  return function(...args) {
    if (called) return returned;
    called = true;
    const result = Reflect.apply(callback, this, args);
    returned = preserveReturnValue ? result : undefined;
    return result;
  };
}

/** Caches the result of `initializer` on the first call. */
function getLazy(initializer) {
  let value;
  let isInitialized = false;
  return function() {
    if (!isInitialized) {
      value = initializer();
      isInitialized = true;
    }
    return value;
  };
}

/** A function that constructs instances of the class with or without `new`. */
function createClassWrapper(type) {
  function fn(...args) {
    return Reflect.construct(type, args, new.target || type);
  }
  Object.setPrototypeOf(fn, type);
  fn.prototype = type.prototype;
  setName(fn, type.name);
  Object.defineProperty(fn, 'length', { __proto__: null, value: type.length, configurable: true });
  return fn;
}

function setName(fn, name) {
  return Object.defineProperty(fn, 'name', { __proto__: null, value: name, configurable: true });
}

/** Sets a function's name; a symbol's description is put in brackets. */
function assignFunctionName(name, fn, descriptor = kEmptyObject) {
  const text = typeof name === 'symbol' ? (name.description === undefined ? '' : `[${name.description}]`) : String(name);
  return Object.defineProperty(fn, 'name', { __proto__: null, writable: false, enumerable: false, configurable: true, ...descriptor, value: text });
}

function promisify(original) {
  validateFunction(original, 'original');
  const custom = original[kCustomPromisifiedSymbol];
  if (custom) {
    validateFunction(custom, 'util.promisify.custom');
    return markPromisified(custom);
  }
  const names = original[customPromisifyArgs];
  function fn(...args) {
    return new Promise((resolve, reject) => {
      const returned = Reflect.apply(original, this, [...args, (error, ...values) => {
        if (error) return reject(error);
        if (names === undefined || values.length <= 1) return resolve(values[0]);
        const result = {};
        for (let i = 0; i < names.length; i++) result[names[i]] = values[i];
        resolve(result);
      }]);
      if (returned !== undefined && require('internal/util/types').isPromise(returned)) {
        require('process').emitWarning(
          'Calling promisify on a function that returns a Promise is likely a mistake.', 'DeprecationWarning', 'DEP0174');
      }
    });
  }
  Object.setPrototypeOf(fn, Object.getPrototypeOf(original));
  markPromisified(fn);
  const descriptors = Object.getOwnPropertyDescriptors(original);
  for (const key of Reflect.ownKeys(descriptors)) {
    if (key === kCustomPromisifiedSymbol) continue;
    const descriptor = Object.setPrototypeOf(descriptors[key], null);
    Object.defineProperty(fn, key, descriptor);
  }
  return fn;
}
promisify.custom = kCustomPromisifiedSymbol;

function markPromisified(fn) {
  return Object.defineProperty(fn, kCustomPromisifiedSymbol, {
    __proto__: null, value: fn, enumerable: false, writable: false, configurable: true,
  });
}

// --- deprecations

const codesWarned = new Set();

/** A function that warns on its first call, once per code. */
function getDeprecationWarningEmitter(code, message, above, shouldEmit = () => true) {
  let warned = false;
  return function() {
    if ((code === undefined ? warned : codesWarned.has(code)) || !shouldEmit()) return;
    if (code === undefined) {
      warned = true;
      require('process').emitWarning(message, 'DeprecationWarning', above);
    } else {
      codesWarned.add(code);
      require('process').emitWarning(message, 'DeprecationWarning', code, above);
    }
  };
}

function isPendingDeprecation() {
  const { execArgv, env } = require('process');
  return execArgv.includes('--pending-deprecation') || env.NODE_PENDING_DEPRECATION === '1';
}

function deprecate(fn, message, code, { modifyPrototype = true } = kEmptyObject) {
  if (code !== undefined) validateString(code, 'code');
  const warn = getDeprecationWarningEmitter(code, message, deprecated);
  function deprecated(...args) {
    if (require('process').noDeprecation !== true) warn();
    if (new.target) return Reflect.construct(fn, args, new.target);
    return Reflect.apply(fn, this, args);
  }
  if (modifyPrototype) {
    Object.setPrototypeOf(deprecated, fn);
    if (fn.prototype) deprecated.prototype = fn.prototype;
  }
  Object.defineProperty(deprecated, 'length', { ...Object.getOwnPropertyDescriptor(fn, 'length'), __proto__: null });
  return deprecated;
}

/** As `deprecate`, with a warning only with --pending-deprecation. */
function pendingDeprecate(fn, message, code) {
  return isPendingDeprecation() ? deprecate(fn, message, code) : fn;
}

/** Warns that a class was called without `new`. */
function deprecateInstantiation(constructor, code, ...args) {
  warnOnce(`Instantiating ${constructor.name} without the 'new' keyword has been deprecated.`, code);
  return Reflect.construct(constructor, args);
}

function warnOnce(message, code) {
  if (codesWarned.has(code)) return;
  codesWarned.add(code);
  require('process').emitWarning(message, 'DeprecationWarning', code);
}

/** A property that warns when it is read or written. */
function deprecateProperty(key, get, set, message, code, isPending) {
  const wrap = (fn) => fn === undefined ? undefined : (isPending ? pendingDeprecate : deprecate)(fn, message, code);
  return { __proto__: null, get: wrap(get), set: wrap(set), configurable: true, enumerable: true };
}

const experimental = new Set();

function emitExperimentalWarning(feature, messagePrefix, code, above) {
  if (experimental.has(feature)) return;
  experimental.add(feature);
  const start = messagePrefix ?? '';
  require('process').emitWarning(
    `${start}${feature} is an experimental feature and might change at any time`, 'ExperimentalWarning', code, above);
}

/** The next program in this global object gets each warning again. */
function forgetWarnings() {
  codesWarned.clear();
  experimental.clear();
}

// --- properties

/** Defines properties whose values are read from module `id` on first use. */
function defineLazyProperties(target, id, keys, enumerable = true) {
  for (const key of keys) {
    let value;
    let isInitialized = false;
    const read = () => {
      if (!isInitialized) {
        value = require(id)[key];
        isInitialized = true;
      }
      return value;
    };
    const get = setName({ get() { return read(); } }.get, key);
    const set = setName({ set(other) {
      Object.defineProperty(target, key, { __proto__: null, value: other, writable: true, enumerable: true, configurable: true });
    } }.set, key);
    Object.defineProperty(target, key, { __proto__: null, get, set, enumerable, configurable: true });
  }
}

/** As `defineLazyProperties`, as a replaceable attribute of Web IDL. */
function defineReplaceableLazyAttribute(target, id, keys, writable = true, check) {
  for (const key of keys) {
    let value;
    let isInitialized = false;
    const get = setName({ get() {
      check?.(this);
      if (!isInitialized) {
        value = require(id)[key];
        isInitialized = true;
      }
      return value;
    } }.get, `get ${key}`);
    const set = writable ? setName({ set(other) { value = other; isInitialized = true; } }.set, `set ${key}`) : undefined;
    Object.defineProperty(target, key, { __proto__: null, get, set, enumerable: true, configurable: true });
  }
}

/** Defines a method as in Web IDL: enumerable. */
function defineOperation(target, name, method) {
  Object.defineProperty(target, name, { __proto__: null, value: method, writable: true, enumerable: true, configurable: true });
}

/** Defines a class on a global object as in Web IDL: not enumerable. */
function exposeInterface(target, name, value) {
  Object.defineProperty(target, name, { __proto__: null, value, writable: true, enumerable: false, configurable: true });
}

function setOwnProperty(target, key, value) {
  return Object.defineProperty(target, key, { __proto__: null, value, writable: true, enumerable: true, configurable: true });
}

/** The constructor of the nearest prototype that has a named one. */
function getConstructorOf(object) {
  while (object) {
    const descriptor = Object.getOwnPropertyDescriptor(object, 'constructor');
    if (descriptor !== undefined && typeof descriptor.value === 'function' && descriptor.value.name !== '') return descriptor.value;
    object = Object.getPrototypeOf(object);
  }
  return undefined;
}

/** A weak reference that is strong while its reference count is positive. */
class WeakReference {
  #weak;
  #strong = null;
  #count = 0;
  constructor(object) {
    this.#weak = new WeakRef(object);
  }
  incRef() {
    this.#count++;
    if (this.#count === 1) this.#strong = this.#weak.deref() ?? null;
    return this.#count;
  }
  decRef() {
    this.#count--;
    if (this.#count === 0) this.#strong = null;
    return this.#count;
  }
  get() {
    return this.#strong ?? this.#weak.deref();
  }
}

// --- lists

/** Removes one element; faster than splice. */
function spliceOne(list, index) {
  for (; index + 1 < list.length; index++) list[index] = list[index + 1];
  list.pop();
}

function filterDuplicateStrings(items, low) {
  const seen = new Map();
  for (const item of items) {
    const key = item.toLowerCase();
    seen.set(key, low ? key : item);
  }
  return [...seen.values()].sort();
}

function filterOwnProperties(source, keys) {
  const filtered = { __proto__: null };
  for (const key of keys) if (Object.hasOwn(source, key)) filtered[key] = source[key];
  return filtered;
}

// --- values

function isError(value) {
  return Error.isError?.(value) || value instanceof Error;
}

const ENCODINGS = {
  '__proto__': null, '': 'utf8', 'utf8': 'utf8', 'utf-8': 'utf8', 'ucs2': 'utf16le', 'ucs-2': 'utf16le', 'utf16le': 'utf16le', 'utf-16le': 'utf16le',
  'latin1': 'latin1', 'binary': 'latin1', 'base64': 'base64', 'base64url': 'base64url', 'hex': 'hex', 'ascii': 'ascii',
};

/** The canonical name of a Buffer encoding; undefined for unknown ones. */
function normalizeEncoding(encoding) {
  if (encoding == null || encoding === 'utf8') return 'utf8';
  return typeof encoding === 'string' ? ENCODINGS[encoding] ?? ENCODINGS[encoding.toLowerCase()] : undefined;
}

const encodingsMap = { __proto__: null };
['ascii', 'utf8', 'base64', 'utf16le', 'latin1', 'hex', 'buffer', 'base64url'].forEach((name, index) => encodingsMap[name] = index);

function removeColors(text) {
  return text.replace(/\u001b\[\d\d?m/g, '');
}

/** A DOMException, whose class is loaded on first use. */
function lazyDOMException(message, name) {
  return new globalThis.DOMException(message, name);
}

// --- system errors

function getSystemErrorName(number) {
  return require('internal/errors/system').nameOf(number);
}

function getSystemErrorMessage(number) {
  return require('internal/errors/system').uvErrmapGet(number)?.[1];
}

function getSystemErrorMap() {
  return require('internal/errors/system').systemErrors();
}

// --- signals

/** A signal's number by name or number; throws for unknown ones. */
function convertToValidSignal(signal) {
  const { signals } = require('os').constants;
  if (typeof signal === 'number' && Object.values(signals).includes(signal)) return signal;
  if (typeof signal === 'string') {
    const number = signals[signal.toUpperCase()];
    if (number) return number;
  }
  const { codes: { ERR_UNKNOWN_SIGNAL } } = require('internal/errors');
  throw new ERR_UNKNOWN_SIGNAL(signal);
}

/** The exit code that a shell has for a process that a signal terminated. */
function convertProcessSignalToExitCode(signal) {
  const { signals } = require('os').constants;
  require('internal/validators').validateOneOf(signal, 'signalCode', Object.keys(signals));
  return 128 + signals[signal];
}

/** How many frames of builtins may be above the program's call. */
const BUILTIN_FRAMES_MAX = 16;

/** Whether the code that called a builtin is in node_modules. */
function isInsideNodeModules() {
  const file = require('internal/stack/engine_errors').callerFile(BUILTIN_FRAMES_MAX);
  return file !== undefined && /(?:^|[/\\])node_modules[/\\]/.test(file);
}

/** Blocks the thread. */
function sleep(milliseconds) {
  validateUint32(milliseconds, 'msec');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

module.exports = {
  SymbolAsyncDispose, SymbolDispose, WeakReference, assignFunctionName, convertProcessSignalToExitCode, convertToValidSignal, createClassWrapper,
  customInspectSymbol, customPromisifyArgs, defineLazyProperties, defineOperation, defineReplaceableLazyAttribute, deprecate,
  deprecateInstantiation, deprecateProperty, emitExperimentalWarning, encodingsMap, exposeInterface, filterDuplicateStrings,
  filterOwnProperties, forgetWarnings, getConstructorOf, getDeprecationWarningEmitter, getLazy, getSystemErrorMap, getSystemErrorMessage,
  getSystemErrorName, isError, isInsideNodeModules, isPendingDeprecation, kEmptyObject, kEnumerableProperty, lazyDOMException, normalizeEncoding, once,
  pendingDeprecate, promisify, removeColors, setOwnProperty, sleep, spliceOne,
};
