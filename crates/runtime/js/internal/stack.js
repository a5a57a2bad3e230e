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

/** Where the loop runs microtasks. */
const CHECKPOINT = 'runMicrotasks@[native code]';

/** A CommonJS file's own code: the name of the function around it, see crates/transpile. */
const FILE_CODE = /^\$r_*file$/;

/** Whose methods the engine's own functions are; it tells their names alone. */
const OWNERS = {
  __proto__: null,
  parse: 'JSON', stringify: 'JSON', replace: 'String', replaceAll: 'String', fromEntries: 'Object',
  every: 'Array', filter: 'Array', find: 'Array', findIndex: 'Array', findLast: 'Array', findLastIndex: 'Array', flatMap: 'Array',
  forEach: 'Array', from: 'Array', map: 'Array', reduce: 'Array', reduceRight: 'Array', some: 'Array', sort: 'Array', toSorted: 'Array',
};

class CallSite {
  #name; #file; #line; #column; #isConstructor; #isFile;

  constructor({ name, file, line, column }, isConstructor) {
    this.#isFile = name !== null && FILE_CODE.test(name);
    this.#name = this.#isFile ? null : name;
    this.#file = file;
    this.#line = line;
    this.#column = column;
    this.#isConstructor = isConstructor;
  }

  getThis() { return undefined; }
  getTypeName() { return this.#name === null && !this.#isFile ? null : 'Object'; }
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
  isToplevel() { return !this.#isConstructor; }
  isEval() { return false; }
  isNative() { return this.#file === null; }
  isConstructor() { return this.#isConstructor; }
  isAsync() { return false; }
  isPromiseAll() { return false; }

  toString() {
    const word = this.#isConstructor ? 'new ' : '';
    if (this.#file === null) {
      const owner = OWNERS[this.#name];
      return `${word}${owner === undefined || word !== '' ? '' : `${owner}.`}${this.#name ?? '<anonymous>'} (<anonymous>)`;
    }
    const place = this.#line === null ? this.#file : `${this.#file}:${this.#line}:${this.#column ?? 1}`;
    if (this.#name !== null || this.#isConstructor) return `${word}${this.#name ?? '<anonymous>'} (${place})`;
    return this.#isFile ? `Object.<anonymous> (${place})` : place;
  }
}

// What the engine calls code outside of functions.
const UNNAMED = new Set(['', 'global code', 'module code', 'eval code', 'anonymous']);

let positions;

/** A line of the engine's stack. `isNew`: it calls a constructor there. */
function parse(line) {
  const at = line.indexOf('@');
  const name = at === -1 ? line : line.slice(0, at);
  const place = at === -1 ? '' : line.slice(at + 1);
  const found = { name: UNNAMED.has(name) ? null : name, file: null, line: null, column: null, isNew: false };
  if (place === '' || place === '[native code]') return found;
  const parts = /^(.*?):(\d+)(?::(\d+))?$/.exec(place);
  if (parts === null) {
    found.file = place;
    return found;
  }
  found.file = parts[1];
  found.line = +parts[2];
  found.column = parts[3] === undefined ? 1 : +parts[3];
  if (!found.file.startsWith('node:')) {
    positions ??= native('positions');
    const original = positions.original(found.file, found.line, found.column);
    if (original !== undefined) [found.file, found.line, found.column, found.isNew] = original;
  }
  return found;
}

/** The frames of a stack; `skipped`: the functions that made the error, the last called first. */
function frames(text, skipped, limit) {
  // What our own files call is theirs: `Reflect.apply`.
  const lines = text === '' ? [] : text.split('\n');
  // What stands below a microtask has not called it.
  const end = lines.indexOf(CHECKPOINT);
  if (end !== -1) lines.length = end;
  const all = lines.filter((line, index) => !line.endsWith('@[native code]') || !lines[index + 1]?.includes('@node:'));
  let from = 0;
  while (from < all.length && all[from].includes(OWN)) from++;
  for (const name of skipped) {
    if (from < all.length && name !== '' && all[from].startsWith(`${name}@`)) from++;
  }
  // Whether a function was called as a constructor, its caller says.
  const found = all.slice(from, from + limit + 1).map(parse);
  return found.slice(0, limit).map((site, index) => new CallSite(site, found[index + 1]?.isNew === true));
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
