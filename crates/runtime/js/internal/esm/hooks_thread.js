// Client of the hooks thread, for `module.register`. In: hooks modules; what to resolve and to
// load. Out: the results, as promises or synchronously. Requests and responses are messages of a
// port; a counter in shared memory wakes a synchronous caller. Absent: the thread itself
// (hooks_server.js).
'use strict';

const { createPortPair, receiveMessageOnPort } = require('web/message_port');
const { Thread } = require('internal/worker/thread');
const errors = require('internal/error_serdes');
const hooks = require('internal/modules/hooks');
const { REGISTER, RESOLVE, LOAD, RESOLVED, FAILED, IDLE, EXITED, UNCAUGHT } = require('internal/esm/hooks_protocol');

/** Time after which a waiting caller checks that the thread still runs. */
const LIVENESS_CHECK_MS = 1000;
const nothing = () => {};

class HooksThread {
  #thread;
  #port;
  #gate = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  #lastId = 0;
  /** Callbacks of pending requests, by id. */
  #callbacks = new Map();
  /** Number of asynchronous ones among them, which keep the loop alive. */
  #refs = 0;
  /** The thread is idle: no response comes until another request is sent. */
  #isIdle = false;

  constructor() {
    const [port, threadPort] = createPortPair();
    this.#port = port;
    this.#thread = new Thread(workerOptions(threadPort, this.#gate), {
      onOnline: nothing, onMessage: nothing, onMessageError: nothing, onError: nothing, onStdioData: nothing, onStdioWantsMore: nothing,
      onExit: (code, message) => this.#onExit(message),
    });
    this.#thread.setRef(false);
    port.on('message', (message) => this.#onMessage(message));
    port.unref();
  }

  register(specifier, parentURL, data, transferList) { return this.#requestSync([REGISTER, specifier, parentURL, data], transferList); }

  resolve(specifier, context) { return this.#requestAsync([RESOLVE, specifier, context]); }

  load(url, context) { return this.#requestAsync([LOAD, url, context]); }

  resolveSync(specifier, context) { return this.#requestSync([RESOLVE, specifier, context]); }

  loadSync(url, context) { return this.#requestSync([LOAD, url, context]); }

  #send(request, transferList, callback) {
    const id = ++this.#lastId;
    this.#isIdle = false;
    this.#port.postMessage([id, ...request], transferList);
    this.#callbacks.set(id, callback);
    return id;
  }

  /** Waits for the response, and dispatches other responses that arrive meanwhile. */
  #requestSync(request, transferList) {
    let response;
    const id = this.#send(request, transferList, (kind, value) => { response = { kind, value }; });
    while (response === undefined) {
      const observed = Atomics.load(this.#gate, 0);
      const packet = receiveMessageOnPort(this.#port);
      if (packet !== undefined) this.#onMessage(packet.message);
      else if (this.#isIdle || this.#hasEnded(observed)) throw this.#abandon(id);
    }
    if (response.kind === FAILED) throw errors.deserializeError(response.value);
    return response.value;
  }

  /** Waits until the counter has changed. True: the thread has ended without a response. */
  #hasEnded(observed) { return Atomics.wait(this.#gate, 0, observed, LIVENESS_CHECK_MS) === 'timed-out' && this.#thread.hasEnded; }

  #abandon(id) {
    this.#callbacks.delete(id);
    const { codes: { ERR_ASYNC_LOADER_REQUEST_NEVER_SETTLED } } = require('internal/errors');
    return new ERR_ASYNC_LOADER_REQUEST_NEVER_SETTLED();
  }

  #requestAsync(request) {
    const { promise, resolve, reject } = Promise.withResolvers();
    this.#refs++;
    this.#send(request, undefined, (kind, value) => {
      this.#refs--;
      if (kind === RESOLVED) resolve(value);
      else reject(errors.deserializeError(value));
    });
    this.#updateRef();
    return promise;
  }

  /** Rejects pending requests when the thread has ended. */
  #onExit(message = 'the thread of hooks has ended') {
    const { codes: { ERR_WORKER_INIT_FAILED } } = require('internal/errors');
    const callbacks = [...this.#callbacks.values()];
    this.#callbacks.clear();
    for (const callback of callbacks) callback(FAILED, errors.serializeError(new ERR_WORKER_INIT_FAILED(message)));
    this.#updateRef();
  }

  /** Refs the port while a response may come. */
  #updateRef() {
    if (this.#refs === 0 || this.#isIdle) this.#port.unref();
    else this.#port.ref();
  }

  #onMessage([id, kind, value]) {
    switch (kind) {
      case EXITED: return require('process').exit(value);
      case UNCAUGHT: return internalBinding('queues').fatal(errors.deserializeError(value));
      case IDLE:
        this.#isIdle = value === this.#lastId;
        return this.#updateRef();
    }
    const callback = this.#callbacks.get(id);
    this.#callbacks.delete(id);
    // A synchronous caller may have abandoned it.
    callback?.(kind, value);
    return this.#updateRef();
  }
}

/** Options of the thread: as this one was started, without its hooks and entry point. */
function workerOptions(port, gate) {
  // Not `process.argv`: the program's name is not known yet.
  const { argv } = internalBinding('process').start();
  const preloads = internalBinding('loader').preloads().flatMap((word, index, words) => (words[index - index % 2] === 'require' ? [word] : []));
  const startupData = { kind: 'hooks', hooks: { port, gate }, workerData: null, resourceLimits: {}, name: '', hasInput: false, hasCollector: false };
  return {
    startupData, transferList: [port], argv: argv.slice(1), execArgv: undefined, preloads, conditions: undefined,
    environment: require('internal/process/env').entries(undefined), name: 'rusk-hooks', closesFiles: false,
  };
}

let thread;

/** Starts the hooks thread. On that thread itself, hooks are added directly. */
function register(specifier, parentURL, data, transferList) {
  if (require('internal/modules/main_module').worker?.startupData.kind === 'hooks') {
    require('internal/esm/hooks_server').registerHere(specifier, parentURL, data);
    return;
  }
  if (thread === undefined) {
    thread = new HooksThread();
    hooks.setAsyncHooks(thread);
  }
  thread.register(specifier, parentURL, data, transferList);
}

module.exports = { register };
