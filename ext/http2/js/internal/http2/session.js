// `Http2Session`: one end of an HTTP/2 connection. In: a socket, options. Out: streams, and events
// of the connection. Events of the native session: session_events.js. Absent: requests
// (client.js), servers (server.js).
'use strict';

const EventEmitter = require('events');
const { nextTick } = require('process');
const { codes: {
  ERR_HTTP2_INVALID_SESSION, ERR_HTTP2_MAX_PENDING_SETTINGS_ACK, ERR_HTTP2_PING_CANCEL, ERR_HTTP2_PING_LENGTH, ERR_HTTP2_SESSION_ERROR,
  ERR_HTTP2_SETTINGS_CANCEL, ERR_HTTP2_SOCKET_BOUND, ERR_HTTP2_STREAM_CANCEL, ERR_OUT_OF_RANGE,
} } = require('internal/errors');
const { validateBuffer, validateFunction, validateInt32, validateNumber } = require('internal/validators');
const { kTimeout } = require('internal/timers');
const timeout = require('internal/net/timeout');
const { constants } = require('internal/http2/constants');
const { Http2SessionHandle } = require('internal/http2/handle');
const { settingsObject, settingsPairs, validateSettings } = require('internal/http2/settings');
const { makeTransport } = require('internal/http2/transport');
const { NghttpError, assertIsObject, sessionName } = require('internal/http2/util');
const symbols = require('internal/http2/symbols');

const {
  kAlpnProtocol, kBoundSession, kEncrypted, kHandle, kLocalSettings, kMaybeDestroy, kProxySocket, kRemoteSettings, kServer, kSocket, kState, kType,
  kUpdateTimer, kOptions,
} = symbols;
const { NGHTTP2_CANCEL, NGHTTP2_INTERNAL_ERROR, NGHTTP2_NO_ERROR, NGHTTP2_SESSION_SERVER } = constants;

const STREAM_ID_MAX = 2 ** 32 - 1;
const PING_BYTES = 8;

/** Waits for the connection, if there is none yet. */
function whenConnected(session, body) {
  if (session.connecting) session.once('connect', body);
  else body();
}

class Http2Session extends EventEmitter {
  constructor(type, options, socket) {
    super();
    if (socket[kBoundSession] !== undefined) throw new ERR_HTTP2_SOCKET_BOUND();
    socket[kBoundSession] = this;
    this[kState] = {
      isReady: false,
      isClosed: false,
      isDestroyed: false,
      destroyCode: NGHTTP2_NO_ERROR,
      goawayCode: null,
      goawayLastStreamID: null,
      streams: new Map(),
      pendingStreams: new Set(),
      pendingAck: 0,
      /** The time of all streams that have ended. */
      streamMs: 0,
      originSet: undefined,
    };
    this[kState].endMeasurement = require('internal/perf/observe').begin('http2', 'Http2Session', { type: sessionName(type) });
    this[kEncrypted] = undefined;
    this[kAlpnProtocol] = undefined;
    this[kType] = type;
    this[kProxySocket] = null;
    this[kSocket] = socket;
    this[kTimeout] = null;
    this.timeout = 0;
    this[kHandle] = undefined;
    this[kOptions] = options;
    socket.on('error', socketOnError);
    socket.on('close', socketOnClose);
    if (typeof socket.disableRenegotiation === 'function') socket.disableRenegotiation();
    const setup = () => setupHandle(this, socket, type, options);
    if (socket.connecting || socket.secureConnecting) {
      socket.once(socket.secureConnecting && socket.encrypted ? 'secureConnect' : 'connect', () => {
        try {
          setup();
        } catch (error) {
          socket.destroy(error);
        }
      });
    } else {
      setup();
    }
  }

  get encrypted() { return this[kEncrypted]; }
  get alpnProtocol() { return this[kAlpnProtocol]; }
  get type() { return this[kType]; }
  get connecting() { return !this[kState].isReady; }
  get closed() { return this[kState].isClosed; }
  get destroyed() { return this[kState].isDestroyed; }
  get pendingSettingsAck() { return this[kState].pendingAck > 0; }

  get originSet() {
    if (!this.encrypted || this.destroyed) return undefined;
    return Array.from(originSetOf(this));
  }

  get socket() {
    return this[kProxySocket] ??= require('internal/http2/socket_proxy').proxySession(this);
  }

  get state() {
    const numbers = this.connecting || this.destroyed ? undefined : this[kHandle]?.state();
    if (numbers === undefined) return {};
    const [localSize, received, nextStreamID, lastProcStreamID, remoteWindowSize, outboundQueueSize, deflateDynamicTableSize, inflateDynamicTableSize] = numbers;
    return {
      effectiveLocalWindowSize: localSize,
      effectiveRecvDataLength: received,
      nextStreamID,
      localWindowSize: localSize - received,
      lastProcStreamID,
      remoteWindowSize,
      outboundQueueSize,
      deflateDynamicTableSize,
      inflateDynamicTableSize,
    };
  }

  get localSettings() {
    if (this[kLocalSettings]) return this[kLocalSettings];
    if (this.destroyed || this.connecting) return {};
    return this[kLocalSettings] = settingsObject(this[kHandle].localSettings(), () => true);
  }

  get remoteSettings() {
    if (this[kRemoteSettings]) return this[kRemoteSettings];
    if (this.destroyed || this.connecting) return {};
    const wanted = this[kOptions].remoteCustomSettings ?? [];
    return this[kRemoteSettings] = settingsObject(this[kHandle].remoteSettings(), (id) => wanted.includes(id));
  }

  [kUpdateTimer]() {
    if (!this.destroyed && this[kTimeout] !== null) this._unrefTimer();
  }

  setLocalWindowSize(windowSize) {
    this.#assertOpen();
    validateInt32(windowSize, 'windowSize', 0);
    const result = this[kHandle].setLocalWindowSize(windowSize);
    if (result < 0) this.destroy(new NghttpError(result));
  }

  setNextStreamID(id) {
    this.#assertOpen();
    validateNumber(id, 'id');
    if (id <= 0 || id > STREAM_ID_MAX) throw new ERR_OUT_OF_RANGE('id', `> 0 and <= ${STREAM_ID_MAX}`, id);
    this[kHandle].setNextStreamID(id);
  }

  #assertOpen() {
    if (this.destroyed) throw new ERR_HTTP2_INVALID_SESSION();
  }

  ping(payload, callback) {
    this.#assertOpen();
    if (typeof payload === 'function') [payload, callback] = [undefined, payload];
    if (payload) {
      validateBuffer(payload, 'payload');
      if (payload.byteLength !== PING_BYTES) throw new ERR_HTTP2_PING_LENGTH();
    }
    validateFunction(callback, 'callback');
    const done = (isAcknowledged, duration, bytes) => {
      if (isAcknowledged) callback(null, duration, bytes);
      else callback(new ERR_HTTP2_PING_CANCEL());
    };
    if (this.connecting || this.closed) {
      nextTick(done, false, 0, payload);
      return undefined;
    }
    return this[kHandle].ping(payload, done);
  }

  settings(settings, callback) {
    this.#assertOpen();
    assertIsObject(settings, 'settings');
    validateSettings(settings);
    if (callback) validateFunction(callback, 'callback');
    this[kState].pendingAck += 1;
    const pairs = settingsPairs(settings ?? {});
    whenConnected(this, () => this.#submitSettings(pairs, callback));
  }

  #submitSettings(pairs, callback) {
    if (this.destroyed) return;
    this[kUpdateTimer]();
    const done = (isAcknowledged, duration) => {
      this[kState].pendingAck -= 1;
      this[kLocalSettings] = undefined;
      if (isAcknowledged) {
        if (typeof callback === 'function') callback(null, this.localSettings, duration);
        this.emit('localSettings', this.localSettings);
      } else if (typeof callback === 'function') {
        callback(new ERR_HTTP2_SETTINGS_CANCEL());
      }
    };
    if (!this[kHandle].settings(pairs, done)) this.destroy(new ERR_HTTP2_MAX_PENDING_SETTINGS_ACK());
  }

  goaway(code = NGHTTP2_NO_ERROR, lastStreamID = 0, opaqueData = undefined) {
    this.#assertOpen();
    if (opaqueData !== undefined) validateBuffer(opaqueData, 'opaqueData');
    validateNumber(code, 'code');
    validateNumber(lastStreamID, 'lastStreamID');
    whenConnected(this, () => {
      if (this.destroyed) return;
      this[kUpdateTimer]();
      this[kHandle].goaway(code, lastStreamID, opaqueData);
    });
  }

  /** Ends at once: all streams are destroyed. */
  destroy(error = NGHTTP2_NO_ERROR, code = undefined) {
    if (this.destroyed) return;
    if (typeof error === 'number') {
      code = error;
      error = code !== NGHTTP2_NO_ERROR ? new ERR_HTTP2_SESSION_ERROR(code) : undefined;
    }
    if (code === undefined && error != null) code = NGHTTP2_INTERNAL_ERROR;
    closeSession(this, code, error);
  }

  /** Accepts no more streams, and ends after the last. */
  close(callback) {
    if (this.closed || this.destroyed) return;
    this[kState].isClosed = true;
    if (typeof callback === 'function') this.once('close', callback);
    this.goaway();
    this[kMaybeDestroy]();
  }

  [kMaybeDestroy](error) {
    if (error == null) {
      const state = this[kState];
      if (!this.closed || state.streams.size > 0 || state.pendingStreams.size > 0 || this[kHandle]?.hasPendingData()) return;
    }
    this.destroy(error);
  }

  _onTimeout() {
    if (this.destroyed) return;
    // Something is written, slowly.
    const handle = this[kHandle];
    const state = this[kState];
    const isWriting = handle?.hasPendingData() || [...state.streams.values()].some((stream) => stream.bufferSize > 0);
    const sent = handle?.bytesSent();
    if (isWriting && sent !== state.lastBytesSent) {
      state.lastBytesSent = sent;
      this[kUpdateTimer]();
      return;
    }
    this.emit('timeout');
  }

  ref() {
    if (this[kSocket] && typeof this[kSocket].ref === 'function') this[kSocket].ref();
  }

  unref() {
    if (this[kSocket] && typeof this[kSocket].unref === 'function') this[kSocket].unref();
  }

  [Symbol.for('nodejs.rejection')](error, event, ...args) {
    if (event === 'stream') args[0].destroy(error);
    else this.destroy(error);
  }

  async [Symbol.asyncDispose]() {
    if (this.destroyed) return;
    await new Promise((resolve) => { this.close(resolve); });
  }

  [Symbol.for('nodejs.util.inspect.custom')](depth, options) {
    if (typeof depth === 'number' && depth < 0) return this;
    const { inspect } = require('util');
    const object = {
      type: this[kType],
      closed: this.closed,
      destroyed: this.destroyed,
      state: this.state,
      localSettings: this.localSettings,
      remoteSettings: this.remoteSettings,
    };
    return `${this.constructor.name} ${inspect(object, { ...options, depth: options.depth == null ? null : options.depth - 1 })}`;
  }
}

Http2Session.prototype.setTimeout = timeout.methods.setTimeout;
Http2Session.prototype._unrefTimer = timeout.methods._unrefTimer;

function setupHandle(session, socket, type, options) {
  // The listeners of 'connect' find that it is destroyed.
  if (session.destroyed) {
    nextTick(() => session.emit('connect', session, socket));
    return;
  }
  session[kState].isReady = true;
  const handle = new Http2SessionHandle(type === NGHTTP2_SESSION_SERVER, options);
  session[kHandle] = handle;
  const { handleEvents } = require('internal/http2/session_events');
  handle.onevents = (events, start = 0) => handleEvents(session, events, start);
  handle.onidle = () => { if (session.closed) session[kMaybeDestroy](); };
  session[kEncrypted] = Boolean(socket.encrypted);
  session[kAlpnProtocol] = socket.encrypted ? socket.alpnProtocol : 'h2c';
  session.settings(typeof options.settings === 'object' ? options.settings : {});
  if (type === NGHTTP2_SESSION_SERVER && Array.isArray(options.origins)) session.origin(...options.origins);
  handle.consume(makeTransport(socket));
  nextTick(() => session.emit('connect', session, socket));
}

/** The origins that the connection may be used for. */
function originSetOf(session) {
  const state = session[kState];
  if (state.originSet === undefined) {
    const socket = session[kSocket];
    let host = socket.servername;
    if (host === null || host === undefined || host === false) host = socket.remoteFamily === 'IPv6' ? `[${socket.remoteAddress}]` : socket.remoteAddress;
    state.originSet = new Set([new URL(`https://${host}${socket.remotePort == null ? '' : `:${socket.remotePort}`}`).origin]);
  }
  return state.originSet;
}

function emitClose(session, error) {
  if (error) session.emit('error', error);
  session.emit('close');
}

function closeSession(session, code, error) {
  const state = session[kState];
  state.isDestroyed = true;
  state.destroyCode = code;
  session.setTimeoutForClose();
  if (state.pendingStreams.size > 0 || state.streams.size > 0) {
    const cancel = new ERR_HTTP2_STREAM_CANCEL(error);
    for (const stream of [...state.pendingStreams]) stream.destroy(cancel);
    for (const stream of [...state.streams.values()]) stream.destroy(error);
  }
  const handle = session[kHandle];
  if (handle === undefined) {
    finishSessionClose(session, error);
    return;
  }
  if (state.endMeasurement !== undefined) state.endMeasurement(measurements(handle, state));
  handle.ondone = () => finishSessionClose(session, error);
  handle.destroy(code, session[kSocket].destroyed);
}

Object.defineProperty(Http2Session.prototype, 'setTimeoutForClose', {
  configurable: true,
  writable: true,
  value() {
    clearTimeout(this[kTimeout]);
    this[kTimeout] = null;
    this.timeout = 0;
    this.removeAllListeners('timeout');
  },
});

/** The detail of the session's performance entry. */
function measurements(handle, state) {
  const [framesReceived, framesSent, bytesRead, bytesWritten, streamCount, maxConcurrentStreams] = handle.statistics();
  const streamAverageDuration = state.streamMs / Math.max(streamCount, 1);
  return { pingRTT: handle.pingMs, streamAverageDuration, streamCount, framesReceived, framesSent, bytesWritten, bytesRead, maxConcurrentStreams };
}

function finishSessionClose(session, error) {
  const socket = session[kSocket];
  session[kProxySocket] = null;
  session[kSocket] = undefined;
  session[kHandle] = undefined;
  if (!socket) {
    nextTick(emitClose, session, error);
    return;
  }
  socket[kBoundSession] = undefined;
  socket[kServer] = undefined;
  if (socket.destroyed) {
    nextTick(emitClose, session, error);
    return;
  }
  socket.on('close', () => emitClose(session, error));
  if (session.closed) {
    // The peer may close first, which is noticed when the socket is read.
    socket.resume();
    socket.end();
  } else {
    socket.destroy(error);
  }
}

function socketOnError(error) {
  const session = this[kBoundSession];
  if (session === undefined) return;
  // After GOAWAY the peer may close the connection.
  if (error.code === 'ECONNRESET' && session[kState].goawayCode === NGHTTP2_NO_ERROR) session.destroy();
  else session.destroy(error);
}

function socketOnClose() {
  const session = this[kBoundSession];
  if (session === undefined) return;
  const state = session[kState];
  for (const stream of [...state.streams.values()]) stream.close(NGHTTP2_CANCEL);
  for (const stream of [...state.pendingStreams]) stream.close(NGHTTP2_CANCEL);
  session.close();
  if (!session.destroyed) closeSession(session);
}

module.exports = { Http2Session, originSetOf };
