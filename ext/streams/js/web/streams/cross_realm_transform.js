// Cross-realm transforms: streams over a channel, the Streams Standard 8.2. In: one end of a
// channel. Out: a stream. What is written at one end is read at the other, as messages of a type:
// `chunk`, `close`, `error`, and `pull` in the other direction. A transferred stream stays in its
// realm and is piped into, or out of, the stream at this end; the receiver gets the stream at the
// other end, which keeps the event loop alive while it waits for a message.
'use strict';

const { ChannelEnd } = require('internal/messaging/channel');
const { dataCloneError } = require('internal/messaging/transfer');
const { createReadableStream, readableStreamObject } = require('web/streams/readable');
const { createWritableStream, writableStreamObject } = require('web/streams/writable');
const { LazyPromise, setPromiseIsHandled, nop, resolvedPromise, promiseThen } = require('web/streams/webidl_utils');

const sizeOne = () => 1;
const NO_TRANSFER = Object.freeze([]);
const PIPE_OPTIONS = Object.freeze({ preventAbort: false, preventCancel: false, preventClose: false, signal: undefined });

/**
 * One end of the channel with its stream, an object that has a method for each message type, and
 * `error` for deserialization errors.
 */
class CrossRealmEndpoint {
  #end;
  #stream;
  #isReceived;
  #isRef = false;

  constructor(end, stream, isReceived) {
    this.#end = end;
    this.#stream = stream;
    this.#isReceived = isReceived;
    end.onPeerClose = () => this.#handleDisconnect();
    // Within a thread, pending messages are delivered before the program ends.
    end.owner = { isRef: true, onMessage: () => this.#handlePacket(), onClose: nop };
  }

  /** true while the next message is awaited: keeps the event loop alive. */
  set isRef(isRef) {
    if (isRef === this.#isRef || !this.#isReceived || (isRef && this.#end === null)) return;
    this.#isRef = isRef;
    require('web/message_port').updateRefCount(isRef ? 1 : -1);
  }

  #handlePacket() {
    const packet = this.#end?.receive();
    if (packet === undefined) return;
    if ('error' in packet) {
      this.#sendError(packet.error);
      this.#stream.error(packet.error);
      this.close();
      return;
    }
    const { kind, value } = packet.value;
    this.isRef = false;
    this.#stream[kind]?.(value);
    if (kind === 'close' || kind === 'error') this.close();
  }

  /** The channel was closed without a `close` or `error` message. */
  #handleDisconnect() {
    if (this.#end === null) return;
    this.#end = null;
    this.isRef = false;
    const { AbortError } = require('internal/errors');
    this.#stream.error(new AbortError('The other side of a transferred stream is gone'));
  }

  /** If the value cannot be cloned, both sides get the error. */
  send(kind, value) {
    try {
      this.#end?.send({ kind, value }, NO_TRANSFER);
    } catch (error) {
      this.#sendError(error);
      this.close();
      throw error;
    }
  }

  #sendError(error) {
    try {
      this.#end?.send({ kind: 'error', value: error }, NO_TRANSFER);
    } catch {
      this.#end.send({ kind: 'error', value: undefined }, NO_TRANSFER);
    }
  }

  close() {
    const end = this.#end;
    this.#end = null;
    this.isRef = false;
    end?.close(undefined);
  }
}

/** Returns the slots of the stream that is written at the other end. */
function setUpCrossRealmTransformReadable(end, isReceived) {
  const slots = createReadableStream({
    pull() {
      endpoint.send('pull', undefined);
      endpoint.isRef = true;
    },
    cancel(reason) {
      endpoint.send('error', reason);
      endpoint.close();
    },
  }, undefined, 0, sizeOne);
  const { controller } = slots;
  const endpoint = new CrossRealmEndpoint(end, {
    chunk: (value) => controller.enqueue(value),
    close: () => controller.close(),
    error: (reason) => controller.error(reason),
  }, isReceived);
  return slots;
}

/** Returns the slots of the stream that is read at the other end. */
function setUpCrossRealmTransformWritable(end, isReceived) {
  let backpressurePromise = new LazyPromise();
  const slots = createWritableStream({
    write(chunk) {
      endpoint.isRef = backpressurePromise.state === 'pending';
      return promiseThen(backpressurePromise.promise, () => {
        backpressurePromise = new LazyPromise();
        endpoint.send('chunk', chunk);
      });
    },
    close() {
      endpoint.send('close', undefined);
      endpoint.close();
    },
    abort(reason) {
      endpoint.send('error', reason);
      endpoint.close();
    },
  }, undefined, 1, sizeOne);
  const endpoint = new CrossRealmEndpoint(end, {
    pull: () => backpressurePromise.resolve(),
    error(reason) {
      slots.controller.errorIfNeeded(reason);
      backpressurePromise.resolve();
    },
  }, isReceived);
  return slots;
}

/**
 * Transfer-receiving steps: a readable, a writable, or a transform of both, over the received ends.
 */
function receiveTransferred({ readable, writable }) {
  const read = readable && setUpCrossRealmTransformReadable(readable, true);
  const write = writable && setUpCrossRealmTransformWritable(writable, true);
  if (read !== undefined && write !== undefined) return require('web/streams/transform').createTransformStreamOf(read, write);
  return read === undefined ? writableStreamObject(write) : readableStreamObject(read);
}

/** Transfer steps: pipes the local sides and returns the ends for the receiver. */
function setUpTransfer({ readable, writable }) {
  const { pipe } = require('web/streams/pipe');
  const ends = { readable: undefined, writable: undefined };
  if (readable !== undefined) {
    const [localEnd, remoteEnd] = ChannelEnd.createPair();
    setPromiseIsHandled(pipe(readable, setUpCrossRealmTransformWritable(localEnd, false), PIPE_OPTIONS));
    ends.readable = remoteEnd;
  }
  if (writable !== undefined) {
    const [localEnd, remoteEnd] = ChannelEnd.createPair();
    setPromiseIsHandled(pipe(setUpCrossRealmTransformReadable(localEnd, false), writable, PIPE_OPTIONS));
    ends.writable = remoteEnd;
  }
  return ends;
}

function throwIfLocked({ readable, writable }, name) {
  if (readable?.reader !== undefined || writable?.writer !== undefined) throw dataCloneError(`Cannot transfer a locked ${name}`);
}

/** Transfer steps for another thread: the ports to send. */
function sendTransferred(sides) {
  const { readable, writable } = setUpTransfer(sides);
  const kind = writable === undefined ? 'READABLE' : readable === undefined ? 'WRITABLE' : 'TRANSFORM';
  return { kind, ports: [readable, writable].filter((end) => end !== undefined).map((end) => end.detach()) };
}

module.exports = { throwIfLocked, setUpTransfer, receiveTransferred, sendTransferred };
