// Stacks as V8 has them: `stack` with the error's name and message on top,
// `Error.captureStackTrace`, `Error.prepareStackTrace`, `Error.stackTraceLimit` of 10. In: the
// engine's stacks, `name@file:line:column` a line. Out: replaced constructors; they share their
// prototypes with the engine's own, so errors that the engine throws are instances, too. Those have
// the engine's text in `stack` until somebody asks for it, and where that is not to be noticed
// until they are shown; stack/shown.js gives theirs in V8's form. Absent: what a frame says, see
// stack/frames.js.
'use strict';

const { standIns } = require('internal/modules/function_import');

const { apply, construct, defineProperty, getPrototypeOf, set } = Reflect;
const nativeCapture = Error.captureStackTrace;
const LIMIT = 10;

/** Frames of ours and of constructors, that are left out again. */
const SPARE = 6;

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

/**
 * Of `text`, which the engine gave; a program that lays stacks out itself gets places as they are
 * without source maps. `Realm`: whose error it is.
 */
function render(error, text, skipped, count, top, Realm) {
  const { frames } = require('internal/stack/frames');
  // As in Node, the first context's speaks for those that have none.
  const owner = typeof Realm.prepareStackTrace === 'function' ? Realm : Wrapped.Error;
  const prepare = owner.prepareStackTrace;
  if (typeof prepare !== 'function' || prepare === ErrorPrepareStackTrace) return top + ErrorPrepareStackTrace(error, frames(text, skipped, count));
  return apply(prepare, owner, [error, frames(text, skipped, count, false)]);
}

/** The `Error` that an error comes from: that of a context of its own, where it was made there. */
function realmOf(error) {
  for (let at = getPrototypeOf(error); at !== null; at = getPrototypeOf(at)) {
    const found = realms.get(at);
    if (found !== undefined) return found;
  }
  return Wrapped.Error;
}
/** By the prototypes of their errors. */
const realms = new WeakMap();

/** What stands there until a program puts its own. */
function ErrorPrepareStackTrace(error, sites) {
  let text = head(error);
  for (let index = 0; index < sites.length; index++) text += `\n    at ${sites[index].toString()}`;
  return text;
}

const Wrapped = { __proto__: null };
const Native = { __proto__: null };

/**
 * How many frames the engine notes. Compiled code that assigns here writes the property alone, and
 * the engine goes on with the number before.
 */
function setLimit(count) {
  set(Native.Error, 'stackTraceLimit', count);
}

function limit(Realm = Wrapped.Error) {
  const wanted = Realm.stackTraceLimit;
  return typeof wanted === 'number' && wanted > 0 ? Math.min(Math.trunc(wanted), 1000) : 0;
}

/** Whether a stack is asked for by us, who want the engine's text. */
let isOurs = false;

/** The engine's text in an error of its own. */
function textOf(holder) {
  const wasOurs = isOurs;
  isOurs = true;
  try {
    const { stack } = holder;
    return typeof stack === 'string' ? stack : '';
  } finally {
    isOurs = wasOurs;
  }
}

/**
 * An error whose stack is captured by others. What throws meanwhile (no stack left, a message that
 * becomes no text) leaves the limit as it was: without one, the engine does not even say what it
 * evaluated.
 */
function bare(Base, given, target, count) {
  setLimit(0);
  try {
    return construct(Base, given, target);
  } finally {
    setLimit(count + SPARE);
  }
}

/** Gives an object a `stack` that is made when it is first read. */
function define(target, holder, skipped, count, top = '', Realm = Wrapped.Error) {
  let value;
  let isMade = false;
  defineProperty(target, 'stack', {
    __proto__: null,
    configurable: true,
    enumerable: false,
    get() {
      if (!isMade) {
        isMade = true;
        value = render(target, holder === undefined ? '' : textOf(holder), skipped, count, top, Realm);
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
  for (let at = target; typeof at === 'function' && at !== own && names.length < SPARE; at = getPrototypeOf(at)) {
    names.unshift(at.name);
  }
  return names;
}

function wrap(name) {
  const Base = Native[name];
  // By this way it has its name; most take one argument, as it says.
  const { [name]: own } = {
    [name]: function (message) {
      const target = new.target ?? own;
      const count = limit();
      const error = bare(Base, arguments, target, count);
      const holder = count === 0 ? undefined : new Native.Error();
      define(error, holder, target === own ? [] : constructors(target, own), count);
      return error;
    },
  };
  if (Base.length !== 1) defineProperty(own, 'length', { __proto__: null, value: Base.length, configurable: true });
  defineProperty(own, 'prototype', { __proto__: null, value: Base.prototype, writable: false });
  // As it was before: writable, not enumerable.
  Base.prototype.constructor = own;
  standIns.add(own);
  return own;
}

const NAMES = ['Error', 'TypeError', 'RangeError', 'SyntaxError', 'ReferenceError', 'EvalError', 'URIError', 'AggregateError'];

/** `Error.captureStackTrace` of a context. */
function captureOf(context) {
  return function captureStackTrace(target, above) {
    if (target === null || (typeof target !== 'object' && typeof target !== 'function')) {
      throw new Wrapped.TypeError(`Invalid argument`);
    }
    const Realm = context ?? Wrapped.Error;
    const count = limit(Realm);
    const holder = {};
    if (count > 0) {
      setLimit(count + SPARE);
      apply(nativeCapture, Native.Error, [holder, typeof above === 'function' ? above : captureStackTrace]);
    }
    define(target, holder, [], count, '', Realm);
  };
}
const captureStackTrace = captureOf();

module.exports = {
  kIsNodeError,
  captureStackTrace,
  /** An error of the class `target` without a message; its stack is to be captured. */
  withoutStack(target) { return bare(Native.Error, [], target, limit()); },
  /**
   * An error of the engine's, whose text somebody asks for: its stack, or only its message; V8's
   * words for that, if it has others.
   */
  translate(error, words, isMessage) {
    if (isOurs) return;
    const { describe, translate } = require('internal/stack/shown');
    translate(error, words);
    if (isMessage !== true) describe(error);
  },
  /** For an engine's text that is to be shown, below `top`. */
  redefine(error, text, top) { define(error, { stack: text }, [], Math.max(limit(), 1), top, realmOf(error)); },
  /** Of another context: what its engine threw first. Its `Error` does as ours. */
  adopt(error) {
    const prototype = getPrototypeOf(getPrototypeOf(error));
    const { constructor: Realm } = prototype;
    realms.set(prototype, Realm);
    set(Realm, 'stackTraceLimit', LIMIT);
    defineProperty(Realm, 'captureStackTrace', { __proto__: null, value: captureOf(Realm), writable: true, configurable: true });
  },
  /** The engine's own text, of so many frames. */
  engineText(count) {
    setLimit(count);
    return textOf(new Native.Error());
  },
  /** The frames where it is called, without the topmost `skip`. */
  callSites(skip, count) {
    setLimit(count + SPARE + skip);
    const text = textOf(new Native.Error());
    return require('internal/stack/frames').frames(text, [], count + skip).slice(skip);
  },
  install(target) {
    for (const name of NAMES) Native[name] = target[name];
    for (const name of NAMES) Wrapped[name] = wrap(name);
    for (const name of NAMES) {
      if (name !== 'Error') Object.setPrototypeOf(Wrapped[name], Wrapped.Error);
      target[name] = Wrapped[name];
    }
    const { isError } = Native.Error;
    const members = { captureStackTrace, prepareStackTrace: ErrorPrepareStackTrace, ...(isError !== undefined && { isError }) };
    for (const key of Object.keys(members)) {
      defineProperty(Wrapped.Error, key, { __proto__: null, value: members[key], writable: true, configurable: true });
    }
    Wrapped.Error.stackTraceLimit = LIMIT;
    // What the engine throws itself looks at its own constructor.
    setLimit(LIMIT + SPARE);
  },
};
