// How a program ends, and what else `process` does with the program as a whole. In: codes, errors
// that nobody caught. Out: the events 'beforeExit', 'exit', 'uncaughtException', in Node's order.
// Absent: addons, the inspector; errors say so.

'use strict';

const { codes, genericNodeError } = require('internal/errors');
const { validateBoolean, validateFunction, validateString } = require('internal/validators');
const process = require('process');
const { ERR_INVALID_ARG_TYPE, ERR_INVALID_MODULE, ERR_UNCAUGHT_EXCEPTION_CAPTURE_ALREADY_SET } = codes;

/** Node's code for what a program did not catch. */
const GENERIC_USER_ERROR = 1;

// --- the end

function exit(code, isGiven) {
  if (isGiven) {
    process.exitCode = code;
  }
  announce();
  if (isExitTraced()) traceExit();
  process.reallyExit(process.exitCode || 0);
}

const TRACE_EXIT = '--trace-exit';

/** Without a look at all options, which a program that ends has no time for. */
function isExitTraced() {
  return process.execArgv.includes(TRACE_EXIT) || require('internal/process/env').read('NODE_OPTIONS')?.includes(TRACE_EXIT);
}

/** Where a program ends itself, as Node says it. */
function traceExit() {
  const [, ...frames] = new Error().stack.split('\n');
  const { worker } = require('internal/modules/main_module');
  const thread = worker === undefined ? '' : `, thread:${worker.threadId}`;
  process._rawDebug(`(node:${process.pid}${thread}) WARNING: Exited the environment with code ${process.exitCode || 0}\n${frames.join('\n')}`);
}

function announce() {
  if (!process._exiting) {
    process._exiting = true;
    process.emit('exit', process.exitCode || 0);
  }
}

/** Nothing keeps the loop going: listeners may give it something. */
function beforeExit() {
  process.emit('beforeExit', process.exitCode || 0);
}

/** Node's code for a main module whose `await` nobody will ever answer. */
const UNSETTLED_AWAIT = 13;

/** The loop is at its end. Out: the code to end with. */
function atEnd() {
  const main = require('internal/modules/main_module');
  if (main.isPending) process.exitCode ??= UNSETTLED_AWAIT;
  announce();
  const code = process.exitCode | 0;
  if (main.isPending && code === UNSETTLED_AWAIT && main.record !== undefined && require('internal/process/warning').areShown()) {
    require('internal/esm/unsettled').tell(main);
  }
  return code;
}

// --- what nobody caught

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

/** What asks the domains, once there are some: whether one of them hears an error. */
let domains = null;

function setDomains(take) { domains = take; }

const hasCaptureCallback = () => capture !== null;

/** Node's code where a program has taken away what asks its listeners. */
const NO_HANDLER = 6;

/** What the loop asks: by the name that Node has for it, which programs replace. */
function answerUncaught(error, fromPromise) {
  const ask = process._fatalException;
  if (typeof ask !== 'function') return NO_HANDLER;
  const answer = Reflect.apply(ask, process, [error, fromPromise]);
  return typeof answer === 'number' ? answer : answer === true || (process.exitCode ?? GENERIC_USER_ERROR) | 0;
}

/**
 * True: somebody took it, and the program goes on. A number: the code to end with. Throws what a
 * listener threw.
 */
function onUncaught(error, fromPromise) {
  return require('internal/async_context').runWhereThrown(error, () => tellUncaught(error, fromPromise));
}

function tellUncaught(error, fromPromise) {
  const origin = fromPromise ? 'unhandledRejection' : 'uncaughtException';
  process.emit('uncaughtExceptionMonitor', error, origin);
  if (capture !== null) {
    capture(error);
    return true;
  }
  if (domains?.(error, fromPromise)) return true;
  if (process.emit('uncaughtException', error, origin)) {
    return true;
  }
  if (!process._exiting) {
    process._exiting = true;
    process.exitCode = GENERIC_USER_ERROR;
    try {
      process.emit('exit', GENERIC_USER_ERROR);
    } catch {
      // There is something else to tell already.
    }
  }
  return (process.exitCode ?? GENERIC_USER_ERROR) | 0;
}

// --- modules of the program's own

function getBuiltinModule(id) {
  validateString(id, 'id');
  const name = id.startsWith('node:') ? id.slice(5) : id;
  const { isBuiltin } = require('module');
  return isBuiltin(id) ? require(name) : undefined;
}

/** What Node still hands out of its inside, and no more. */
function binding(name) {
  const known = {
    constants: () => require('internal/process/bindings').constants(),
    util: () => require('internal/process/bindings').util(),
    uv: () => require('internal/process/bindings').uv(),
    natives: () => ({}),
    config: () => ({}),
    buffer: () => require('internal/process/bindings').buffer(),
    spawn_sync: () => require('internal/child_process').syncBinding,
  };
  if (Object.hasOwn(known, `${name}`)) {
    return known[`${name}`]();
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

function dlopen(module, filename) {
  if (arguments.length < 2) {
    throw new codes.ERR_MISSING_ARGS('module', 'filename');
  }
  const said = whyNoLibrary(`${filename}`) ?? 'addons for Node cannot be loaded by this program';
  throw genericNodeError(`${filename}: ${said}`, { code: 'ERR_DLOPEN_FAILED' });
}

/** Of a file of the ELF format, which begins with these. */
const ELF_HEADER_BYTES = 64;
const ELF_MAGIC = '\x7fELF';

/** In the words of the linker; undefined: it is a library. */
function whyNoLibrary(path) {
  const fs = require('fs');
  let descriptor;
  try {
    descriptor = fs.openSync(path);
    const header = Buffer.alloc(ELF_HEADER_BYTES);
    if (fs.readSync(descriptor, header) < ELF_HEADER_BYTES) return 'file too short';
    return header.latin1Slice(0, ELF_MAGIC.length) === ELF_MAGIC ? undefined : 'invalid ELF header';
  } catch (error) {
    if (error.code === 'EISDIR') return 'cannot read file data: Is a directory';
    const [, text] = require('util').getSystemErrorMap().get(error.errno);
    return `cannot open shared object file: ${text[0].toUpperCase()}${text.slice(1)}`;
  } finally {
    if (descriptor !== undefined) fs.closeSync(descriptor);
  }
}

function noInspector(what) {
  throw new codes.ERR_FEATURE_UNAVAILABLE_ON_PLATFORM(what);
}

// --- source maps

/** Stacks say it with the next error that is looked at. */
function sourceMapsEnabled() { return internalBinding('source_positions').areSourceMapsEnabled(); }

function setSourceMapsEnabled(value) {
  validateBoolean(value, 'val');
  internalBinding('source_positions').enableSourceMaps(value);
}

// --- what keeps the loop going

function changeRef(value, method) {
  const own = value?.[Symbol.for(`nodejs.${method}`)] ?? value?.[Symbol.for(`node:${method}`)] ?? value?.[method];
  if (own !== undefined) {
    validateFunction(own, method);
    Reflect.apply(own, value, []);
  }
}

const ref = (value) => changeRef(value, 'ref');
const unref = (value) => changeRef(value, 'unref');

function getActiveResourcesInfo() {
  return require('internal/process/active').names();
}

function getActiveHandles() {
  return require('internal/process/active').owners();
}

function getActiveRequests() {
  return require('internal/process/active').requests();
}

module.exports = {
  exit, beforeExit, atEnd, answerUncaught, onUncaught, setCaptureCallback, setDomains, hasCaptureCallback, getBuiltinModule, binding, linkedBinding, dlopen,
  noInspector, sourceMapsEnabled, setSourceMapsEnabled, ref, unref, getActiveResourcesInfo, getActiveHandles, getActiveRequests,
};
