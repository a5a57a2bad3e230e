// The global console. In: arguments of the logging methods. Out: lines on standard output and
// standard error: one system call each until the program accesses `process.stdout` or
// `process.stderr`, then writes to those streams, which it may have replaced. The formatter is
// loaded when the first value that is not a string is logged.
'use strict';

const sinks = require('internal/console/sinks');
const { isTerminal, UV_EPIPE, writeLine } = internalBinding('console');
const { has } = internalBinding('builtins');

let consoleModule;

/** Loads the Console class and its internals. */
function loadConsole() {
  return consoleModule ??= require('internal/console/console');
}

let indent = '';

const isClosed = [];

/** Writes to the descriptor. A pipe without a reader is not tried again. */
function writeToFd(fd, string) {
  if (isClosed[fd] !== true && writeLine(fd, string) === UV_EPIPE) isClosed[fd] = true;
}

function write(fd, string) {
  const stream = sinks.streamOf(fd);
  if (stream === undefined) {
    writeToFd(fd, indent === '' ? string : loadConsole().indentLines(string, indent));
    return;
  }
  loadConsole().writeTo(stream, `${indent === '' ? string : loadConsole().indentLines(string, indent)}\n`, true);
}

/** Whether to use colors, determined once for a descriptor without a stream. */
function supportsColors(fd) {
  const stream = sinks.streamOf(fd);
  if (stream !== undefined) return loadConsole().shouldColorize(stream);
  if (sinks.isColored[fd] === undefined) {
    const mayHaveColors = has('node/process') && (isTerminal(fd) || require('process').env.FORCE_COLOR !== undefined);
    sinks.isColored[fd] = mayHaveColors && require('internal/tty').getColorDepth() > 2;
  }
  return sinks.isColored[fd];
}

let depth;

/** The levels of `--console-depth`; 0 is all of them, as in bun. */
function depthOption() {
  depth ??= has('internal/options') ? require('internal/options').getOptionValue('--console-depth') : '';
  if (!/^\d+$/.test(depth)) return {};
  return { depth: Number(depth) === 0 ? Infinity : Number(depth) };
}

function formatLine(fd, args) {
  if (args.length === 1 && typeof args[0] === 'string') return args[0];
  const { formatWithOptions } = require('internal/util/inspect');
  return formatWithOptions({ ...depthOption(), ...(supportsColors(fd) ? { colors: true } : {}) }, ...args);
}

function createMethod(name, fd) {
  return {
    [name](...args) {
      const [first] = args;
      // Fast path: a single string.
      if (args.length === 1 && typeof first === 'string' && indent === '' && sinks.isDirect) {
        writeToFd(fd, first);
        return;
      }
      if (sinks.publish !== undefined) sinks.publish(name, args);
      write(fd, formatLine(fd, args));
    },
  }[name];
}

const console = Object.create({});

for (const [name, fd] of [['log', 1], ['info', 1], ['debug', 1], ['warn', 2], ['error', 2]]) console[name] = createMethod(name, fd);

// The other methods are those of the class, which find this console's streams through it.
const INHERITED_METHODS = [
  'dir', 'time', 'timeEnd', 'timeLog', 'trace', 'assert', 'clear', 'count', 'countReset', 'group', 'groupEnd', 'table', 'dirxml', 'groupCollapsed',
];

let isInitialized = false;

/** Initializes this console as an instance of the class, for the methods of the class. */
function initializeConsole() {
  const module_ = loadConsole();
  if (isInitialized) return module_;
  isInitialized = true;
  module_.initialize(console, { ignoreErrors: true, colorMode: 'auto', inspectOptions: undefined, step: 2 });
  const state = console[module_.kState];
  Object.defineProperty(state, 'indent', {
    __proto__: null,
    get: () => indent,
    set(value) { indent = value; },
  });
  const defineHidden = (key, value) => Object.defineProperty(console, key, { __proto__: null, value, writable: true, enumerable: false, configurable: true });
  defineHidden(module_.kWrite, (isError, string) => write(isError ? 2 : 1, string));
  defineHidden(module_.kTrace, console.trace);
  defineHidden(module_.kOptions, (isError) => supportsColors(isError ? 2 : 1) ? { colors: true } : {});
  return module_;
}

for (const name of INHERITED_METHODS) {
  console[name] = {
    [name](...args) {
      // No tail call: it would remove this function from the stack, at which `trace` starts.
      const result = Reflect.apply(initializeConsole().Console.prototype[name], console, args);
      return result;
    },
  }[name];
}
// Methods that only an inspector implements.
for (const name of ['profile', 'profileEnd', 'timeStamp']) console[name] = { [name]() {} }[name];
console.context = function context() { return { ...console }; };
console.createTask = function createTask(name) {
  require('internal/validators').validateString(name, 'name');
  return { run: (callback) => callback() };
};

// Of bun. They are not enumerable: Node's console has no such keys.
const bunMethods = {
  write(...chunks) { return require('internal/console/bun_methods').write(chunks); },
  [Symbol.asyncIterator]() { return require('internal/console/bun_methods').lines(); },
};
for (const key of Reflect.ownKeys(bunMethods)) {
  Object.defineProperty(console, key, { __proto__: null, value: bunMethods[key], writable: true, configurable: true });
}

Object.defineProperty(console, 'Console', {
  __proto__: null,
  get: () => initializeConsole().Console,
  set(value) { Object.defineProperty(console, 'Console', { __proto__: null, value, writable: true, enumerable: true, configurable: true }); },
  enumerable: true,
  configurable: true,
});
Object.defineProperty(console, Symbol.toStringTag, { __proto__: null, value: 'console', writable: false, enumerable: false, configurable: true });

for (const [name, fd, source] of [['_stdout', 1, 'stdout'], ['_stderr', 2, 'stderr']]) {
  let replacement;
  Object.defineProperty(console, name, {
    __proto__: null,
    get: () => replacement ?? require('process')[source],
    set(value) {
      replacement = value;
      sinks.replace(fd, value);
    },
    enumerable: false,
    configurable: true,
  });
}
for (const name of ['_times', '_ignoreErrors']) {
  Object.defineProperty(console, name, {
    __proto__: null,
    get() {
      initializeConsole();
      return console[name];
    },
    set(value) { Object.defineProperty(console, name, { __proto__: null, value, writable: true, enumerable: false, configurable: true }); },
    enumerable: false,
    configurable: true,
  });
}

module.exports = console;
