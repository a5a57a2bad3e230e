// Members of `Bun` about the program and its environment: `argv`, `env`, `main`, `which`,
// `resolve`, `sleep`, `peek`, `gc`, `generateHeapSnapshot`. Out: values, promises, paths.
'use strict';

const { codes } = require('internal/errors');
const process = require('process');

const { ERR_INVALID_ARG_TYPE } = codes;

/** ERR_INVALID_ARG_TYPE with Bun's message. */
function invalidArgType(message) {
  const error = new TypeError(message);
  error.code = 'ERR_INVALID_ARG_TYPE';
  return error;
}

function mainPath() {
  const main = require('internal/modules/main_module');
  return main.path ?? main.value?.filename ?? `${process.cwd()}/[eval]`;
}

// --- time

const TIMEOUT_MS_MAX = 2 ** 31 - 1;

function sleep(time) {
  const isDate = time instanceof Date;
  if (!isDate && typeof time !== 'number') throw new TypeError('sleep expects a number (milliseconds)');
  const { promise, resolve } = Promise.withResolvers();
  const due = Date.now() + Math.max(0, Number(time) || 0);
  const { setTimeout } = require('timers');
  // A timer's delay is limited to 31 bits.
  const wait = (left) => (left > TIMEOUT_MS_MAX ? setTimeout(() => wait(due - Date.now()), TIMEOUT_MS_MAX) : setTimeout(resolve, left));
  wait(isDate ? Math.max(0, time.getTime() - Date.now()) : Math.max(0, time || 0));
  return promise;
}

function sleepSync(milliseconds) {
  if (typeof milliseconds !== 'number') throw invalidArgType('milliseconds must be a number');
  if (milliseconds < 0) throw invalidArgType(`argument to sleepSync must not be negative, got ${milliseconds}`);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds || 0);
}

/** Time since the start of the program. */
function nanoseconds() {
  return Math.floor(require('internal/perf/clock').now() * 1e6);
}

// --- promises

/** The result or reason of a settled promise; any other value unchanged. */
function peek(promise) {
  const state = details(promise);
  return state === undefined || state[0] === 0 ? promise : state[1];
}

function details(promise) {
  const types = require('internal/util/types');
  return types.isPromise(promise) ? types.promiseDetails(promise) : undefined;
}

const STATES = ['pending', 'fulfilled', 'rejected'];
peek.status = function status(promise) { return STATES[details(promise)?.[0] ?? 1]; };

// --- files

const { constants: { X_OK } } = require('internal/fs/utils');

/** The path of an executable, by its name in PATH or its path; null if there is none. */
function which(name, options) {
  if (typeof name !== 'string' || name === '' || name.includes('\0')) return null;
  const { isAbsolute, resolve } = require('path');
  const cwd = options?.cwd === undefined ? process.cwd() : `${options.cwd}`;
  if (name.includes('/')) {
    const path = isAbsolute(name) ? name : resolve(cwd, name);
    return isExecutable(path) ? path : null;
  }
  const list = options?.PATH === undefined ? process.env.PATH : `${options.PATH}`;
  for (const part of (list ?? '').split(':')) {
    const path = part === '' ? undefined : resolve(cwd, part, name);
    if (path !== undefined && isExecutable(path)) return path;
  }
  return null;
}

function isExecutable(path) {
  const { accessSync, statSync } = require('internal/fs/sync');
  try {
    accessSync(path, X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/**
 * Resolves an import of `specifier` from `parent`, a directory or a file: a path, or a builtin's
 * name.
 */
function resolveSync(specifier, parent) {
  if (typeof specifier !== 'string') throw new ERR_INVALID_ARG_TYPE('specifier', 'string', specifier);
  if (parent === undefined) throw invalidArgType('Expected a from path');
  const loader = internalBinding('loader');
  const { FILE, BUILTIN, URL: URL_RESULT } = require('internal/modules/resolution_result');
  const resolution = resolveFrom(loader, specifier, `${parent}`);
  const [kind, first, second, suffix] = resolution;
  if (kind === FILE) return first + suffix;
  if (kind === BUILTIN) return first === 'bun' ? first : `node:${first}`;
  if (kind === URL_RESULT) return first;
  const { asResolveMessage, messageFor } = require('internal/esm/bun_messages');
  const error = Object.assign(new Error(messageFor(resolution, specifier)), { code: first });
  throw asResolveMessage(error, { specifier, referrer: `${parent}`, importKind: 'import-statement' });
}

/** As an import; then as one of TypeScript, which needs no extension. */
function resolveFrom(loader, specifier, parent) {
  const isOfFile = isFile(parent);
  const found = loader.resolve(specifier, parent, isOfFile ? loader.importer.FILE : loader.importer.DIRECTORY, true);
  if (found[1] !== 'ERR_MODULE_NOT_FOUND') return found;
  const directory = isOfFile ? require('path').dirname(parent) : parent;
  const typed = loader.resolve(specifier, `${directory}/importer.ts`, loader.importer.FILE, true);
  return typed[1] === 'ERR_MODULE_NOT_FOUND' ? found : typed;
}

/** Whether a path is a file's; one that does not exist is, if it has an extension. */
function isFile(path) {
  const kind = internalBinding('loader').kind(path);
  return kind === 1 || (kind === 0 && /\.[^./]+$/.test(path));
}

/** `import.meta.resolveSync` of a file. */
function resolverFrom(path) {
  return function resolveSync(specifier, parent = path) { return require('internal/bun/environment').resolveSync(specifier, parent); };
}

async function resolve(specifier, parent) { return resolveSync(specifier, parent); }

/** Collects garbage; returns the used heap in bytes. */
function gc(isSync = false) {
  require('internal/process/gc_keepalive').releaseAll();
  internalBinding('bun').collect(Boolean(isSync));
  return process.memoryUsage().heapUsed;
}

/**
 * The heap: in the engine's form, as an object; or in V8's (`v8`), as a string or, with
 * `arraybuffer`, as bytes.
 */
function generateHeapSnapshot(format = 'jsc', encoding = undefined) {
  if (format !== 'jsc' && format !== 'v8') throw new TypeError("Expected 'v8' or 'jsc' or undefined");
  const { engineSnapshot, takeHeapSnapshot } = require('internal/profiler/heap_snapshot');
  if (format === 'jsc') return engineSnapshot();
  const text = [...takeHeapSnapshot()].join('');
  return encoding === 'arraybuffer' ? new TextEncoder().encode(text).buffer : text;
}

/** Files that are embedded in this executable. */
function embeddedFiles() {
  const { readFileSync } = require('fs');
  return internalBinding('bun').embeddedFiles().map((path) => {
    const type = require('internal/bun/mime').typeOfPath(path);
    return new globalThis.File([readFileSync(path)], path.slice('/$bunfs/root/'.length), { type });
  });
}

module.exports = {
  get embeddedFiles() { return embeddedFiles(); },
  gc, generateHeapSnapshot, nanoseconds, peek, resolve, resolveSync, resolverFrom, sleep, sleepSync, which, invalidArgType,
  argv: process.argv,
  env: process.env,
  isMainThread: require('internal/modules/main_module').worker === undefined,
  get cwd() { return process.cwd(); },
  get isStandaloneExecutable() { return mainPath().startsWith('/$bunfs/'); },
  get main() { return mainPath(); },
};
