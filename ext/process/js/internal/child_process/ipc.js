// Messages between a program and those it forked. In: a connection; values, handles. Out: the same
// at the other end, in Node's words; `send`, `disconnect`, 'message', what keeps the loop going.
// Absent: bytes and forms (internal/ipc), kinds of handles (internal/ipc/handles).

'use strict';

const EventEmitter = require('events');
const { codes, ErrnoException } = require('internal/errors');
const { validateObject, validateString } = require('internal/validators');
const { Connection } = require('internal/ipc/connection');
const { afterSent, incoming, leave, outgoing } = require('internal/ipc/handles');
const active = require('internal/process/active');
const { ERR_INVALID_ARG_TYPE, ERR_IPC_CHANNEL_CLOSED, ERR_IPC_DISCONNECTED, ERR_MISSING_ARGS } = codes;

/** Who sends more than this without waiting is told so. */
const QUEUE_BYTES_MAX = 65536 * 2;

/**
 * So many messages wait for a program that was forked and does not listen; then the channel is not
 * read.
 */
const PENDING_MAX = 64 * 1024;

/** A handle that did not arrive is sent again so often. */
const RETRIES_MAX = 3;

/** Messages of Node's own begin so; programs do not see them. */
const INTERNAL = 'NODE_';
const HANDLE = 'NODE_HANDLE';
const TAKEN = 'NODE_HANDLE_ACK';
const NOT_TAKEN = 'NODE_HANDLE_NACK';

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

/** One end of a channel, on a child or on `process`. */
class Channel {
  #target;
  #connection;
  #onClose;
  #pending = [];
  #isGone = false;
  #isLeaving = false;
  /**
   * The message whose handle is on its way. Others wait behind it until the other end says that it
   * has it.
   */
  #sent = null;
  #queue = [];

  constructor(target, serialization, onClose, open) {
    this.#target = target;
    this.#onClose = onClose;
    const connection = open(serialization, {
      onMessage: (message, descriptor) => this.#deliver(message, descriptor),
      onEnd: () => this.#end(),
      onFlaw: (why) => this.#refuse(why),
      onSendError: (errno) => this.#fail(new ErrnoException(errno, 'write')),
    });
    if (typeof connection === 'number') throw new ErrnoException(connection, 'open');
    this.#connection = connection;
    active.add(connection, 'PipeWrap', target);
  }

  get connection() {
    return this.#connection;
  }

  begin() {
    this.#connection.begin();
  }

  // --- what comes

  #deliver(message, descriptor) {
    if (!isInternal(message)) {
      if (descriptor !== undefined) internalBinding('ipc').drop(descriptor);
      this.#emit(message, undefined);
    } else if (message.cmd === HANDLE) {
      this.#take(message, descriptor);
    } else if (message.cmd === TAKEN || message.cmd === NOT_TAKEN) {
      this.#answered(message.cmd === TAKEN);
    } else {
      nextTick(() => this.#target.emit('internalMessage', message, undefined));
    }
  }

  #take({ type, msg }, descriptor) {
    // The kernel may have lost it on the way.
    this.#write({ cmd: descriptor === undefined ? NOT_TAKEN : TAKEN }, undefined, undefined, true);
    if (descriptor === undefined) return;
    const handle = incoming(type, descriptor);
    if (isInternal(msg)) nextTick(() => this.#target.emit('internalMessage', msg, handle));
    else this.#emit(msg, handle);
  }

  #emit(message, handle) {
    const target = this.#target;
    // What comes before anybody listens waits, in a program that was forked.
    if (target === require('process') && target.listenerCount('message') === 0) {
      this.#pending.push([message, handle]);
      if (this.#pending.length >= PENDING_MAX) this.#connection.pause();
      return;
    }
    nextTick(() => target.emit('message', message, handle));
  }

  /** Somebody listens now. */
  flush() {
    for (const [message, handle] of this.#pending.splice(0)) {
      nextTick(() => this.#target.emit('message', message, handle));
    }
    this.#connection.resume();
  }

  #end() {
    if (this.#target.connected) this.#target.disconnect();
    this.close();
  }

  /** The other end does not send messages: nobody talks to it any more. */
  #refuse(why) {
    const error = new ERR_IPC_CHANNEL_CLOSED();
    error.message += `: the other end ${why}`;
    const target = this.#target;
    if (target.listenerCount('error') > 0) nextTick(() => target.emit('error', error));
    else require('process').emitWarning(error);
    this.#end();
  }

  // --- what goes

  send(message, handle, options, callback) {
    checkMessage(message);
    const swallows = options === true || options?.swallowErrors;
    if (this.#sent !== null) {
      if (handle) outgoing(handle);
      this.#queue.push({ message, handle, options, callback });
      return this.#queue.length === 1;
    }
    if (!handle) return this.#write(message, undefined, callback, swallows);
    const { type, along } = outgoing(handle);
    if (along === undefined) return this.#write(message, undefined, callback, swallows);
    this.#sent = { message, handle, options, tries: 0 };
    leave(handle, options);
    return this.#write({ cmd: HANDLE, type, msg: message }, along, callback, swallows);
  }

  #write(message, along, callback, swallows) {
    const isAsked = typeof callback === 'function';
    const done = (errno) => {
      if (errno < 0) this.#fail(new ErrnoException(errno, 'write'), callback, swallows);
      else nextTick(callback, null);
    };
    const waiting = this.#connection.send(message, along, isAsked ? done : undefined);
    if (waiting < 0) {
      if (along !== undefined) this.#sent = null;
      this.#fail(new ErrnoException(waiting, 'write'), callback, swallows);
    } else if (waiting === 0 && isAsked) {
      nextTick(callback, null);
    }
    return waiting < QUEUE_BYTES_MAX;
  }

  #answered(isTaken) {
    const sent = this.#sent;
    // An answer to nothing.
    if (sent === null) return;
    this.#sent = null;
    if (isTaken) {
      afterSent(sent.handle, sent.options);
    } else if (sent.tries++ < RETRIES_MAX) {
      this.#sendAgain(sent);
      return;
    } else {
      require('process').emitWarning('Handle did not reach the receiving process correctly', 'SentHandleNotReceivedWarning');
      afterSent(sent.handle, sent.options);
    }
    while (this.#sent === null && this.#queue.length > 0) {
      const { message, handle, options, callback } = this.#queue.shift();
      this.send(message, handle, options, callback);
    }
    if (this.#isLeaving && this.#sent === null) this.leave();
  }

  #sendAgain(sent) {
    const { type, along } = outgoing(sent.handle);
    this.#sent = sent;
    this.#write({ cmd: HANDLE, type, msg: sent.message }, along, undefined, true);
  }

  #fail(error, callback, swallows) {
    if (typeof callback === 'function') {
      nextTick(callback, error);
    } else if (!swallows) {
      nextTick(() => this.#target.emit('error', error));
    }
  }

  // --- the end

  /** Not before a handle that is on its way has arrived. */
  leave() {
    if (this.#sent !== null && !this.#isGone) {
      this.#isLeaving = true;
      return;
    }
    this.#target._disconnect();
  }

  close() {
    if (this.#isGone) {
      return;
    }
    this.#isGone = true;
    active.remove(this.#connection);
    this.#connection.close();
    const target = this.#target;
    target.channel = null;
    target._channel = null;
    for (const { callback } of this.#queue.splice(0)) {
      this.#fail(new ERR_IPC_CHANNEL_CLOSED(), callback, true);
    }
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

/** Puts what is of the channel on a child, or on `process`. */
function setupChannel(target, handle, serialization, onClose) {
  return setUp(target, serialization, onClose, (form, owner) => Connection.adopt(handle, form, owner));
}

function setUp(target, serialization, onClose, open) {
  const channel = new Channel(target, serialization, onClose, open);
  const control = new Control(channel.connection);
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
    return channel.send(message, given, options, callback);
  };

  target.disconnect = function disconnect() {
    if (!this.connected) {
      this.emit('error', new ERR_IPC_DISCONNECTED());
      return;
    }
    this.connected = false;
    channel.leave();
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
  const process = require('process');
  const { control, channel } = setUp(process, serialization, undefined, (form, owner) => Connection.open(fd, form, owner));
  channel.connection.unref();
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
