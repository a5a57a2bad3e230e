// HTTP/1 message parser of a connection. In: bytes. Out: calls `onHead`, `onBody`, `onEnd` with
// what the binding has parsed; a parse error. Absent: what is done with messages (server.js,
// client.js).
'use strict';

const binding = internalBinding('http_parser');

const { event: { HEAD, BODY, END }, flag: { KEEPS_ALIVE, IS_UPGRADE } } = binding;

const ANSWERS = { HEAD: 1, CONNECT: 2 };

/** What a head's bytes are at most, unless a program says otherwise. */
function maxHeaderSize() {
  const { getOptionValue } = require('internal/options');
  return Number(getOptionValue('--max-http-header-size')) || 16 * 1024;
}

class Parser {
  #native = null;
  /** The rest of a chunk is ignored. */
  #isStopped = false;
  /** The message that is being read. */
  incoming = null;
  socket = null;
  /** The maximum number of header fields that are reported. */
  headersMax = 0;
  joinDuplicateHeaders = false;
  isFree = false;

  /** `(head, isUpgrade)`; true: what follows is another protocol. */
  onHead = null;
  /** `(bytes)`. */
  onBody = null;
  /** `(rawTrailers)`. */
  onEnd = null;

  begin({ isResponses, headBytesMax, isLenient, headersMax, joinDuplicateHeaders }) {
    this.#isStopped = false;
    this.#native = binding.make(isResponses, headBytesMax || maxHeaderSize(), isLenient ?? require('internal/options').getOptionValue('--insecure-http-parser') === true);
    this.headersMax = typeof headersMax === 'number' ? headersMax : 2000;
    this.joinDuplicateHeaders = Boolean(joinDuplicateHeaders);
  }

  stop() {
    this.#isStopped = true;
  }

  /** Nothing of it is anybody's any more. */
  end() {
    this.stop();
    this.#native = null;
    this.incoming = this.socket = this.onHead = this.onBody = this.onEnd = null;
    this.joinDuplicateHeaders = false;
  }

  /** The method of what the next response answers. */
  answers(method) {
    binding.setAnswers(this.#native, ANSWERS[method] ?? 0);
  }

  /** Nothing of a message has come that is not whole. */
  get isBetween() {
    return this.#native === null || binding.isBetween(this.#native);
  }

  /** How many bytes were read, fewer where another protocol follows; or an error. */
  execute(bytes) {
    let from = 0;
    for (;;) {
      const list = binding.feed(this.#native, from === 0 ? bytes : bytes.subarray(from));
      const outcome = this.#emitEvents(list, bytes, from);
      if (typeof outcome !== 'number') return outcome;
      if (this.#isStopped) return bytes.length;
      from += list[0];
      // Told of another protocol, the program did not want it.
      if (outcome === 0) return from;
      binding.proceed(this.#native);
      if (from >= bytes.length) return from;
    }
  }

  /** Nothing more comes; an error where something should have. */
  finish() {
    if (this.#native === null) return undefined;
    const outcome = this.#emitEvents(binding.finish(this.#native), undefined, 0);
    return typeof outcome === 'number' ? undefined : outcome;
  }

  /** 0; 1: it waits to go on as before; or an error. */
  #emitEvents(list, bytes, from) {
    let waits = 0;
    for (let at = 1; at < list.length && !this.#isStopped;) {
      switch (list[at]) {
        case HEAD: {
          const isUpgrade = (list[at + 4] & IS_UPGRADE) !== 0;
          const isTaken = this.onHead(this.#headOf(list, at + 1), isUpgrade);
          if (isUpgrade && !isTaken) waits = 1;
          at += 5;
          break;
        }
        case BODY:
          this.onBody(bytes.subarray(from + list[at + 1], from + list[at + 2]));
          at += 3;
          break;
        case END:
          this.onEnd(this.#pairs(list[at + 1]));
          at += 2;
          break;
        default:
          return faultOf(list, at + 1, bytes, from);
      }
    }
    return waits;
  }

  #headOf(list, at) {
    const text = list[at];
    const firstEnd = text.indexOf('\n');
    const targetEnd = text.indexOf('\n', firstEnd + 1);
    const version = list[at + 2];
    return {
      first: text.slice(0, firstEnd),
      target: text.slice(firstEnd + 1, targetEnd),
      status: list[at + 1],
      major: Math.floor(version / 10),
      minor: version % 10,
      keepsAlive: (list[at + 3] & KEEPS_ALIVE) !== 0,
      rawHeaders: this.#pairs(text.slice(targetEnd + 1)),
    };
  }

  /** Names and values by turns, each with its end. */
  #pairs(text) {
    if (text === '') return [];
    const words = text.slice(0, -1).split('\n');
    if (this.headersMax > 0 && words.length > this.headersMax * 2) words.length = this.headersMax * 2;
    return words;
  }
}

function faultOf(list, at, bytes, from) {
  const error = new Error(`Parse Error: ${list[at + 1]}`);
  return Object.assign(error, { bytesParsed: from + list[at + 2], code: list[at], reason: list[at + 1], rawPacket: bytes });
}

/** Free parsers. */
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

function takeParser(options) {
  const parser = parsers.alloc();
  parser.isFree = false;
  parser.begin(options);
  return parser;
}

/** Once, by whoever took it. */
function freeParser(parser) {
  if (!parser) return;
  parser.end();
  if (parser.isFree) return;
  parser.isFree = true;
  parsers.free(parser);
}

module.exports = { Parser, freeParser, maxHeaderSize, parsers, takeParser };
