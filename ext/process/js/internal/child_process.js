// Child processes: `ChildProcess` and `spawnSync`, as in Node's lib/internal/child_process.js. In:
// a program and its stdio. Out: a ChildProcess with streams, whose events have Node's order; or the
// result of a synchronous run. Absent: checks of options (child_process/options.js), messages
// (child_process/ipc.js).

'use strict';

const EventEmitter = require('events');
const { codes, ErrnoException } = require('internal/errors');
const { validateArray, validateObject, validateOneOf, validateString } = require('internal/validators');
const { Handle } = require('internal/io/stream_handle');
const { Pipe } = require('internal/io/pipe');
const binding = internalBinding('child_process');
const {
  flags: { DETACHED, SHELL_FALLBACK },
  stdio: { IGNORE, PIPE, SOCKET },
  syncResult: { PID },
} = binding;
const {
  ERR_INVALID_ARG_VALUE, ERR_INVALID_SYNC_FORK_INPUT, ERR_IPC_ONE_PIPE, ERR_IPC_SYNC_FORK,
} = codes;

// Spawn errors that are emitted as 'error' events, not thrown, and others.
const EACCES = -13;
const EAGAIN = -11;
const EMFILE = -24;
const ENFILE = -23;
const ENOENT = -2;
const ESRCH = -3;
const EINVAL = -22;
const EPIPE = -32;
const ENOSYS = -38;

/** Marks a stream whose file descriptor is a child's stdio: the child reads it from then on. */
const kIsUsedAsStdio = Symbol('kIsUsedAsStdio');

const SIGTERM = 15;

const nextTick = (...args) => require('process').nextTick(...args);

/** Pipe handle of a child whose spawn failed: reads are at the end of file, writes fail. */
class ClosedPipeHandle {
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

  write(bytes, callback) {
    callback(EPIPE);
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

/** A stdio entry as a number of the binding. */
function stdioNumber({ type, fd, ipc }) {
  if (ipc) {
    return SOCKET;
  }
  return type === 'ignore' ? IGNORE : type === 'pipe' || type === 'overlapped' ? PIPE : fd;
}

/**
 * The arguments that the binding's `spawn` and `spawnSync` share; see
 * src/child_process/spawn_options.rs.
 */
function nativeArguments({ file, args, envPairs, cwd, detached, uid, gid, stdio }) {
  const env = envPairs ?? require('internal/process/env').pairs();
  return [
    file,
    (args ?? [file]).join('\0'),
    env.join('\0'),
    cwd || undefined,
    stdio.map(stdioNumber).join(' '),
    SHELL_FALLBACK | (detached ? DETACHED : 0),
    uid,
    gid,
    undefined, // search path
    undefined, // input
    undefined, // cgroup
  ];
}

/** Handle of a child process (`child._handle`), as Node's process_wrap has it: programs use it. */
class Process {
  pid = undefined;
  onexit = null;
  #native = null;

  spawn(options) {
    const result = binding.spawn(...nativeArguments(options), (code, signal) => this.onexit?.(code, signal));
    if (typeof result === 'number') {
      return result;
    }
    const [native, pid, ...parentEnds] = result;
    this.#native = native;
    this.pid = pid;
    parentEnds.forEach((end, index) => {
      if (end !== null) {
        options.stdio[index].handle = new Handle(end, 'PipeWrap');
      }
    });
    require('internal/process/active_resources').add(this, 'ProcessWrap', this);
    return 0;
  }

  kill(signal) {
    return this.#native === null ? ESRCH : binding.kill(this.#native, signal);
  }

  close() {
    require('internal/process/active_resources').remove(this);
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
  // Output that the program does not read is discarded, so that its end is reached.
  nextTick(flushStdio, child);
  maybeClose(child);
}

function flushStdio(child) {
  if (child.stdio == null) {
    return;
  }
  for (const stream of child.stdio) {
    if (stream && stream.readable && !stream._readableState?.readableListening && stream !== child.stdin && !stream[kIsUsedAsStdio]) {
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

function createStream(child, entry, index) {
  const handle = entry.handle ?? new ClosedPipeHandle();
  const isDuplex = index > 2;
  const stream = new Pipe({ handle, readable: index > 0, writable: index === 0 || isDuplex, isSocket: isDuplex });
  stream.on('close', () => maybeClose(child));
  // Reading starts at once, up to the high-water mark, so that a child whose output is not read yet
  // is not blocked.
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

/** Spawns the child and publishes to the diagnostics channel `child_process.spawn`. */
function spawnHandle(child, options) {
  const channel = require('internal/diagnostics_channels').tracing?.('child_process.spawn');
  channel?.start.publish({ process: child, options });
  const errno = child._handle.spawn(options);
  if (errno) {
    channel?.error.publish({ process: child, error: new ErrnoException(errno, 'spawn') });
  } else {
    channel?.end.publish({ process: child });
  }
  return errno;
}

function start(child, options, ipc, serialization) {
  const errno = spawnHandle(child, options);
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
      // The child reads it from here on.
      entry.handle.readStop?.();
      entry._stdio.pause();
      entry._stdio[kIsUsedAsStdio] = true;
      return null;
    }
    if (entry.type !== 'pipe' && entry.type !== 'overlapped') {
      return null;
    }
    child._closesNeeded++;
    return createStream(child, entry, index);
  });
  [child.stdin, child.stdout, child.stderr] = [streams[0] ?? null, streams[1] ?? null, streams[2] ?? null];
  child.stdio = streams;
  if (ipc !== undefined) {
    require('internal/child_process/ipc').setupChannel(child, ipc.handle ?? new ClosedPipeHandle(), formatFor(options, serialization), maybeClose);
  }
  return errno;
}

/** Format of the messages: `advanced` means another one in bun. */
function formatFor({ file, envPairs, cwd }, serialization) {
  if (serialization === 'json') return serialization;
  const PATH = envPairs?.find((pair) => pair.startsWith('PATH='))?.slice('PATH='.length);
  return require('internal/ipc/peer_format').formatFor(file, { PATH, cwd }, 'advanced');
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

// --- stdio

/** Node's stdioStringToArray. */
function stdioStringToArray(stdio, channel) {
  switch (stdio) {
    case 'ignore':
    case 'overlapped':
    case 'pipe':
      return channel === undefined ? [stdio, stdio, stdio] : [stdio, stdio, stdio, channel];
    case 'inherit':
      return channel === undefined ? [0, 1, 2] : [0, 1, 2, channel];
    default:
      throw new ERR_INVALID_ARG_VALUE('stdio', stdio);
  }
}

/** A stdio entry as Node's ChildProcess has it. */
function normalizeEntry(option, index, sync, state) {
  if (option === null || option === undefined) {
    option = index < 3 ? 'pipe' : 'ignore';
  }
  if (option === 'ignore') {
    return { type: 'ignore' };
  }
  if (option === 'pipe' || option === 'overlapped' || (typeof option === 'number' && option < 0)) {
    return { type: option === 'overlapped' ? 'overlapped' : 'pipe', readable: index === 0, writable: index !== 0 };
  }
  if (option === 'ipc') {
    if (sync || state.ipc !== undefined) {
      throw sync ? new ERR_IPC_SYNC_FORK() : new ERR_IPC_ONE_PIPE();
    }
    state.ipc = { type: 'pipe', ipc: true };
    state.ipcFd = index;
    return state.ipc;
  }
  if (option === 'inherit') {
    return { type: 'inherit', fd: index };
  }
  if (option?._handle instanceof Handle && option._handle.fd > 2) {
    return { type: 'wrap', fd: option._handle.fd, handle: option._handle, _stdio: option };
  }
  if (typeof option === 'number' || typeof option.fd === 'number') {
    return { type: 'fd', fd: typeof option === 'number' ? option : option.fd };
  }
  const handleFd = option._handle?.fd ?? option.handle?.fd;
  if (typeof handleFd === 'number') {
    return { type: 'wrap', fd: handleFd, handle: option._handle ?? option.handle, _stdio: option };
  }
  const { inspect } = require('internal/util/inspect');
  if (ArrayBuffer.isView(option) || typeof option === 'string') {
    if (!sync) {
      throw new ERR_INVALID_SYNC_FORK_INPUT(inspect(option));
    }
    return { type: 'pipe', readable: index === 0, writable: index !== 0, input: option };
  }
  throw new ERR_INVALID_ARG_VALUE('stdio', option);
}

/**
 * Normalizes the option `stdio`. The array is filled up to three entries in place, as Node does.
 */
function getValidStdio(stdio, sync) {
  if (typeof stdio === 'string') {
    stdio = stdioStringToArray(stdio);
  } else if (!Array.isArray(stdio)) {
    throw new ERR_INVALID_ARG_VALUE('stdio', stdio);
  }
  while (stdio.length < 3) {
    stdio.push(undefined);
  }
  const state = { ipc: undefined, ipcFd: undefined };
  const entries = [];
  for (let index = 0; index < stdio.length; index++) {
    entries.push(normalizeEntry(stdio[index], index, sync, state));
  }
  return { stdio: entries, ipc: state.ipc, ipcFd: state.ipcFd };
}

// --- synchronous

/**
 * `process.binding('spawn_sync')`: coverage tools replace its functions, so every spawn calls them.
 */
const syncBinding = {
  spawn(options) {
    const { Buffer } = require('buffer');
    const { timeout, maxBuffer, killSignal, stdio } = options;
    const values = binding.spawnSync(...nativeArguments(options), timeout || 0, maxBuffer ?? undefined, killSignal ?? SIGTERM, stdio[0]?.input);
    // Before the PID is the resource usage.
    const [pid, status, signal, errno, stdout, stderr, ...extraOutputs] = values.slice(PID);
    const signalName = signal === 0 ? null : require('internal/os/constants').signalName(signal);
    const toBuffer = (bytes) => (bytes === undefined ? Buffer.alloc(0) : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    const outputs = options.stdio.map(({ type }, index) => {
      if (index === 0 || type !== 'pipe') {
        return null;
      }
      return toBuffer(index === 1 ? stdout : index === 2 ? stderr : extraOutputs.shift());
    });
    const result = { status: status < 0 ? null : status, signal: signalName, output: pid === 0 ? null : outputs, pid };
    return errno ? { error: errno, ...result } : result;
  },
};

function spawnSync(options) {
  const { status, signal, output, pid, error: errno } = syncBinding.spawn(options);
  const encoded = options.encoding && options.encoding !== 'buffer' ? (part) => part && part.toString(options.encoding) : (part) => part;
  // The members have Node's order, which is visible when a program prints the result.
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

module.exports = { ChildProcess, getValidStdio, spawnSync, stdioStringToArray, syncBinding };
