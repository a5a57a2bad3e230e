// Stacks as V8 has them: `stack` with the error's name and message on top, `Error.captureStackTrace`, `Error.prepareStackTrace`,
// `Error.stackTraceLimit` of 10. In: the engine's stacks, `name@file:line:column` a line. Out: replaced constructors; they
// share their prototypes with the engine's own, so errors that the engine throws are instances, too. Those keep the engine's
// text in `stack` until they are shown; `describe` gives theirs in V8's form. Absent: names of classes before those of methods.
'use strict';

const { apply, construct, defineProperty } = Reflect;
const nativeCapture = Error.captureStackTrace;
const LIMIT = 10;

/** Frames of ours and of constructors, that are left out again. */
const SPARE = 6;

/** Frames of this file are nobody's business. */
const OWN = 'node:internal/stack';

class CallSite {
  #name; #file; #line; #column;

  constructor(name, file, line, column) {
    this.#name = name;
    this.#file = file;
    this.#line = line;
    this.#column = column;
  }

  getThis() { return undefined; }
  getTypeName() { return this.#name === null ? null : 'Object'; }
  getFunction() { return undefined; }
  getFunctionName() { return this.#name; }
  getMethodName() { return null; }
  getFileName() { return this.#file; }
  getLineNumber() { return this.#line; }
  getColumnNumber() { return this.#column; }
  getEvalOrigin() { return undefined; }
  getScriptNameOrSourceURL() { return this.#file; }
  getScriptHash() { return ''; }
  getEnclosingLineNumber() { return this.#line; }
  getEnclosingColumnNumber() { return this.#column; }
  getPosition() { return 0; }
  getPromiseIndex() { return null; }
  isToplevel() { return true; }
  isEval() { return false; }
  isNative() { return this.#file === null; }
  isConstructor() { return false; }
  isAsync() { return false; }
  isPromiseAll() { return false; }

  toString() {
    if (this.#file === null) return `${this.#name ?? '<anonymous>'} (native)`;
    const place = this.#line === null ? this.#file : `${this.#file}:${this.#line}:${this.#column ?? 1}`;
    return this.#name === null ? place : `${this.#name} (${place})`;
  }
}

// What the engine calls code outside of functions.
const UNNAMED = new Set(['', 'global code', 'module code', 'eval code', 'anonymous']);

let positions;

/** A line of the engine's stack: name, file, line, column. */
function parse(line) {
  const at = line.indexOf('@');
  const name = at === -1 ? line : line.slice(0, at);
  const place = at === -1 ? '' : line.slice(at + 1);
  const shown = UNNAMED.has(name) ? null : name;
  if (place === '' || place === '[native code]') return [shown, null, null, null];
  const parts = /^(.*?):(\d+)(?::(\d+))?$/.exec(place);
  if (parts === null) return [shown, place, null, null];
  const found = [shown, parts[1], +parts[2], parts[3] === undefined ? 1 : +parts[3]];
  if (!parts[1].startsWith('node:')) {
    positions ??= native('positions');
    const original = positions.original(found[1], found[2], found[3]);
    if (original !== undefined) [found[1], found[2], found[3]] = original;
  }
  return found;
}

/** The frames of a stack; `skipped`: the functions that made the error, the last called first. */
function frames(text, skipped, limit) {
  const all = text === '' ? [] : text.split('\n');
  let from = 0;
  while (from < all.length && all[from].includes(OWN)) from++;
  for (const name of skipped) {
    if (from < all.length && name !== '' && all[from].startsWith(`${name}@`)) from++;
  }
  return all.slice(from, from + limit).map((line) => new CallSite(...parse(line)));
}

/** What marks errors of our builtins, whose code stands behind their name. */
const kIsNodeError = Symbol('kIsNodeError');

/** `Error: message`, as `Error.prototype.toString` has it. */
function head(error) {
  try {
    if (error[kIsNodeError] === true) return `${error.name} [${error.code}]: ${error.message}`;
    return apply(toText, error, []);
  } catch {
    return '<error>';
  }
}
const toText = Error.prototype.toString;

function render(error, sites) {
  const prepare = Wrapped.Error.prepareStackTrace;
  if (typeof prepare === 'function') return apply(prepare, Wrapped.Error, [error, sites]);
  let text = head(error);
  for (let index = 0; index < sites.length; index++) text += `\n    at ${sites[index].toString()}`;
  return text;
}

const Wrapped = { __proto__: null };
const Native = { __proto__: null };

function limit() {
  const wanted = Wrapped.Error.stackTraceLimit;
  return typeof wanted === 'number' && wanted > 0 ? Math.min(Math.trunc(wanted), 1000) : 0;
}

/** Gives an object a `stack` that is made when it is first read. */
function define(target, holder, skipped, count) {
  let value;
  let isMade = false;
  defineProperty(target, 'stack', {
    __proto__: null,
    configurable: true,
    enumerable: false,
    get() {
      if (!isMade) {
        isMade = true;
        const text = holder?.stack;
        value = render(target, frames(typeof text === 'string' ? text : '', skipped, count));
        holder = undefined;
      }
      return value;
    },
    set(given) {
      isMade = true;
      holder = undefined;
      value = given;
    },
  });
}

/** The names of the constructors between an error's class and ours, the innermost first. */
function constructors(target, own) {
  const names = [];
  for (let at = target; typeof at === 'function' && at !== own && names.length < SPARE; at = Object.getPrototypeOf(at)) {
    names.unshift(at.name);
  }
  return names;
}

function wrap(name) {
  const Base = Native[name];
  const own = function (...args) {
    const target = new.target ?? own;
    const count = limit();
    Native.Error.stackTraceLimit = 0;
    const error = construct(Base, args, target);
    Native.Error.stackTraceLimit = count + SPARE;
    const holder = count === 0 ? undefined : new Native.Error();
    define(error, holder, target === own ? [] : constructors(target, own), count);
    return error;
  };
  defineProperty(own, 'name', { __proto__: null, value: name, configurable: true });
  defineProperty(own, 'length', { __proto__: null, value: Base.length, configurable: true });
  defineProperty(own, 'prototype', { __proto__: null, value: Base.prototype, writable: false });
  defineProperty(Base.prototype, 'constructor', { __proto__: null, value: own, writable: true, configurable: true });
  return own;
}

const NAMES = ['Error', 'TypeError', 'RangeError', 'SyntaxError', 'ReferenceError', 'EvalError', 'URIError', 'AggregateError'];

function captureStackTrace(target, above) {
  if (target === null || (typeof target !== 'object' && typeof target !== 'function')) {
    throw new Wrapped.TypeError(`Invalid argument`);
  }
  const count = limit();
  const holder = {};
  if (count > 0) {
    Native.Error.stackTraceLimit = count + SPARE;
    apply(nativeCapture, Native.Error, [holder, typeof above === 'function' ? above : captureStackTrace]);
  }
  define(target, holder, [], count);
}

/** The engine's own errors have their stack as a text of its form; it becomes V8's. */
function describe(error) {
  const own = Object.getOwnPropertyDescriptor(error, 'stack');
  if (own === undefined || typeof own.value !== 'string' || !own.configurable || !isEngineText(own.value)) return error.stack;
  const text = own.value;
  define(error, { stack: text }, [], Math.max(limit(), 1));
  for (const name of ['line', 'column', 'sourceURL']) delete error[name];
  return error.stack;
}

const PLACE = ['line', 'column', 'sourceURL'];

/** Whether it is a property that the engine gives errors of texts that do not parse, and V8 does not. */
function isPlace(error, key) {
  return PLACE.includes(key) && Object.hasOwn(error, 'sourceURL') && Object.hasOwn(error, 'line') && !Object.hasOwn(error, 'stack');
}

/** Where an error's stack begins, outside of files of ours: file, line, column. */
function place(error) {
  for (const line of String(error.stack).split('\n')) {
    const found = /^ {4}at (?:.* \()?(.+?):(\d+):(\d+)\)?$/.exec(line);
    if (found !== null && !found[1].startsWith('node:')) return [found[1], +found[2], +found[3]];
  }
  return undefined;
}

function isEngineText(text) {
  const first = text.slice(0, text.indexOf('\n') === -1 ? undefined : text.indexOf('\n'));
  return text === '' || /^[^\s(]*@|^[\w$. ]+ code@|^[\w$]+$/.test(first);
}

module.exports = {
  kIsNodeError,
  describe,
  isPlace,
  place,
  CallSite,
  /** The frames where it is called, without the topmost `skip`. */
  callSites(skip, count) {
    Native.Error.stackTraceLimit = count + SPARE + skip;
    const { stack } = new Native.Error();
    return frames(stack, [], count + skip).slice(skip);
  },
  /** The file of the nearest caller that is not a builtin, of so many frames; undefined where all are. */
  callerFile(count) {
    Native.Error.stackTraceLimit = count;
    const { stack } = new Native.Error();
    for (const line of stack.split('\n')) {
      const file = /^[^@]*@(.*?)(?::\d+)*$/.exec(line)?.[1];
      if (file !== undefined && file !== '' && file !== '[native code]' && !file.startsWith('node:')) return file;
    }
    return undefined;
  },
  install(target) {
    for (const name of NAMES) Native[name] = target[name];
    for (const name of NAMES) Wrapped[name] = wrap(name);
    for (const name of NAMES) {
      if (name !== 'Error') Object.setPrototypeOf(Wrapped[name], Wrapped.Error);
      defineProperty(target, name, { __proto__: null, value: Wrapped[name], writable: true, configurable: true });
    }
    const { isError } = Native.Error;
    const members = { captureStackTrace, ...(isError !== undefined && { isError }) };
    for (const key of Object.keys(members)) {
      defineProperty(Wrapped.Error, key, { __proto__: null, value: members[key], writable: true, configurable: true });
    }
    Wrapped.Error.stackTraceLimit = LIMIT;
    // What the engine throws itself looks at its own constructor.
    Native.Error.stackTraceLimit = LIMIT + SPARE;
  },
};
