// A child of `Bun.spawn`. In: what the native half gave for it. Out: what a program sees: its
// streams, its end, messages. Absent: how it is started (spawn.js).
'use strict';

const { Handle } = require('internal/io/stream_handle');
const { CHANNEL, NUMBER, PIPE } = require('internal/child_process/descriptors');
const { showMembers } = require('internal/bun/members');
const { numberOfSignal } = require('internal/bun/spawn_options');
const { Output } = require('internal/bun/child_output');
const binding = internalBinding('child_process');

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

const NONE = [];

/** A stream that the native half still has: nobody has asked for it. */
const UNASKED = Symbol('unasked');

class Subprocess {
  #native;
  #file;
  #options;
  #stdin;
  #input;
  /** Where it is unasked, and the native half gave it already. */
  #inputEnd;
  #stdout;
  #stderr;
  /** Of descriptors behind the three. */
  #others = NONE;
  #own = NONE;
  /**
   * `exited`, with its functions: made when it is asked for, or when nobody would hear of a failure
   * otherwise.
   */
  #exit;
  #isOver = false;
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

  /** What the native half gave of a child of which nothing was said: its object alone. */
  static beginPlain(child, { 0: input, 1: output, 2: errors }, own) {
    child.#native = own;
    if (input === PIPE) child.#stdin = UNASKED;
    if (output === PIPE) child.#stdout = UNASKED;
    if (errors === PIPE) child.#stderr = UNASKED;
  }

  /** Of any other: its object, a number, and our ends in their order. */
  static begin(child, places, [own, , ...ends], terminal) {
    child.#native = own;
    child.#terminal = terminal;
    child.#others = [];
    child.#own = [];
    child.#takeInput(places[0], ends[0]);
    child.#stdout = child.#outputOf(places[1], ends[1]);
    child.#stderr = child.#outputOf(places[2], ends[2]);
    for (let index = 3; index < places.length; index++) child.#takeOther(places[index], ends[index]);
    if (child.#own.length > 0) unclaimed.register(child, child.#own, child);
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

  #takeInput({ number, stream, shown }, end) {
    this.#stdin = shown;
    if (number !== PIPE) return;
    if (stream === undefined) {
      this.#stdin = UNASKED;
      this.#inputEnd = end;
    } else {
      const { Pump } = require('internal/bun/child_input');
      this.#input = new Pump(stream, new Handle(end, 'PipeWrap'));
    }
  }

  /** Made when it is first asked for. */
  #sink() {
    const { letGo, makeSink } = require('internal/bun/child_input');
    const sink = makeSink(new Handle(this.#inputEnd ?? binding.takeInput(this.#native), 'PipeWrap'));
    this.#stdin = sink;
    this.#input = { letGo: () => letGo(sink), setRef: (isRef) => (isRef ? sink.ref() : sink.unref()) };
    if (this.#isOver) this.#input.letGo();
    return sink;
  }

  #closeUnaskedInput() {
    const end = this.#inputEnd;
    if (end === undefined) binding.closeInput(this.#native);
    else internalBinding('stream_handle').close(end);
  }

  /** The same for an output; 0 is the first. */
  #output(index) {
    const output = Output.of(binding.takeOutput(this.#native, index));
    if (!this.#isRef) output.setRef(false);
    return output;
  }

  #outputOf({ number, shown }, end) {
    if (number !== PIPE) return shown;
    const { lazy, maxBuffer, killSignal } = this.#options;
    return new Output(end, { isLazy: lazy, bytesMax: maxBuffer, tooMuch: () => this.#kill(killSignal) });
  }

  #takeOther({ number, shown, isCallers }, end) {
    if (number === CHANNEL) this.#openChannel(new Handle(end, 'PipeWrap'));
    this.#others.push(number === NUMBER ? end : shown);
    if (number === NUMBER && !isCallers) this.#own.push(end);
  }

  // --- its end

  static end(child, code, signal) {
    child.#isOver = true;
    const { onExit, signal: toAbort } = child.#options;
    if (child.#timer !== undefined) clearTimeout(child.#timer);
    toAbort?.removeEventListener('abort', child.#abort);
    if (child.#stdin === UNASKED) child.#closeUnaskedInput();
    else child.#input?.letGo();
    let failure;
    if (code < 0) {
      failure = require('internal/bun/spawn_failure').failureOf(code, child.#file, child.#options);
      (child.#exit ??= Promise.withResolvers()).reject(failure);
    } else {
      child.#status = signal > 0 ? BY_SIGNAL + signal : code;
      if (signal > 0) child.#signalCode = require('internal/os/constants').signalName(signal) ?? signal;
      else child.#exitCode = code;
      child.#exit?.resolve(child.#status);
    }
    // Who waits for `exited` is told before.
    if (onExit !== undefined) queueMicrotask(() => Reflect.apply(onExit, child, [child, child.#exitCode, child.#signalCode, failure]));
  }

  get exited() {
    if (this.#exit === undefined) {
      this.#exit = Promise.withResolvers();
      if (this.#isOver) this.#exit.resolve(this.#status);
    }
    return this.#exit.promise;
  }

  get exitCode() { return this.#exitCode; }
  get signalCode() { return this.#signalCode; }
  /** Whether it has ended, by itself or not. */
  get killed() { return this.#isOver; }
  get pid() { return binding.pid(this.#native); }

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
    this.#isRef = isRef;
    // The outputs that nobody has asked for, too.
    binding.setRef(this.#native, isRef);
    this.#input?.setRef(isRef);
    if (this.#stdout instanceof Output) this.#stdout.setRef(isRef);
    if (this.#stderr instanceof Output) this.#stderr.setRef(isRef);
    if (isRef) this.#peer?.channel?.ref();
    else this.#peer?.channel?.unref();
  }

  // --- its streams

  get stdin() { return this.#stdin === UNASKED ? this.#sink() : this.#stdin; }
  get writable() { return this.stdin; }

  get stdout() {
    if (this.#stdout === UNASKED) this.#stdout = this.#output(0);
    return shown(this.#stdout);
  }

  get stderr() {
    if (this.#stderr === UNASKED) this.#stderr = this.#output(1);
    return shown(this.#stderr);
  }

  get readable() { return this.stdout; }

  /** Who asks for the numbers has them, and closes them. */
  get stdio() {
    if (this.#own.length > 0) {
      unclaimed.unregister(this);
      this.#own = NONE;
    }
    return [null, null, null, ...this.#others];
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
    const { search, cwd } = this.#options;
    const form = serialization === 'advanced' ? require('internal/ipc/peer').formFor(this.#file, { PATH: search, cwd }, 'bun') : serialization;
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
