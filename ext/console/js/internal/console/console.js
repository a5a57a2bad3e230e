// The Console class: Node's lib/internal/console/constructor.js. In: streams for output and errors,
// inspect options. Out: the methods, bound to their console. Absent: the fast path of the global
// console (global.js); the inspector.
'use strict';

const { codes: { ERR_CONSOLE_WRITABLE_STREAM, ERR_INCOMPATIBLE_OPTION_PAIR } } = require('internal/errors');
const { formatWithOptions, inspect } = require('internal/util/inspect');
const sinks = require('internal/console/sinks');

/** Writes a string to the error stream or the output stream. */
const kWrite = Symbol('kWriteToConsole');
/** Returns the inspect options of a stream. */
const kOptions = Symbol('kGetInspectOptions');
const kState = Symbol('kState');
/** The `trace` function that the program called. */
const kTrace = Symbol('kTrace');
const kIsConsole = Symbol('kIsConsole');

const INDENTATION_MAX = 1000;
const COLORED = { colors: true };
const PLAIN = {};

function Console(options) {
  if (new.target === undefined) return Reflect.construct(Console, arguments);
  if (!options || typeof options.write === 'function') options = { stdout: options, stderr: arguments[1], ignoreErrors: arguments[2] };
  const { stdout, stderr = stdout, ignoreErrors = true, colorMode = 'auto', inspectOptions, groupIndentation } = options;
  if (!stdout || typeof stdout.write !== 'function') throw new ERR_CONSOLE_WRITABLE_STREAM('stdout');
  if (!stderr || typeof stderr.write !== 'function') throw new ERR_CONSOLE_WRITABLE_STREAM('stderr');
  require('internal/validators').validateOneOf(colorMode, 'colorMode', ['auto', true, false]);
  if (groupIndentation !== undefined) {
    require('internal/validators').validateInteger(groupIndentation, 'groupIndentation', 0, INDENTATION_MAX);
  }
  if (inspectOptions !== undefined) validateInspectOptions(inspectOptions, options.colorMode);
  initialize(this, { ignoreErrors: Boolean(ignoreErrors), colorMode, inspectOptions, step: groupIndentation ?? 2 });
  for (const [name, value] of [['_stdout', stdout], ['_stderr', stderr]]) {
    Object.defineProperty(this, name, { __proto__: null, value, writable: true, enumerable: false, configurable: true });
  }
  bindMethods(this, Console.prototype);
}

function validateInspectOptions(inspectOptions, colorMode) {
  require('internal/validators').validateObject(inspectOptions, 'options.inspectOptions');
  const all = inspectOptions instanceof Map ? [...inspectOptions.values()] : [inspectOptions];
  for (const inspectOption of all) {
    if (inspectOption.colors !== undefined && colorMode !== undefined) {
      throw new ERR_INCOMPATIBLE_OPTION_PAIR('options.inspectOptions.color', 'colorMode');
    }
  }
}

function initialize(target, state) {
  const defineHidden = (key, value) => Object.defineProperty(target, key, { __proto__: null, value, writable: true, enumerable: false, configurable: true });
  defineHidden(kState, { ...state, indent: '', counts: new Map() });
  defineHidden(kIsConsole, true);
  defineHidden('_times', new Map());
  defineHidden('_ignoreErrors', state.ignoreErrors);
}

/** Binds the methods to the console, for `[1].forEach(console.log)`. */
function bindMethods(target, prototype) {
  for (const key of Reflect.ownKeys(prototype)) {
    if (key === 'constructor' || typeof key === 'symbol') continue;
    const method = target[key].bind(target);
    Object.defineProperty(method, 'name', { __proto__: null, value: key, configurable: true });
    target[key] = method;
  }
}

Object.defineProperty(Console, Symbol.hasInstance, {
  __proto__: null,
  value(instance) {
    return instance !== null && typeof instance === 'object' && instance[kIsConsole] === true;
  },
});

function nop() {}

/**
 * Writes a line. Errors of the stream are ignored, unless the console was made with `ignoreErrors:
 * false`.
 */
function writeTo(stream, string, ignoreErrors) {
  if (!ignoreErrors) return stream.write(string);
  if (typeof stream.once !== 'function') {
    try {
      return stream.write(string, nop);
    } catch (error) {
      if (require('internal/errors').isStackOverflowError(error)) throw error;
      return undefined;
    }
  }
  const addsListener = typeof stream.listenerCount !== 'function' || stream.listenerCount('error') === 0;
  try {
    if (addsListener) stream.once('error', nop);
    stream.write(string, (error) => {
      // 'error' is emitted after the callback, and must not be unhandled.
      if (error && !stream._writableState?.errorEmitted && stream.listenerCount('error') === 0) stream.once('error', nop);
    });
  } catch (error) {
    if (require('internal/errors').isStackOverflowError(error)) throw error;
  } finally {
    if (addsListener) stream.removeListener('error', nop);
  }
  return undefined;
}

function indentLines(string, indent) {
  if (indent === '') return string;
  return indent + (string.includes('\n') ? string.replaceAll('\n', `\n${indent}`) : string);
}

function shouldColorize(stream) {
  const { env } = require('process');
  if (env.FORCE_COLOR !== undefined) return require('internal/tty').getColorDepth() > 2;
  return Boolean(stream?.isTTY) && (typeof stream.getColorDepth === 'function' ? stream.getColorDepth() > 2 : true);
}

/**
 * Returns the inspect options of a stream, from the console's options and the stream's support of
 * colors.
 */
function inspectOptionsFor(state, stream, isColored) {
  const { inspectOptions } = state;
  const streamOptions = inspectOptions instanceof Map ? inspectOptions.get(stream) : inspectOptions;
  if (streamOptions?.colors !== undefined) return streamOptions;
  const colors = state.colorMode === 'auto' ? isColored(stream) : state.colorMode;
  if (streamOptions) return { ...streamOptions, colors };
  return colors ? COLORED : PLAIN;
}

function formatArguments(target, args, isError) {
  if (args.length === 1 && typeof args[0] === 'string') return args[0];
  return formatWithOptions(target[kOptions](isError), ...args);
}

function publish(method, args) {
  if (sinks.publish !== undefined) sinks.publish(method, args);
}

const DEFAULT = 'default';

Console.prototype = {
  constructor: Console,

  [kWrite](isError, line) {
    const state = this[kState];
    return writeTo(isError ? this._stderr : this._stdout, `${indentLines(line, state.indent)}\n`, this._ignoreErrors);
  },
  [kOptions](isError) {
    return inspectOptionsFor(this[kState], isError ? this._stderr : this._stdout, shouldColorize);
  },

  log(...args) {
    publish('log', args);
    this[kWrite](false, formatArguments(this, args, false));
  },
  info(...args) {
    publish('info', args);
    this[kWrite](false, formatArguments(this, args, false));
  },
  debug(...args) {
    publish('debug', args);
    this[kWrite](false, formatArguments(this, args, false));
  },
  warn(...args) {
    publish('warn', args);
    this[kWrite](true, formatArguments(this, args, true));
  },
  error(...args) {
    publish('error', args);
    this[kWrite](true, formatArguments(this, args, true));
  },
  dir(value, options) {
    this[kWrite](false, inspect(value, { customInspect: false, ...this[kOptions](false), ...options }));
  },
  time(label = DEFAULT) {
    require('internal/console/times').start(this, `${label}`);
  },
  timeEnd(label = DEFAULT) {
    require('internal/console/times').end(this, `${label}`, logTime);
  },
  timeLog(label = DEFAULT, ...data) {
    require('internal/console/times').log(this, `${label}`, data, logTime);
  },
  trace: function trace(...args) {
    const error = { name: 'Trace', message: formatWithOptions(this[kOptions](true), ...args) };
    Error.captureStackTrace(error, this[kTrace] ?? trace);
    this.error(error.stack);
  },
  assert(condition, ...args) {
    if (condition) return;
    if (typeof args[0] === 'string') args[0] = `Assertion failed: ${args[0]}`;
    else args.unshift('Assertion failed');
    Reflect.apply(this.warn, this, args);
  },
  clear() {
    const stream = this._stdout;
    if (!stream.isTTY || require('process').env.TERM === 'dumb') return;
    const { clearScreenDown, cursorTo } = require('readline');
    cursorTo(stream, 0, 0);
    clearScreenDown(stream);
  },
  count(label = DEFAULT) {
    label = `${label}`;
    const { counts } = this[kState];
    const count = (counts.get(label) ?? 0) + 1;
    counts.set(label, count);
    this.log(`${label}: ${count}`);
  },
  countReset(label = DEFAULT) {
    label = `${label}`;
    const { counts } = this[kState];
    if (!counts.delete(label)) require('process').emitWarning(`Count for '${label}' does not exist`);
  },
  group(...data) {
    if (data.length > 0) Reflect.apply(this.log, this, data);
    const state = this[kState];
    state.indent += ' '.repeat(state.step);
  },
  groupEnd() {
    const state = this[kState];
    state.indent = state.indent.slice(0, state.indent.length - state.step);
  },
  table(data, properties) {
    if (data === null || typeof data !== 'object') return this.log(data);
    return this.log(require('internal/console/table').render(data, properties, this[kOptions](false)));
  },
};

Console.prototype.dirxml = function dirxml(...args) {
  publish('log', args);
  this[kWrite](false, formatArguments(this, args, false));
};
Console.prototype.groupCollapsed = function groupCollapsed(...data) {
  Reflect.apply(Console.prototype.group, this, data);
};

function logTime(target, label, formatted, data) {
  const all = data === undefined || data.length === 0 ? ['%s: %s', label, formatted] : ['%s: %s', label, formatted, ...data];
  target.log(...all);
}

module.exports = {
  Console, bindMethods, indentLines, initialize, kOptions, kState, kTrace, kWrite,
  inspectOptionsFor, shouldColorize, writeTo,
};
