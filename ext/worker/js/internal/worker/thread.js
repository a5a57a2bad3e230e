// The thread of a worker, as the one who started it sees it. In: what it is to run and to know, and
// functions for what it says. Out: it has begun; its messages, its streams, how it ended. Both
// `Worker`s stand on it. Absent: what programs see of it.
'use strict';

const { codes: { ERR_WORKER_INIT_FAILED, ERR_WORKER_NOT_RUNNING, ERR_WORKER_UNSERIALIZABLE_ERROR } } = require('internal/errors');
const protocol = require('internal/worker/protocol');
const { pack } = require('internal/messaging/packets');
const { makePair, receiveMessageOnPort } = require('web/message_port');

const binding = internalBinding('worker');
const { fatal } = internalBinding('queues');

/** As Node has it. */
const STACK_MB = 4;
const MB = 1024 * 1024;
/** Less than that is not enough for our own files. */
const STACK_BYTES_MIN = MB / 2;

/** Workers of this thread that run. */
const running = new Set();

class Thread {
  #native = null;
  #port;
  #control;
  #listener;
  #asked = new Map();
  #lastAsked = 0;
  #isRef = true;
  #isOver = false;
  threadId;

  /**
   * `plan`: what is in it goes to the worker as it is (`about`, `transferList`) or to its thread
   * (`argv`, `execArgv`, `preloads`, `conditions`, `variables`, `name`, `stackMb`, `closesFiles`).
   * `listener`: onOnline, onMessage, onMessageError, onFailure, onBytes, onMore, onExit.
   */
  constructor(plan, listener) {
    const [port, farPort] = makePair();
    const [control, farControl] = makePair();
    const environmentData = require('internal/worker/environment').all();
    const about = { ...plan.about, environmentData, port: farPort, control: farControl };
    // What cannot be passed on is an error here, before anything begins.
    const parcel = pack(about, [farPort, farControl, ...plan.transferList]);
    this.#port = port;
    this.#control = control;
    this.#listener = listener;
    this.threadId = binding.nextId();
    const stackBytes = Math.max((plan.stackMb ?? STACK_MB) * MB, STACK_BYTES_MIN);
    const made = binding.start(
      this.threadId, parcel, plan.argv, plan.execArgv, plan.preloads, plan.conditions, plan.variables, plan.name, stackBytes, plan.closesFiles,
      (code, said) => this.#end(code, said),
    );
    if (typeof made === 'number') throw new ERR_WORKER_INIT_FAILED(require('util').getSystemErrorName(made));
    this.#native = made;
    running.add(this);
    require('internal/worker/threads').began(this);
    this.#listen();
  }

  #listen() {
    const port = this.#port;
    port.on('message', (message) => this.#listener.onMessage(message));
    port.on('messageerror', (error) => this.#listener.onMessageError(error));
    this.#control.on('message', (message) => this.#take(message));
    // It is the thread that keeps this one going, not what it may say.
    port.unref();
    this.#control.unref();
  }

  #take(message) {
    const [kind, first, second, third, fourth] = protocol.read(message);
    const listener = this.#listener;
    switch (kind) {
      case protocol.ONLINE: return listener.onOnline();
      case protocol.FAILURE: return listener.onFailure(require('internal/worker/errors').make(first));
      case protocol.UNTELLABLE: return listener.onFailure(new ERR_WORKER_UNSERIALIZABLE_ERROR());
      case protocol.BYTES: return listener.onBytes(first, second);
      case protocol.MORE: return listener.onMore(first);
      case protocol.ANSWER: return this.#answer(first, second);
      default: return require('internal/worker/threads').take(this, kind, first, second, third, fourth);
    }
  }

  /** False: nothing more waits. */
  #deliver(port, take) {
    const packet = receiveMessageOnPort(port);
    if (packet === undefined) return false;
    try {
      take(packet.message);
    } catch (error) {
      fatal(error);
    }
    return true;
  }

  /**
   * What it said before it ended comes first, each in a turn of its own: who awaits one event can
   * listen for the next.
   */
  #end(code, said) {
    if (this.#deliver(this.#port, (message) => this.#listener.onMessage(message)) || this.#deliver(this.#control, (message) => this.#take(message))) {
      require('timers').setImmediate(() => this.#end(code, said));
      return;
    }
    this.#native = null;
    this.#port.close();
    this.#control.close();
    running.delete(this);
    require('internal/worker/threads').ended(this);
    for (const { reject } of this.#asked.values()) reject(new ERR_WORKER_NOT_RUNNING());
    this.#asked.clear();
    require('process').nextTick(() => { this.#isOver = true; });
    this.#listener.onExit(code, said);
  }

  get isRunning() { return this.#native !== null; }

  /** The same, also while nothing of this thread's runs that could be told. */
  get hasEnded() { return this.#native === null || binding.hasEnded(this.#native); }

  post(value, transferList) {
    if (this.#native !== null) this.#port.postMessage(value, transferList);
  }

  send(message, transferList) {
    if (this.isRunning) this.#control.postMessage(message, transferList);
  }

  end() {
    if (this.isRunning) binding.end(this.#native);
  }

  /** For hooks of async_hooks: whether it keeps this thread going, as long as somebody may ask. */
  get handle() { return { hasRef: () => (this.#isOver ? undefined : this.#isRef) }; }

  setRef(isKept) {
    this.#isRef = isKept;
    if (this.isRunning) binding.setRef(this.#native, isKept);
  }

  /** Milliseconds: begin of its loop, how long that waited, now; -1 or 0: it has not begun. */
  loopTimes() {
    if (!this.isRunning) return [0, 0, 0];
    const [began, , waited, , , now] = binding.loop(this.#native);
    return [began, waited, now];
  }

  /** Microseconds of user and system; undefined: it does not run. */
  processorTimes() { return this.isRunning ? binding.usage(this.#native) : undefined; }

  /** What the worker itself says. */
  ask(what) {
    if (!this.isRunning) return Promise.reject(new ERR_WORKER_NOT_RUNNING());
    const number = ++this.#lastAsked;
    const answer = Promise.withResolvers();
    this.#asked.set(number, answer);
    this.send([protocol.ASK, number, what]);
    return answer.promise;
  }

  #answer(number, value) {
    this.#asked.get(number)?.resolve(value);
    this.#asked.delete(number);
  }
}

module.exports = { running, Thread };
