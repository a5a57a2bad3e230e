// Thread of a worker, in the parent; both `Worker` classes use it. In: a script, startup data, a
// listener. Out: calls of the listener for messages, errors, standard streams and the exit. Absent:
// the public classes (internal/worker.js, web/worker.js).
'use strict';

const { codes: { ERR_WORKER_INIT_FAILED, ERR_WORKER_NOT_RUNNING, ERR_WORKER_UNSERIALIZABLE_ERROR } } = require('internal/errors');
const messageTypes = require('internal/worker/message_types');
const { serialize } = require('internal/messaging/packets');
const { createPortPair, receiveMessageOnPort } = require('web/message_port');

const binding = internalBinding('worker');
const { fatal } = internalBinding('queues');

/** Node's default stack size. */
const STACK_MB = 4;
const MB = 1024 * 1024;
/** The minimum for the builtins. */
const STACK_BYTES_MIN = MB / 2;

/** Running workers of this thread. */
const running = new Set();

class Thread {
  #handle = null;
  #port;
  #control;
  #listener;
  #requests = new Map();
  #lastRequest = 0;
  #isRef = true;
  #isExited = false;
  threadId;

  /**
   * `options`: `startupData` and `transferList` are sent to the worker's JavaScript; `argv`,
   * `execArgv`, `preloads`, `conditions`, `environment`, `name`, `stackMb` and `closesFiles` are
   * for its thread. `listener`: onOnline, onMessage, onMessageError, onError, onStdioData,
   * onStdioWantsMore, onExit.
   */
  constructor(options, listener) {
    const [port, workerPort] = createPortPair();
    const [control, workerControl] = createPortPair();
    const environmentData = require('internal/worker/environment_data').all();
    const startupData = { ...options.startupData, environmentData, port: workerPort, control: workerControl };
    // Uncloneable data throws here, before the thread starts.
    const packet = serialize(startupData, [workerPort, workerControl, ...options.transferList]);
    this.#port = port;
    this.#control = control;
    this.#listener = listener;
    this.threadId = binding.allocateThreadId();
    const stackBytes = Math.max((options.stackMb ?? STACK_MB) * MB, STACK_BYTES_MIN);
    const handle = binding.startThread(
      this.threadId, packet, options.argv, options.execArgv, options.preloads, options.conditions, options.environment, options.name, stackBytes, options.closesFiles,
      (code, errorMessage) => this.#onExit(code, errorMessage),
    );
    if (typeof handle === 'number') throw new ERR_WORKER_INIT_FAILED(require('util').getSystemErrorName(handle));
    this.#handle = handle;
    running.add(this);
    require('internal/worker/messaging').registerThread(this);
    this.#listen();
  }

  #listen() {
    const port = this.#port;
    port.on('message', (message) => this.#listener.onMessage(message));
    port.on('messageerror', (error) => this.#listener.onMessageError(error));
    this.#control.on('message', (message) => this.#onControlMessage(message));
    // The thread keeps the event loop alive, not its ports.
    port.unref();
    this.#control.unref();
  }

  #onControlMessage(message) {
    const [type, first, second, third, fourth] = messageTypes.parseMessage(message);
    const listener = this.#listener;
    switch (type) {
      case messageTypes.UP_AND_RUNNING: return listener.onOnline();
      case messageTypes.ERROR_MESSAGE: return listener.onError(require('internal/error_serdes').deserializeError(first));
      case messageTypes.COULD_NOT_SERIALIZE_ERROR: return listener.onError(new ERR_WORKER_UNSERIALIZABLE_ERROR());
      case messageTypes.STDIO_PAYLOAD: return listener.onStdioData(first, second);
      case messageTypes.STDIO_WANTS_MORE_DATA: return listener.onStdioWantsMore(first);
      case messageTypes.RESPONSE: return this.#onResponse(first, second);
      default: return require('internal/worker/messaging').onMessage(this, type, first, second, third, fourth);
    }
  }

  /** Delivers one message; false: there is none. */
  #deliver(port, onMessage) {
    const packet = receiveMessageOnPort(port);
    if (packet === undefined) return false;
    try {
      onMessage(packet.message);
    } catch (error) {
      fatal(error);
    }
    return true;
  }

  /**
   * Delivers the remaining messages first, each in its own iteration of the event loop: code that
   * awaits one event can then listen for the next.
   */
  #onExit(code, errorMessage) {
    if (this.#deliver(this.#port, (message) => this.#listener.onMessage(message)) || this.#deliver(this.#control, (message) => this.#onControlMessage(message))) {
      require('timers').setImmediate(() => this.#onExit(code, errorMessage));
      return;
    }
    this.#handle = null;
    this.#port.close();
    this.#control.close();
    running.delete(this);
    require('internal/worker/messaging').unregisterThread(this);
    for (const { reject } of this.#requests.values()) reject(new ERR_WORKER_NOT_RUNNING());
    this.#requests.clear();
    require('process').nextTick(() => { this.#isExited = true; });
    this.#listener.onExit(code, errorMessage);
  }

  get isRunning() { return this.#handle !== null; }

  /** The same, but also while this thread is blocked and gets no exit event. */
  get hasEnded() { return this.#handle === null || binding.hasEnded(this.#handle); }

  post(value, transferList) {
    if (this.#handle !== null) this.#port.postMessage(value, transferList);
  }

  send(message, transferList) {
    if (this.isRunning) this.#control.postMessage(message, transferList);
  }

  terminate() {
    if (this.isRunning) binding.stopThread(this.#handle);
  }

  /** The resource of async_hooks, whose `hasRef` is undefined after the exit. */
  get handle() { return { hasRef: () => (this.#isExited ? undefined : this.#isRef) }; }

  setRef(isRef) {
    this.#isRef = isRef;
    if (this.isRunning) binding.setRef(this.#handle, isRef);
  }

  /** Milliseconds: start of its loop, idle time, now. The start is -1 or 0 before the loop runs. */
  loopTimes() {
    if (!this.isRunning) return [0, 0, 0];
    const [start, , idle, , , now] = binding.loopTimes(this.#handle);
    return [start, idle, now];
  }

  /** Microseconds of user and system time; undefined: it does not run. */
  cpuUsage() { return this.isRunning ? binding.cpuUsage(this.#handle) : undefined; }

  /** Sends a request to the worker: the name of a function of internal/worker/requests. */
  request(name, argument) {
    if (!this.isRunning) return Promise.reject(new ERR_WORKER_NOT_RUNNING());
    const number = ++this.#lastRequest;
    const response = Promise.withResolvers();
    this.#requests.set(number, response);
    this.send([messageTypes.REQUEST, number, name, argument]);
    return response.promise;
  }

  #onResponse(number, value) {
    this.#requests.get(number)?.resolve(value);
    this.#requests.delete(number);
  }
}

module.exports = { running, Thread };
