// Main script of a worker thread, as Node's lib/internal/main/worker_thread.js. In: the startup
// packet. Out: `parentPort` and the worker's part of `worker_threads`; the program runs; uncaught
// errors are sent to the parent. Absent: starting the thread (internal/worker/thread.js).
'use strict';

const process = require('process');
const { deserialize } = require('internal/messaging/packets');
const messageTypes = require('internal/worker/message_types');

const [threadId, packet] = internalBinding('worker').startup();
const { value: startupData } = deserialize(packet);
const { control } = startupData;
/** This is the internal thread of module hooks. */
const isHooksThread = startupData.kind === 'hooks';
const parentPort = isHooksThread ? null : startupData.port;
delete startupData.control;
delete startupData.port;

const send = (message, transferList) => { control.postMessage(message, transferList); };
let refCount = 0;
/** Node's exit code of a worker after an uncaught error. */
const UNCAUGHT_EXIT_CODE = 1;

/** Pending operations with the parent keep the event loop alive. */
function updateRefCount(step) {
  refCount += step;
  if (refCount > 0) control.ref();
  else control.unref();
}

const streams = {};

/** A standard stream, created at the first access. */
function stream(name) {
  if (streams[name] !== undefined) return streams[name];
  const { ReadableWorkerStdio, WritableWorkerStdio } = require('internal/worker/stdio');
  const created = name === 'stdin' ? new ReadableWorkerStdio(name, send, updateRefCount) : new WritableWorkerStdio(name, send, updateRefCount);
  streams[name] = created;
  if (name === 'stdin') {
    created.fd = 0;
    if (!startupData.hasInput) created.push(null);
  } else {
    created.fd = name === 'stdout' ? 1 : 2;
    created._isStdio = true;
  }
  return created;
}

/**
 * Sends buffered output now: the parent requests no more. It must not call builtins that a program
 * may have replaced.
 */
function flush() {
  streams.stdout?.onWantsMoreData();
  streams.stderr?.onWantsMoreData();
}

function onControlMessage([type, first, second, third, fourth]) {
  switch (type) {
    case messageTypes.STDIO_PAYLOAD: return stream(first).receive(second);
    case messageTypes.STDIO_WANTS_MORE_DATA: return streams[first]?.onWantsMoreData();
    case messageTypes.REQUEST: return send([messageTypes.RESPONSE, first, require('internal/worker/requests')[second](third)]);
    default: return require('internal/worker/messaging').onMessage(null, type, first, second, third, fourth);
  }
}

// --- exit

const hooks = () => require('internal/esm/hooks_server');

/** Exits the thread; no code of the program runs afterwards. */
function exit(code) {
  flush();
  if (isHooksThread) hooks().onExit(code);
  internalBinding('process').exit(code | 0);
  // The engine terminates a script at a loop, so there must be one.
  for (;;);
}

function exitWithError(error, code) {
  if (isHooksThread) {
    hooks().onError(error);
    return true;
  }
  send(errorMessage(error));
  exit(code);
}

function errorMessage(error) {
  try {
    return [messageTypes.ERROR_MESSAGE, require('internal/error_serdes').serializeError(error)];
  } catch {
    return [messageTypes.COULD_NOT_SERIALIZE_ERROR];
  }
}

function onUncaught(error, fromPromise) {
  let result;
  try {
    result = require('internal/process/execution').callFatalException(error, fromPromise);
  } catch (thrown) {
    return exitWithError(thrown, UNCAUGHT_EXIT_CODE);
  }
  if (result === true) return true;
  // As in Node, without `process._fatalException` the error is not reported.
  return typeof process._fatalException === 'function' ? exitWithError(error, result) : exit(result);
}

function onRejections(list) {
  const end = require('internal/process/promises').unhandled(list);
  return end === undefined || end === null || end === true ? end : exitWithError(end.error, end.code);
}

function onExit() {
  const code = require('internal/process/execution').onLoopEnd();
  flush();
  return code;
}

// --- startup

/** Warns of unmanaged file descriptors, with Node's messages. */
function onUnmanagedFd(fd, isOpened) {
  process.emitWarning(`File descriptor ${fd} ${isOpened ? 'opened in unmanaged mode twice' : 'closed but not opened in unmanaged mode'}`);
}

function install() {
  control.on('message', onControlMessage);
  control.unref();
  internalBinding('fs').onUnmanagedFd(onUnmanagedFd);
  require('internal/worker/environment_data').replace(startupData.environmentData);
  const { disableUnsupported, setStdio } = require('internal/worker/process');
  disableUnsupported(process, exit);
  // Hooks write directly: the parent forwards no output while it waits for them.
  if (!isHooksThread) setStdio(process, stream);
  internalBinding('process').setLifecycleHooks({
    beforeExit: isHooksThread ? () => hooks().onIdle() : () => require('internal/process/execution').beforeExit(),
    exit: onExit,
    code: () => process.exitCode | 0,
    uncaught: onUncaught,
    rejections: onRejections,
    handled: (list) => require('internal/process/promises').handled(list),
  });
  if (!isHooksThread) require('internal/console/sinks').useStreams(process);
  if (startupData.hasCollector) require('internal/process/expose_gc');
  if (hasExecArgv('--pending-deprecation')) require('internal/modules/parent_deprecation');
  if (startupData.isWeb) require('internal/worker/global_scope').install(globalThis, { startupData, parentPort, exit });
}

/** Whether source text is an ES module, if flags determine it. */
function isModule() {
  const { getOptionValue } = require('internal/options');
  const type = getOptionValue('--input-type');
  if (type !== '') return type.startsWith('module');
  return getOptionValue('--experimental-detect-module') === false && startupData.kind === 'text' && hasExecArgv('--no-experimental-detect-module') ? false : undefined;
}

const hasExecArgv = (flag) => process.execArgv.includes(flag);

function run() {
  const main = require('internal/main');
  if (isHooksThread) return main.preload(() => hooks().start(startupData.hooks));
  send([messageTypes.UP_AND_RUNNING]);
  if (startupData.kind === 'file') return main.runFile(startupData.source);
  if (startupData.kind === 'text') {
    require('internal/modules/main_module').script = [internalBinding('loader').currentDir(), '[worker eval]'];
    process.argv[1] = startupData.label ?? '[worker eval]';
    return main.runSource(startupData.source, '[worker eval]', false, isModule());
  }
  return main.preload(() => {
    process.argv.splice(1, 0, startupData.source);
    require('internal/esm').runUrl(startupData.source);
  });
}

function start() {
  require('internal/modules/main_module').worker = module.exports;
  install();
  return run();
}

module.exports = { control, parentPort, send, start, startupData, stream, threadId, updateRefCount };
