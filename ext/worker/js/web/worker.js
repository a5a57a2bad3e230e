// The global `Worker`: the HTML standard's, with Bun's options and its 'open' and 'close' events.
// In: a URL or a path, options. Out: an EventTarget. Files are ES modules or CommonJS, also
// TypeScript. Absent: network URLs.
'use strict';

const { EventTarget, Event, defineEventHandler } = require('web/events');
const { validateArray, validateObject } = require('internal/validators');
const { Thread } = require('internal/worker/thread');

/** Stack size with the option `smol`. */
const SMALL_STACK_MB = 1;
const nothing = () => {};

class Worker extends EventTarget {
  #thread;
  #streams;
  #isTerminated = false;

  constructor(url, options = {}) {
    super();
    if (arguments.length === 0) throw new TypeError('Worker constructor: 1 argument required, but 0 found.');
    validateObject(options ?? {}, 'options');
    const { name = '', env, argv, execArgv, preload = [], smol = false, ref = true, workerData } = options ?? {};
    if (argv !== undefined) validateArray(argv, 'options.argv');
    if (execArgv !== undefined) validateArray(execArgv, 'options.execArgv');
    const { execArgv: inherited } = require('process');
    const { parseExecArgv } = require('internal/worker/exec_argv');
    const parsed = execArgv === undefined ? undefined : parseExecArgv(execArgv);
    const preloads = [...(parsed?.preloads ?? internalBinding('loader').preloads()), ...[preload].flat().flatMap((name) => ['import', pathOf(name)])];
    const startupData = { ...sourceOf(url), name: `${name}`, workerData, resourceLimits: {}, hasInput: false, isWeb: true, hasCollector: typeof globalThis.gc === 'function' };
    this.#thread = new Thread({
      startupData, transferList: [], argv: argv?.map(String) ?? [], execArgv: parsed?.flags ?? inherited, preloads, conditions: parsed?.conditions,
      environment: environmentOf(env), name: `${name}`, stackMb: smol ? SMALL_STACK_MB : undefined, closesFiles: true,
    }, {
      onOnline: () => this.dispatchEvent(new Event('open')),
      onMessage: (data) => this.dispatchEvent(new (require('web/message_event').MessageEvent)('message', { data })),
      onMessageError: (data) => this.dispatchEvent(new (require('web/message_event').MessageEvent)('messageerror', { data })),
      onError: (error) => this.#reportError(error),
      onStdioData: (stream, chunks) => this.#streams[stream].receive(chunks),
      onStdioWantsMore: nothing,
      onExit: (code, errorMessage) => this.#onExit(code, errorMessage),
    });
    this.#createStdio();
    if (ref === false) this.unref();
  }

  #createStdio() {
    const { ReadableWorkerStdio, forwardOutput } = require('internal/worker/stdio');
    const send = (message) => this.#thread.send(message);
    this.#streams = { stdout: new ReadableWorkerStdio('stdout', send, nothing), stderr: new ReadableWorkerStdio('stderr', send, nothing) };
    for (const [name, stream] of Object.entries(this.#streams)) forwardOutput(stream, name);
  }

  /** An error without a listener is an uncaught error of this thread. */
  #reportError(error) {
    const { ErrorEvent } = require('web/event_kinds');
    const isError = error !== null && typeof error === 'object' && 'message' in error;
    const [filename, lineno, colno] = (isError ? require('internal/stack/engine_errors').topFramePosition(error) : undefined) ?? [];
    const event = new ErrorEvent('error', { message: isError ? `${error.message}` : String(error), error, filename, lineno, colno, cancelable: true });
    const hasListeners = require('web/events').listenersOf(this, 'error').length > 0;
    this.dispatchEvent(event);
    if (!hasListeners && !event.defaultPrevented) internalBinding('queues').fatal(error);
  }

  #onExit(code, errorMessage) {
    for (const stream of Object.values(this.#streams)) stream.end();
    if (errorMessage !== undefined) this.#reportError(new Error(errorMessage));
    const { CloseEvent } = require('web/event_kinds');
    // A terminated worker has no exit code.
    this.dispatchEvent(new CloseEvent('close', { code: this.#isTerminated ? 0 : code }));
  }

  get threadId() { return this.#thread.threadId; }

  postMessage(value, ...rest) {
    if (arguments.length === 0) throw new TypeError('Worker.postMessage: 1 argument required, but 0 found.');
    if (this.#thread.isRunning) this.#thread.post(value, ...rest);
  }

  terminate() {
    this.#isTerminated = true;
    this.#thread.terminate();
  }

  ref() { this.#thread.setRef(true); }

  unref() { this.#thread.setRef(false); }
}

for (const type of ['message', 'messageerror', 'error', 'open', 'close']) defineEventHandler(Worker.prototype, type);
for (const name of ['postMessage', 'terminate', 'ref', 'unref', 'threadId']) Object.defineProperty(Worker.prototype, name, { __proto__: null, enumerable: true });
Object.defineProperty(Worker.prototype, Symbol.toStringTag, { __proto__: null, value: 'Worker', configurable: true });

function domException(message, name) {
  const { DOMException } = require('web/dom_exception');
  return new DOMException(message, name);
}

/** A path; of a `file:` URL, its path. */
function pathOf(url) {
  const string = `${url}`;
  return string.startsWith('file:') ? require('url').fileURLToPath(string) : string;
}

/**
 * The worker's script: { kind, source }. Relative paths are resolved from the current directory.
 */
function sourceOf(url) {
  const string = `${url}`;
  if (string.startsWith('data:')) return { kind: 'address', source: string };
  if (string.startsWith('blob:')) return { kind: 'text', source: readBlob(string), label: string };
  if (/^[a-z][a-z0-9+.-]+:/i.test(string) && !string.startsWith('file:')) throw domException(`Failed to construct 'Worker': Script at '${string}' cannot be accessed.`, 'SecurityError');
  return { kind: 'file', source: require('path').resolve(pathOf(string)) };
}

function readBlob(url) {
  const { bytesOf, resolveObjectURL } = require('internal/blob');
  const blob = resolveObjectURL(url);
  if (blob === undefined) throw domException(`Failed to construct 'Worker': no blob is known as '${url}'.`, 'NetworkError');
  return new TextDecoder().decode(bytesOf(blob));
}

function environmentOf(env) {
  if (env !== undefined && env !== null) validateObject(env, 'options.env');
  return require('internal/process/env').entries(env);
}

module.exports = { Worker };
