// HTTP/1 message parser of a connection. In: bytes. Out: calls `onHead`, `onBody`, `onEnd` with
// what the binding has parsed; a parse error. Absent: what is done with messages (server.js,
// client.js).
'use strict';

const binding = internalBinding('http_parser');

const { event: { HEAD, BODY, END }, flag: { SHOULD_KEEP_ALIVE, IS_UPGRADE }, requestMethod } = binding;

/** The default limit of a head, in bytes. */
function maxHeaderSize() {
  const { getOptionValue } = require('internal/options');
  return Number(getOptionValue('--max-http-header-size')) || 16 * 1024;
}

class Parser {
  #native = null;
  /** The rest of a chunk is ignored. */
  #isStopped = false;
  /** The message that is being parsed. */
  incoming = null;
  socket = null;
  /** The maximum number of header fields that are reported. */
  headersMax = 0;
  joinDuplicateHeaders = false;
  isFree = false;

  /** Called with `(head, isUpgrade)`; returns whether the connection switches the protocol. */
  onHeadersComplete = null;
  /** Called with `(bytes)`. */
  onBody = null;
  /** Called with `(rawTrailers)`. */
  onMessageComplete = null;

  initialize({ isResponses, headBytesMax, isLenient, headersMax, joinDuplicateHeaders }) {
    this.#isStopped = false;
    this.#native = binding.create(isResponses, headBytesMax || maxHeaderSize(), isLenient ?? require('internal/options').getOptionValue('--insecure-http-parser') === true);
    this.headersMax = typeof headersMax === 'number' ? headersMax : 2000;
    this.joinDuplicateHeaders = Boolean(joinDuplicateHeaders);
  }

  stop() {
    this.#isStopped = true;
  }

  /** Drops all references before the parser is freed. */
  reset() {
    this.stop();
    this.#native = null;
    this.incoming = this.socket = this.onHeadersComplete = this.onBody = this.onMessageComplete = null;
    this.joinDuplicateHeaders = false;
  }

  /** Sets the method of the request that the next response belongs to. */
  setRequestMethod(method) {
    binding.setRequestMethod(this.#native, requestMethod[method] ?? requestMethod.OTHER);
  }

  /** Whether the parser is between two messages. */
  get isIdle() {
    return this.#native === null || binding.isIdle(this.#native);
  }

  /** Returns the number of parsed bytes, less than all if another protocol follows; or an error. */
  execute(bytes) {
    let offset = 0;
    for (;;) {
      const list = binding.execute(this.#native, offset === 0 ? bytes : bytes.subarray(offset));
      const result = this.#emitEvents(list, bytes, offset);
      if (typeof result !== 'number') return result;
      if (this.#isStopped) return bytes.length;
      offset += list[0];
      // Otherwise the program has ignored an upgrade: the rest is HTTP.
      if (result === 0) return offset;
      binding.resume(this.#native);
      if (offset >= bytes.length) return offset;
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
    for (let index = 1; index < list.length && !this.#isStopped;) {
      switch (list[index]) {
        case HEAD: {
          const isUpgrade = (list[index + 4] & IS_UPGRADE) !== 0;
          const switchesProtocol = this.onHeadersComplete(this.#toHead(list, index + 1), isUpgrade);
          if (isUpgrade && !switchesProtocol) needsResume = 1;
          index += 5;
          break;
        }
        case BODY:
          this.onBody(bytes.subarray(offset + list[index + 1], offset + list[index + 2]));
          index += 3;
          break;
        case END:
          this.onMessageComplete(this.#toRawHeaders(list[index + 1]));
          index += 2;
          break;
        default:
          return toError(list, index + 1, bytes, offset);
      }
    }
    return needsResume;
  }

  #toHead(list, index) {
    const text = list[index];
    const firstEnd = text.indexOf('\n');
    const targetEnd = text.indexOf('\n', firstEnd + 1);
    const version = list[index + 2];
    return {
      firstToken: text.slice(0, firstEnd),
      target: text.slice(firstEnd + 1, targetEnd),
      status: list[index + 1],
      major: Math.floor(version / 10),
      minor: version % 10,
      shouldKeepAlive: (list[index + 3] & SHOULD_KEEP_ALIVE) !== 0,
      rawHeaders: this.#toRawHeaders(text.slice(targetEnd + 1)),
    };
  }

  /** A flat list of names and values, from lines. */
  #toRawHeaders(text) {
    if (text === '') return [];
    const rawHeaders = text.slice(0, -1).split('\n');
    if (this.headersMax > 0 && rawHeaders.length > this.headersMax * 2) rawHeaders.length = this.headersMax * 2;
    return rawHeaders;
  }
}

function toError(list, index, bytes, offset) {
  const error = new Error(`Parse Error: ${list[index + 1]}`);
  return Object.assign(error, { bytesParsed: offset + list[index + 2], code: list[index], reason: list[index + 1], rawPacket: bytes });
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

module.exports = { Parser, allocParser, freeParser, maxHeaderSize, parsers };
