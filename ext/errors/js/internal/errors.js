// Errors of builtins. In: a code and the arguments of its message. Out: errors with Node's classes,
// codes and messages: `codes.ERR_X` (classes classes on first use from internal/errors/messages),
// those of system calls, AbortError, and functions that hide internal frames. Absent: codes of
// features that do not exist here, stack traces (internal/stack).
'use strict';

const { kIsNodeError } = require('internal/stack');
const BASES = { E: Error, T: TypeError, R: RangeError, S: SyntaxError, U: URIError };
const { captureStackTrace } = Error;
const { defineProperty, assign } = Object;

function defineHidden(target, key, value) {
  defineProperty(target, key, { __proto__: null, value, writable: true, enumerable: false, configurable: true });
}

/** Whether `Error.stackTraceLimit` may be written: a program may have frozen or replaced it. */
function isErrorStackTraceLimitWritable() {
  const own = Object.getOwnPropertyDescriptor(Error, 'stackTraceLimit');
  if (own === undefined) return Object.isExtensible(Error);
  return Object.hasOwn(own, 'writable') ? own.writable : own.set !== undefined;
}

/** Runs `make` without a stack being taken, for errors that take theirs afterwards. */
function withoutStack(make) {
  if (!isErrorStackTraceLimitWritable()) return make();
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  try {
    return make();
  } finally {
    Error.stackTraceLimit = limit;
  }
}

function makeToString(code) {
  return function toString() {
    return `${this.name} [${code}]: ${this.message}`;
  };
}

function finish(error, code, message, above) {
  defineHidden(error, 'message', message);
  defineHidden(error, 'toString', makeToString(code));
  defineProperty(error, kIsNodeError, { __proto__: null, value: true, configurable: true });
  captureStackTrace(error, above);
  return error;
}

/**
 * The message: a function's result, or a template whose `%s`, `%d` and `%j` take the arguments in
 * order.
 */
function getMessage(template, args, error) {
  if (typeof template === 'function') return Reflect.apply(template, error, args);
  if (args.length === 0) return template;
  if (args.some((arg) => arg !== null && (typeof arg === 'object' || typeof arg === 'function'))) {
    return require('internal/util/inspect').format(template, ...args);
  }
  let next = 0;
  return template.replace(/%[sdj]/g, (mark) => {
    if (next >= args.length) return mark;
    const arg = args[next++];
    if (mark === '%j') return JSON.stringify(arg);
    if (mark === '%d') return typeof arg === 'bigint' ? `${arg}n` : typeof arg === 'symbol' ? 'NaN' : `${Number(arg)}`;
    return typeof arg === 'bigint' ? `${arg}n` : Object.is(arg, -0) ? '-0' : String(arg);
  });
}

/** The error of `code` whose stack begins with the caller of `above`. */
function nodeError(code, above, ...args) {
  const { base, text } = require('internal/errors/messages').find(code);
  const Base = BASES[base];
  const error = withoutStack(() => new Base());
  error.code = code;
  return finish(error, code, getMessage(text, args, error), above);
}

function makeClass(code, base, template) {
  if (base === 'Y') return makeSystemClass(code, template);
  function NodeError(...args) {
    return nodeError(code, NodeError, ...args);
  }
  NodeError.HideStackFramesError = NodeError;
  return NodeError;
}

function makeSystemClass(code, prefix) {
  function NodeError(context) {
    return new SystemError(code, prefix, context, NodeError);
  }
  NodeError.HideStackFramesError = NodeError;
  return NodeError;
}

const FIELDS = ['errno', 'syscall', 'path', 'dest'];

/** Error of a system call. The context's fields can be read and written through the error. */
class SystemError extends Error {
  constructor(code, prefix, context, above = SystemError) {
    super();
    let message = `${prefix}: ${context.syscall} returned ${context.code} (${context.message})`;
    if (context.path !== undefined) message += ` ${context.path}`;
    if (context.dest !== undefined) message += ` => ${context.dest}`;
    this.code = code;
    defineHidden(this, 'name', 'SystemError');
    defineHidden(this, Symbol.for('nodejs.util.inspect.custom'), inspectWithContext);
    Object.setPrototypeOf(this, Error.prototype);
    finish(this, code, message, above);
    defineProperty(this, 'info', { __proto__: null, value: context, enumerable: true, configurable: true });
    for (const field of FIELDS) {
      if (field !== 'errno' && field !== 'syscall' && context[field] === undefined) continue;
      defineProperty(this, field, {
        __proto__: null,
        get() { return field === 'path' || field === 'dest' ? context[field]?.toString() : context[field]; },
        set(value) { context[field] = value; },
        enumerable: true,
        configurable: true,
      });
    }
  }
}

/** Inspects the error with its context. */
function inspectWithContext(depth, options) {
  return require('internal/util/inspect').inspect(this, { ...options, getters: true, customInspect: false });
}

/** A class for each code, classes on first use. */
const codes = new Proxy({ __proto__: null }, {
  __proto__: null,
  get(classes, code) {
    if (classes[code] !== undefined || typeof code !== 'string') return classes[code];
    const entry = require('internal/errors/messages').find(code);
    return entry === undefined ? undefined : classes[code] = makeClass(code, entry.base, entry.text);
  },
  has(_, code) {
    return require('internal/errors/messages').find(code) !== undefined;
  },
});

/** Adds a code, as in Node. */
function E(code, text, Base) {
  const base = Base === SystemError ? 'Y' : Object.keys(BASES).find((initial) => BASES[initial] === Base) ?? 'E';
  codes[code] = makeClass(code, base, text);
}

class AbortError extends Error {
  constructor(message = 'The operation was aborted', options = undefined) {
    if (options !== undefined && typeof options !== 'object') {
      throw new codes.ERR_INVALID_ARG_TYPE('options', 'Object', options);
    }
    super(message, options);
    this.code = 'ABORT_ERR';
    this.name = 'AbortError';
  }
}

/** An error with additional properties. */
function genericNodeError(message, properties) {
  return assign(new Error(message), properties);
}

/** Combines two errors in an AggregateError, the outer first; a single one is returned as it is. */
function aggregateTwoErrors(inner, outer) {
  if (!inner || !outer || inner === outer) return inner || outer;
  if (Array.isArray(outer.errors)) {
    outer.errors.push(inner);
    return outer;
  }
  const both = withoutStack(() => new AggregateError([outer, inner], outer.message));
  captureStackTrace(both, aggregateTwoErrors);
  both.code = outer.code;
  return both;
}

class NodeAggregateError extends AggregateError {
  constructor(errors, message) {
    super(Array.from(errors), message);
    this.code = errors[0]?.code;
  }
  get [kIsNodeError]() { return true; }
  get ['constructor']() { return AggregateError; }
}

/** The same function, whose errors have no frame of it or of what it calls in their stacks. */
function hideStackFrames(fn) {
  function hidden(...args) {
    try {
      return Reflect.apply(fn, this, args);
    } catch (error) {
      if (Error.stackTraceLimit && typeof error === 'object' && error !== null) recapture(error, hidden);
      throw error;
    }
  }
  hidden.withoutStackTrace = fn;
  return hidden;
}

/** Takes the stack of `error` once more, from above `above`. */
function recapture(error, above) {
  captureStackTrace(error, above);
  return error;
}

function isStackOverflowError(error) {
  return error instanceof RangeError && error.message.startsWith('Maximum call stack size exceeded');
}

/** Describes a value, for `Received ...` at the end of a message. */
function determineSpecificType(value) {
  switch (typeof value) {
    case 'undefined': return 'undefined';
    case 'bigint': return `type bigint (${value}n)`;
    case 'number': return `type number (${Object.is(value, -0) ? '-0' : value})`;
    case 'boolean': return `type boolean (${value})`;
    case 'symbol': return `type symbol (${String(value)})`;
    case 'function': return `function ${value.name}`;
    case 'string': {
      const text = value.length > 28 ? `${value.slice(0, 25)}...` : value;
      return `type string (${text.includes("'") ? JSON.stringify(text) : `'${text}'`})`;
    }
  }
  if (value === null) return 'null';
  if (value.constructor && 'name' in value.constructor) return `an instance of ${value.constructor.name}`;
  return require('internal/util/inspect').inspect(value, { depth: -1 });
}

/** `a`, `a and b`, `a, b, and c`. */
function formatList(list, word = 'and') {
  if (list.length < 3) return list.join(` ${word} `);
  return `${list.slice(0, -1).join(', ')}, ${word} ${list[list.length - 1]}`;
}

class ConnResetException extends Error {
  constructor(message) {
    super(message);
    this.code = 'ECONNRESET';
  }
  get ['constructor']() { return Error; }
}

module.exports = {
  AbortError, E, ConnResetException, NodeAggregateError, SystemError,
  aggregateTwoErrors, codes, determineSpecificType, formatList, genericNodeError, hideStackFrames, isErrorStackTraceLimitWritable,
  isStackOverflowError, kIsNodeError, nodeError, recapture, withoutStack,
};

// Lazy: errors of system calls need the table of their names, which most programs never use.
for (const name of ['DNSException', 'ErrnoException', 'ExceptionWithHostPort', 'UVException', 'UVExceptionWithHostPort', 'uvErrmapGet']) {
  defineProperty(module.exports, name, {
    __proto__: null,
    configurable: true,
    enumerable: true,
    get() { return require('internal/errors/system')[name]; },
  });
}
