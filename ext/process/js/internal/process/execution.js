// Process exit and uncaught exceptions, as in Node's lib/internal/process/execution.js; also
// `process.binding`. In: exit codes, uncaught errors. Out: the events 'beforeExit', 'exit' and
// 'uncaughtException', in Node's order. Absent: the inspector, which throws.

'use strict';

const { codes } = require('internal/errors');
const { validateBoolean, validateFunction, validateString } = require('internal/validators');
const process = require('process');
const { ERR_INVALID_ARG_TYPE, ERR_INVALID_MODULE, ERR_UNCAUGHT_EXCEPTION_CAPTURE_ALREADY_SET } = codes;

/** Node's exit code after an uncaught error. */
const GENERIC_USER_ERROR = 1;

// --- exit

function exit(code, hasCode) {
  if (hasCode) {
    process.exitCode = code;
  }
  emitExit();
  if (isExitTraced()) traceExit();
  process.reallyExit(process.exitCode || 0);
}

const TRACE_EXIT = '--trace-exit';

/** Reads the flag directly: parsing all options would delay the exit. */
function isExitTraced() {
  return process.execArgv.includes(TRACE_EXIT) || require('internal/process/env').read('NODE_OPTIONS')?.includes(TRACE_EXIT);
}

/** Prints the stack of `process.exit`, in Node's format. */
function traceExit() {
  const [, ...frames] = new Error().stack.split('\n');
  const { worker } = require('internal/modules/main_module');
  const thread = worker === undefined ? '' : `, thread:${worker.threadId}`;
  process._rawDebug(`(node:${process.pid}${thread}) WARNING: Exited the environment with code ${process.exitCode || 0}\n${frames.join('\n')}`);
}

function emitExit() {
  if (!process._exiting) {
    process._exiting = true;
    process.emit('exit', process.exitCode || 0);
    runExitHooks();
  }
}

/** Called once, after 'exit' or before a signal that the process sends itself. */
const exitHooks = new Set();

function addExitHook(hook) { exitHooks.add(hook); }

function runExitHooks() {
  for (const hook of exitHooks) {
    exitHooks.delete(hook);
    hook();
  }
}

/** The event loop is empty; listeners may schedule more work. */
function beforeExit() {
  process.emit('beforeExit', process.exitCode || 0);
}

/** Node's exit code for an unsettled top-level await in the main module. */
const UNSETTLED_AWAIT = 13;

/** The event loop has ended. Returns the exit code. */
function onLoopEnd() {
  const main = require('internal/modules/main_module');
  if (main.isPending) process.exitCode ??= UNSETTLED_AWAIT;
  emitExit();
  const code = process.exitCode | 0;
  if (main.isPending && code === UNSETTLED_AWAIT && main.record !== undefined && require('internal/process/warning').areShown()) {
    require('internal/esm/unsettled_await').warn(main);
  }
  return code;
}

// --- uncaught exceptions

let capture = null;

function setCaptureCallback(callback) {
  if (callback === null) {
    capture = null;
    return;
  }
  if (typeof callback !== 'function') {
    throw new ERR_INVALID_ARG_TYPE('fn', ['Function', 'null'], callback);
  }
  if (capture !== null) {
    throw new ERR_UNCAUGHT_EXCEPTION_CAPTURE_ALREADY_SET();
  }
  capture = callback;
}

/** Callbacks that may handle an exception where none handles all; the last one is first. */
const auxiliaryCaptures = [];

function addCaptureCallback(callback) {
  require('internal/validators').validateFunction(callback, 'fn');
  auxiliaryCaptures.unshift(callback);
}

/** node:domain's handler, once it is loaded: returns true if a domain has handled an error. */
let domainHandler = null;

/** What calls a function in the domain of its receiver; undefined: the program uses no domains. */
const domainCalls = { call: undefined };

function setDomainHandler(handler, call) {
  domainHandler = handler;
  domainCalls.call = call;
}

/** Writes a diagnostic report, if the program has asked for one. */
let reportOnUncaught = null;

function setReportOnUncaught(write) { reportOnUncaught = write; }

const hasCaptureCallback = () => capture !== null;

/** Node's exit code where `process._fatalException` is not a function. */
const NO_HANDLER = 6;

/** Called by the event loop. Calls `process._fatalException`, as Node does: programs replace it. */
function callFatalException(error, fromPromise) {
  const handler = process._fatalException;
  if (typeof handler !== 'function') return NO_HANDLER;
  const result = Reflect.apply(handler, process, [error, fromPromise]);
  return typeof result === 'number' ? result : result === true || (process.exitCode ?? GENERIC_USER_ERROR) | 0;
}

/** Returns true if the error was handled, or an exit code. Throws what a listener throws. */
function onUncaught(error, fromPromise) {
  return require('internal/async_context').runInContextOfError(error, () => emitUncaught(error, fromPromise));
}

function emitUncaught(error, fromPromise) {
  const origin = fromPromise ? 'unhandledRejection' : 'uncaughtException';
  process.emit('uncaughtExceptionMonitor', error, origin);
  if (capture !== null) {
    capture(error);
    return true;
  }
  if (domainHandler?.(error, fromPromise)) return true;
  if (auxiliaryCaptures.some((callback) => callback(error) === true)) return true;
  if (process.emit('uncaughtException', error, origin)) {
    return true;
  }
  if (require('internal/modules/main_module').runnerHandler?.(error)) return true;
  reportOnUncaught?.(error);
  if (!process._exiting) {
    process._exiting = true;
    process.exitCode = GENERIC_USER_ERROR;
    try {
      process.emit('exit', GENERIC_USER_ERROR);
    } catch {
      // The first error is reported.
    }
    runExitHooks();
  }
  return (process.exitCode ?? GENERIC_USER_ERROR) | 0;
}

// --- builtin modules and bindings

function getBuiltinModule(id) {
  validateString(id, 'id');
  const { isBuiltin, load } = require('internal/builtin_list');
  return isBuiltin(id) ? load(id.startsWith('node:') ? id.slice(5) : id) : undefined;
}

/** The deprecated `process.binding`. */
function binding(name) {
  const modules = {
    constants: () => require('internal/process/legacy_bindings').constants(),
    util: () => require('internal/process/legacy_bindings').util(),
    uv: () => require('internal/process/legacy_bindings').uv(),
    natives: () => ({}),
    config: () => ({}),
    buffer: () => require('internal/process/legacy_bindings').buffer(),
    spawn_sync: () => require('internal/child_process').syncBinding,
  };
  if (Object.hasOwn(modules, `${name}`)) {
    return modules[`${name}`]();
  }
  throw noSuchModule(`${name}`);
}

function noSuchModule(name) {
  const error = new Error(`No such module: ${name}`);
  error.code = 'ERR_INVALID_MODULE';
  return ERR_INVALID_MODULE ? new ERR_INVALID_MODULE(name) : error;
}

function linkedBinding(name) {
  throw noSuchModule(`${name}`);
}

function noInspector(what) {
  throw new codes.ERR_FEATURE_UNAVAILABLE_ON_PLATFORM(what);
}

// --- source maps

/** Takes effect for stacks that are formatted from then on. */
function sourceMapsEnabled() { return internalBinding('source_positions').areSourceMapsEnabled(); }

function setSourceMapsEnabled(value) {
  validateBoolean(value, 'val');
  internalBinding('source_positions').enableSourceMaps(value);
}

// --- ref and unref

function changeRef(value, method) {
  const implementation = value?.[Symbol.for(`nodejs.${method}`)] ?? value?.[Symbol.for(`node:${method}`)] ?? value?.[method];
  if (implementation !== undefined) {
    validateFunction(implementation, method);
    Reflect.apply(implementation, value, []);
  }
}

const ref = (value) => changeRef(value, 'ref');
const unref = (value) => changeRef(value, 'unref');

function getActiveResourcesInfo() {
  return require('internal/process/active_resources').names();
}

function getActiveHandles() {
  return require('internal/process/active_resources').owners();
}

function getActiveRequests() {
  return require('internal/process/active_resources').requests();
}

module.exports = {
  addExitHook, runExitHooks, exit, beforeExit, onLoopEnd, callFatalException, onUncaught, setCaptureCallback, addCaptureCallback, setDomainHandler, domainCalls, setReportOnUncaught, hasCaptureCallback, getBuiltinModule, binding, linkedBinding,
  noInspector, sourceMapsEnabled, setSourceMapsEnabled, ref, unref, getActiveResourcesInfo, getActiveHandles, getActiveRequests,
};
