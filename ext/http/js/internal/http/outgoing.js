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
const { canSendAtOnce, sendAtOnce, writeQueuedAtOnce } = require('internal/http/send_at_once');
const { kBytesWritten, kChunkedBuffer, kConnection, kCorked, kErrored, kOutHeaders, kHighWaterMark, kHasNonAscii, kNeedDrain, kRejectNonStandardBodyWrites, kSocket, kUniqueHeaders } = require('internal/http/symbols');

const nop = () => {};
/** The default high-water mark of a message without a socket. */
const HIGH_WATER_MARK = 64 * 1024;

function OutgoingMessage(options) {
  // As the constructor of Stream leaves them; the first listener makes the object.
  this._events = undefined;
  this._eventsCount = 0;
  this._maxListeners = undefined;
  this[kSocket] = null;
  this[kConnection] = undefined;
  this[kOutHeaders] = null;
  this[kHighWaterMark] = options?.highWaterMark ?? HIGH_WATER_MARK;
  this[kRejectNonStandardBodyWrites] = options?.rejectNonStandardBodyWrites ?? false;
}
Object.setPrototypeOf(OutgoingMessage.prototype, Stream.prototype);
Object.setPrototypeOf(OutgoingMessage, Stream);

/** Of queued data; replaced by another array when data is queued. */
const NO_DATA = [];

// What a message begins with is in the prototype: most messages change few of these.
Object.assign(OutgoingMessage.prototype, {
  outputData: NO_DATA,
  outputSize: 0,
  writable: true,
  destroyed: false,
  _last: false,
  chunkedEncoding: false,
  shouldKeepAlive: true,
  maxRequestsOnConnectionReached: false,
  _defaultKeepAlive: true,
  useChunkedEncodingByDefault: true,
  sendDate: false,
  _removedConnection: false,
  _removedContLen: false,
  _removedTE: false,
  strictContentLength: false,
  _contentLength: null,
  _hasBody: true,
  _trailer: '',
  finished: false,
  _headerSent: false,
  _closed: false,
  _header: null,
  _keepAliveTimeout: 0,
  _onPendingData: nop,
  [kBytesWritten]: 0,
  [kHasNonAscii]: false,
  [kNeedDrain]: false,
  [kCorked]: 0,
  [kChunkedBuffer]: NO_DATA,
  [kErrored]: null,
});

const accessor = (get, set) => ({ configurable: true, enumerable: false, get, set });

Object.defineProperties(OutgoingMessage.prototype, {
  socket: accessor(function socket() { return this[kSocket]; }, function setSocket(value) { this[kSocket] = value; }),
  connection: accessor(function connection() { return this[kSocket]; }, function setConnection(value) { this[kSocket] = value; }),
  errored: accessor(function errored() { return this[kErrored]; }),
  closed: accessor(function closed() { return this._closed; }),
  writableFinished: accessor(function writableFinished() {
    return this.finished && this.outputSize === 0 && (!this[kSocket] || this[kSocket].writableLength === 0);
  }),
  writableObjectMode: accessor(() => false),
  writableLength: accessor(function writableLength() {
    return this.outputSize + totalLength(this[kChunkedBuffer]) + (this[kSocket]?.writableLength ?? 0);
  }),
  writableHighWaterMark: accessor(function writableHighWaterMark() { return this[kSocket]?.writableHighWaterMark ?? this[kHighWaterMark]; }),
  writableCorked: accessor(function writableCorked() { return this[kCorked]; }),
  writableEnded: accessor(function writableEnded() { return this.finished; }),
  writableNeedDrain: accessor(function writableNeedDrain() { return !this.destroyed && !this.finished && this[kNeedDrain]; }),
  headersSent: { ...accessor(function headersSent() { return Boolean(this._header); }), enumerable: true },
});

const totalLength = (chunks) => chunks.reduce((sum, { length }) => sum + length, 0);

Object.assign(OutgoingMessage.prototype, headerMethods);

OutgoingMessage.prototype._renderHeaders = function _renderHeaders() {
  if (this._header) throw new ERR_HTTP_HEADERS_SENT('render');
  return Object.fromEntries([...(this[kOutHeaders]?.values() ?? [])]);
};

OutgoingMessage.prototype._storeHeader = function _storeHeader(firstLine, headers) {
  this._header = render(this, firstLine, headers);
  this._headerSent = false;
  // `Expect: 100-continue` needs the head to be sent before the body.
  if (this._hasExpect) this._send('');
};

OutgoingMessage.prototype.cork = function cork() {
  this[kCorked] += 1;
  this[kSocket]?.cork();
};

OutgoingMessage.prototype.uncork = function uncork() {
  this[kCorked] -= 1;
  this[kSocket]?.uncork();
  const chunks = this[kChunkedBuffer];
  if (this[kCorked] > 0 || chunks.length === 0) return;
  this[kChunkedBuffer] = [];
  // The corked chunks are sent as one chunk.
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
  this[kErrored] = error;
  if (this[kSocket]) this[kSocket].destroy(error);
  else this.once('socket', (socket) => socket.destroy(error));
  return this;
};

/** Sends data, the first time together with the head. */
OutgoingMessage.prototype._send = function _send(data, encoding, callback, length) {
  if (!this._headerSent) {
    this._headerSent = true;
    // A subclass of a program may not have set it.
    const header = this._header ?? '';
    if (typeof data === 'string' && (!encoding || encoding === 'utf8' || encoding === 'latin1') && !this[kHasNonAscii]) {
      data = header + data;
      if (length !== undefined) length += header.length;
    } else {
      this.outputData = [{ data: header, encoding: 'latin1', callback: null }, ...this.outputData];
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
  if (this.outputData === NO_DATA) this.outputData = [];
  this.outputData.push({ data, encoding, callback });
  const size = length ?? data.length;
  this.outputSize += size;
  this._onPendingData(size);
  return this.outputSize < this[kHighWaterMark];
};

function emitWriteError(message, error, callback) {
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

function validateChunk(chunk) {
  if (chunk === null) throw new ERR_STREAM_NULL_VALUES();
  if (typeof chunk !== 'string' && !isUint8Array(chunk)) throw new ERR_INVALID_ARG_TYPE('chunk', ['string', 'Buffer', 'Uint8Array'], chunk);
}

const byteLength = (chunk, encoding) => (typeof chunk === 'string' ? require('buffer').Buffer.byteLength(chunk, encoding) : chunk.byteLength);

OutgoingMessage.prototype.write = function write(chunk, encoding, callback) {
  if (typeof encoding === 'function') [callback, encoding] = [encoding, null];
  return writeChunk(this, chunk, encoding, callback ?? nop, false);
};

function writeChunk(message, chunk, encoding, callback, isLast) {
  validateChunk(chunk);
  if (message.finished) return emitWriteError(message, new ERR_STREAM_WRITE_AFTER_END(), callback);
  if (message.destroyed) return emitWriteError(message, new ERR_STREAM_DESTROYED('write'), callback);
  const length = byteLength(chunk, encoding);
  if (!message._header) {
    if (isLast) message._contentLength = length;
    message._implicitHeader();
  }
  if (!message._hasBody) {
    if (message[kRejectNonStandardBodyWrites]) throw new ERR_HTTP_BODY_NOT_ALLOWED();
    nextTick(callback);
    return true;
  }
  checkContentLength(message, length, isLast);
  message[kBytesWritten] += length;
  const socket = message[kSocket];
  if (!isLast && socket && !socket.writableCorked) {
    socket.cork();
    nextTick(() => socket.uncork());
  }
  let shouldContinue;
  if (!message.chunkedEncoding || length === 0) {
    shouldContinue = message._send(chunk, encoding, callback, length);
  } else if (message[kCorked] > 0 && message._headerSent) {
    if (message[kChunkedBuffer] === NO_DATA) message[kChunkedBuffer] = [];
    message[kChunkedBuffer].push({ chunk, encoding, callback, length });
    shouldContinue = totalLength(message[kChunkedBuffer]) < message[kHighWaterMark];
  } else {
    shouldContinue = sendChunk(message, chunk, encoding, length, callback);
  }
  if (!shouldContinue) message[kNeedDrain] = true;
  return shouldContinue;
}

/** With `strictContentLength` the body must have the length of Content-Length. */
function checkContentLength(message, length, isLast) {
  if (!message.strictContentLength || message._contentLength === null || message._removedContLen || message.chunkedEncoding) return;
  const bytes = message[kBytesWritten] + length;
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
  const entries = Array.isArray(headers) ? headers : Object.entries(headers);
  for (const [name, value] of entries) {
    validateHeaderName(name, 'Trailer name');
    const isSingleLine = !Array.isArray(value) || (value.length > 1 && this[kUniqueHeaders]?.has(name.toLowerCase()));
    for (const each of isSingleLine ? [Array.isArray(value) ? value.join('; ') : value] : value) {
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
  if (isOriginal(this) && canSendAtOnce(this, chunk, encoding) && endAtOnce(this, chunk, callback)) return this;
  const hasChunk = Boolean(chunk);
  const socket = this[kSocket];
  socket?.cork();
  let isSent = false;
  try {
    if (isCompleteBody(this, chunk, encoding)) {
      isSent = true;
      writeChunk(this, chunk, encoding, () => emitFinish(this), true);
    } else if (hasChunk) {
      writeChunk(this, chunk, encoding, nop, true);
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
  if (!isSent) {
    const onFinish = () => emitFinish(this);
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

/** Whether no method that `end` calls was replaced by the program. */
const isOriginal = (message) => message._send === OutgoingMessage.prototype._send && message._writeRaw === OutgoingMessage.prototype._writeRaw;

/** Sends the head, unless it was sent, and the whole body in one call; false: it cannot. */
function endAtOnce(message, chunk, callback) {
  const length = chunk ? byteLength(chunk) : 0;
  if (!message._header) {
    message._contentLength = length;
    message._implicitHeader();
    if (!message._header || message._headerSent) return false;
  }
  if (length > 0 && (!message._hasBody || (message.chunkedEncoding && typeof chunk !== 'string'))) return false;
  if (message._hasBody) checkContentLength(message, length, true);
  message[kBytesWritten] += length;
  if (typeof callback === 'function') message.once('finish', callback);
  sendAtOnce(message, length > 0 ? chunk : undefined, length, emitFinish);
  return true;
}

/**
 * Whether a string is the whole body and can be written together with the head. Stores the head
 * with its Content-Length.
 */
function isCompleteBody(message, chunk, encoding) {
  if (typeof chunk !== 'string' || chunk === '' || message._header || message.destroyed || message[kCorked] > 0) return false;
  message._contentLength = byteLength(chunk, encoding);
  message._implicitHeader();
  return Boolean(message._header) && message._hasBody && !message.chunkedEncoding;
}

function checkEnd(message) {
  if (message._hasBody) checkContentLength(message, 0, true);
}

function endAgain(message, chunk, callback) {
  if (chunk) {
    emitWriteError(message, new ERR_STREAM_WRITE_AFTER_END(), typeof callback === 'function' ? callback : nop);
  } else if (typeof callback === 'function') {
    if (message.writableFinished) callback(new ERR_STREAM_ALREADY_FINISHED('end'));
    else message.on('finish', callback);
  }
  return message;
}

function emitFinish(message) {
  if (message[kSocket]?._hadError) return;
  const connection = message[kConnection];
  connection?.finishResponse(message);
  message.emit('finish');
  connection?.closeResponse(message);
}

/** All data was written to the socket. */
OutgoingMessage.prototype._finish = function _finish() {
  this.emit('prefinish');
};

/** Writes queued data when the message gets a socket, or when the socket has drained. */
OutgoingMessage.prototype._flush = function _flush() {
  const socket = this[kSocket];
  if (!socket?.writable) return;
  const shouldContinue = this._flushOutput(socket);
  if (this.finished) {
    this._finish();
  } else if (shouldContinue && this[kNeedDrain]) {
    this[kNeedDrain] = false;
    this.emit('drain');
  }
};

OutgoingMessage.prototype._flushOutput = function _flushOutput(socket) {
  while (this[kCorked] > 0) {
    this[kCorked] -= 1;
    socket.cork();
  }
  const queued = this.outputData;
  if (queued.length === 0) return true;
  this.outputData = [];
  this._onPendingData(-this.outputSize);
  this.outputSize = 0;
  if (queued.length === 1 && writeQueuedAtOnce(socket, queued[0])) return true;
  let shouldContinue = true;
  socket.cork();
  for (const { data, encoding, callback } of queued) shouldContinue = socket.write(data, encoding, callback);
  socket.uncork();
  return shouldContinue;
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

OutgoingMessage.prototype[Symbol.for('nodejs.rejection')] = function captureRejection(error) {
  this.destroy(error);
};

module.exports = { OutgoingMessage };
