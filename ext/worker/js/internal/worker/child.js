// A thread that is a worker. In: its parcel. Out: `parentPort` and the rest of `worker_threads`;
// its program runs; what nobody caught goes to the one who started it. Absent: how it is started
// (thread.js).
'use strict';

const process = require('process');
const { unpack } = require('internal/messaging/packets');
const protocol = require('internal/worker/protocol');

const [threadId, parcel] = internalBinding('worker').own();
const { value: about } = unpack(parcel);
const { control } = about;
/** This thread runs hooks of modules, and says so to nobody. */
const isOfHooks = about.kind === 'hooks';
const parentPort = isOfHooks ? null : about.port;
delete about.control;
delete about.port;

const send = (message, transferList) => { control.postMessage(message, transferList); };
let kept = 0;
/** Node's code for what a worker did not catch. */
const FAILED = 1;

/** What is under way between the two keeps the worker going. */
function keep(step) {
  kept += step;
  if (kept > 0) control.ref();
  else control.unref();
}

const streams = {};

/** A standard stream, made when it is first asked for. */
function stream(name) {
  if (streams[name] !== undefined) return streams[name];
  const { Incoming, Outgoing } = require('internal/worker/streams');
  const made = name === 'stdin' ? new Incoming(name, send, keep) : new Outgoing(name, send, keep);
  streams[name] = made;
  if (name === 'stdin') {
    made.fd = 0;
    if (!about.hasInput) made.push(null);
  } else {
    made.fd = name === 'stdout' ? 1 : 2;
    made._isStdio = true;
  }
  return made;
}

/**
 * What waits to be taken goes now: nobody asks any more. It calls nothing that a program may have
 * put in place of the language's own.
 */
function flush() {
  streams.stdout?.proceed();
  streams.stderr?.proceed();
}

function take([kind, first, second, third, fourth]) {
  switch (kind) {
    case protocol.BYTES: return stream(first).take(second);
    case protocol.MORE: return streams[first]?.proceed();
    case protocol.ASK: return send([protocol.ANSWER, first, require('v8').getHeapStatistics()]);
    default: return require('internal/worker/threads').take(null, kind, first, second, third, fourth);
  }
}

// --- the end

const hooks = () => require('internal/esm/hooks_server');

/** Nothing of the program runs behind this. */
function leave(code) {
  flush();
  if (isOfHooks) hooks().onExit(code);
  internalBinding('process').exit(code | 0);
  // The engine ends a script at a step, so there is to be one.
  for (;;);
}

function fail(error, code) {
  if (isOfHooks) {
    hooks().onError(error);
    return true;
  }
  send(told(error));
  leave(code);
}

function told(error) {
  try {
    return [protocol.FAILURE, require('internal/worker/errors').write(error)];
  } catch {
    return [protocol.UNTELLABLE];
  }
}

function onUncaught(error, fromPromise) {
  let answer;
  try {
    answer = require('internal/process/execution').callFatalException(error, fromPromise);
  } catch (thrown) {
    return fail(thrown, FAILED);
  }
  if (answer === true) return true;
  // A program that has taken away what asks its listeners is told nothing.
  return typeof process._fatalException === 'function' ? fail(error, answer) : leave(answer);
}

function onRejections(list) {
  const end = require('internal/process/promises').unhandled(list);
  return end === undefined || end === null || end === true ? end : fail(end.error, end.code);
}

function atEnd() {
  const code = require('internal/process/execution').onLoopEnd();
  flush();
  return code;
}

// --- the beginning

/** Node's words, of files that are known by number alone. */
function onUnmanagedFd(number, isOpened) {
  process.emitWarning(`File descriptor ${number} ${isOpened ? 'opened in unmanaged mode twice' : 'closed but not opened in unmanaged mode'}`);
}

function install() {
  control.on('message', take);
  control.unref();
  internalBinding('fs').onUnmanagedFd(onUnmanagedFd);
  require('internal/worker/environment').replace(about.environmentData);
  const { limit, connect } = require('internal/worker/process');
  limit(process, leave);
  // What hooks write is there at once: nobody passes it on while the program waits for them.
  if (!isOfHooks) connect(process, stream);
  internalBinding('process').setLifecycleHooks({
    beforeExit: isOfHooks ? () => hooks().onIdle() : () => require('internal/process/execution').beforeExit(),
    exit: atEnd,
    code: () => process.exitCode | 0,
    uncaught: onUncaught,
    rejections: onRejections,
    handled: (list) => require('internal/process/promises').handled(list),
  });
  if (!isOfHooks) require('internal/console/sinks').useStreams(process);
  if (about.hasCollector) require('internal/process/expose_gc');
  if (hasFlag('--pending-deprecation')) require('internal/modules/parent_deprecation');
  if (about.isWeb) require('internal/worker/scope').install(globalThis, { about, parentPort, leave });
}

/** Whether a text is a module, where flags say so. */
function isModule() {
  const { getOptionValue } = require('internal/options');
  const type = getOptionValue('--input-type');
  if (type !== '') return type.startsWith('module');
  return getOptionValue('--experimental-detect-module') === false && about.kind === 'text' && hasFlag('--no-experimental-detect-module') ? false : undefined;
}

const hasFlag = (flag) => process.execArgv.includes(flag);

function run() {
  const main = require('internal/main');
  if (isOfHooks) return main.preload(() => hooks().start(about.hooks));
  send([protocol.ONLINE]);
  if (about.kind === 'file') return main.runFile(about.source);
  if (about.kind === 'text') {
    require('internal/modules/main_module').script = [internalBinding('loader').currentDir(), '[worker eval]'];
    process.argv[1] = about.label ?? '[worker eval]';
    return main.runSource(about.source, '[worker eval]', false, isModule());
  }
  return main.preload(() => {
    process.argv.splice(1, 0, about.source);
    require('internal/esm').runUrl(about.source);
  });
}

function start() {
  require('internal/modules/main_module').worker = module.exports;
  install();
  return run();
}

module.exports = { about, control, keep, parentPort, send, start, stream, threadId };
