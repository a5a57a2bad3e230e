// WebSocket: the client of the WebSockets Standard, with bun's options (`headers`, `protocols`,
// `proxy`, `tls`, `perMessageDeflate`), methods (`ping`, `pong`, `terminate`, `pause`) and events
// (`ping`, `pong`). In: a URL. Out: events. Absent: the handshake
// (internal/websocket/handshake.js), frames (the binding).
'use strict';

const { EventTarget, Event, defineEventHandler, kTrustEvent } = require('web/events');
const { checkOptions } = require('internal/websocket/client_options');
const { opcode, reportUncaught, sockets, toBinaryType, toControl } = require('internal/websocket/sockets');
const { finishClass } = require('web/streams/webidl_utils');

const binding = internalBinding('websocket');
const { event: { TEXT, BINARY, PING, PONG, CLOSE, END }, flag, word: { CODE }, words } = binding;

const CONNECTING = 0;
const OPEN = 1;
const CLOSING = 2;
const CLOSED = 3;

const NO_STATUS = 1005;
const ABNORMAL = 1006;
/** A message of the server; JavaScript cannot make longer strings. */
const MESSAGE_BYTES_MAX = 1024 * 1024 * 1024;
const REASON_BYTES_MAX = 123;
/** The end of a connection. */
const NOTHING = new Uint8Array(0);
const BINARY_TYPES = new Set(['nodebuffer', 'arraybuffer', 'uint8array', 'blob']);
/** How long the server may take to answer a close frame, as in bun. */
const CLOSE_TIMEOUT_SECONDS = 30;

const trusted = (init) => ({ [kTrustEvent]: true, ...init });

class WebSocket extends EventTarget {
  #url;
  #origin;
  #readyState = CONNECTING;
  #protocol = '';
  #extensions = '';
  #binaryType = 'nodebuffer';
  #handshake;
  #socket;
  #slot = -1;
  #isPaused = false;
  /** Bytes of messages that were sent after the connection had ended. */
  #lostBytes = 0;
  /** Messages whose Blob is being read. */
  #sending;
  #closeTimer;

  constructor(url, protocolsOrOptions = undefined) {
    if (arguments.length === 0) throw Object.assign(new TypeError('Not enough arguments'), { code: 'ERR_MISSING_ARGS' });
    super();
    const options = checkOptions(url, protocolsOrOptions);
    this.#url = options.url.href;
    this.#origin = `${options.url.protocol}//${options.url.host}`;
    const { connect } = require('internal/websocket/handshake');
    this.#handshake = connect(options, {
      onOpen: (connection) => this.#open(connection),
      onError: (error) => this.#fail(error),
    });
  }

  get url() { return this.#url; }
  get URL() { return this.#url; }
  get readyState() { return this.#readyState; }
  get protocol() { return this.#protocol; }
  get extensions() { return this.#extensions; }
  get bufferedAmount() { return this.#lostBytes + (this.#socket?.writableLength ?? 0); }
  get isPaused() { return this.#isPaused; }
  get binaryType() { return this.#binaryType; }
  set binaryType(value) {
    if (BINARY_TYPES.has(value)) this.#binaryType = value;
  }

  send(data) {
    if (arguments.length === 0) throw Object.assign(new TypeError('Not enough arguments'), { code: 'ERR_MISSING_ARGS' });
    if (this.#readyState === CONNECTING) throw invalidState();
    if (typeof data === 'string') return this.#push(data, opcode.TEXT);
    const { bytesOf, hasFiles, isBlob } = require('internal/blob');
    if (typeof data === 'object' && data !== null && isBlob(data)) {
      const isInMemory = !hasFiles(data) && !require('internal/bun/file').FileRef.is(data);
      if (isInMemory && this.#sending === undefined) return this.#push(bytesOf(data), opcode.BINARY);
      return this.#queue(() => data.arrayBuffer(), opcode.BINARY);
    }
    if (data instanceof SharedArrayBuffer) return this.#push(new Uint8Array(data), opcode.BINARY);
    if (data instanceof ArrayBuffer || ArrayBuffer.isView(data)) return this.#push(data, opcode.BINARY);
    this.#push(`${data}`, opcode.TEXT);
  }

  #push(data, kind) {
    if (this.#sending !== undefined) return this.#queue(() => data, kind);
    if (this.#readyState !== OPEN) {
      this.#lostBytes += typeof data === 'string' ? require('buffer').Buffer.byteLength(data) : data.byteLength;
      return;
    }
    binding.send(this.#slot, data, kind, this.#extensions !== '' && kind <= opcode.BINARY);
    this.#write();
  }

  /** Messages keep their order although a Blob of a file is read first. */
  #queue(read, kind) {
    const sending = (this.#sending ?? Promise.resolve()).then(read).then((data) => {
      if (this.#sending === sending) this.#sending = undefined;
      const waiting = this.#sending;
      this.#sending = undefined;
      this.#push(data, kind);
      this.#sending = waiting;
    });
    this.#sending = sending;
    sending.catch(reportUncaught);
  }

  /** Passes frames on to the connection. */
  #write() {
    const bytes = binding.takeOutput(this.#slot);
    if (bytes !== undefined && this.#socket.writable) this.#socket.write(bytes);
  }

  ping(data = '') { this.#pushControl(data, opcode.PING); }
  pong(data = '') { this.#pushControl(data, opcode.PONG); }
  #pushControl(data, kind) {
    if (this.#readyState === CONNECTING) throw invalidState();
    const bytes = toControl(data);
    if (this.#readyState === OPEN) this.#push(bytes, kind);
  }

  close(code = undefined, reason = undefined) {
    const number = code === undefined ? undefined : checkCode(code);
    const text = reason === undefined ? '' : checkReason(reason);
    if (this.#readyState >= CLOSING) return;
    const wasConnecting = this.#readyState === CONNECTING;
    this.#readyState = CLOSING;
    if (wasConnecting) {
      this.#handshake.abort();
      require('process').nextTick(() => this.#fail(new Error('WebSocket is closed before the connection is established')));
      return;
    }
    const send = () => {
      binding.close(this.#slot, number ?? (text === '' ? 0 : 1000), text);
      this.#write();
      const seconds = closeTimeoutSeconds();
      if (seconds === 0) return;
      this.#closeTimer = setTimeout(() => this.#end(ABNORMAL, '', false), seconds * 1000);
      this.#closeTimer.unref();
    };
    if (this.#sending === undefined) send();
    else this.#sending.then(send);
  }

  /** Ends the connection without a close frame. */
  terminate() {
    if (this.#readyState === CONNECTING) return this.close();
    if (this.#readyState === CLOSED) return;
    this.#readyState = CLOSING;
    this.#socket.destroy();
  }

  pause() { return this.#setPaused(true); }
  resume() { return this.#setPaused(false); }
  /** Returns whether there is, or will be, a connection for which it matters. */
  #setPaused(isPaused) {
    if (this.#readyState === CLOSED) return false;
    this.#isPaused = isPaused;
    if (isPaused) this.#socket?.pause();
    else this.#socket?.resume();
    return true;
  }

  #open({ socket, head, protocol, extensions }) {
    if (this.#readyState !== CONNECTING) return socket.destroy();
    const slot = binding.add(undefined, head, flag.IS_CLIENT, MESSAGE_BYTES_MAX, 0, 0, extensions);
    if (!(slot >= 0)) {
      socket.destroy();
      return this.#fail(new Error('Invalid Sec-WebSocket-Extensions header'));
    }
    this.#slot = slot;
    this.#socket = socket;
    this.#protocol = protocol;
    this.#extensions = extensions;
    this.#readyState = OPEN;
    sockets[slot] = { notify: (kind, payload) => this.#notify(kind, payload) };
    socket.setNoDelay?.(true);
    socket.setTimeout?.(0);
    socket.on('data', (bytes) => binding.receive(this.#slot, bytes));
    socket.on('error', () => {});
    // What was received before becomes events first.
    socket.on('close', () => { if (this.#slot >= 0) binding.receive(this.#slot, NOTHING); });
    // The server has ended without a close frame.
    socket.on('end', () => socket.destroy());
    if (this.#isPaused) socket.pause();
    this.dispatchEvent(new Event('open', trusted()));
  }

  #notify(kind, payload) {
    this.#write();
    if (kind === TEXT || kind === BINARY) {
      if (this.#readyState !== OPEN) return;
      this.#dispatchMessage('message', kind === TEXT ? payload : toBinaryType(payload, this.#binaryType));
    } else if (kind === PING || kind === PONG) {
      if (this.#readyState === OPEN) this.#dispatchMessage(kind === PING ? 'ping' : 'pong', toBinaryType(payload, this.#binaryType));
    } else if (kind === CLOSE) {
      this.#end(words[CODE] === 0 ? NO_STATUS : words[CODE], payload, true);
    } else if (kind === END) {
      this.#end(ABNORMAL, '', false, payload === '' ? undefined : new Error(payload));
    }
  }

  #dispatchMessage(type, data) {
    const { MessageEvent } = require('web/message_event');
    this.dispatchEvent(new MessageEvent(type, trusted({ data, origin: this.#origin })));
  }

  /** `cause`: an error that is reported first. */
  #end(code, reason, wasClean, cause) {
    if (this.#readyState === CLOSED) return;
    clearTimeout(this.#closeTimer);
    this.#readyState = CLOSED;
    if (this.#slot >= 0) {
      sockets[this.#slot] = undefined;
      binding.remove(this.#slot);
      this.#slot = -1;
      this.#isPaused = false;
      if (wasClean) this.#socket.end();
      else this.#socket.destroy();
    }
    if (cause !== undefined) this.#reportError(cause);
    const { CloseEvent } = require('web/event_kinds');
    this.dispatchEvent(new CloseEvent('close', trusted({ code, reason, wasClean })));
  }

  #reportError(cause) {
    const { ErrorEvent } = require('web/event_kinds');
    const error = new Error(`WebSocket connection to '${this.#url}' failed: ${cause.message}`);
    if (cause.code !== undefined) error.code = cause.code;
    this.dispatchEvent(new ErrorEvent('error', trusted({ message: error.message, error })));
  }

  /** There is no connection. */
  #fail(error) {
    this.#end(ABNORMAL, '', false, error);
  }

  [Symbol.for('nodejs.util.inspect.custom')](depth, options, inspect) {
    const { url, readyState, protocol, extensions, binaryType, bufferedAmount } = this;
    const shown = { url, readyState, protocol, extensions, binaryType, bufferedAmount };
    return `WebSocket ${(inspect ?? require('internal/util/inspect').inspect)(shown, options)}`;
  }
}

/** 0: without an end. */
function closeTimeoutSeconds() {
  const text = require('process').env.BUN_CONFIG_WS_CLOSE_TIMEOUT;
  return /^\d{1,6}$/.test(text) ? Number(text) : CLOSE_TIMEOUT_SECONDS;
}

function domException(message, name) {
  const { DOMException } = require('web/dom_exception');
  return new DOMException(message, name);
}

const invalidState = () => domException('The object is in an invalid state.', 'InvalidStateError');

function checkCode(code) {
  // Web IDL: [Clamp] unsigned short.
  const number = Math.min(Math.max(Math.round(Number(code)) || 0, 0), 0xffff);
  const isRegistered = number >= 1000 && number <= 1014 && (number < 1004 || number > 1006);
  if (isRegistered || (number >= 3000 && number <= 4999)) return number;
  throw domException('The close code must be a valid WebSocket close code (1000-1014, excluding the reserved codes 1004-1006, ' +
    `or in the range of 3000 to 4999). Received ${number}.`, 'InvalidAccessError');
}

function checkReason(reason) {
  const text = `${reason}`.toWellFormed();
  const bytes = require('buffer').Buffer.byteLength(text);
  if (bytes <= REASON_BYTES_MAX) return text;
  throw domException(`The close reason must not be greater than ${REASON_BYTES_MAX} UTF-8 bytes. Received ${bytes} bytes.`, 'SyntaxError');
}

for (const type of ['open', 'message', 'error', 'close']) defineEventHandler(WebSocket.prototype, type);
for (const [name, value] of Object.entries({ CONNECTING, OPEN, CLOSING, CLOSED })) {
  for (const target of [WebSocket, WebSocket.prototype]) {
    Object.defineProperty(target, name, { __proto__: null, value, enumerable: true });
  }
}
finishClass(WebSocket);

module.exports = { WebSocket };
