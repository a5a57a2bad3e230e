// The global console. In: what a program logs. Out: lines on standard output and standard error: by
// one call of the system each as long as nobody has looked at `process.stdout` or `process.stderr`,
// else through the stream that the program has, which it may have changed. Values are formatted by
// code that is loaded when the first comes that is no text.
'use strict';

const sinks = require('internal/console/sinks');
const { isTerminal, writeLine } = internalBinding('console');
const { has } = internalBinding('builtins');

let parts;

/** The class and its inner names. */
function load() {
  return parts ??= require('internal/console/console');
}

let indent = '';

/** Number of the error that says that nobody reads any more. */
const EPIPE = 32;
const isGone = [];

/** Writes past all streams; a reader that is gone is not asked again. */
function writeStraight(fd, text) {
  if (isGone[fd] !== true && writeLine(fd, text) === EPIPE) isGone[fd] = true;
}

function write(fd, text) {
  const stream = sinks.streamOf(fd);
  if (stream === undefined) {
    writeStraight(fd, indent === '' ? text : load().indented(text, indent));
    return;
  }
  load().writeTo(stream, `${indent === '' ? text : load().indented(text, indent)}\n`, true);
}

const isColored = [];

/**
 * Whether values are shown in colours: found out once for a descriptor that no stream stands
 * before.
 */
function colorsOf(fd) {
  const stream = sinks.streamOf(fd);
  if (stream !== undefined) return load().shouldColorize(stream);
  if (isColored[fd] === undefined) {
    const isAsked = has('node/process') && (isTerminal(fd) || require('process').env.FORCE_COLOR !== undefined);
    isColored[fd] = isAsked && require('internal/tty').getColorDepth() > 2;
  }
  return isColored[fd];
}

function line(fd, args) {
  if (args.length === 1 && typeof args[0] === 'string') return args[0];
  const { formatWithOptions } = require('internal/util/inspect');
  return formatWithOptions(colorsOf(fd) ? { colors: true } : {}, ...args);
}

function method(name, fd) {
  return {
    [name](...args) {
      const [first] = args;
      // The short way for what most programs do most often.
      if (args.length === 1 && typeof first === 'string' && indent === '' && sinks.isBare) {
        writeStraight(fd, first);
        return;
      }
      if (sinks.publish !== undefined) sinks.publish(name, args);
      write(fd, line(fd, args));
    },
  }[name];
}

const console = Object.create({});

for (const [name, fd] of [['log', 1], ['info', 1], ['debug', 1], ['warn', 2], ['error', 2]]) console[name] = method(name, fd);

// The rest is the class's, whose methods find this console's streams through it.
const REST = [
  'dir', 'time', 'timeEnd', 'timeLog', 'trace', 'assert', 'clear', 'count', 'countReset', 'group', 'groupEnd', 'table', 'dirxml', 'groupCollapsed',
];

let isReady = false;

/** Makes this console one of the class, for the methods that are the class's. */
function prepare() {
  const inner = load();
  if (isReady) return inner;
  isReady = true;
  inner.initialize(console, { ignoreErrors: true, colorMode: 'auto', inspectOptions: undefined, step: 2 });
  const state = console[inner.kState];
  Object.defineProperty(state, 'indent', {
    __proto__: null,
    get: () => indent,
    set(value) { indent = value; },
  });
  const hidden = (key, value) => Object.defineProperty(console, key, { __proto__: null, value, writable: true, enumerable: false, configurable: true });
  hidden(inner.kWrite, (isError, text) => write(isError ? 2 : 1, text));
  hidden(inner.kTrace, console.trace);
  hidden(inner.kOptions, (isError) => colorsOf(isError ? 2 : 1) ? { colors: true } : {});
  return inner;
}

for (const name of REST) {
  console[name] = {
    [name](...args) {
      // No tail call, which would take this function out of the stack that `trace` begins below.
      const result = Reflect.apply(prepare().Console.prototype[name], console, args);
      return result;
    },
  }[name];
}
// What only an inspector would see.
for (const name of ['profile', 'profileEnd', 'timeStamp']) console[name] = { [name]() {} }[name];
console.context = function context() { return { ...console }; };
console.createTask = function createTask(name) {
  require('internal/validators').validateString(name, 'name');
  return { run: (callback) => callback() };
};

Object.defineProperty(console, 'Console', {
  __proto__: null,
  get: () => prepare().Console,
  set(value) { Object.defineProperty(console, 'Console', { __proto__: null, value, writable: true, enumerable: true, configurable: true }); },
  enumerable: true,
  configurable: true,
});
Object.defineProperty(console, Symbol.toStringTag, { __proto__: null, value: 'console', writable: false, enumerable: false, configurable: true });

for (const [name, fd, source] of [['_stdout', 1, 'stdout'], ['_stderr', 2, 'stderr']]) {
  let own;
  Object.defineProperty(console, name, {
    __proto__: null,
    get: () => own ?? require('process')[source],
    set(value) {
      own = value;
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
      prepare();
      return console[name];
    },
    set(value) { Object.defineProperty(console, name, { __proto__: null, value, writable: true, enumerable: false, configurable: true }); },
    enumerable: false,
    configurable: true,
  });
}

module.exports = console;
