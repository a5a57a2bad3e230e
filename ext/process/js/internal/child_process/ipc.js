// IPC of forked processes: `send`, `disconnect` and 'message' on a ChildProcess or `process`, as in
// setupChannel of Node's lib/internal/child_process.js. In: a socket; values, handles. Out: the
// same at the other end, and whether the channel keeps the event loop alive. Absent: serialization
// (internal/ipc/serialization.js), conversion of handles (internal/ipc/send_handles.js).

'use strict';

const EventEmitter = require('events');
const { codes, ErrnoException } = require('internal/errors');
const { validateObject, validateString } = require('internal/validators');
const { IpcChannel } = require('internal/ipc/channel');
const { afterSend, beforeSend, fromMessage, toMessage } = require('internal/ipc/send_handles');
const active = require('internal/process/active_resources');
const { ERR_INVALID_ARG_TYPE, ERR_IPC_CHANNEL_CLOSED, ERR_IPC_DISCONNECTED, ERR_MISSING_ARGS } = codes;

/** `send` returns false when more bytes than this are queued. */
const QUEUE_BYTES_MAX = 65536 * 2;

/** Messages that are buffered for a forked program without a listener; then reading is paused. */
const PENDING_MAX = 64 * 1024;

/** How often a handle that did not arrive is sent again. */
const RETRIES_MAX = 3;

/** Prefix of Node's internal messages, which programs do not see. */
const INTERNAL = 'NODE_';
const HANDLE = 'NODE_HANDLE';
const ACK = 'NODE_HANDLE_ACK';
const NACK = 'NODE_HANDLE_NACK';

const nextTick = (...args) => require('process').nextTick(...args);

/** `process.channel`, `child.channel`: keeps the event loop alive while there are listeners. */
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

/** The protocol of Node's messages over a channel, for a child or `process`. */
class MessageProtocol {
  #target;
  #channel;
  #onClose;
  /** Messages without a listener. */
  #pendingMessages = [];
  #isClosed = false;
  #isDisconnecting = false;
  /** The message with a handle that is sent and not acknowledged. Later messages are queued. */
  #unacknowledged = null;
  #queue = [];

  constructor(target, serialization, onClose, open) {
    this.#target = target;
    this.#onClose = onClose;
    const channel = open(serialization, {
      onMessage: (message, descriptor) => this.#onMessage(message, descriptor),
      onEnd: () => this.#end(),
      onProtocolError: (reason) => this.#onProtocolError(reason),
      onSendError: (errno) => this.#onSendFailed(new ErrnoException(errno, 'write')),
    });
    if (typeof channel === 'number') throw new ErrnoException(channel, 'open');
    this.#channel = channel;
    active.add(channel, 'PipeWrap', target);
  }

  get channel() {
    return this.#channel;
  }

  readStart() {
    this.#channel.readStart();
  }

  // --- receiving

  #onMessage(message, descriptor) {
    if (!isInternal(message)) {
      if (descriptor !== undefined) internalBinding('ipc').closeFd(descriptor);
      this.#emit(message, undefined);
    } else if (message.cmd === HANDLE) {
      this.#receiveHandle(message, descriptor);
    } else if (message.cmd === ACK || message.cmd === NACK) {
      this.#onAcknowledged(message.cmd === ACK);
    } else {
      nextTick(() => this.#target.emit('internalMessage', message, undefined));
    }
  }

  #receiveHandle({ type, msg }, descriptor) {
    // The kernel drops descriptors where the receiver has reached its limit of open files.
    this.#write({ cmd: descriptor === undefined ? NACK : ACK }, undefined, undefined, true);
    if (descriptor === undefined) return;
    const handle = fromMessage(type, descriptor);
    if (isInternal(msg)) nextTick(() => this.#target.emit('internalMessage', msg, handle));
    else this.#emit(msg, handle);
  }

  #emit(message, handle) {
    const target = this.#target;
    // In a forked program, messages are buffered until it has a listener.
    if (target === require('process') && target.listenerCount('message') === 0) {
      this.#pendingMessages.push([message, handle]);
      if (this.#pendingMessages.length >= PENDING_MAX) this.#channel.pause();
      return;
    }
    nextTick(() => target.emit('message', message, handle));
  }

  /** Emits the buffered messages; called when a listener is added. */
  flush() {
    for (const [message, handle] of this.#pendingMessages.splice(0)) {
      nextTick(() => this.#target.emit('message', message, handle));
    }
    this.#channel.resume();
  }

  #end() {
    if (this.#target.connected) this.#target.disconnect();
    this.close();
  }

  /** Closes the channel: the other end does not send valid messages. */
  #onProtocolError(reason) {
    const error = new ERR_IPC_CHANNEL_CLOSED();
    error.message += `: the other end ${reason}`;
    const target = this.#target;
    if (target.listenerCount('error') > 0) nextTick(() => target.emit('error', error));
    else require('process').emitWarning(error);
    this.#end();
  }

  // --- sending

  send(message, handle, options, callback) {
    checkMessage(message);
    const swallowErrors = options === true || options?.swallowErrors;
    if (this.#unacknowledged !== null) {
      if (handle) toMessage(handle);
      this.#queue.push({ message, handle, options, callback });
      return this.#queue.length === 1;
    }
    if (!handle) return this.#write(message, undefined, callback, swallowErrors);
    const { type, native } = toMessage(handle);
    if (native === undefined) return this.#write(message, undefined, callback, swallowErrors);
    this.#unacknowledged = { message, handle, options, tries: 0 };
    beforeSend(handle, options);
    return this.#write({ cmd: HANDLE, type, msg: message }, native, callback, swallowErrors);
  }

  #write(message, native, callback, swallowErrors) {
    const hasCallback = typeof callback === 'function';
    const onSent = (errno) => {
      if (errno < 0) this.#onSendFailed(new ErrnoException(errno, 'write'), callback, swallowErrors);
      else nextTick(callback, null);
    };
    const queued = this.#channel.send(message, native, hasCallback ? onSent : undefined);
    if (queued < 0) {
      if (native !== undefined) this.#unacknowledged = null;
      this.#onSendFailed(new ErrnoException(queued, 'write'), callback, swallowErrors);
    } else if (queued === 0 && hasCallback) {
      nextTick(callback, null);
    }
    return queued < QUEUE_BYTES_MAX;
  }

  #onAcknowledged(isReceived) {
    const sent = this.#unacknowledged;
    // An acknowledgement of nothing.
    if (sent === null) return;
    this.#unacknowledged = null;
    if (isReceived) {
      afterSend(sent.handle, sent.options);
    } else if (sent.tries++ < RETRIES_MAX) {
      this.#resend(sent);
      return;
    } else {
      require('process').emitWarning('Handle did not reach the receiving process correctly', 'SentHandleNotReceivedWarning');
      afterSend(sent.handle, sent.options);
    }
    while (this.#unacknowledged === null && this.#queue.length > 0) {
      const { message, handle, options, callback } = this.#queue.shift();
      this.send(message, handle, options, callback);
    }
    if (this.#isDisconnecting && this.#unacknowledged === null) this.disconnect();
  }

  #resend(sent) {
    const { type, native } = toMessage(sent.handle);
    this.#unacknowledged = sent;
    this.#write({ cmd: HANDLE, type, msg: sent.message }, native, undefined, true);
  }

  #onSendFailed(error, callback, swallowErrors) {
    if (typeof callback === 'function') {
      nextTick(callback, error);
    } else if (!swallowErrors) {
      nextTick(() => this.#target.emit('error', error));
    }
  }

  // --- closing

  /** Disconnects, after a handle in transit is acknowledged. */
  disconnect() {
    if (this.#unacknowledged !== null && !this.#isClosed) {
      this.#isDisconnecting = true;
      return;
    }
    this.#target._disconnect();
  }

  close() {
    if (this.#isClosed) {
      return;
    }
    this.#isClosed = true;
    active.remove(this.#channel);
    this.#channel.close();
    const target = this.#target;
    target.channel = null;
    target._channel = null;
    for (const { callback } of this.#queue.splice(0)) {
      this.#onSendFailed(new ERR_IPC_CHANNEL_CLOSED(), callback, true);
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

/** Adds the channel's methods to a child. */
function setupChannel(target, handle, serialization, onClose) {
  return addChannel(target, serialization, onClose, (format, listener) => IpcChannel.adopt(handle, format, listener));
}

function addChannel(target, serialization, onClose, open) {
  const protocol = new MessageProtocol(target, serialization, onClose, open);
  const control = new Control(protocol.channel);
  target.channel = control;
  target._channel = control;
  target.connected = true;

  target.send = function send(message, sendHandle, options, callback) {
    if (typeof sendHandle === 'function') {
      callback = sendHandle;
      sendHandle = undefined;
      options = undefined;
    } else if (typeof options === 'function') {
      callback = options;
      options = undefined;
    } else if (options !== undefined) {
      validateObject(options, 'options');
    }
    if (this.connected) {
      return this._send(message, sendHandle, { swallowErrors: false, ...options }, callback);
    }
    const error = new ERR_IPC_CHANNEL_CLOSED();
    if (typeof callback === 'function') {
      nextTick(callback, error);
    } else {
      nextTick(() => this.emit('error', error));
    }
    return false;
  };

  target._send = function _send(message, sendHandle, options, callback) {
    return protocol.send(message, sendHandle, options, callback);
  };

  target.disconnect = function disconnect() {
    if (!this.connected) {
      this.emit('error', new ERR_IPC_DISCONNECTED());
      return;
    }
    this.connected = false;
    protocol.disconnect();
  };

  target._disconnect = function _disconnect() {
    this.connected = false;
    nextTick(() => protocol.close());
  };

  target._handleQueue = null;
  protocol.readStart();
  return { control, protocol };
}

/** Adds the channel's methods to `process` in a forked program. */
function openInChild(fd, serialization) {
  validateString(serialization, 'serialization');
  const process = require('process');
  const { control, protocol } = addChannel(process, serialization, undefined, (format, listener) => IpcChannel.open(fd, format, listener));
  protocol.channel.unref();
  const counts = (name) => name === 'message' || name === 'disconnect';
  process.on('newListener', (name) => {
    if (counts(name)) {
      control.refCounted();
      if (name === 'message') {
        nextTick(() => protocol.flush());
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
