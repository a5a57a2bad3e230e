// `Worker` of node:worker_threads, as Node's lib/internal/worker.js. In: a file or source text,
// options. Out: an emitter of 'online', 'message', 'messageerror', 'error', 'exit', with standard
// streams. Absent: profiles of allocations; memory limits are reported and not enforced.
'use strict';

const EventEmitter = require('events');
const {
  codes: { ERR_FEATURE_UNAVAILABLE_ON_PLATFORM, ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE, ERR_WORKER_INIT_FAILED, ERR_WORKER_NOT_RUNNING, ERR_WORKER_PATH },
} = require('internal/errors');
const { validateArray, validateNumber, validateObject, validateString } = require('internal/validators');
const { absentFunction } = require('internal/not_implemented');
const { Thread } = require('internal/worker/thread');

const SHARE_ENV = Symbol.for('nodejs.worker_threads.SHARE_ENV');
const LIMITS = ['maxYoungGenerationSizeMb', 'maxOldGenerationSizeMb', 'codeRangeSizeMb', 'stackSizeMb'];
const nothing = () => {};

/** A CPU profile of a worker that is being recorded. */
class CPUProfileHandle {
  #thread;
  #number;
  #profile;

  constructor(thread, number) {
    this.#thread = thread;
    this.#number = number;
  }

  /** Resolves to the profile as JSON. */
  stop() { return this.#profile ??= this.#thread.request('stopCpuProfile', this.#number); }

  async [Symbol.asyncDispose ?? Symbol.for('Symbol.asyncDispose')]() { await this.stop(); }
}

class Worker extends EventEmitter {
  #thread;
  #streams;
  #limits;
  #threadId;
  #threadName;

  constructor(filename, options = {}) {
    super();
    const { execArgv, argv = [], env, name, stdin, stdout, stderr, workerData, transferList = [], trackUnmanagedFds } = options;
    if (execArgv) validateArray(execArgv, 'options.execArgv');
    if (options.argv) validateArray(options.argv, 'options.argv');
    const source = sourceOf(filename, options.eval);
    const environment = environmentOf(env);
    if (name) validateString(name, 'options.name');
    if (options.resourceLimits !== undefined) validateObject(options.resourceLimits, 'options.resourceLimits');
    this.#limits = parseResourceLimits(options.resourceLimits);
    const parsed = execArgv ? require('internal/worker/exec_argv').parseExecArgv(execArgv) : undefined;
    this.#threadName = name === undefined ? 'WorkerThread' : name.trim();
    const startupData = { ...source, name: this.#threadName, workerData, resourceLimits: this.#limits, hasInput: Boolean(stdin), hasCollector: typeof globalThis.gc === 'function' };
    this.#thread = new Thread({
      startupData, transferList, argv: (argv ?? []).map(String), execArgv: parsed?.flags, preloads: parsed?.preloads, conditions: parsed?.conditions,
      environment, name: this.#threadName, stackMb: this.#limits.stackSizeMb, closesFiles: trackUnmanagedFds ?? true,
    }, {
      onOnline: () => this.emit('online'),
      onMessage: (message) => this.emit('message', message),
      onMessageError: (error) => this.emit('messageerror', error),
      onError: (error) => this.emit('error', error),
      onStdioData: (stream, chunks) => this.#streams[stream].receive(chunks),
      onStdioWantsMore: () => this.#streams.stdin?.onWantsMoreData(),
      onExit: (code, errorMessage) => this.#onExit(code, errorMessage),
    });
    this.#threadId = this.#thread.threadId;
    this.#createStdio(stdin, stdout, stderr);
    require('internal/diagnostics_channels').publish?.('worker_threads', { worker: this });
    require('internal/async_hooks_emit').emitInit?.('WORKER', this.#thread.handle);
    const { nextTick, emit } = require('process');
    nextTick(() => Reflect.apply(emit, require('process'), ['worker', this]));
  }

  #createStdio(hasInput, isStdoutCaptured, isStderrCaptured) {
    const { ReadableWorkerStdio, WritableWorkerStdio, forwardOutput } = require('internal/worker/stdio');
    const send = (message) => this.#thread.send(message);
    const [stdout, stderr] = [new ReadableWorkerStdio('stdout', send, nothing), new ReadableWorkerStdio('stderr', send, nothing)];
    this.#streams = { stdin: hasInput ? new WritableWorkerStdio('stdin', send, nothing) : null, stdout, stderr };
    if (!isStdoutCaptured) forwardOutput(stdout, 'stdout');
    if (!isStderrCaptured) forwardOutput(stderr, 'stderr');
  }

  #onExit(code, errorMessage) {
    this.#threadId = -1;
    this.#threadName = null;
    this.#limits = {};
    const { stdin, stdout, stderr } = this.#streams;
    stdout.end();
    stderr.end();
    stdin?.onWantsMoreData();
    if (errorMessage !== undefined) this.emit('error', new ERR_WORKER_INIT_FAILED(errorMessage));
    this.emit('exit', code);
    this.removeAllListeners();
  }

  get threadId() { return this.#threadId; }
  get threadName() { return this.#threadName; }
  get stdin() { return this.#streams.stdin; }
  get stdout() { return this.#streams.stdout; }
  get stderr() { return this.#streams.stderr; }
  get resourceLimits() { return { ...this.#limits }; }

  postMessage(value = undefined, transferList = undefined) {
    this.#thread.post(value, transferList);
  }

  terminate(callback) {
    this.ref();
    if (typeof callback === 'function') {
      require('process').emitWarning(
        'Passing a callback to worker.terminate() is deprecated. It returns a Promise instead.', 'DeprecationWarning', 'DEP0132',
      );
      if (!this.#thread.isRunning) return Promise.resolve();
      this.once('exit', (code) => callback(null, code));
    }
    if (!this.#thread.isRunning) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers();
    this.once('exit', resolve);
    this.#thread.terminate();
    return promise;
  }

  async [Symbol.asyncDispose ?? Symbol.for('Symbol.asyncDispose')]() { await this.terminate(); }

  ref() { this.#thread.setRef(true); }

  unref() { this.#thread.setRef(false); }

  get performance() {
    const performance = { eventLoopUtilization: (one, other) => this.#utilization(one, other) };
    Object.defineProperty(this, 'performance', { __proto__: null, value: performance, enumerable: true, configurable: true });
    return performance;
  }

  #utilization(one, other) {
    const [start, idle, now] = this.#thread.loopTimes();
    if (start <= 0) return { idle: 0, active: 0, utilization: 0 };
    return require('internal/perf/utilization')(idle, now - start - idle, one, other);
  }

  cpuUsage(previous) {
    if (previous) {
      validateObject(previous, 'prev');
      validateNumber(previous.user, 'prev.user', 0);
      validateNumber(previous.system, 'prev.system', 0);
    }
    const times = this.#thread.cpuUsage();
    if (times === undefined) return Promise.reject(new ERR_WORKER_NOT_RUNNING());
    const [user, system] = times;
    return Promise.resolve(previous ? { user: user - previous.user, system: system - previous.system } : { user, system });
  }

  getHeapStatistics() { return this.#thread.request('getHeapStatistics'); }

  getHeapSnapshot(options) {
    const { streamOf, validateOptions } = require('internal/profiler/heap_snapshot');
    validateOptions(options);
    return this.#thread.request('getHeapSnapshot').then((pieces) => {
      if (pieces === undefined) throw new ERR_FEATURE_UNAVAILABLE_ON_PLATFORM('heap snapshot');
      return streamOf(pieces);
    });
  }

  async startCpuProfile() { return new CPUProfileHandle(this.#thread, await this.#thread.request('startCpuProfile')); }
}

Object.defineProperty(Worker.prototype, 'startHeapProfile', {
  __proto__: null, value: absentFunction('worker_threads', 'Worker.prototype.startHeapProfile'), writable: true, configurable: true,
});

/** The worker's script: { kind, source }. */
function sourceOf(filename, isEval) {
  if (isEval) {
    if (typeof filename !== 'string') throw new ERR_INVALID_ARG_VALUE('options.eval', isEval, "must be false when 'filename' is not a string");
    return { kind: 'text', source: filename };
  }
  const isUrl = filename !== null && typeof filename === 'object' && typeof filename.href === 'string';
  if (isUrl && filename.protocol === 'data:') return { kind: 'address', source: filename.href };
  if (isUrl) return { kind: 'file', source: require('url').fileURLToPath(filename) };
  if (typeof filename !== 'string') throw new ERR_INVALID_ARG_TYPE('filename', ['string', 'URL'], filename);
  const { isAbsolute, resolve } = require('path');
  if (!isAbsolute(filename) && !/^\.\.?[\\/]/.test(filename)) throw new ERR_WORKER_PATH(filename);
  return { kind: 'file', source: resolve(filename) };
}

/** Names and values alternating; undefined: the environment is shared. */
function environmentOf(env) {
  const environment = require('internal/process/env');
  if (env === SHARE_ENV) {
    environment.share();
    return undefined;
  }
  if (env !== undefined && env !== null) {
    if (typeof env !== 'object') throw new ERR_INVALID_ARG_TYPE('options.env', ['object', 'undefined', 'null', 'worker_threads.SHARE_ENV'], env);
    require('internal/worker/exec_argv').validateNodeOptions(env);
  }
  return environment.entries(env);
}

/** The limits that Node has; -1: no limit. */
function parseResourceLimits(resourceLimits = {}) {
  const limits = {};
  for (const name of LIMITS) limits[name] = typeof resourceLimits[name] === 'number' ? resourceLimits[name] : name === 'stackSizeMb' ? 4 : -1;
  return limits;
}

module.exports = { Worker };
