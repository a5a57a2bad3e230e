// Messages between a program and those it forked. In: a connection; objects. Out: the same objects at the other end, one text of JSON a
// line, as Node writes them; `send`, `disconnect`, 'message'. Absent: sockets as messages: they are refused by name.

'use strict';

const EventEmitter = require('events');
const { codes, ErrnoException } = require('internal/errors');
const { validateObject, validateString } = require('internal/validators');
const { Buffer } = require('buffer');
const active = require('internal/process/active');
const {
  ERR_INVALID_ARG_TYPE, ERR_INVALID_HANDLE_TYPE, ERR_IPC_CHANNEL_CLOSED, ERR_IPC_DISCONNECTED, ERR_MISSING_ARGS,
  ERR_FEATURE_UNAVAILABLE_ON_PLATFORM,
} = codes;

/** Who sends more than this without waiting is told so. */
const QUEUE_BYTES_MAX = 65536 * 2;

/** Messages of Node's own begin so; programs do not see them. */
const INTERNAL = 'NODE_';

const nextTick = (...args) => require('process').nextTick(...args);

/** `process.channel`, `child.channel`: keeps the loop going while somebody listens. */
class Control extends EventEmitter {
  #handle;
  #count = 0;
  #isExplicit = false;

  constructor(handle) {
    super();
    this.#handle = handle;
  }

  get fd() {
    return this.#handle.fd;
  }

  refCounted() {
    if (++this.#count === 1 && !this.#isExplicit) {
      this.#handle.ref();
    }
  }

  unrefCounted() {
    if (--this.#count === 0 && !this.#isExplicit) {
      this.#handle.unref();
      this.emit('unref');
    }
  }

  ref() {
    this.#isExplicit = true;
    this.#handle.ref();
  }

  unref() {
    this.#isExplicit = true;
    this.#handle.unref();
  }

  hasRef() {
    return this.#handle.hasRef();
  }
}

const isInternal = (message) => typeof message === 'object' && message !== null && typeof message.cmd === 'string' &&
  message.cmd.length > INTERNAL.length && message.cmd.startsWith(INTERNAL);

/** Texts of JSON, a line each, as they come in pieces. */
class JsonLines {
  #pieces = [];

  read(bytes) {
    const last = bytes.lastIndexOf(10);
    if (last === -1) {
      this.#pieces.push(Buffer.from(bytes));
      return [];
    }
    // A line's end is never within a letter, so what is decoded is whole.
    const text = Buffer.concat([...this.#pieces, bytes.subarray(0, last)]).toString('utf8');
    this.#pieces = last + 1 < bytes.length ? [Buffer.from(bytes.subarray(last + 1))] : [];
    return text.split('\n').map((line) => JSON.parse(line));
  }

  write(message) {
    return `${JSON.stringify(message)}\n`;
  }
}

/** What Node's programs put before an object that is none of the language's own kinds. */
const VIEW = 0;
const NOT_VIEW = 1;

let ends;

/** `v8.DefaultSerializer` and its opposite, with that word. */
function serdes() {
  if (ends === undefined) {
    const { DefaultDeserializer, DefaultSerializer } = require('internal/serdes/defaults');
    ends = {
      Writer: class extends DefaultSerializer {
        _writeHostObject(object) {
          this.writeUint32(VIEW);
          super._writeHostObject(object);
        }
      },
      Reader: class extends DefaultDeserializer {
        _readHostObject() {
          return this.readUint32() === NOT_VIEW ? this.readValue() : super._readHostObject();
        }
      },
    };
  }
  return ends;
}

/** Messages as v8 serializes them, each behind four bytes of its length. */
class Serialized {
  #pieces = [];
  #length = 0;
  /** So many bytes make the next message whole. */
  #wanted = 4;

  read(bytes) {
    // What is read into is the loop's own.
    this.#pieces.push(Buffer.from(bytes));
    this.#length += bytes.length;
    const messages = [];
    while (this.#length >= this.#wanted) {
      const all = this.#pieces.length === 1 ? this.#pieces[0] : Buffer.concat(this.#pieces, this.#length);
      this.#pieces = [all];
      this.#wanted = 4 + all.readUInt32BE(0);
      if (this.#length < this.#wanted) {
        break;
      }
      const { Reader } = serdes();
      // A copy, for views over it are handed out, and are to begin where such views may.
      const reader = new Reader(new Uint8Array(all.subarray(4, this.#wanted)));
      reader.readHeader();
      messages.push(reader.readValue());
      this.#pieces = [all.subarray(this.#wanted)];
      this.#length -= this.#wanted;
      this.#wanted = 4;
    }
    return messages;
  }

  write(message) {
    const writer = new (serdes().Writer)();
    writer.writeHeader();
    writer.writeValue(message);
    const body = writer.releaseBuffer();
    const head = Buffer.allocUnsafe(4);
    head.writeUInt32BE(body.length, 0);
    return Buffer.concat([head, body]);
  }
}

/** One end of a channel, on a child or on `process`. */
class Channel {
  #target;
  #handle;
  #codec;
  #onClose;
  #pending = [];
  #waiting = 0;
  #isGone = false;

  constructor(target, handle, serialization, onClose) {
    this.#target = target;
    this.#handle = handle;
    this.#onClose = onClose;
    this.#codec = serialization === 'advanced' ? new Serialized() : new JsonLines();
    handle.onread = (value) => this.#onRead(value);
    active.add(handle, 'PipeWrap', target);
  }

  begin() {
    this.#handle.readStart();
  }

  #onRead(value) {
    if (value === null || typeof value === 'number') {
      this.#target.disconnect();
      this.close();
      return;
    }
    const messages = this.#codec.read(Buffer.from(value.buffer, value.byteOffset, value.byteLength));
    for (const message of messages) {
      this.#deliver(message);
    }
  }

  #deliver(message) {
    const target = this.#target;
    if (isInternal(message)) {
      nextTick(() => target.emit('internalMessage', message));
      return;
    }
    // What comes before anybody listens waits, in a program that was forked.
    if (target === require('process') && target.listenerCount('message') === 0) {
      this.#pending.push(message);
      return;
    }
    nextTick(() => target.emit('message', message, undefined));
  }

  /** Somebody listens now. */
  flush() {
    for (const message of this.#pending.splice(0)) {
      nextTick(() => this.#target.emit('message', message, undefined));
    }
  }

  send(message, callback, swallows) {
    const text = this.#codec.write(message);
    const length = text.length;
    this.#waiting += length;
    let isOver = false;
    this.#handle.write(text, (errno) => {
      this.#waiting -= length;
      isOver = true;
      if (errno < 0) {
        this.#fail(new ErrnoException(errno, 'write'), callback, swallows);
      } else if (typeof callback === 'function') {
        nextTick(callback, null);
      }
    });
    return isOver || this.#waiting < QUEUE_BYTES_MAX;
  }

  #fail(error, callback, swallows) {
    if (typeof callback === 'function') {
      nextTick(callback, error);
    } else if (!swallows) {
      nextTick(() => this.#target.emit('error', error));
    }
  }

  close() {
    if (this.#isGone) {
      return;
    }
    this.#isGone = true;
    active.remove(this.#handle);
    this.#handle.close();
    this.#target.channel = null;
    this.#target._channel = null;
    const target = this.#target;
    nextTick(() => {
      target.emit('disconnect');
      this.#onClose?.(target);
    });
  }
}

function checkMessage(message) {
  if (message === undefined) {
    throw new ERR_MISSING_ARGS('message');
  }
  const type = typeof message;
  if (type !== 'string' && type !== 'object' && type !== 'number' && type !== 'boolean') {
    throw new ERR_INVALID_ARG_TYPE('message', ['string', 'object', 'number', 'boolean'], message);
  }
}

function checkHandle(handle) {
  if (handle) {
    const name = handle.constructor?.name;
    if (name === 'Socket' || name === 'Server') {
      throw new ERR_FEATURE_UNAVAILABLE_ON_PLATFORM('Sending a handle to a child process');
    }
    throw new ERR_INVALID_HANDLE_TYPE();
  }
}

/** Puts what is of the channel on a child, or on `process`. */
function setupChannel(target, handle, serialization, onClose) {
  const channel = new Channel(target, handle, serialization, onClose);
  const control = new Control(handle);
  target.channel = control;
  target._channel = control;
  target.connected = true;

  target.send = function send(message, given, options, callback) {
    if (typeof given === 'function') {
      callback = given;
      given = undefined;
      options = undefined;
    } else if (typeof options === 'function') {
      callback = options;
      options = undefined;
    } else if (options !== undefined) {
      validateObject(options, 'options');
    }
    if (this.connected) {
      return this._send(message, given, { swallowErrors: false, ...options }, callback);
    }
    const error = new ERR_IPC_CHANNEL_CLOSED();
    if (typeof callback === 'function') {
      nextTick(callback, error);
    } else {
      nextTick(() => this.emit('error', error));
    }
    return false;
  };

  target._send = function _send(message, given, options, callback) {
    checkMessage(message);
    checkHandle(given);
    return channel.send(message, callback, options === true || options?.swallowErrors);
  };

  target.disconnect = function disconnect() {
    if (!this.connected) {
      this.emit('error', new ERR_IPC_DISCONNECTED());
      return;
    }
    this._disconnect();
  };

  target._disconnect = function _disconnect() {
    this.connected = false;
    nextTick(() => channel.close());
  };

  target._handleQueue = null;
  channel.begin();
  return { control, channel };
}

/** The end of a program that was forked: `process` gets what a child has. */
function openInChild(fd, serialization) {
  validateString(serialization, 'serialization');
  const { Handle } = require('internal/stdio/handle');
  const process = require('process');
  const handle = Handle.open(fd, 'PipeWrap', false);
  if (typeof handle === 'number') {
    throw new ErrnoException(handle, 'open');
  }
  handle.unref();
  const { control, channel } = setupChannel(process, handle, serialization);
  const counts = (name) => name === 'message' || name === 'disconnect';
  process.on('newListener', (name) => {
    if (counts(name)) {
      control.refCounted();
      if (name === 'message') {
        nextTick(() => channel.flush());
      }
    }
  });
  process.on('removeListener', (name) => {
    if (counts(name)) {
      control.unrefCounted();
    }
  });
}

module.exports = { setupChannel, openInChild };
