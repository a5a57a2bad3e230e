// `Worker`, as the one who starts it sees it. In: a file or a text, what it is to know. Out: an emitter of 'online', 'message', 'error', 'exit'.
// A worker is a program of its own, forked with a channel on which values go as v8 writes them; so nothing is shared: no memory,
// no ports, no `process.env`. Absent: heap snapshots and profiles of workers, limits of memory.
'use strict';

const EventEmitter = require('events');
const {
  codes: { ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE, ERR_METHOD_NOT_IMPLEMENTED, ERR_WORKER_NOT_RUNNING, ERR_WORKER_PATH, ERR_WORKER_UNSUPPORTED_OPERATION },
} = require('internal/errors');
const { validateArray, validateObject, validateString } = require('internal/validators');
const { VARIABLE, ONLINE, MESSAGE, FAILURE, DATA_FD } = require('internal/worker/protocol');

let lastId = 0;
const SHARE_ENV = Symbol.for('nodejs.worker_threads.SHARE_ENV');

class Worker extends EventEmitter {
  #child;
  #exit = Promise.withResolvers();
  #code;

  constructor(filename, options = {}) {
    super();
    validateObject(options, 'options');
    const { argv = [], execArgv, env, eval: isText = false, name = '', resourceLimits = {}, stdin, stdout, stderr, workerData } = options;
    if (execArgv !== undefined) validateArray(execArgv, 'options.execArgv');
    validateArray(argv, 'options.argv');
    if (env !== undefined && env !== null && env !== SHARE_ENV && typeof env !== 'object') {
      throw new ERR_INVALID_ARG_TYPE('options.env', ['object', 'undefined', 'null', 'worker_threads.SHARE_ENV'], env);
    }
    const file = fileOf(filename, isText);
    this.threadId = ++lastId;
    this.threadName = `${name}`;
    this.resourceLimits = resourceLimits;
    const about = {
      threadId: this.threadId, threadName: this.threadName, resourceLimits, workerData,
      environment: require('internal/worker/environment').all(),
      text: isText || file.isAddress ? `${filename}` : undefined, isAddress: file.isAddress,
    };
    // What cannot be passed on is an error here, before anything begins.
    const bytes = cloned(() => require('v8').serialize(about));
    const { env: own, argv: [, script] } = require('process');
    this.#child = require('child_process').fork(file.path ?? script ?? '[worker eval]', argv.map(String), {
      execArgv,
      env: { ...(env === SHARE_ENV || env === undefined || env === null ? own : env), [VARIABLE]: '1' },
      serialization: 'advanced',
      stdio: [stdin ? 'pipe' : 'ignore', 'pipe', 'pipe', 'ipc', 'pipe'],
    });
    // Of a worker that ended before it read, the end is told.
    this.#child.stdio[DATA_FD].on('error', () => {}).end(bytes);
    this.#listen(stdout, stderr);
  }

  #listen(keepsOutput, keepsErrors) {
    const child = this.#child;
    const process = require('process');
    if (!keepsOutput) child.stdout.on('data', (bytes) => { process.stdout.write(bytes); });
    if (!keepsErrors) child.stderr.on('data', (bytes) => { process.stderr.write(bytes); });
    let exit;
    let isGone = false;
    // All that it said before it ended comes first.
    const end = () => {
      if (exit === undefined || !isGone) return;
      this.#code = exit;
      this.threadId = -1;
      this.emit('exit', exit);
      this.#exit.resolve(exit);
    };
    child.on('message', ([kind, value]) => {
      if (kind === ONLINE) this.emit('online');
      else if (kind === MESSAGE) this.emit('message', value);
      else if (kind === FAILURE) this.emit('error', value);
    });
    child.on('disconnect', () => {
      isGone = true;
      end();
    });
    child.on('exit', (code) => {
      exit = code ?? 1;
      end();
    });
    child.on('error', (error) => this.emit('error', error));
  }

  get stdin() { return this.#child.stdin; }
  get stdout() { return this.#child.stdout; }
  get stderr() { return this.#child.stderr; }
  get performance() { return { eventLoopUtilization: () => ({ idle: 0, active: 0, utilization: 0 }) }; }

  postMessage(value, transfer) {
    checkTransfer(transfer);
    if (this.#code === undefined && this.#child.connected) cloned(() => this.#child.send([MESSAGE, value]));
  }

  async terminate() {
    if (this.#code !== undefined) return undefined;
    this.ref();
    this.#child.kill('SIGKILL');
    return this.#exit.promise;
  }

  async [Symbol.asyncDispose ?? Symbol.for('Symbol.asyncDispose')]() { await this.terminate(); }

  ref() {
    if (this.#code !== undefined) return;
    for (const part of this.#parts()) part.ref?.();
  }

  unref() {
    if (this.#code !== undefined) return;
    for (const part of this.#parts()) part.unref?.();
  }

  /** What keeps the loop going. */
  #parts() {
    const { channel, stdio } = this.#child;
    return [this.#child, channel, ...stdio].filter((part) => part !== null && part !== undefined);
  }

  async getHeapStatistics() {
    if (this.#code !== undefined) throw new ERR_WORKER_NOT_RUNNING();
    throw new ERR_METHOD_NOT_IMPLEMENTED('worker.getHeapStatistics');
  }
}

/** What cannot be passed on is an error of the web's. */
function cloned(write) {
  try {
    return write();
  } catch (error) {
    throw new (require('web/dom_exception').DOMException)(error.message, 'DataCloneError');
  }
}

/** Memory would have to be shared, and ports sent. */
function checkTransfer(transfer) {
  const list = Array.isArray(transfer) ? transfer : transfer?.transfer ?? [];
  for (const value of list) {
    if (!(value instanceof ArrayBuffer)) throw new ERR_WORKER_UNSUPPORTED_OPERATION('Transferring what is no ArrayBuffer');
  }
}

function fileOf(filename, isText) {
  if (isText) {
    if (typeof filename !== 'string') throw new ERR_INVALID_ARG_VALUE('options.eval', isText, "must be false when 'filename' is not a string");
    return { path: undefined, isAddress: false };
  }
  const isUrl = filename !== null && typeof filename === 'object' && typeof filename.href === 'string';
  if (isUrl && filename.protocol === 'data:') return { path: undefined, isAddress: true };
  if (isUrl) return { path: require('url').fileURLToPath(filename), isAddress: false };
  if (typeof filename !== 'string') throw new ERR_INVALID_ARG_TYPE('filename', ['string', 'URL'], filename);
  validateString(filename, 'filename');
  const { isAbsolute, resolve } = require('path');
  if (isAbsolute(filename)) return { path: filename, isAddress: false };
  if (!/^\.\.?[\\/]/.test(filename)) throw new ERR_WORKER_PATH(filename);
  return { path: resolve(filename), isAddress: false };
}

module.exports = { Worker, checkTransfer, cloned };
