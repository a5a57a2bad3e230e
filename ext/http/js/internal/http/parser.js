// HTTP/1 message parser of a connection. In: bytes. Out: calls `onHead`, `onBody`, `onEnd` with
// what the binding has parsed; a parse error. Absent: what is done with messages (server.js,
// client.js).
'use strict';

const binding = internalBinding('http_parser');

const { toRawHeaders } = require('internal/http/incoming');

const { event: { HEAD, BODY, END }, flag: { SHOULD_KEEP_ALIVE, IS_UPGRADE, HAS_HOST, HAS_EXPECT }, methods, requestMethod } = binding;

/** The head of a message. */
class Head {
  /** `fields`: lines of names and values in turn; `fieldsMax`: how many are reported. */
  constructor(firstToken, target, fields, fieldsMax, status, version, flags) {
    /** The method, or the reason phrase. */
    this.firstToken = firstToken;
    this.target = target;
    this.fields = fields;
    this.fieldsMax = fieldsMax;
    this.status = status;
    /** Two digits. */
    this.version = version;
    this.flags = flags;
  }

  get shouldKeepAlive() { return (this.flags & SHOULD_KEEP_ALIVE) !== 0; }
  get hasHost() { return (this.flags & HAS_HOST) !== 0; }
  get hasExpect() { return (this.flags & HAS_EXPECT) !== 0; }
}

let defaultHeadBytesMax;
let defaultIsLenient;

/** The default limit of a head, in bytes. */
function maxHeaderSize() {
  defaultHeadBytesMax ??= Number(require('internal/options').getOptionValue('--max-http-header-size')) || 16 * 1024;
  return defaultHeadBytesMax;
}

function isLenientByDefault() {
  defaultIsLenient ??= require('internal/options').getOptionValue('--insecure-http-parser') === true;
  return defaultIsLenient;
}

const NO_TRAILERS = [];

class Parser {
  #native = null;
  /** The native object of the last use. */
  #spare = null;
  /** A stream handle may keep the native object. */
  #isConsumer = false;
  /** The rest of a chunk is ignored. */
  #isStopped = false;
  /** The message that is being parsed. */
  incoming = null;
  socket = null;
  /** The maximum number of header fields that are reported. */
  headersMax = 0;
  joinDuplicateHeaders = false;
  isFree = false;
  /** After the last chunk: whether the parser was between two messages. */
  wasIdle = true;

  /** Called with `(head, isUpgrade)`; returns whether the connection switches the protocol. */
  onHeadersComplete = null;
  /** Called with `(bytes)`. */
  onBody = null;
  /** Called with `(rawTrailers)`. */
  onMessageComplete = null;

  /** `method`: of the request that the next response belongs to. */
  initialize({ isResponses, headBytesMax, isLenient, headersMax, joinDuplicateHeaders, method }) {
    this.#isStopped = false;
    const bytesMax = headBytesMax || maxHeaderSize();
    const lenient = isLenient ?? isLenientByDefault();
    const methodCode = requestMethod[method] ?? requestMethod.OTHER;
    if (this.#spare === null) this.#native = binding.create(isResponses, bytesMax, lenient, methodCode);
    else binding.renew(this.#native = this.#spare, isResponses, bytesMax, lenient, methodCode);
    this.#spare = null;
    this.headersMax = typeof headersMax === 'number' ? headersMax : 2000;
    this.joinDuplicateHeaders = Boolean(joinDuplicateHeaders);
  }

  stop() {
    this.#isStopped = true;
  }

  /** Drops all references before the parser is freed. */
  reset() {
    this.stop();
    if (!this.#isConsumer) this.#spare ??= this.#native;
    this.#native = null;
    this.#isConsumer = false;
    this.incoming = this.socket = this.onHeadersComplete = this.onBody = this.onMessageComplete = null;
    this.joinDuplicateHeaders = false;
  }

  /** Whether the parser is between two messages. */
  get isIdle() {
    return this.#native === null || binding.isIdle(this.#native);
  }

  /**
   * Parses what the stream handle reads, until `setConsuming(false)`. Calls `onRequest(byteLength)`
   * after a request without a body, `onChunk(result, bytes)` after any other chunk, with what
   * `execute` returns.
   */
  consume(streamHandle, onRequest, onChunk) {
    const { bind } = require('internal/async_context');
    this.#isConsumer = true;
    binding.consume(this.#native, streamHandle, bind((method, target, fields, version, flags, byteLength) => {
      if (this.#isStopped) return;
      this.wasIdle = true;
      this.onHeadersComplete(new Head(typeof method === 'number' ? methods[method] : method, target ?? '/', fields, this.headersMax, 0, version, flags), false);
      if (!this.#isStopped) this.onMessageComplete(NO_TRAILERS);
      onRequest(byteLength);
    }), bind((list, bytes) => {
      if (!this.#isStopped) onChunk(this.#execute(list, bytes), bytes);
    }));
  }

  /** The listener of the stream handle gets all bytes again. */
  static release(streamHandle) { binding.release(streamHandle); }

  setConsuming(isConsuming) {
    if (this.#native !== null) binding.setConsuming(this.#native, isConsuming);
  }

  /** Returns the number of parsed bytes, less than all if another protocol follows; or an error. */
  execute(bytes) {
    return this.#execute(binding.execute(this.#native, bytes), bytes);
  }

  /** `list`: what the binding has found in the bytes. */
  #execute(list, bytes) {
    for (let offset = 0; ;) {
      this.wasIdle = list[1];
      const result = this.#emitEvents(list, bytes, offset);
      if (typeof result !== 'number') return result;
      if (this.#isStopped) return bytes.length;
      offset += list[0];
      // Otherwise the program has ignored an upgrade: the rest is HTTP.
      if (result === 0) return offset;
      binding.resume(this.#native);
      if (offset >= bytes.length) return offset;
      list = binding.execute(this.#native, bytes.subarray(offset));
    }
  }

  /** The connection has ended. Returns an error if a message is incomplete. */
  finish() {
    if (this.#native === null) return undefined;
    const result = this.#emitEvents(binding.finish(this.#native), undefined, 0);
    return typeof result === 'number' ? undefined : result;
  }

  /** Returns 0, 1 if the parser must be resumed after an ignored upgrade, or an error. */
  #emitEvents(list, bytes, offset) {
    let needsResume = 0;
    for (let index = 2; index < list.length && !this.#isStopped;) {
      switch (list[index]) {
        case HEAD: {
          const head = new Head(list[index + 1], list[index + 2], list[index + 3], this.headersMax, list[index + 4], list[index + 5], list[index + 6]);
          const isUpgrade = (head.flags & IS_UPGRADE) !== 0;
          const switchesProtocol = this.onHeadersComplete(head, isUpgrade);
          if (isUpgrade && !switchesProtocol) needsResume = 1;
          index += 7;
          break;
        }
        case BODY:
          this.onBody(toBuffer(bytes, offset + list[index + 1], offset + list[index + 2]));
          index += 3;
          break;
        case END:
          this.onMessageComplete(toRawHeaders(list[index + 1], this.headersMax));
          index += 2;
          break;
        default:
          return toError(list, index + 1, bytes, offset);
      }
    }
    return needsResume;
  }
}

/** A part of `bytes`, which may be no Buffer. */
function toBuffer(bytes, begin, end) {
  return require('buffer').Buffer.from(bytes.buffer, bytes.byteOffset + begin, end - begin);
}

function toError(list, index, bytes, offset) {
  const error = new Error(`Parse Error: ${list[index + 1]}`);
  return Object.assign(error, { bytesParsed: offset + list[index + 2], code: list[index], reason: list[index + 1], rawPacket: bytes === undefined ? undefined : toBuffer(bytes, 0, bytes.length) });
}

/** The pool of free parsers, as Node's FreeList. */
const parsers = {
  name: 'parsers',
  max: 1000,
  list: [],
  alloc() { return this.list.pop() ?? new Parser(); },
  free(parser) {
    if (this.list.length >= this.max) return false;
    this.list.push(parser);
    return true;
  },
};

function allocParser(options) {
  const parser = parsers.alloc();
  parser.isFree = false;
  parser.initialize(options);
  return parser;
}

/** Returns a parser to the pool; a second call has no effect. */
function freeParser(parser) {
  if (!parser) return;
  parser.reset();
  if (parser.isFree) return;
  parser.isFree = true;
  parsers.free(parser);
}

module.exports = { Parser, allocParser, freeParser, maxHeaderSize, parsers, toBuffer };
