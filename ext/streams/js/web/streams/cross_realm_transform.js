// Streams over a channel: the Streams Standard 8.2. In: one end of it. Out: a stream; what is
// written to the one is read from the other, as messages of a kind: `chunk`, `close`, `error`, and
// `pull` the other way. A stream that is transferred stays where it is and is piped into, or out
// of, the one at this end; the receiver has the one at the other, which keeps the program going
// while something is awaited of it.
'use strict';

const { End } = require('internal/messaging/channel');
const { refuse } = require('internal/messaging/transfer');
const { makeStream, streamObject } = require('web/streams/readable');
const { makeWritable, writableObject } = require('web/streams/writable');
const { Later, handled, nothing, resolved, then } = require('web/streams/webidl_utils');

const one = () => 1;
const ALONE = Object.freeze([]);
const TO_THE_END = Object.freeze({ preventAbort: false, preventCancel: false, preventClose: false, signal: undefined });

/**
 * One end, and the stream that is told what comes: it has a method for each kind, and `error` for
 * what does not come.
 */
class Line {
  #end;
  #stream;
  #isReceived;
  #isAwaited = false;

  constructor(end, stream, isReceived) {
    this.#end = end;
    this.#stream = stream;
    this.#isReceived = isReceived;
    end.onEnd = () => this.#lose();
    // Within a thread a message on its way is delivered before the program ends.
    end.owner = { keepsGoing: true, onPacket: () => this.#take(), onClose: nothing };
  }

  /** Whether somebody waits for what comes next. */
  set isAwaited(isAwaited) {
    if (isAwaited === this.#isAwaited || !this.#isReceived || (isAwaited && this.#end === null)) return;
    this.#isAwaited = isAwaited;
    require('web/message_port').keep(isAwaited ? 1 : -1);
  }

  #take() {
    const packet = this.#end?.take();
    if (packet === undefined) return;
    if ('error' in packet) {
      this.#tell(packet.error);
      this.#stream.error(packet.error);
      this.close();
      return;
    }
    const { kind, value } = packet.value;
    this.isAwaited = false;
    this.#stream[kind]?.(value);
    if (kind === 'close' || kind === 'error') this.close();
  }

  /** The other side went without a word. */
  #lose() {
    if (this.#end === null) return;
    this.#end = null;
    this.isAwaited = false;
    const { AbortError } = require('internal/errors');
    this.#stream.error(new AbortError('The other side of a transferred stream is gone'));
  }

  /** Where the value cannot be cloned, both sides hear of it. */
  send(kind, value) {
    try {
      this.#end?.send({ kind, value }, ALONE);
    } catch (error) {
      this.#tell(error);
      this.close();
      throw error;
    }
  }

  #tell(error) {
    try {
      this.#end?.send({ kind: 'error', value: error }, ALONE);
    } catch {
      this.#end.send({ kind: 'error', value: undefined }, ALONE);
    }
  }

  close() {
    const end = this.#end;
    this.#end = null;
    this.isAwaited = false;
    end?.close(undefined);
  }
}

/** Slots of the stream that gives what is written at the other end. */
function readableOver(end, isReceived) {
  const slots = makeStream({
    pull() {
      line.send('pull', undefined);
      line.isAwaited = true;
    },
    cancel(reason) {
      line.send('error', reason);
      line.close();
    },
  }, undefined, 0, one);
  const { controller } = slots;
  const line = new Line(end, {
    chunk: (value) => controller.enqueue(value),
    close: () => controller.close(),
    error: (reason) => controller.error(reason),
  }, isReceived);
  return slots;
}

/** Slots of the stream whose chunks are read at the other end. */
function writableOver(end, isReceived) {
  let room = new Later();
  const slots = makeWritable({
    write(chunk) {
      line.isAwaited = room.state === 'pending';
      return then(room.promise, () => {
        room = new Later();
        line.send('chunk', chunk);
      });
    },
    close() {
      line.send('close', undefined);
      line.close();
    },
    abort(reason) {
      line.send('error', reason);
      line.close();
    },
  }, undefined, 1, one);
  const line = new Line(end, {
    pull: () => room.resolve(),
    error(reason) {
      slots.controller.errorIfNeeded(reason);
      room.resolve();
    },
  }, isReceived);
  return slots;
}

/** The stream over the ends that came: a readable, a writable, or a transform of both. */
function joined({ readable, writable }) {
  const read = readable && readableOver(readable, true);
  const write = writable && writableOver(writable, true);
  if (read !== undefined && write !== undefined) return require('web/streams/transform').transformOf(read, write);
  return read === undefined ? writableObject(write) : streamObject(read);
}

/** The ends for whoever gets the stream; its own sides are piped from then on. */
function divided({ readable, writable }) {
  const { pipe } = require('web/streams/pipe');
  const ends = { readable: undefined, writable: undefined };
  if (readable !== undefined) {
    const [own, theirs] = End.pair();
    handled(pipe(readable, writableOver(own, false), TO_THE_END));
    ends.readable = theirs;
  }
  if (writable !== undefined) {
    const [own, theirs] = End.pair();
    handled(pipe(readableOver(own, false), writable, TO_THE_END));
    ends.writable = theirs;
  }
  return ends;
}

function checkUnlocked({ readable, writable }, name) {
  if (readable?.reader !== undefined || writable?.writer !== undefined) throw refuse(`Cannot transfer a locked ${name}`);
}

/** What another thread's stream is made of. */
function sent(sides) {
  const { readable, writable } = divided(sides);
  const kind = writable === undefined ? 'READABLE' : readable === undefined ? 'WRITABLE' : 'TRANSFORM';
  return { kind, ports: [readable, writable].filter((end) => end !== undefined).map((end) => end.leave()) };
}

module.exports = { checkUnlocked, divided, joined, sent };
