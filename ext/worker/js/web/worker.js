// The web's `Worker`, as bun has it. In: an address or a path, options. Out: a target of 'message',
// 'messageerror', 'error', and bun's 'open' and 'close'. Files are modules or CommonJS by what they
// are, TypeScript too. Absent: addresses of the network.
'use strict';

const { EventTarget, Event, defineEventHandler } = require('web/events');
const { validateArray, validateObject } = require('internal/validators');
const { Thread } = require('internal/worker/thread');

/** A worker that is to be small has this for its stack. */
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
    const { readFlags } = require('internal/worker/flags');
    const flags = execArgv === undefined ? undefined : readFlags(execArgv.map(String));
    const preloads = [...(flags?.preloads ?? internalBinding('loader').preloads()), ...[preload].flat().flatMap((name) => ['import', pathOf(name)])];
    const about = { ...sourceOf(url), name: `${name}`, workerData, resourceLimits: {}, hasInput: false, isWeb: true, hasCollector: typeof globalThis.gc === 'function' };
    this.#thread = new Thread({
      about, transferList: [], argv: argv?.map(String) ?? [], execArgv: execArgv?.map(String) ?? inherited, preloads, conditions: flags?.conditions,
      variables: variablesOf(env), name: `${name}`, stackMb: smol ? SMALL_STACK_MB : undefined, closesFiles: true,
    }, {
      onOnline: () => this.dispatchEvent(new Event('open')),
      onMessage: (data) => this.dispatchEvent(new (require('web/message_event').MessageEvent)('message', { data })),
      onMessageError: (data) => this.dispatchEvent(new (require('web/message_event').MessageEvent)('messageerror', { data })),
      onFailure: (error) => this.#fail(error),
      onBytes: (stream, pieces) => this.#streams[stream].take(pieces),
      onMore: nothing,
      onExit: (code, said) => this.#end(code, said),
    });
    this.#open();
    if (ref === false) this.unref();
  }

  #open() {
    const { Incoming, passOn } = require('internal/worker/streams');
    const send = (message) => this.#thread.send(message);
    this.#streams = { stdout: new Incoming('stdout', send, nothing), stderr: new Incoming('stderr', send, nothing) };
    for (const [name, stream] of Object.entries(this.#streams)) passOn(stream, name);
  }

  /** What nobody listens to is an error of this thread's. */
  #fail(error) {
    const { ErrorEvent } = require('web/event_kinds');
    const isError = error !== null && typeof error === 'object' && 'message' in error;
    const [filename, lineno, colno] = (isError ? require('internal/stack/engine_errors').topFramePosition(error) : undefined) ?? [];
    const event = new ErrorEvent('error', { message: isError ? `${error.message}` : String(error), error, filename, lineno, colno, cancelable: true });
    const isHeard = require('web/events').listenersOf(this, 'error').length > 0;
    this.dispatchEvent(event);
    if (!isHeard && !event.defaultPrevented) internalBinding('queues').fatal(error);
  }

  #end(code, said) {
    for (const stream of Object.values(this.#streams)) stream.end();
    if (said !== undefined) this.#fail(new Error(said));
    const { CloseEvent } = require('web/event_kinds');
    // Who ended it knows; there is no other code for that here.
    this.dispatchEvent(new CloseEvent('close', { code: this.#isTerminated ? 0 : code }));
  }

  get threadId() { return this.#thread.threadId; }

  postMessage(value, ...rest) {
    if (arguments.length === 0) throw new TypeError('Worker.postMessage: 1 argument required, but 0 found.');
    if (this.#thread.isRunning) this.#thread.post(value, ...rest);
  }

  terminate() {
    this.#isTerminated = true;
    this.#thread.end();
  }

  ref() { this.#thread.setRef(true); }

  unref() { this.#thread.setRef(false); }
}

for (const type of ['message', 'messageerror', 'error', 'open', 'close']) defineEventHandler(Worker.prototype, type);
for (const name of ['postMessage', 'terminate', 'ref', 'unref', 'threadId']) Object.defineProperty(Worker.prototype, name, { __proto__: null, enumerable: true });
Object.defineProperty(Worker.prototype, Symbol.toStringTag, { __proto__: null, value: 'Worker', configurable: true });

function refuse(text, name) {
  const { DOMException } = require('web/dom_exception');
  return new DOMException(text, name);
}

/** A path, or of a `file:` address the path. */
function pathOf(given) {
  const text = `${given}`;
  return text.startsWith('file:') ? require('url').fileURLToPath(text) : text;
}

/** What it is to run: a kind and a text. Names without a scheme are of the current directory. */
function sourceOf(url) {
  const text = `${url}`;
  if (text.startsWith('data:')) return { kind: 'address', source: text };
  if (text.startsWith('blob:')) return { kind: 'text', source: textOfBlob(text), label: text };
  if (/^[a-z][a-z0-9+.-]+:/i.test(text) && !text.startsWith('file:')) throw refuse(`Failed to construct 'Worker': Script at '${text}' cannot be accessed.`, 'SecurityError');
  return { kind: 'file', source: require('path').resolve(pathOf(text)) };
}

function textOfBlob(url) {
  const { bytesOf, resolveObjectURL } = require('internal/blob');
  const blob = resolveObjectURL(url);
  if (blob === undefined) throw refuse(`Failed to construct 'Worker': no blob is known as '${url}'.`, 'NetworkError');
  return new TextDecoder().decode(bytesOf(blob));
}

function variablesOf(env) {
  if (env !== undefined && env !== null) validateObject(env, 'options.env');
  return require('internal/process/env').entries(env);
}

module.exports = { Worker };
