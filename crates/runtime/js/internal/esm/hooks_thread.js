// `module.register`: hooks on a thread of their own. In: files of hooks; what to resolve and to
// load. Out: what the hooks say, as promises or waited for. What each of the two says is a list;
// for whom the other waits, it is told by a number in memory that both have. Absent: the thread
// itself (hooks_server.js).
'use strict';

const { makePair, receiveMessageOnPort } = require('web/message_port');
const { Thread } = require('internal/worker/thread');
const errors = require('internal/worker/errors');
const hooks = require('internal/modules/hooks');
const { REGISTER, RESOLVE, LOAD, ANSWERED, FAILED, IDLE, ENDED, BROKEN } = require('internal/esm/hooks_protocol');

/** How long one waits before one looks whether the thread is there at all. */
const LOOK_AGAIN_MS = 1000;
const nothing = () => {};

class HooksThread {
  #thread;
  #port;
  #gate = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  #lastId = 0;
  /** Who takes an answer, by its number. */
  #waiting = new Map();
  /** Of those, how many the program goes on for. */
  #kept = 0;
  /** No answer comes until something more is asked. */
  #isIdle = false;

  constructor() {
    const [port, farPort] = makePair();
    this.#port = port;
    this.#thread = new Thread(planOf(farPort, this.#gate), {
      onOnline: nothing, onMessage: nothing, onMessageError: nothing, onFailure: nothing, onBytes: nothing, onMore: nothing,
      onExit: (code, said) => this.#end(said),
    });
    this.#thread.setRef(false);
    port.on('message', (message) => this.#take(message));
    port.unref();
  }

  register(specifier, parentURL, data, transferList) { return this.#now([REGISTER, specifier, parentURL, data], transferList); }

  resolve(specifier, context) { return this.#later([RESOLVE, specifier, context]); }

  load(url, context) { return this.#later([LOAD, url, context]); }

  resolveNow(specifier, context) { return this.#now([RESOLVE, specifier, context]); }

  loadNow(url, context) { return this.#now([LOAD, url, context]); }

  #ask(question, transferList, take) {
    const id = ++this.#lastId;
    this.#isIdle = false;
    this.#port.postMessage([id, ...question], transferList);
    this.#waiting.set(id, take);
    return id;
  }

  /** Waits; what comes for others meanwhile they get. */
  #now(question, transferList) {
    let answer;
    const id = this.#ask(question, transferList, (kind, value) => { answer = { kind, value }; });
    while (answer === undefined) {
      const seen = Atomics.load(this.#gate, 0);
      const packet = receiveMessageOnPort(this.#port);
      if (packet !== undefined) this.#take(packet.message);
      else if (this.#isIdle || this.#hasEnded(seen)) throw this.#giveUp(id);
    }
    if (answer.kind === FAILED) throw errors.make(answer.value);
    return answer.value;
  }

  /** Waits for more than was seen. True: the thread is gone, and said nothing. */
  #hasEnded(seen) { return Atomics.wait(this.#gate, 0, seen, LOOK_AGAIN_MS) === 'timed-out' && this.#thread.hasEnded; }

  #giveUp(id) {
    this.#waiting.delete(id);
    const { codes: { ERR_ASYNC_LOADER_REQUEST_NEVER_SETTLED } } = require('internal/errors');
    return new ERR_ASYNC_LOADER_REQUEST_NEVER_SETTLED();
  }

  #later(question) {
    const { promise, resolve, reject } = Promise.withResolvers();
    this.#kept++;
    this.#ask(question, undefined, (kind, value) => {
      this.#kept--;
      if (kind === ANSWERED) resolve(value);
      else reject(errors.make(value));
    });
    this.#keep();
    return promise;
  }

  /** Rejects requests that will not be answered any more. */
  #end(said = 'the thread of hooks has ended') {
    const { codes: { ERR_WORKER_INIT_FAILED } } = require('internal/errors');
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const take of waiting) take(FAILED, errors.write(new ERR_WORKER_INIT_FAILED(said)));
    this.#keep();
  }

  /** The program goes on as long as an answer may come. */
  #keep() {
    if (this.#kept === 0 || this.#isIdle) this.#port.unref();
    else this.#port.ref();
  }

  #take([id, kind, value]) {
    switch (kind) {
      case ENDED: return require('process').exit(value);
      case BROKEN: return internalBinding('queues').fatal(errors.make(value));
      case IDLE:
        this.#isIdle = value === this.#lastId;
        return this.#keep();
    }
    const take = this.#waiting.get(id);
    this.#waiting.delete(id);
    // Who waited for it may have given up.
    take?.(kind, value);
    return this.#keep();
  }
}

/** The thread begins as this one did, but for hooks and modules. */
function planOf(port, gate) {
  // `process.argv` may not be asked yet: the program's name is not known.
  const { argv } = internalBinding('process').start();
  const preloads = internalBinding('loader').preloads().flatMap((word, index, words) => (words[index - index % 2] === 'require' ? [word] : []));
  const about = { kind: 'hooks', hooks: { port, gate }, workerData: null, resourceLimits: {}, name: '', hasInput: false, hasCollector: false };
  return {
    about, transferList: [port], argv: argv.slice(1), execArgv: undefined, preloads, conditions: undefined,
    variables: require('internal/process/env').entries(undefined), name: 'rusk-hooks', closesFiles: false,
  };
}

let thread;

/** Starts the hooks thread. On that thread itself, hooks are added directly. */
function register(specifier, parentURL, data, transferList) {
  if (require('internal/modules/main_module').worker?.about.kind === 'hooks') {
    require('internal/esm/hooks_server').registerHere(specifier, parentURL, data);
    return;
  }
  if (thread === undefined) {
    thread = new HooksThread();
    hooks.provide(thread);
  }
  thread.register(specifier, parentURL, data, transferList);
}

module.exports = { register };
