// A child of `Bun.spawn`. In: what the native half gave for it. Out: what a program sees: its streams, its end, messages. Absent: how it is
// started (spawn.js).
'use strict';

const { Handle } = require('internal/stdio/handle');
const { CHANNEL, NUMBER, PIPE } = require('internal/child_process/descriptors');
const { showMembers } = require('internal/bun/members');
const { numberOfSignal } = require('internal/bun/spawn_options');
const { Output } = require('internal/bun/child_output');
const binding = native('child_process');

/** A shell says 128 and the signal's number. */
const BY_SIGNAL = 128;

/** Ends of connections that nobody has asked for. */
const unclaimed = new FinalizationRegistry((numbers) => numbers.forEach(closeQuietly));

function closeQuietly(number) {
  try {
    require('internal/fs/sync').closeSync(number);
  } catch {
    // A program has closed it, which was not its to close.
  }
}

class Subprocess {
  #native;
  #pid;
  #options;
  #stdin;
  #input;
  /** Of a pipe that nobody has asked for. */
  #inputEnd;
  #outputs = [];
  #stdio = [null, null, null];
  #own = [];
  #exit = Promise.withResolvers();
  #isOver = false;
  #exitCode = null;
  #signalCode = null;
  #terminal;
  #peer;
  #timer;
  #abort;

  /** What the native half gave: its object, a number, and our ends in their order. */
  static begin(child, options, places, [own, pid, ...ends], terminal) {
    child.#native = own;
    child.#pid = pid;
    child.#options = options;
    child.#terminal = terminal;
    child.#takeInput(places[0], ends[0]);
    for (const index of [1, 2]) child.#outputs.push(child.#outputOf(places[index], ends[index]));
    for (let index = 3; index < places.length; index++) child.#takeOther(places[index], ends[index]);
    if (child.#own.length > 0) unclaimed.register(child, child.#own, child);
    const { timeout, signal } = options;
    if (timeout > 0) {
      child.#timer = setTimeout(() => child.#kill(options.killSignal), timeout);
      child.#timer.unref();
    }
    if (signal !== undefined) {
      child.#abort = () => child.#kill(options.killSignal);
      signal.addEventListener('abort', child.#abort, { once: true });
    }
  }

  #takeInput({ number, stream, shown }, end) {
    this.#stdin = shown;
    if (number !== PIPE) return;
    if (stream === undefined) {
      this.#inputEnd = end;
    } else {
      const { Pump } = require('internal/bun/child_input');
      this.#input = new Pump(stream, new Handle(end, 'PipeWrap'));
    }
  }

  /** Made when it is first asked for. */
  #sink() {
    const { letGo, makeSink } = require('internal/bun/child_input');
    const sink = makeSink(new Handle(this.#inputEnd, 'PipeWrap'));
    this.#inputEnd = undefined;
    this.#stdin = sink;
    this.#input = { letGo: () => letGo(sink), setRef: (isRef) => (isRef ? sink.ref() : sink.unref()) };
    if (this.#isOver) this.#input.letGo();
    return sink;
  }

  #outputOf({ number, shown }, end) {
    if (number !== PIPE) return shown;
    const { lazy, maxBuffer, killSignal } = this.#options;
    return new Output(end, { isLazy: lazy, bytesMax: maxBuffer, tooMuch: () => this.#kill(killSignal) });
  }

  #takeOther({ number, shown, isCallers }, end) {
    if (number === CHANNEL) this.#openChannel(new Handle(end, 'PipeWrap'));
    this.#stdio.push(number === NUMBER ? end : shown);
    if (number === NUMBER && !isCallers) this.#own.push(end);
  }

  // --- its end

  static end(child, code, signal) {
    child.#isOver = true;
    clearTimeout(child.#timer);
    child.#options.signal?.removeEventListener('abort', child.#abort);
    child.#input?.letGo();
    if (child.#inputEnd !== undefined) native('pipe').close(child.#inputEnd);
    let failure;
    if (code < 0) {
      failure = require('internal/bun/spawn_failure').failureOf(code, child.#options);
      child.#exit.reject(failure);
    } else {
      if (signal > 0) child.#signalCode = require('internal/os/constants').signalName(signal) ?? signal;
      else child.#exitCode = code;
      child.#exit.resolve(signal > 0 ? BY_SIGNAL + signal : code);
    }
    const { onExit } = child.#options;
    // Who waits for `exited` is told before.
    if (onExit !== undefined) queueMicrotask(() => Reflect.apply(onExit, child, [child, child.#exitCode, child.#signalCode, failure]));
  }

  get exited() { return this.#exit.promise; }
  get exitCode() { return this.#exitCode; }
  get signalCode() { return this.#signalCode; }
  /** Whether it has ended, by itself or not. */
  get killed() { return this.#isOver; }
  get pid() { return this.#pid; }

  kill(signal) {
    this.#kill(numberOfSignal(signal));
  }

  #kill(number) {
    if (!this.#isOver) binding.kill(this.#native, number);
  }

  resourceUsage() {
    const numbers = binding.usage(this.#native);
    return numbers === undefined ? undefined : new (require('internal/bun/resource_usage').ResourceUsage)(numbers);
  }

  async [Symbol.asyncDispose ?? Symbol.for('Symbol.asyncDispose')]() {
    this.#kill(this.#options.killSignal);
    await this.exited;
  }

  ref() { this.#setRef(true); }
  unref() { this.#setRef(false); }

  #setRef(isRef) {
    binding.setRef(this.#native, isRef);
    this.#input?.setRef(isRef);
    for (const output of this.#outputs) if (output instanceof Output) output.setRef(isRef);
    if (isRef) this.#peer?.channel?.ref();
    else this.#peer?.channel?.unref();
  }

  // --- its streams

  get stdin() { return this.#inputEnd === undefined ? this.#stdin : this.#sink(); }
  get writable() { return this.stdin; }
  get stdout() { return shown(this.#outputs[0]); }
  get stderr() { return shown(this.#outputs[1]); }
  get readable() { return this.stdout; }

  /** Who asks for the numbers has them, and closes them. */
  get stdio() {
    if (this.#own.length > 0) {
      unclaimed.unregister(this);
      this.#own = [];
    }
    return [...this.#stdio];
  }

  get terminal() { return this.#terminal; }

  // --- messages

  #openChannel(handle) {
    const EventEmitter = require('events');
    const { ipc, onDisconnect, serialization } = this.#options;
    const peer = new EventEmitter();
    peer.on('message', (message, sent) => Reflect.apply(ipc, this, [message, this, sent]));
    peer.on('disconnect', () => onDisconnect && Reflect.apply(onDisconnect, this, [false]));
    // That nobody reads any more is told by `onDisconnect`.
    peer.on('error', () => {});
    // bun's own form, which a child of ours finds out by itself.
    const { file, search, cwd } = this.#options;
    const form = serialization === 'advanced' ? require('internal/ipc/peer').formFor(file, { PATH: search, cwd }, 'bun') : serialization;
    require('internal/child_process/ipc').setupChannel(peer, handle, form);
    this.#peer = peer;
  }

  get connected() { return this.#peer?.connected ?? false; }

  send(message, handle, options, callback) {
    if (!this.connected) {
      const error = new Error(this.#isOver && this.#peer !== undefined
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

const shown = (output) => (output instanceof Output ? output.stream : output);

for (const name of showMembers(Subprocess)) Object.defineProperty(Subprocess.prototype, name, { enumerable: true });
delete Subprocess.prototype.constructor;

/** The variables that tell a child of its channel. */
function withChannel(variables, number, serialization) {
  const { launched, variablesOf } = require('internal/bun/spawn_options');
  const own = variables ?? variablesOf(launched());
  return [own, `NODE_CHANNEL_FD=${number}`, `NODE_CHANNEL_SERIALIZATION_MODE=${serialization}`].filter((text) => text !== '').join('\0');
}

module.exports = { Subprocess, withChannel };
