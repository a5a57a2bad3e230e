// Children. In: a program and what becomes of its descriptors. Out: `ChildProcess`, its streams and
// its end, told in Node's order; and a program run to its end at once. Absent: what options may be
// (child_process/options.js), messages (child_process/ipc.js).

'use strict';

const EventEmitter = require('events');
const { codes, ErrnoException } = require('internal/errors');
const { validateArray, validateObject, validateOneOf, validateString } = require('internal/validators');
const { Handle } = require('internal/io/stream_handle');
const { Pipe } = require('internal/io/pipe');
const { CHANNEL, IGNORE, PIPE } = require('internal/child_process/descriptors');
const binding = internalBinding('child_process');
const {
  ERR_INVALID_ARG_VALUE, ERR_INVALID_SYNC_FORK_INPUT, ERR_IPC_ONE_PIPE, ERR_IPC_SYNC_FORK,
} = codes;

// errno of what goes wrong at run time: told by an event, not thrown.
const EACCES = -13;
const EAGAIN = -11;
const EMFILE = -24;
const ENFILE = -23;
const ENOENT = -2;
const ESRCH = -3;
const EINVAL = -22;
const ENOSYS = -38;

/** Marks a stream whose descriptor another child has got. */
const isGivenAway = Symbol('isGivenAway');

const nextTick = (...args) => require('process').nextTick(...args);

/** An end of a pipe to a child that was never started: it is at its end, and takes nothing. */
class DeadHandle {
  reading = false;
  onread = null;
  name = 'PipeWrap';
  fd = -1;

  readStart() {
    this.reading = true;
    nextTick(() => {
      this.reading = false;
      this.onread?.(null);
    });
    return 0;
  }

  readStop() {
    this.reading = false;
    return 0;
  }

  write(bytes, done) {
    done(-32);
    return true;
  }

  shutdown() {}
  close() {}
  ref() {}
  unref() {}
  hasRef() {
    return false;
  }
}

/** The number of what becomes of a descriptor. */
function numberOf({ type, fd, ipc }) {
  if (ipc) {
    return CHANNEL;
  }
  return type === 'ignore' ? IGNORE : type === 'pipe' || type === 'overlapped' ? PIPE : fd;
}

const DETACHED = 1;
const SHELL_FALLBACK = 2;

/** What the native half reads of a program that is to be started. */
function requestOf({ file, args, envPairs, cwd, detached, uid, gid }, numbers) {
  const variables = envPairs ?? require('internal/process/env').pairs();
  return [
    file, (args ?? [file]).join('\0'), variables.join('\0'), cwd || undefined, numbers.join(' '), SHELL_FALLBACK | (detached ? DETACHED : 0), uid, gid,
    undefined, undefined, undefined,
  ];
}

/** The object that Node calls a process's handle: programs look at it. */
class Process {
  pid = undefined;
  onexit = null;
  #native = null;

  spawn(options) {
    const numbers = options.stdio.map(numberOf);
    const made = binding.spawn(...requestOf(options, numbers), (code, signal) => this.onexit?.(code, signal));
    if (typeof made === 'number') {
      return made;
    }
    const [own, pid, ...ends] = made;
    this.#native = own;
    this.pid = pid;
    ends.forEach((end, index) => {
      if (end !== null) {
        options.stdio[index].handle = new Handle(end, 'PipeWrap');
      }
    });
    require('internal/process/active').add(this, 'ProcessWrap', this);
    return 0;
  }

  kill(signal) {
    return this.#native === null ? ESRCH : binding.kill(this.#native, signal);
  }

  close() {
    require('internal/process/active').remove(this);
    this.#native = null;
  }

  ref() {
    this.#setRef(true);
  }

  unref() {
    this.#setRef(false);
  }

  #isRef = true;

  #setRef(isRef) {
    this.#isRef = isRef;
    if (this.#native !== null) {
      binding.setRef(this.#native, isRef);
    }
  }

  hasRef() {
    return this.#native !== null && this.#isRef;
  }
}

function ChildProcess() {
  Reflect.apply(EventEmitter, this, []);
  this._closesNeeded = 1;
  this._closesGot = 0;
  this.connected = false;
  this.signalCode = null;
  this.exitCode = null;
  this.killed = false;
  this.spawnfile = null;
  this._handle = new Process();
  this._handle.owner = this;
  this._handle.onexit = (code, signal) => onExit(this, code, signal);
  require('internal/diagnostics_channels').publish?.('child_process', { process: this });
}
Object.setPrototypeOf(ChildProcess.prototype, EventEmitter.prototype);
Object.setPrototypeOf(ChildProcess, EventEmitter);

function onExit(child, code, signal) {
  if (signal) {
    child.signalCode = require('internal/os/constants').signalName(signal) ?? null;
  } else {
    child.exitCode = code;
  }
  child.stdin?.destroy();
  child._handle?.close();
  child._handle = null;
  if (code < 0) {
    const syscall = child.spawnfile ? `spawn ${child.spawnfile}` : 'spawn';
    const error = new ErrnoException(code, syscall);
    if (child.spawnfile) {
      error.path = child.spawnfile;
    }
    error.spawnargs = child.spawnargs.slice(1);
    child.emit('error', error);
  } else {
    child.emit('exit', child.exitCode, child.signalCode);
  }
  // What nobody reads is pulled through, so that its end is seen.
  nextTick(flushStdio, child);
  maybeClose(child);
}

function flushStdio(child) {
  if (child.stdio == null) {
    return;
  }
  for (const stream of child.stdio) {
    if (stream && stream.readable && !stream._readableState?.readableListening && stream !== child.stdin && !stream[isGivenAway]) {
      stream.resume();
    }
  }
}

function maybeClose(child) {
  child._closesGot++;
  if (child._closesGot === child._closesNeeded) {
    child.emit('close', child.exitCode, child.signalCode);
  }
}

/** `null`: there is none, whose kind would then be told by what it is. */
function streamOf(child, entry, index) {
  const handle = entry.handle ?? new DeadHandle();
  const isDuplex = index > 2;
  const stream = new Pipe({ handle, readable: index > 0, writable: index === 0 || isDuplex, isSocket: isDuplex });
  stream.on('close', () => maybeClose(child));
  // What it writes is taken at once, up to what a stream keeps: a child that nobody reads gets on
  // so far.
  if (index > 0) {
    stream.read(0);
  }
  return stream;
}

ChildProcess.prototype.spawn = function spawn(options) {
  validateObject(options, 'options');
  const { stdio, ipc, ipcFd } = getValidStdio(options.stdio || 'pipe', false);
  options.stdio = stdio;
  validateOneOf(options.serialization, 'options.serialization', [undefined, 'json', 'advanced']);
  const serialization = options.serialization || 'json';
  if (ipc !== undefined) {
    if (options.envPairs === undefined) {
      options.envPairs = [];
    } else {
      validateArray(options.envPairs, 'options.envPairs');
    }
    options.envPairs.push(`NODE_CHANNEL_FD=${ipcFd}`, `NODE_CHANNEL_SERIALIZATION_MODE=${serialization}`);
  }
  validateString(options.file, 'options.file');
  this.spawnfile = options.file;
  if (options.args === undefined) {
    this.spawnargs = [];
  } else {
    validateArray(options.args, 'options.args');
    this.spawnargs = options.args;
  }
  if (options.envPairs !== undefined) {
    validateArray(options.envPairs, 'options.envPairs');
  }
  return start(this, options, ipc, serialization);
};

/** Starts it, and tells whoever traces starts of how that went. */
function begin(child, options) {
  const traces = require('internal/diagnostics_channels').tracing?.('child_process.spawn');
  traces?.start.publish({ process: child, options });
  const errno = child._handle.spawn(options);
  if (errno) {
    traces?.error.publish({ process: child, error: new ErrnoException(errno, 'spawn') });
  } else {
    traces?.end.publish({ process: child });
  }
  return errno;
}

function start(child, options, ipc, serialization) {
  const errno = begin(child, options);
  if ([EACCES, EAGAIN, EMFILE, ENFILE, ENOENT].includes(errno)) {
    nextTick(() => child._handle?.onexit(errno, 0));
    if (errno === EMFILE || errno === ENFILE) {
      return errno;
    }
  } else if (errno) {
    child._handle.close();
    child._handle = null;
    throw new ErrnoException(errno, 'spawn');
  } else {
    nextTick(() => child.emit('spawn'));
  }
  child.pid = child._handle.pid;
  const streams = options.stdio.map((entry, index) => {
    if (entry.ipc) {
      child._closesNeeded++;
      return null;
    }
    if (entry.type === 'wrap') {
      // It was given away: the child reads it from here on.
      entry.handle.readStop?.();
      entry._stdio.pause();
      entry._stdio[isGivenAway] = true;
      return null;
    }
    if (entry.type !== 'pipe' && entry.type !== 'overlapped') {
      return null;
    }
    child._closesNeeded++;
    return streamOf(child, entry, index);
  });
  [child.stdin, child.stdout, child.stderr] = [streams[0] ?? null, streams[1] ?? null, streams[2] ?? null];
  child.stdio = streams;
  if (ipc !== undefined) {
    require('internal/child_process/ipc').setupChannel(child, ipc.handle ?? new DeadHandle(), formOf(options, serialization), maybeClose);
  }
  return errno;
}

function formOf({ file, envPairs, cwd }, serialization) {
  if (serialization === 'json') return serialization;
  const PATH = envPairs?.find((pair) => pair.startsWith('PATH='))?.slice('PATH='.length);
  return require('internal/ipc/peer').formFor(file, { PATH, cwd }, 'advanced');
}

ChildProcess.prototype.kill = function kill(signal) {
  const number = signal === 0 ? 0 : require('internal/util').convertToValidSignal(signal === undefined ? 'SIGTERM' : signal);
  if (this._handle) {
    const errno = this._handle.kill(number);
    if (errno === 0) {
      this.killed = true;
      return true;
    }
    if (errno === EINVAL || errno === ENOSYS) {
      throw new ErrnoException(errno, 'kill');
    }
    if (errno !== ESRCH) {
      this.emit('error', new ErrnoException(errno, 'kill'));
    }
  }
  return false;
};

ChildProcess.prototype[Symbol.dispose ?? Symbol.for('Symbol.dispose')] = function dispose() {
  if (!this.killed) {
    this.kill();
  }
};

ChildProcess.prototype.ref = function ref() {
  this._handle?.ref();
};

ChildProcess.prototype.unref = function unref() {
  this._handle?.unref();
};

// --- what becomes of descriptors

function stdioOfWord(word, channel) {
  switch (word) {
    case 'ignore':
    case 'overlapped':
    case 'pipe':
      return channel === undefined ? [word, word, word] : [word, word, word, channel];
    case 'inherit':
      return channel === undefined ? [0, 1, 2] : [0, 1, 2, channel];
    default:
      throw new ERR_INVALID_ARG_VALUE('stdio', word);
  }
}

function entryOf(wanted, index, sync, state) {
  if (wanted === null || wanted === undefined) {
    wanted = index < 3 ? 'pipe' : 'ignore';
  }
  if (wanted === 'ignore') {
    return { type: 'ignore' };
  }
  if (wanted === 'pipe' || wanted === 'overlapped' || (typeof wanted === 'number' && wanted < 0)) {
    return { type: wanted === 'overlapped' ? 'overlapped' : 'pipe', readable: index === 0, writable: index !== 0 };
  }
  if (wanted === 'ipc') {
    if (sync || state.ipc !== undefined) {
      throw sync ? new ERR_IPC_SYNC_FORK() : new ERR_IPC_ONE_PIPE();
    }
    state.ipc = { type: 'pipe', ipc: true };
    state.ipcFd = index;
    return state.ipc;
  }
  if (wanted === 'inherit') {
    return { type: 'inherit', fd: index };
  }
  if (wanted?._handle instanceof Handle && wanted._handle.fd > 2) {
    return { type: 'wrap', fd: wanted._handle.fd, handle: wanted._handle, _stdio: wanted };
  }
  if (typeof wanted === 'number' || typeof wanted.fd === 'number') {
    return { type: 'fd', fd: typeof wanted === 'number' ? wanted : wanted.fd };
  }
  const handleFd = wanted._handle?.fd ?? wanted.handle?.fd;
  if (typeof handleFd === 'number') {
    return { type: 'wrap', fd: handleFd, handle: wanted._handle ?? wanted.handle, _stdio: wanted };
  }
  const { inspect } = require('internal/util/inspect');
  if (ArrayBuffer.isView(wanted) || typeof wanted === 'string') {
    if (!sync) {
      throw new ERR_INVALID_SYNC_FORK_INPUT(inspect(wanted));
    }
    return { type: 'pipe', readable: index === 0, writable: index !== 0, input: wanted };
  }
  throw new ERR_INVALID_ARG_VALUE('stdio', wanted);
}

/** The list is filled up to three in place, as Node does. */
function getValidStdio(stdio, sync) {
  if (typeof stdio === 'string') {
    stdio = stdioOfWord(stdio);
  } else if (!Array.isArray(stdio)) {
    throw new ERR_INVALID_ARG_VALUE('stdio', stdio);
  }
  while (stdio.length < 3) {
    stdio.push(undefined);
  }
  const state = { ipc: undefined, ipcFd: undefined };
  const entries = [];
  for (let index = 0; index < stdio.length; index++) {
    entries.push(entryOf(stdio[index], index, sync, state));
  }
  return { stdio: entries, ipc: state.ipc, ipcFd: state.ipcFd };
}

// --- to its end at once

/**
 * What `process.binding('spawn_sync')` gives: coverage tools put functions of their own there,
 * which every start passes.
 */
const syncBinding = {
  spawn(options) {
    const { Buffer } = require('buffer');
    const numbers = options.stdio.map(numberOf);
    const told = binding.spawnSync(
      ...requestOf(options, numbers), options.timeout || 0, options.maxBuffer ?? undefined, options.killSignal ?? 15, options.stdio[0]?.input,
    );
    // Before them is what the program used.
    const [pid, status, signal, errno, output, errors, ...others] = told.slice(12);
    const signalName = signal === 0 ? null : require('internal/os/constants').signalName(signal);
    const wrap = (bytes) => (bytes === undefined ? Buffer.alloc(0) : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    const outputs = options.stdio.map(({ type }, index) => {
      if (index === 0 || type !== 'pipe') {
        return null;
      }
      return index === 1 ? wrap(output) : index === 2 ? wrap(errors) : wrap(others.shift());
    });
    const result = { status: status < 0 ? null : status, signal: signalName, output: pid === 0 ? null : outputs, pid };
    return errno ? { error: errno, ...result } : result;
  },
};

function spawnSync(options) {
  const { status, signal, output, pid, error: errno } = syncBinding.spawn(options);
  const encoded = options.encoding && options.encoding !== 'buffer' ? (part) => part && part.toString(options.encoding) : (part) => part;
  // Its members stand in Node's order: programs print it as it is.
  const result = {};
  if (errno) {
    result.error = new ErrnoException(errno, `spawnSync ${options.file}`);
    result.error.path = options.file;
    result.error.spawnargs = options.args.slice(1);
  }
  result.status = status;
  result.signal = signal;
  result.output = output && output.map(encoded);
  result.pid = pid;
  result.stdout = result.output && result.output[1];
  result.stderr = result.output && result.output[2];
  return result;
}

module.exports = { ChildProcess, getValidStdio, spawnSync, stdioOfWord, syncBinding };
