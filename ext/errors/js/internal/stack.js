// V8's stack trace API: `stack` beginning with the error's name and message,
// `Error.captureStackTrace`, `Error.prepareStackTrace`, `Error.stackTraceLimit` of 10. In: the
// engine's stacks, a line `name@file:line:column` per frame. Out: wrapped error constructors. They
// share their prototypes with the engine's own, so that errors which the engine throws are
// instances, too. Stacks of those are translated on first use, by stack/engine_errors.js. Absent:
// the parsing of frames, see stack/frames.js.
'use strict';

const { standIns } = require('internal/modules/function_import');

const { apply, construct, defineProperty, getPrototypeOf, set } = Reflect;
const nativeCapture = Error.captureStackTrace;
const LIMIT = 10;

/** Additional frames to capture: those of builtins and constructors, which are removed later. */
const EXTRA_FRAMES = 6;

/** Marks errors of builtins: their stack has the code after the name. */
const kIsNodeError = Symbol('kIsNodeError');

/** `Error: message`, as `Error.prototype.toString` returns it. */
function heading(error) {
  try {
    if (error[kIsNodeError] === true) return `${error.name} [${error.code}]: ${error.message}`;
    return apply(errorToString, error, []);
  } catch {
    return '<error>';
  }
}
const errorToString = Error.prototype.toString;

/**
 * Formats the engine's stack. A program's `prepareStackTrace` gets positions without source maps,
 * as in Node. `arrow`: what the stack begins with. `Realm`: the `Error` of the error's context.
 */
function render(error, engineStack, skipped, count, arrow, Realm) {
  // As in Node, contexts without a function of their own use that of the main context.
  const owner = typeof Realm.prepareStackTrace === 'function' ? Realm : Wrapped.Error;
  const prepare = owner.prepareStackTrace;
  if (typeof prepare !== 'function' || prepare === ErrorPrepareStackTrace) return renderPlain(error, engineStack, skipped, count, arrow);
  const { frames } = require('internal/stack/frames');
  return apply(prepare, owner, [error, frames(engineStack, skipped, count, false)]);
}

/** V8's own format, which `prepareStackTrace` also reads as the stack of its error. */
function renderPlain(error, engineStack, skipped, count, arrow) {
  return arrow + heading(error) + require('internal/stack/frames').render(engineStack, skipped, count);
}

/** The `Error` of the context in which an error was made. */
function realmOf(error) {
  for (let prototype = getPrototypeOf(error); prototype !== null; prototype = getPrototypeOf(prototype)) {
    const Realm = realms.get(prototype);
    if (Realm !== undefined) return Realm;
  }
  return Wrapped.Error;
}
/** `Error` of a context by its prototype. */
const realms = new WeakMap();

/** The initial `Error.prepareStackTrace`. */
function ErrorPrepareStackTrace(error, sites) {
  return heading(error) + require('internal/stack/frames').textOf(sites);
}

const Wrapped = { __proto__: null };
const Native = { __proto__: null };

/**
 * Sets how many frames the engine captures. By Reflect.set: JIT-compiled code that assigns writes
 * the property only, and the engine continues with the previous limit.
 */
function setLimit(count) {
  set(Native.Error, 'stackTraceLimit', count);
}

function limit(Realm = Wrapped.Error) {
  const { stackTraceLimit } = Realm;
  return typeof stackTraceLimit === 'number' && stackTraceLimit > 0 ? Math.min(Math.trunc(stackTraceLimit), 1000) : 0;
}

/** Whether this file reads a stack itself, which must not be translated then. */
let isReadingEngineStack = false;

/** The engine's stack of a native error, untranslated. */
function engineStackOf(nativeError) {
  const previous = isReadingEngineStack;
  isReadingEngineStack = true;
  try {
    const { stack } = nativeError;
    return typeof stack === 'string' ? stack : '';
  } finally {
    isReadingEngineStack = previous;
  }
}

/**
 * Constructs an error without a stack; the caller captures one. The limit is restored also where
 * the construction throws (stack overflow, a message that has no string): with a limit of 0 the
 * engine's messages do not quote the evaluated expression.
 */
function constructWithoutStack(Base, args, target, count) {
  setLimit(0);
  try {
    return construct(Base, args, target);
  } finally {
    setLimit(count + EXTRA_FRAMES);
  }
}

/** Defines `stack`, which is rendered on first read. `nativeError`: has the engine's stack. */
function defineStack(target, nativeError, skipped, count, arrow = '', Realm = Wrapped.Error) {
  let value;
  let isRendered = false;
  let isRendering = false;
  const stack = () => (nativeError === undefined ? '' : engineStackOf(nativeError));
  defineProperty(target, 'stack', {
    __proto__: null,
    configurable: true,
    enumerable: false,
    get() {
      if (isRendered) return value;
      if (isRendering) return renderPlain(target, stack(), skipped, count, arrow);
      isRendering = true;
      const rendered = render(target, stack(), skipped, count, arrow, Realm);
      // Unless a program has assigned to it meanwhile.
      if (!isRendered) value = rendered;
      isRendered = true;
      nativeError = undefined;
      return rendered;
    },
    set(assigned) {
      isRendered = true;
      nativeError = undefined;
      value = assigned;
    },
  });
}

/** Names of the constructors between an error's class and the wrapped one, the innermost first. */
function constructorNames(target, Base) {
  const names = [];
  for (let Class = target; typeof Class === 'function' && Class !== Base && names.length < EXTRA_FRAMES; Class = getPrototypeOf(Class)) {
    names.unshift(Class.name);
  }
  return names;
}

/** Called with each error that a program makes; undefined: nothing needs it. */
let onErrorMade;

function wrap(name) {
  const Base = Native[name];
  // The computed key is the function's name. Most constructors have a length of 1.
  const { [name]: wrapped } = {
    [name]: function (message) {
      const target = new.target ?? wrapped;
      const count = limit();
      const error = constructWithoutStack(Base, arguments, target, count);
      if (onErrorMade !== undefined) onErrorMade(error);
      const nativeError = count === 0 ? undefined : new Native.Error();
      defineStack(error, nativeError, target === wrapped ? [] : constructorNames(target, wrapped), count);
      return error;
    },
  };
  if (Base.length !== 1) defineProperty(wrapped, 'length', { __proto__: null, value: Base.length, configurable: true });
  defineProperty(wrapped, 'prototype', { __proto__: null, value: Base.prototype, writable: false });
  // The assignment leaves its attributes: writable, not enumerable.
  Base.prototype.constructor = wrapped;
  Object.setPrototypeOf(wrapped, Function.prototype);
  standIns.add(wrapped);
  return wrapped;
}

const NAMES = ['Error', 'TypeError', 'RangeError', 'SyntaxError', 'ReferenceError', 'EvalError', 'URIError', 'AggregateError'];

/** Makes `Error.captureStackTrace` of a context, or of the main one without an argument. */
function makeCaptureStackTrace(ContextError) {
  return function captureStackTrace(target, above) {
    if (target === null || (typeof target !== 'object' && typeof target !== 'function')) {
      throw new Wrapped.TypeError(`Invalid argument`);
    }
    const Realm = ContextError ?? Wrapped.Error;
    const count = limit(Realm);
    const nativeError = {};
    if (count > 0) {
      setLimit(count + EXTRA_FRAMES);
      apply(nativeCapture, Native.Error, [nativeError, typeof above === 'function' ? above : captureStackTrace]);
    }
    defineStack(target, nativeError, [], count, '', Realm);
  };
}
const captureStackTrace = makeCaptureStackTrace();

module.exports = {
  kIsNodeError,
  captureStackTrace,
  watchErrors(callback) { onErrorMade = callback; },
  /** An error of the class `target` without a message; the caller captures its stack. */
  withoutStack(target) { return constructWithoutStack(Native.Error, [], target, limit()); },
  /**
   * Called on the first read of an engine error's stack, or of its message only. `v8Message`: V8's
   * message, where it differs.
   */
  translate(error, v8Message, isMessageOnly) {
    if (isReadingEngineStack) return;
    const { translate, v8Stack } = require('internal/stack/engine_errors');
    translate(error, v8Message);
    if (isMessageOnly !== true) v8Stack(error);
  },
  /** Replaces the engine's stack by one in V8's form, which begins with `arrow`. */
  redefine(error, engineStack, arrow) { defineStack(error, { stack: engineStack }, [], Math.max(limit(), 1), arrow, realmOf(error)); },
  /** Installs the stack trace API in another context. `error`: one that its engine threw. */
  installInContext(error) {
    const prototype = getPrototypeOf(getPrototypeOf(error));
    const { constructor: Realm } = prototype;
    realms.set(prototype, Realm);
    set(Realm, 'stackTraceLimit', LIMIT);
    defineProperty(Realm, 'captureStackTrace', { __proto__: null, value: makeCaptureStackTrace(Realm), writable: true, configurable: true });
  },
  /** The engine's stack of the caller, of `count` frames. */
  engineStack(count) {
    setLimit(count);
    return engineStackOf(new Native.Error());
  },
  /** Call sites of the caller, without the topmost `skip`. */
  callSites(skip, count) {
    setLimit(count + EXTRA_FRAMES + skip);
    const stack = engineStackOf(new Native.Error());
    return require('internal/stack/frames').frames(stack, [], count + skip).slice(skip);
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
    // Errors that the engine throws use the limit of the native constructor.
    setLimit(LIMIT + EXTRA_FRAMES);
  },
};
