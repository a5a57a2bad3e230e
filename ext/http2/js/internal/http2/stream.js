// `Http2Stream`: one stream of a session, a Duplex. In: a session, a native handle once there is
// one. Out: content as it arrives, trailers, the code that the stream was closed with. Requests:
// client_stream.js; responses: server_stream.js.
'use strict';

const { Duplex } = require('stream');
const { nextTick } = require('process');
const {
  AbortError,
  codes: { ERR_HTTP2_INVALID_STREAM, ERR_HTTP2_STREAM_ERROR, ERR_HTTP2_TRAILERS_ALREADY_SENT, ERR_HTTP2_TRAILERS_NOT_READY },
} = require('internal/errors');
const { validateFunction, validateInteger } = require('internal/validators');
const { kTimeout } = require('internal/timers');
const { bind } = require('internal/async_context');
const timeout = require('internal/net/timeout');
const { CODES, constants } = require('internal/http2/constants');
const { NghttpError, assertIsObject, assertValidPseudoHeaderTrailer, buildNgHeaderString, kSensitiveHeaders } = require('internal/http2/util');
const {
  kHandle, kID, kInit, kMaybeDestroy, kProceed, kSentHeaders, kSentInfoHeaders, kSentTrailers, kSession, kState, kType, kUpdateTimer,
} = require('internal/http2/symbols');
const { channels } = require('internal/http2/channels');

const { NGHTTP2_CANCEL, NGHTTP2_INTERNAL_ERROR, NGHTTP2_NO_ERROR, NGHTTP2_SESSION_SERVER } = constants;
const CODE_MAX = 2 ** 32 - 1;

/** Whether closing a stream sends RST_STREAM: not, when all is written, or at once. */
const Reset = { NONE: 0, WHEN_FINISHED: 1, NOW: 2 };

class Http2Stream extends Duplex {
  constructor(session, options) {
    super({ ...options, allowHalfOpen: true, decodeStrings: false, autoDestroy: false });
    // What is written waits for the handle.
    this.cork();
    this[kSession] = session;
    this[kHandle] = undefined;
    this[kTimeout] = null;
    this.timeout = 0;
    this[kState] = {
      isReady: false,
      isClosed: false,
      isAborted: false,
      hasSentHeaders: false,
      wantsTrailers: false,
      isHeadRequest: false,
      trailersReady: false,
      endAfterHeaders: false,
      rstCode: NGHTTP2_NO_ERROR,
      hasEnded: false,
      isReading: false,
      /** A file is sent. */
      isFile: false,
      /** Chunks that are not in frames yet, and their bytes. */
      sizes: [],
      queuedBytes: 0,
      writeCallback: null,
      finalCallback: null,
      fd: undefined,
    };
    session[kState].pendingStreams.add(this);
    // Events of a request are in the context of its caller.
    this.runInContext = bind((body) => body());
    this.on('finish', () => this[kMaybeDestroy]());
    this.on('pause', () => { if (!this.pending && !this.destroyed) this.#setReading(false); });
  }

  /** The stream has a number. */
  [kInit](id, handle) {
    const state = this[kState];
    state.isReady = true;
    const sessionState = this[kSession][kState];
    sessionState.pendingStreams.delete(this);
    sessionState.streams.set(id, this);
    this[kID] = id;
    this[kHandle] = handle;
    this[kState].measurement = startMeasurement();
    this.uncork();
    this.emit('ready');
  }

  [kUpdateTimer]() {
    if (this.destroyed) return;
    if (this[kTimeout] !== null) this._unrefTimer();
    this[kSession]?.[kUpdateTimer]();
  }

  get id() { return this[kID]; }
  get session() { return this[kSession]; }
  get pending() { return !this[kState].isReady; }
  get closed() { return this[kState].isClosed; }
  get aborted() { return this[kState].isAborted; }
  get headersSent() { return this[kState].hasSentHeaders; }
  get endAfterHeaders() { return this[kState].endAfterHeaders; }
  get rstCode() { return this[kState].rstCode; }
  get sentHeaders() { return this[kSentHeaders]; }
  get sentInfoHeaders() { return this[kSentInfoHeaders]; }
  get sentTrailers() { return this[kSentTrailers]; }
  get bufferSize() { return this[kState].queuedBytes + this.writableLength; }

  get _handle() { return this[kHandle]; }

  get state() {
    const numbers = this[kHandle]?.state();
    if (numbers === undefined) return {};
    const [state, localClose, remoteClose, localWindowSize] = numbers;
    return { state, weight: constants.NGHTTP2_DEFAULT_WEIGHT, sumDependencyWeight: 0, localClose, remoteClose, localWindowSize };
  }

  /** Deprecated in Node: priorities are not sent any more. */
  priority() {
    warnOfPriority('http2Stream.priority is longer supported after priority signalling was deprecated in RFC 9113');
    if (this.destroyed) throw new ERR_HTTP2_INVALID_STREAM();
  }

  _onTimeout() {
    if (this.destroyed) return;
    const state = this[kState];
    // Something is written, slowly.
    const sent = this[kSession][kHandle]?.bytesSent();
    if (state.queuedBytes > 0 && sent !== state.lastBytesSent) {
      state.lastBytesSent = sent;
      this[kUpdateTimer]();
      return;
    }
    this.emit('timeout');
  }

  _write(chunk, encoding, callback) {
    this.#write([{ chunk, encoding }], callback);
  }

  _writev(chunks, callback) {
    this.#write(chunks, callback);
  }

  /** Content of a file, which may follow the program's end. */
  writeFile(bytes, callback) {
    this.#write([{ chunk: bytes }], callback);
  }

  /** The content of the file is complete. */
  endFile() {
    const state = this[kState];
    state.isFile = false;
    const { finalCallback } = state;
    state.finalCallback = null;
    if (finalCallback !== null) this._final(finalCallback);
    else if (!this.destroyed && !this.closed) this.end();
  }

  #write(chunks, callback) {
    if (this.pending) {
      this.once('ready', () => this.#write(chunks, callback));
      return;
    }
    // An error was emitted already.
    if (this.destroyed) return;
    this[kUpdateTimer]();
    if (!this.headersSent) this[kProceed]();
    const handle = this[kHandle];
    const state = this[kState];
    const bytes = joinChunks(chunks);
    const size = typeof bytes === 'string' ? require('buffer').Buffer.byteLength(bytes) : bytes.byteLength;
    const error = handle === undefined ? 0 : handle.writeBuffer(bytes);
    // The native stream has ended, which is reported soon.
    if (error < 0 && handle.state() === undefined) {
      callback();
      return;
    }
    if (error < 0) {
      callback(new NghttpError(error));
      return;
    }
    state.sizes.push(size);
    measure(state, size, 'timeToFirstByteSent', 'bytesWritten');
    state.queuedBytes += size;
    state.writeCallback = callback;
    // An end that follows at once is in the frame of the data.
    nextTick(endEarly, this);
  }

  /** So many chunks are in frames. */
  onWritten(chunks) {
    const state = this[kState];
    for (const size of state.sizes.splice(0, chunks)) state.queuedBytes -= size;
    if (state.writeCallback !== null && state.sizes.length === 0) {
      const callback = state.writeCallback;
      state.writeCallback = null;
      callback();
    }
    this.#finishFinal();
  }

  _final(callback) {
    if (this.pending) {
      this.once('ready', () => this._final(callback));
      return;
    }
    const state = this[kState];
    state.finalCallback = callback;
    if (state.isFile && !state.isAborted) return;
    // After an abort the stream is reset, which is no end of the content.
    if (!state.isAborted) this[kHandle]?.shutdown(state.wantsTrailers);
    this.#finishFinal();
  }

  #finishFinal() {
    const state = this[kState];
    if (state.finalCallback === null || state.isFile || (state.sizes.length > 0 && this[kHandle] !== undefined)) return;
    const callback = state.finalCallback;
    state.finalCallback = null;
    callback();
  }

  _read() {
    if (this.destroyed) {
      this.push(null);
    } else if (this.pending) {
      this.once('ready', () => this._read());
    } else {
      this.#setReading(true);
    }
  }

  /** While the program does not read, the peer gets no credit for what arrives. */
  #setReading(isReading) {
    const state = this[kState];
    if (state.isReading === isReading) return;
    state.isReading = isReading;
    if (isReading) this[kHandle]?.readStart();
    else this[kHandle]?.readStop();
  }

  receive(bytes) {
    if (this.destroyed) return;
    this[kUpdateTimer]();
    measure(this[kState], bytes.byteLength, 'timeToFirstByte', 'bytesRead');
    if (!this.push(bytes)) this.#setReading(false);
  }

  /** The peer has ended its half. */
  receiveEnd() {
    this[kState].hasEnded = true;
    this[kUpdateTimer]();
    if (!this.readableEnded && !this._readableState.ended) this.push(null);
  }

  onTrailersWanted() {
    this[kState].trailersReady = true;
    // Without a listener there are no trailers.
    if (this.destroyed || this.closed || !this.emit('wantTrailers')) this[kHandle]?.endWithoutTrailers();
  }

  /** Before the end: there will be no trailers. */
  endWithoutTrailers() {
    if (!this[kState].trailersReady) this[kState].wantsTrailers = false;
  }

  sendTrailers(headers) {
    if (this.destroyed || this.closed) throw new ERR_HTTP2_INVALID_STREAM();
    if (this[kSentTrailers]) throw new ERR_HTTP2_TRAILERS_ALREADY_SENT();
    if (!this[kState].trailersReady) throw new ERR_HTTP2_TRAILERS_NOT_READY();
    assertIsObject(headers, 'headers');
    const sent = copyHeaders(headers);
    const [list, count] = buildNgHeaderString(sent, assertValidPseudoHeaderTrailer);
    this[kSentTrailers] = sent;
    // A header block without fields would need a frame of its own.
    const error = count === 0 ? this[kHandle].endWithoutTrailers() : this[kHandle].trailers(list);
    if (error < 0) this.destroy(new NghttpError(error));
  }

  close(code = NGHTTP2_NO_ERROR, callback = undefined) {
    validateInteger(code, 'code', 0, CODE_MAX);
    if (callback !== undefined) validateFunction(callback, 'callback');
    if (this.closed) return;
    if (callback !== undefined) this.once('close', callback);
    closeStream(this, code);
  }

  /** The native stream has ended. */
  onClosed(code) {
    if (this.destroyed) return;
    if (!this.closed) closeStream(this, code, Reset.NONE);
    stopTimeout(this);
    this[kState].sizes = [];
    this.#finishFinal();
    if (this.readableEnded || code !== NGHTTP2_NO_ERROR) {
      this.destroy();
      return;
    }
    // The content is read first.
    this.on('end', () => this.destroy());
    if (!this._readableState.ended) this.push(null);
    if (this[kSession][kType] === NGHTTP2_SESSION_SERVER && this.readableFlowing === null && !this.readableDidRead) this.resume();
    else this.read(0);
  }

  _destroy(error, callback) {
    const session = this[kSession];
    const handle = this[kHandle];
    const state = this[kState];
    const sessionState = session[kState];
    const sessionCode = sessionState.goawayCode || sessionState.destroyCode;
    let code = this.closed ? this.rstCode : sessionCode;
    if (error != null) {
      if (sessionCode) code = sessionCode;
      else if (error instanceof AbortError) code = NGHTTP2_CANCEL;
      else code = NGHTTP2_INTERNAL_ERROR;
    }
    const hasHandle = handle !== undefined;
    if (!this.closed) closeStream(this, code, hasHandle ? Reset.NOW : Reset.NONE);
    else if (hasHandle && !session.destroyed && error != null && handle.state() !== undefined) handle.rstStream(code);
    this.push(null);
    if (hasHandle) sessionState.streams.delete(this[kID]);
    else sessionState.pendingStreams.delete(this);
    if (error == null && code !== NGHTTP2_NO_ERROR && code !== NGHTTP2_CANCEL) error = new ERR_HTTP2_STREAM_ERROR(CODES[code] || code);
    this[kSession] = undefined;
    this[kHandle] = undefined;
    for (const pending of [state.writeCallback, state.finalCallback]) if (pending !== null) nextTick(pending, error);
    state.writeCallback = state.finalCallback = null;
    this.#endMeasurement(sessionState);
    const { error: failed, close } = channels(session[kType]);
    if (error && failed.hasSubscribers) failed.publish({ stream: this, error });
    if (close.hasSubscribers) close.publish({ stream: this });
    // The session may end after its last stream.
    setImmediate(() => session[kMaybeDestroy]());
    callback(error);
  }

  #endMeasurement(sessionState) {
    const { measurement } = this[kState];
    if (measurement === undefined) return;
    const { end, start, ...detail } = measurement;
    sessionState.streamMs += performance.now() - start;
    end(detail);
  }

  /** Destroys the stream when both halves are done. */
  [kMaybeDestroy](code = NGHTTP2_NO_ERROR) {
    if (code !== NGHTTP2_NO_ERROR) {
      this.destroy();
      return;
    }
    if (!this.writableFinished || this.destroyed) return;
    if (!this.readable && this.closed) {
      this.destroy();
      return;
    }
    // A response was sent by a server that does not read the request.
    const isServer = this[kSession]?.[kType] === NGHTTP2_SESSION_SERVER;
    if (isServer && this.headersSent && !this[kState].wantsTrailers && !this.readableDidRead && this.readableFlowing === null && !this[kState].hasEnded) {
      // Streams can still be pushed in this turn.
      setImmediate(() => this.close());
    }
  }

  [Symbol.for('nodejs.util.inspect.custom')](depth, options) {
    if (typeof depth === 'number' && depth < 0) return this;
    const { inspect } = require('util');
    const object = {
      id: this[kID] || '<pending>',
      closed: this.closed,
      destroyed: this.destroyed,
      state: this.state,
      readableState: this._readableState,
      writableState: this._writableState,
    };
    return `Http2Stream ${inspect(object, { ...options, depth: options.depth == null ? null : options.depth - 1 })}`;
  }
}

Http2Stream.prototype.setTimeout = timeout.methods.setTimeout;
Http2Stream.prototype._unrefTimer = timeout.methods._unrefTimer;

/** Times since the start and bytes, if a program observes them. */
function startMeasurement() {
  const end = require('internal/perf/observe').begin('http2', 'Http2Stream');
  if (end === undefined) return undefined;
  return { end, start: performance.now(), timeToFirstByte: 0, timeToFirstByteSent: 0, timeToFirstHeader: 0, bytesWritten: 0, bytesRead: 0 };
}

/** Notes bytes of a stream that is observed, and when the first came. */
function measure({ measurement }, bytes, time, count) {
  if (measurement === undefined) return;
  measurement[count] += bytes;
  if (measurement[time] === 0) measurement[time] = performance.now() - measurement.start;
}

function endEarly(stream) {
  const state = stream[kState];
  const writable = stream._writableState;
  if (stream.destroyed || state.wantsTrailers || state.isFile || !writable.ending || writable.bufferedRequestCount > 0) return;
  stream[kHandle]?.shutdown(false);
}

function joinChunks(chunks) {
  const { Buffer } = require('buffer');
  if (chunks.length === 1) {
    const [{ chunk, encoding }] = chunks;
    const isUtf8 = typeof chunk !== 'string' || encoding === 'utf8' || encoding === 'utf-8';
    return isUtf8 ? chunk : Buffer.from(chunk, encoding);
  }
  return Buffer.concat(chunks.map(({ chunk, encoding }) => (typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk)));
}

let isPriorityWarned = false;

function warnOfPriority(message) {
  if (isPriorityWarned) return;
  isPriorityWarned = true;
  require('process').emitWarning(message, 'DeprecationWarning', 'DEP0194');
}

/** A copy without prototype, with the names of sensitive fields. */
function copyHeaders(headers) {
  const copy = { __proto__: null, ...headers };
  if (headers?.[kSensitiveHeaders] !== undefined) copy[kSensitiveHeaders] = headers[kSensitiveHeaders];
  return copy;
}

function stopTimeout(stream) {
  clearTimeout(stream[kTimeout]);
  stream[kTimeout] = null;
  stream.timeout = 0;
  stream.removeAllListeners('timeout');
}

function closeStream(stream, code, reset = Reset.WHEN_FINISHED) {
  const state = stream[kState];
  state.isClosed = true;
  state.rstCode = code;
  stopTimeout(stream);
  const ending = stream._writableState.ending;
  if (!ending) {
    // The writable half is still open.
    if (!stream.aborted) {
      state.isAborted = true;
      stream.emit('aborted');
    }
    stream.end();
  }
  if (reset === Reset.NONE) return;
  const finish = () => resetStream(stream, code);
  if (!ending || stream.writableFinished || code !== NGHTTP2_NO_ERROR || reset === Reset.NOW) finish();
  else stream.once('finish', finish);
}

function resetStream(stream, code) {
  if (stream.pending) {
    stream.push(null);
    stream.once('ready', () => resetStream(stream, code));
    return;
  }
  // The peer of a session that is destroyed gets GOAWAY.
  if (!stream[kSession]?.destroyed) stream[kHandle]?.rstStream(code);
}

module.exports = { Http2Stream, copyHeaders, warnOfPriority };
