// `http.OutgoingMessage`: responses of a server, requests of a client. In: header fields, chunks of
// a body. Out: bytes on a socket, once there is one; the head and the first chunk in one write.
// Header fields: headers.js; start lines: response.js, client.js.
'use strict';

const { Stream } = require('stream');
const { nextTick } = require('process');
const {
  codes: {
    ERR_HTTP_BODY_NOT_ALLOWED, ERR_HTTP_CONTENT_LENGTH_MISMATCH, ERR_HTTP_HEADERS_SENT, ERR_INVALID_ARG_TYPE,
    ERR_METHOD_NOT_IMPLEMENTED, ERR_STREAM_ALREADY_FINISHED, ERR_STREAM_CANNOT_PIPE, ERR_STREAM_DESTROYED, ERR_STREAM_NULL_VALUES,
    ERR_STREAM_WRITE_AFTER_END,
  },
} = require('internal/errors');
const { isUint8Array } = require('util').types;
const { methods: headerMethods, render } = require('internal/http/headers');
const { hasInvalidChar, validateHeaderName } = require('internal/http/constants');
const { kBodyBytes, kChunks, kCorked, kError, kHeaders, kHighWaterMark, kIsHigh, kNeedsDrain, kRejectsBody, kSocket, kUnique } = require('internal/http/symbols');

const nop = () => {};
/** As many bytes wait without a socket before `write` says so. */
const HIGH_WATER_MARK = 64 * 1024;

function OutgoingMessage(options) {
  Reflect.apply(Stream, this, []);
  // One by one: the engine is slow where they come from another object.
  this.outputData = [];
  this.outputSize = 0;
  this.writable = true;
  this.destroyed = false;
  this._last = false;
  this.chunkedEncoding = false;
  this.shouldKeepAlive = true;
  this.maxRequestsOnConnectionReached = false;
  this._defaultKeepAlive = true;
  this.useChunkedEncodingByDefault = true;
  this.sendDate = false;
  this._removedConnection = false;
  this._removedContLen = false;
  this._removedTE = false;
  this.strictContentLength = false;
  this._contentLength = null;
  this._hasBody = true;
  this._trailer = '';
  this.finished = false;
  this._headerSent = false;
  this._closed = false;
  this._header = null;
  this._keepAliveTimeout = 0;
  this._onPendingData = nop;
  this[kSocket] = null;
  this[kHeaders] = null;
  this[kBodyBytes] = 0;
  this[kIsHigh] = false;
  this[kNeedsDrain] = false;
  this[kCorked] = 0;
  this[kChunks] = [];
  this[kError] = null;
  this[kHighWaterMark] = options?.highWaterMark ?? HIGH_WATER_MARK;
  this[kRejectsBody] = options?.rejectNonStandardBodyWrites ?? false;
}
Object.setPrototypeOf(OutgoingMessage.prototype, Stream.prototype);
Object.setPrototypeOf(OutgoingMessage, Stream);

const getter = (get, set) => ({ configurable: true, enumerable: false, get, set });

Object.defineProperties(OutgoingMessage.prototype, {
  socket: getter(function socket() { return this[kSocket]; }, function setSocket(value) { this[kSocket] = value; }),
  connection: getter(function connection() { return this[kSocket]; }, function setConnection(value) { this[kSocket] = value; }),
  errored: getter(function errored() { return this[kError]; }),
  closed: getter(function closed() { return this._closed; }),
  writableFinished: getter(function writableFinished() {
    return this.finished && this.outputSize === 0 && (!this[kSocket] || this[kSocket].writableLength === 0);
  }),
  writableObjectMode: getter(() => false),
  writableLength: getter(function writableLength() {
    return this.outputSize + bytesOf(this[kChunks]) + (this[kSocket]?.writableLength ?? 0);
  }),
  writableHighWaterMark: getter(function writableHighWaterMark() { return this[kSocket]?.writableHighWaterMark ?? this[kHighWaterMark]; }),
  writableCorked: getter(function writableCorked() { return this[kCorked]; }),
  writableEnded: getter(function writableEnded() { return this.finished; }),
  writableNeedDrain: getter(function writableNeedDrain() { return !this.destroyed && !this.finished && this[kNeedsDrain]; }),
  headersSent: { ...getter(function headersSent() { return Boolean(this._header); }), enumerable: true },
});

const bytesOf = (chunks) => chunks.reduce((sum, { length }) => sum + length, 0);

Object.assign(OutgoingMessage.prototype, headerMethods);

OutgoingMessage.prototype._renderHeaders = function _renderHeaders() {
  if (this._header) throw new ERR_HTTP_HEADERS_SENT('render');
  return Object.fromEntries([...(this[kHeaders]?.values() ?? [])]);
};

OutgoingMessage.prototype._storeHeader = function _storeHeader(firstLine, headers) {
  this._header = render(this, firstLine, headers);
  this._headerSent = false;
  // `Expect: 100-continue` needs the head to be sent before the body.
  if (this.expectsAnswer) this._send('');
};

OutgoingMessage.prototype.cork = function cork() {
  this[kCorked] += 1;
  this[kSocket]?.cork();
};

OutgoingMessage.prototype.uncork = function uncork() {
  this[kCorked] -= 1;
  this[kSocket]?.uncork();
  const chunks = this[kChunks];
  if (this[kCorked] > 0 || chunks.length === 0) return;
  this[kChunks] = [];
  // One chunk of what was written meanwhile.
  const { Buffer } = require('buffer');
  const body = Buffer.concat(chunks.map(({ chunk, encoding }) => (typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk)));
  const callbacks = chunks.map(({ callback }) => callback).filter(Boolean);
  sendChunk(this, body, undefined, body.length, callbacks.length === 0 ? undefined : (error) => { for (const callback of callbacks) callback(error); });
};

OutgoingMessage.prototype.setTimeout = function setTimeout(msecs, callback) {
  if (callback) this.on('timeout', callback);
  if (this[kSocket]) this[kSocket].setTimeout(msecs);
  else this.once('socket', (socket) => socket.setTimeout(msecs));
  return this;
};

OutgoingMessage.prototype.destroy = function destroy(error) {
  if (this.destroyed) return this;
  this.destroyed = true;
  this[kError] = error;
  if (this[kSocket]) this[kSocket].destroy(error);
  else this.once('socket', (socket) => socket.destroy(error));
  return this;
};

/** The head goes with the first piece. */
OutgoingMessage.prototype._send = function _send(data, encoding, callback, length) {
  if (!this._headerSent) {
    this._headerSent = true;
    // A program's own kind of message may have none.
    const header = this._header ?? '';
    if (typeof data === 'string' && (!encoding || encoding === 'utf8' || encoding === 'latin1') && !this[kIsHigh]) {
      data = header + data;
      if (length !== undefined) length += header.length;
    } else {
      this.outputData.unshift({ data: header, encoding: 'latin1', callback: null });
      this.outputSize += header.length;
      this._onPendingData(header.length);
    }
  }
  return this._writeRaw(data, encoding, callback, length);
};

OutgoingMessage.prototype._writeRaw = function _writeRaw(data, encoding, callback, length) {
  const socket = this[kSocket];
  if (socket?.destroyed) return false;
  if (typeof encoding === 'function') [callback, encoding] = [encoding, null];
  if (socket && socket._httpMessage === this && socket.writable) {
    if (this.outputData.length > 0) this._flushOutput(socket);
    return socket.write(data, encoding, callback);
  }
  this.outputData.push({ data, encoding, callback });
  const size = length ?? data.length;
  this.outputSize += size;
  this._onPendingData(size);
  return this.outputSize < this[kHighWaterMark];
};

function fail(message, error, callback) {
  if (message.destroyed) {
    nextTick(callback, error);
    return false;
  }
  nextTick(() => {
    callback(error);
    if (typeof message.emit === 'function' && !message.destroyed) message.emit('error', error);
  });
  return false;
}

function checkChunk(chunk) {
  if (chunk === null) throw new ERR_STREAM_NULL_VALUES();
  if (typeof chunk !== 'string' && !isUint8Array(chunk)) throw new ERR_INVALID_ARG_TYPE('chunk', ['string', 'Buffer', 'Uint8Array'], chunk);
}

const lengthOf = (chunk, encoding) => (typeof chunk === 'string' ? require('buffer').Buffer.byteLength(chunk, encoding) : chunk.byteLength);

OutgoingMessage.prototype.write = function write(chunk, encoding, callback) {
  if (typeof encoding === 'function') [callback, encoding] = [encoding, null];
  return writePiece(this, chunk, encoding, callback ?? nop, false);
};

function writePiece(message, chunk, encoding, callback, isLast) {
  checkChunk(chunk);
  if (message.finished) return fail(message, new ERR_STREAM_WRITE_AFTER_END(), callback);
  if (message.destroyed) return fail(message, new ERR_STREAM_DESTROYED('write'), callback);
  const length = lengthOf(chunk, encoding);
  if (!message._header) {
    if (isLast) message._contentLength = length;
    message._implicitHeader();
  }
  if (!message._hasBody) {
    if (message[kRejectsBody]) throw new ERR_HTTP_BODY_NOT_ALLOWED();
    nextTick(callback);
    return true;
  }
  checkLength(message, length, isLast);
  message[kBodyBytes] += length;
  const socket = message[kSocket];
  if (!isLast && socket && !socket.writableCorked) {
    socket.cork();
    nextTick(() => socket.uncork());
  }
  let isRoom;
  if (!message.chunkedEncoding || length === 0) {
    isRoom = message._send(chunk, encoding, callback, length);
  } else if (message[kCorked] > 0 && message._headerSent) {
    message[kChunks].push({ chunk, encoding, callback, length });
    isRoom = bytesOf(message[kChunks]) < message[kHighWaterMark];
  } else {
    isRoom = sendChunk(message, chunk, encoding, length, callback);
  }
  if (!isRoom) message[kNeedsDrain] = true;
  return isRoom;
}

/** A body as long as it said, if that matters. */
function checkLength(message, length, isLast) {
  if (!message.strictContentLength || message._contentLength === null || message._removedContLen || message.chunkedEncoding) return;
  const bytes = message[kBodyBytes] + length;
  if (isLast ? bytes !== message._contentLength : bytes > message._contentLength) {
    throw new ERR_HTTP_CONTENT_LENGTH_MISMATCH(bytes, message._contentLength);
  }
}

function sendChunk(message, chunk, encoding, length, callback) {
  const head = `${length.toString(16)}\r\n`;
  if (typeof chunk === 'string' && (!encoding || encoding === 'utf8' || encoding === 'utf-8')) {
    return message._send(`${head}${chunk}\r\n`, 'utf8', callback, head.length + length + 2);
  }
  message._send(head, 'latin1', null);
  message._send(chunk, encoding, null, length);
  return message._send('\r\n', 'latin1', callback);
}

OutgoingMessage.prototype.addTrailers = function addTrailers(headers) {
  this._trailer = '';
  const pairs = Array.isArray(headers) ? headers : Object.entries(headers);
  for (const [name, value] of pairs) {
    validateHeaderName(name, 'Trailer name');
    const isOne = !Array.isArray(value) || (value.length > 1 && this[kUnique]?.has(name.toLowerCase()));
    for (const each of isOne ? [Array.isArray(value) ? value.join('; ') : value] : value) {
      if (hasInvalidChar(each)) {
        const { codes: { ERR_INVALID_CHAR } } = require('internal/errors');
        throw new ERR_INVALID_CHAR('trailer content', name);
      }
      this._trailer += `${name}: ${each}\r\n`;
    }
  }
};

OutgoingMessage.prototype.end = function end(chunk, encoding, callback) {
  if (typeof chunk === 'function') [callback, chunk, encoding] = [chunk, null, null];
  else if (typeof encoding === 'function') [callback, encoding] = [encoding, null];
  if (this.finished) return endAgain(this, chunk, callback);
  const hasChunk = Boolean(chunk);
  const socket = this[kSocket];
  socket?.cork();
  let isDone = false;
  try {
    if (isWhole(this, chunk, encoding)) {
      isDone = true;
      writePiece(this, chunk, encoding, () => onFinished(this), true);
    } else if (hasChunk) {
      writePiece(this, chunk, encoding, nop, true);
    } else if (!this._header) {
      this._contentLength = 0;
      this._implicitHeader();
    } else {
      checkEnd(this);
    }
  } catch (error) {
    socket?.uncork();
    throw error;
  }
  if (typeof callback === 'function') this.once('finish', callback);
  if (!isDone) {
    const onFinish = () => onFinished(this);
    while (this[kCorked] > 0) this.uncork();
    if (this._hasBody && this.chunkedEncoding) this._send(`0\r\n${this._trailer}\r\n`, 'latin1', onFinish);
    else if (!this._headerSent || this.writableLength > 0 || hasChunk) this._send('', 'latin1', onFinish);
    else nextTick(onFinish);
  }
  socket?.uncork();
  this.finished = true;
  if (this.outputData.length === 0 && this[kSocket] && this[kSocket]._httpMessage === this) this._finish();
  return this;
};

/** A text that is all there is, of a message whose length it is: one write with the head. */
function isWhole(message, chunk, encoding) {
  if (typeof chunk !== 'string' || chunk === '' || message._header || message.destroyed || message[kCorked] > 0) return false;
  message._contentLength = lengthOf(chunk, encoding);
  message._implicitHeader();
  return Boolean(message._header) && message._hasBody && !message.chunkedEncoding;
}

function checkEnd(message) {
  if (message._hasBody) checkLength(message, 0, true);
}

function endAgain(message, chunk, callback) {
  if (chunk) {
    fail(message, new ERR_STREAM_WRITE_AFTER_END(), typeof callback === 'function' ? callback : nop);
  } else if (typeof callback === 'function') {
    if (message.writableFinished) callback(new ERR_STREAM_ALREADY_FINISHED('end'));
    else message.on('finish', callback);
  }
  return message;
}

function onFinished(message) {
  if (message[kSocket]?._hadError) return;
  message.emit('finish');
}

/** All was given to the socket. */
OutgoingMessage.prototype._finish = function _finish() {
  this.emit('prefinish');
};

/** There is a socket, or room in it again. */
OutgoingMessage.prototype._flush = function _flush() {
  const socket = this[kSocket];
  if (!socket?.writable) return;
  const isRoom = this._flushOutput(socket);
  if (this.finished) {
    this._finish();
  } else if (isRoom && this[kNeedsDrain]) {
    this[kNeedsDrain] = false;
    this.emit('drain');
  }
};

OutgoingMessage.prototype._flushOutput = function _flushOutput(socket) {
  while (this[kCorked] > 0) {
    this[kCorked] -= 1;
    socket.cork();
  }
  const waiting = this.outputData;
  if (waiting.length === 0) return true;
  this.outputData = [];
  this._onPendingData(-this.outputSize);
  this.outputSize = 0;
  let isRoom = true;
  socket.cork();
  for (const { data, encoding, callback } of waiting) isRoom = socket.write(data, encoding, callback);
  socket.uncork();
  return isRoom;
};

OutgoingMessage.prototype.flushHeaders = function flushHeaders() {
  if (!this._header) this._implicitHeader();
  this._send('');
};

OutgoingMessage.prototype._implicitHeader = function _implicitHeader() {
  throw new ERR_METHOD_NOT_IMPLEMENTED('_implicitHeader()');
};

OutgoingMessage.prototype.pipe = function pipe() {
  this.emit('error', new ERR_STREAM_CANNOT_PIPE());
};

OutgoingMessage.prototype[Symbol.for('nodejs.rejection')] = function captured(error) {
  this.destroy(error);
};

module.exports = { OutgoingMessage };
