// `Subprocess`: a child process of `Bun.spawn`. In: what the binding returned for it. Out: streams,
// exit status, IPC messages. Absent: the spawn (spawn.js).
'use strict';

const { Handle } = require('internal/io/stream_handle');
const { showMembers } = require('internal/bun/inspect_members');
const { signalNumber } = require('internal/bun/spawn_options');
const { SubprocessOutput } = require('internal/bun/subprocess_output');
const binding = internalBinding('child_process');
const { stdio: { PIPE, SOCKET, SOCKET_FD } } = binding;

/** Added to a signal's number for an exit status, as shells do. */
const SIGNAL_STATUS_BASE = 128;

/** Closes the sockets of a collected subprocess whose `stdio` the program has not read. */
const unclaimedSockets = new FinalizationRegistry((fds) => fds.forEach(closeQuietly));

function closeQuietly(fd) {
  try {
    require('internal/fs/sync').closeSync(fd);
  } catch {
    // The program has closed it already.
  }
}

const NONE = [];

/** A stream that is still in the binding, until the program reads the property. */
const UNUSED = Symbol('unused');

class Subprocess {
  #native;
  #file;
  #options;
  #stdin;
  /** What writes to stdin: a StreamPipe or FileSink, with `detach` and `setRef`. */
  #stdinWriter;
  /** The pipe's native handle, where stdin is unused and not in the binding. */
  #stdinNative;
  #stdout;
  #stderr;
  /** `stdio` after stderr. */
  #extraStdio = NONE;
  /** Sockets that are closed with this object unless the program reads `stdio`. */
  #ownedFds = NONE;
  /** `exited` with its resolvers: created on first use, or to report an error. */
  #exit;
  #hasExited = false;
  #isRef = true;
  #status;
  #exitCode = null;
  #signalCode = null;
  #terminal;
  #peer;
  #timer;
  #abort;

  constructor(file, options) {
    this.#file = file;
    this.#options = options;
  }

  /** Attaches a child of the fast path: its streams stay in the binding until they are used. */
  static attachFast(child, { 0: stdin, 1: stdout, 2: stderr }, native) {
    child.#native = native;
    if (stdin === PIPE) child.#stdin = UNUSED;
    if (stdout === PIPE) child.#stdout = UNUSED;
    if (stderr === PIPE) child.#stderr = UNUSED;
  }

  /** Attaches any other child: the native object, the PID, and the parent's ends of its stdio. */
  static attach(child, stdio, [native, , ...ends], terminal) {
    child.#native = native;
    child.#terminal = terminal;
    child.#extraStdio = [];
    child.#ownedFds = [];
    child.#attachStdin(stdio[0], ends[0]);
    child.#stdout = child.#attachOutput(stdio[1], ends[1]);
    child.#stderr = child.#attachOutput(stdio[2], ends[2]);
    for (let index = 3; index < stdio.length; index++) child.#attachExtra(stdio[index], ends[index]);
    if (child.#ownedFds.length > 0) unclaimedSockets.register(child, child.#ownedFds, child);
    const { timeout, signal, killSignal } = child.#options;
    if (timeout > 0) {
      child.#timer = setTimeout(() => child.#kill(killSignal), timeout);
      child.#timer.unref();
    }
    if (signal !== undefined) {
      child.#abort = () => child.#kill(killSignal);
      signal.addEventListener('abort', child.#abort, { once: true });
    }
  }

  #attachStdin({ number, stream, value }, end) {
    this.#stdin = value;
    if (number !== PIPE) return;
    if (stream === undefined) {
      this.#stdin = UNUSED;
      this.#stdinNative = end;
    } else {
      const { StreamPipe } = require('internal/bun/subprocess_stdin');
      this.#stdinWriter = new StreamPipe(stream, new Handle(end, 'PipeWrap'));
    }
  }

  /** Creates the sink on first use. */
  #createSink() {
    const { createSink, detach } = require('internal/bun/subprocess_stdin');
    const sink = createSink(new Handle(this.#stdinNative ?? binding.takeStdin(this.#native), 'PipeWrap'));
    this.#stdin = sink;
    this.#stdinWriter = { detach: () => detach(sink), setRef: (isRef) => (isRef ? sink.ref() : sink.unref()) };
    if (this.#hasExited) this.#stdinWriter.detach();
    return sink;
  }

  #closeUnusedStdin() {
    const native = this.#stdinNative;
    if (native === undefined) binding.closeStdin(this.#native);
    else internalBinding('stream_handle').close(native);
  }

  /** Creates an output on first use. Index 0: stdout, 1: stderr. */
  #createOutput(index) {
    const output = SubprocessOutput.fromBuffer(binding.takeOutput(this.#native, index));
    if (!this.#isRef) output.setRef(false);
    return output;
  }

  #attachOutput({ number, value }, end) {
    if (number !== PIPE) return value;
    const { lazy, maxBuffer, killSignal } = this.#options;
    return new SubprocessOutput(end, { isLazy: lazy, maxBuffer, onMaxBuffer: () => this.#kill(killSignal) });
  }

  #attachExtra({ number, value, isOwnedByProgram }, end) {
    if (number === SOCKET) this.#openChannel(new Handle(end, 'PipeWrap'));
    this.#extraStdio.push(number === SOCKET_FD ? end : value);
    if (number === SOCKET_FD && !isOwnedByProgram) this.#ownedFds.push(end);
  }

  // --- exit

  static onexit(child, code, signal) {
    child.#hasExited = true;
    const { onExit, signal: abortSignal } = child.#options;
    if (child.#timer !== undefined) clearTimeout(child.#timer);
    abortSignal?.removeEventListener('abort', child.#abort);
    if (child.#stdin === UNUSED) child.#closeUnusedStdin();
    else child.#stdinWriter?.detach();
    let error;
    if (code < 0) {
      error = require('internal/bun/spawn_error').spawnError(code, child.#file, child.#options);
      (child.#exit ??= Promise.withResolvers()).reject(error);
    } else {
      child.#status = signal > 0 ? SIGNAL_STATUS_BASE + signal : code;
      if (signal > 0) child.#signalCode = require('internal/os/constants').signalName(signal) ?? signal;
      else child.#exitCode = code;
      child.#exit?.resolve(child.#status);
    }
    // After the reactions of `exited`.
    if (onExit !== undefined) queueMicrotask(() => Reflect.apply(onExit, child, [child, child.#exitCode, child.#signalCode, error]));
  }

  get exited() {
    if (this.#exit === undefined) {
      this.#exit = Promise.withResolvers();
      if (this.#hasExited) this.#exit.resolve(this.#status);
    }
    return this.#exit.promise;
  }

  get exitCode() { return this.#exitCode; }
  get signalCode() { return this.#signalCode; }
  /** In Bun, true for every child that has exited. */
  get killed() { return this.#hasExited; }
  get pid() { return binding.pid(this.#native); }

  kill(signal) {
    this.#kill(signalNumber(signal));
  }

  #kill(number) {
    if (!this.#hasExited) binding.kill(this.#native, number);
  }

  resourceUsage() {
    const numbers = binding.resourceUsage(this.#native);
    return numbers === undefined ? undefined : new (require('internal/bun/resource_usage').ResourceUsage)(numbers);
  }

  async [Symbol.asyncDispose ?? Symbol.for('Symbol.asyncDispose')]() {
    this.#kill(this.#options.killSignal);
    await this.exited;
  }

  ref() { this.#setRef(true); }
  unref() { this.#setRef(false); }

  #setRef(isRef) {
    this.#isRef = isRef;
    // Applies to unused outputs in the binding, too.
    binding.setRef(this.#native, isRef);
    this.#stdinWriter?.setRef(isRef);
    if (this.#stdout instanceof SubprocessOutput) this.#stdout.setRef(isRef);
    if (this.#stderr instanceof SubprocessOutput) this.#stderr.setRef(isRef);
    if (isRef) this.#peer?.channel?.ref();
    else this.#peer?.channel?.unref();
  }

  // --- stdio

  get stdin() { return this.#stdin === UNUSED ? this.#createSink() : this.#stdin; }
  get writable() { return this.stdin; }

  get stdout() {
    if (this.#stdout === UNUSED) this.#stdout = this.#createOutput(0);
    return toStream(this.#stdout);
  }

  get stderr() {
    if (this.#stderr === UNUSED) this.#stderr = this.#createOutput(1);
    return toStream(this.#stderr);
  }

  get readable() { return this.stdout; }

  /** The program owns the file descriptors from here on. */
  get stdio() {
    if (this.#ownedFds.length > 0) {
      unclaimedSockets.unregister(this);
      this.#ownedFds = NONE;
    }
    return [null, null, null, ...this.#extraStdio];
  }

  get terminal() { return this.#terminal; }

  // --- IPC

  #openChannel(handle) {
    const EventEmitter = require('events');
    const { ipc, onDisconnect, serialization } = this.#options;
    const peer = new EventEmitter();
    peer.on('message', (message, sent) => Reflect.apply(ipc, this, [message, this, sent]));
    peer.on('disconnect', () => onDisconnect && Reflect.apply(onDisconnect, this, [false]));
    // The end of the channel is reported by `onDisconnect`.
    peer.on('error', () => {});
    // `advanced` means bun's format by default; rusk as the child detects it.
    const { searchPath, cwd } = this.#options;
    const format = serialization === 'advanced' ? require('internal/ipc/peer_format').formatFor(this.#file, { PATH: searchPath, cwd }, 'bun') : serialization;
    require('internal/child_process/ipc').setupChannel(peer, handle, format);
    this.#peer = peer;
  }

  get connected() { return this.#peer?.connected ?? false; }

  send(message, handle, options, callback) {
    if (!this.connected) {
      const error = new Error(this.#hasExited && this.#peer !== undefined
        ? 'Subprocess.send() cannot be used after the process has exited.'
        : 'Subprocess.send() can only be used if an IPC channel is open.');
      error.code = 'ERR_IPC_CHANNEL_CLOSED';
      throw error;
    }
    this.#peer.send(message, handle, options, callback);
    return true;
  }

  disconnect() {
    if (this.connected) this.#peer.disconnect();
  }
}

const toStream = (output) => (output instanceof SubprocessOutput ? output.stream : output);

for (const name of showMembers(Subprocess)) Object.defineProperty(Subprocess.prototype, name, { enumerable: true });
delete Subprocess.prototype.constructor;

/** Adds the environment variables that announce the IPC channel to a child. */
function withIpcVariables(env, fd, serialization) {
  const { envString, launchEnvironment } = require('internal/bun/spawn_options');
  const ownEnv = env ?? envString(launchEnvironment());
  return [ownEnv, `NODE_CHANNEL_FD=${fd}`, `NODE_CHANNEL_SERIALIZATION_MODE=${serialization}`].filter((variable) => variable !== '').join('\0');
}

module.exports = { Subprocess, withIpcVariables };
