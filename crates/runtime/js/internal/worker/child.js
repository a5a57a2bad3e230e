// A program that is a worker. In: what its first lines say it is, on a descriptor. Out: `parentPort` and the rest of `worker_threads`; what nobody
// caught goes to the one who started it. Absent: how it is started (worker/parent.js).
'use strict';

const EventEmitter = require('events');
const process = require('process');
const { ONLINE, MESSAGE, FAILURE, DATA_FD } = require('internal/worker/protocol');

const about = require('v8').deserialize(require('fs').readFileSync(DATA_FD));
const write = process._send.bind(process);
const send = (message, callback) => write(message, undefined, { swallowErrors: true }, callback);
// A worker has no channel that programs see.
for (const name of ['send', '_send', '_disconnect', '_handleQueue', 'channel', '_channel', 'connected']) delete process[name];
// What the channel calls at its end: the one who started it is gone.
Object.defineProperty(process, 'disconnect', { __proto__: null, value: () => process.reallyExit(1), configurable: true, writable: true });

/** Takes values and gives values, as an emitter and as a target of events. */
class ParentPort extends EventEmitter {
  #wrapped = new Map();
  #onMessage = null;
  #isClosed = false;
  #deliver = ([kind, value]) => {
    if (kind === MESSAGE) this.emit('message', value);
  };

  constructor() {
    super();
    // The channel keeps the worker going as long as somebody listens.
    this.on('newListener', (name) => {
      if (name === 'message' && this.listenerCount('message') === 0 && !this.#isClosed) process.on('message', this.#deliver);
    });
    this.on('removeListener', (name) => {
      if (name === 'message' && this.listenerCount('message') === 0) process.removeListener('message', this.#deliver);
    });
  }

  postMessage(value, transfer) {
    const { checkTransfer, cloned } = require('internal/worker/parent');
    checkTransfer(transfer);
    if (!this.#isClosed) cloned(() => send([MESSAGE, value]));
  }

  close() {
    if (this.#isClosed) return;
    this.#isClosed = true;
    process.removeListener('message', this.#deliver);
    process.nextTick(() => this.emit('close'));
  }

  start() {}

  ref() {
    if (!this.#isClosed && this.listenerCount('message') > 0 && !process.listeners('message').includes(this.#deliver)) process.on('message', this.#deliver);
  }

  unref() { process.removeListener('message', this.#deliver); }

  addEventListener(type, listener, options) {
    const call = typeof listener === 'function' ? listener : (event) => listener.handleEvent(event);
    const wrapped = (data) => {
      const event = new Event(type);
      Object.defineProperty(event, 'data', { __proto__: null, value: data, enumerable: true });
      Reflect.apply(call, this, [event]);
    };
    this.#wrapped.set(listener, wrapped);
    if (options?.once) this.once(type, wrapped);
    else this.on(type, wrapped);
  }

  removeEventListener(type, listener) {
    const wrapped = this.#wrapped.get(listener);
    this.#wrapped.delete(listener);
    if (wrapped !== undefined) this.removeListener(type, wrapped);
  }

  get onmessage() { return this.#onMessage; }

  set onmessage(listener) {
    if (this.#onMessage !== null) this.removeEventListener('message', this.#onMessage);
    this.#onMessage = typeof listener === 'function' ? listener : null;
    if (this.#onMessage !== null) this.addEventListener('message', this.#onMessage);
  }
}

const parentPort = new ParentPort();
require('internal/worker/environment').replace(about.environment);

/** To the one who started it, as an error as far as one can be sent. */
function fail(error) {
  process.exitCode = 1;
  const end = () => process.reallyExit(1);
  process.emit('exit', 1);
  try {
    send([FAILURE, error], end);
  } catch {
    send([FAILURE, Object.assign(new Error(`${error?.message ?? error}`), { stack: error?.stack })], end);
  }
}

process.setUncaughtExceptionCaptureCallback((error) => {
  if (process.listenerCount('uncaughtException') > 0) process.emit('uncaughtException', error, 'uncaughtException');
  else fail(error);
});

/** Runs what it is a worker of: its file, a text, what is in an address. */
function run(runFile, name) {
  send([ONLINE]);
  if (about.text === undefined) return runFile(name);
  if (about.isAddress) return require('internal/esm').importDynamic(about.text, require('internal/module_paths').dirname(name));
  return require('internal/main').runText(about.text, '[worker eval]', false, undefined);
}

module.exports = { about, parentPort, run };
