// `http.IncomingMessage`: requests to a server, responses to a client. In: a socket, a parsed head.
// Out: a readable stream of the body; header fields, where repeated ones are joined or dropped by
// Node's rules. Most programs read a method, a URL and some fields: the state of the stream and the
// list of fields are made when they are first used.
'use strict';

const { Readable, finished } = require('stream');
const { nextTick } = require('process');

const kHeaders = Symbol('kHeaders');
const kHeadersDistinct = Symbol('kHeadersDistinct');
const kTrailers = Symbol('kTrailers');
const kTrailersDistinct = Symbol('kTrailersDistinct');

/** Fields whose duplicates are discarded. */
const SINGLE_VALUE_FIELDS = new Set([
  'age', 'authorization', 'content-length', 'content-type', 'etag', 'expires', 'from', 'host', 'if-modified-since', 'if-unmodified-since', 'last-modified',
  'location', 'max-forwards', 'proxy-authorization', 'referer', 'retry-after', 'server', 'user-agent',
]);

/** The state of the stream, or undefined before its first use. */
const kState = Symbol('kState');
/** The fields as the parser reports them, lines of names and values in turn, or a list. */
const kRawHeaders = Symbol('kRawHeaders');
const kRawTrailers = Symbol('kRawTrailers');
/** The maximum number of header fields in the list. */
const kHeadersMax = Symbol('kHeadersMax');
/** What has happened to a stream without state. */
const kPhase = Symbol('kPhase');
const PHASE_OPEN = 0;
/** The body has ended, without a byte. */
const PHASE_ENDED = 1;
/** The message is done with: no one has listened or read. */
const PHASE_CLOSED = 2;

function IncomingMessage(socket) {
  this[kState] = undefined;
  this[kPhase] = PHASE_OPEN;
  this._events = undefined;
  this._eventsCount = 0;
  this._maxListeners = undefined;
  this.socket = socket;
  this.httpVersionMajor = null;
  this.httpVersionMinor = null;
  this.httpVersion = null;
  this.complete = false;
  this[kHeaders] = null;
  this[kRawHeaders] = '';
  this[kHeadersMax] = 0;
  this.upgrade = null;
  this.url = '';
  this.method = null;
  this.client = socket;
}
Object.setPrototypeOf(IncomingMessage.prototype, Readable.prototype);
Object.setPrototypeOf(IncomingMessage, Readable);

function makeState(message) {
  const { socket } = message;
  const state = new Readable.ReadableState(socket ? { highWaterMark: socket.readableHighWaterMark } : undefined, message, false);
  state.readingMore = true;
  message[kState] = state;
  if (message[kPhase] === PHASE_ENDED) {
    message.push(null);
  } else if (message[kPhase] === PHASE_CLOSED) {
    state.readingMore = state.reading = false;
    state.flowing = state.ended = state.endEmitted = state.destroyed = state.closed = state.closeEmitted = true;
  }
  return state;
}

// What a message begins with, and few change.
Object.assign(IncomingMessage.prototype, {
  [kHeadersDistinct]: null,
  [kTrailers]: null,
  [kTrailersDistinct]: null,
  joinDuplicateHeaders: false,
  aborted: false,
  statusCode: null,
  statusMessage: null,
  _consumed: false,
  _dumped: false,
});

/** A flat list of names and values, from lines. */
function toRawHeaders(text, fieldsMax) {
  if (text === '') return [];
  const list = text.slice(0, -1).split('\n');
  if (fieldsMax > 0 && list.length > fieldsMax * 2) list.length = fieldsMax * 2;
  return list;
}

Object.defineProperties(IncomingMessage.prototype, {
  _readableState: {
    configurable: true,
    enumerable: false,
    get() { return this[kState] ?? (this[kPhase] === undefined ? undefined : makeState(this)); },
    set(value) { this[kState] = value; },
  },
  rawHeaders: {
    configurable: true,
    enumerable: true,
    get() {
      const raw = this[kRawHeaders];
      return typeof raw === 'string' ? this[kRawHeaders] = toRawHeaders(raw, this[kHeadersMax]) : raw;
    },
    set(value) { this[kRawHeaders] = value; },
  },
  rawTrailers: {
    configurable: true,
    enumerable: true,
    get() { return this[kRawTrailers] ?? (this[kPhase] === undefined ? undefined : this[kRawTrailers] = []); },
    set(value) { this[kRawTrailers] = value; },
  },
});

// Questions that servers ask at the end of each request do not make the state.
for (const [name, beforeUse] of Object.entries({ errored: () => null, destroyed: isClosed, closed: isClosed, readableEnded: isClosed })) {
  const { get, set } = Object.getOwnPropertyDescriptor(Readable.prototype, name);
  Object.defineProperty(IncomingMessage.prototype, name, {
    configurable: true,
    enumerable: false,
    get() { return this[kState] === undefined && this[kPhase] !== undefined ? beforeUse(this) : get.call(this); },
    set,
  });
}

function isClosed(message) { return message[kPhase] === PHASE_CLOSED; }

/** The body has ended. */
function endBody(message) {
  if (message[kState] === undefined && message[kPhase] === PHASE_OPEN) message[kPhase] = PHASE_ENDED;
  else message.push(null);
}

/** Ends a message whose body no one has read, after the response. */
function finishUnread(message) {
  if (message[kState] === undefined && message[kPhase] === PHASE_ENDED && message._eventsCount === 0) {
    message[kPhase] = PHASE_CLOSED;
    message._dumped = true;
  } else if (!message._consumed && !message.readableDidRead) {
    message._dump();
  }
}

/** Whether the stream has ended; not asked of a stream that has no state. */
function hasEnded(message) {
  return message[kState] === undefined ? message[kPhase] === PHASE_CLOSED : message.readableEnded;
}

/** A cache of lower-case field names. */
const lowerCaseNames = new Map();
const LOWER_CASE_NAMES_MAX = 256;

function toLowerCase(field) {
  const cached = lowerCaseNames.get(field);
  if (cached !== undefined) return cached;
  const name = field.toLowerCase();
  if (lowerCaseNames.size < LOWER_CASE_NAMES_MAX) lowerCaseNames.set(field, name);
  return name;
}

/** Adds a field; joins or discards duplicates. */
IncomingMessage.prototype._addHeaderLine = function _addHeaderLine(field, value, dest) {
  const name = toLowerCase(field);
  // A string: other values are inherited properties of objects.
  const existing = dest[name];
  if (name === 'set-cookie') {
    if (existing === undefined) dest[name] = [value];
    else existing.push(value);
  } else if (typeof existing !== 'string') {
    dest[name] = value;
  } else if (name === 'cookie') {
    dest[name] = `${existing}; ${value}`;
  } else if (this.joinDuplicateHeaders || !SINGLE_VALUE_FIELDS.has(name)) {
    dest[name] = `${existing}, ${value}`;
  }
};

IncomingMessage.prototype._addHeaderLineDistinct = function _addHeaderLineDistinct(field, value, dest) {
  const name = toLowerCase(field);
  if (!Array.isArray(dest[name])) dest[name] = [value];
  else dest[name].push(value);
};

IncomingMessage.prototype._addHeaderLines = function _addHeaderLines(headers) {
  if (!headers?.length) return;
  if (this.complete) {
    this.rawTrailers = headers;
    this[kTrailers] = this[kTrailersDistinct] = null;
  } else {
    this.rawHeaders = headers;
    this[kHeaders] = this[kHeadersDistinct] = null;
  }
};

function toObject(message, raw, add, dest) {
  for (let index = 0; index + 1 < raw.length; index += 2) add.call(message, raw[index], raw[index + 1], dest);
  return dest;
}

function lazyProperty(cacheKey, raw, add, make = () => ({})) {
  return {
    configurable: true,
    enumerable: false,
    get() {
      // A prototype has no raw headers.
      if (this[cacheKey] == null && this[raw] !== undefined) this[cacheKey] = toObject(this, this[raw], this[add], make());
      return this[cacheKey];
    },
    set(value) { this[cacheKey] = value; },
  };
}

Object.defineProperties(IncomingMessage.prototype, {
  headers: lazyProperty(kHeaders, 'rawHeaders', '_addHeaderLine'),
  headersDistinct: lazyProperty(kHeadersDistinct, 'rawHeaders', '_addHeaderLineDistinct', () => ({ __proto__: null })),
  trailers: lazyProperty(kTrailers, 'rawTrailers', '_addHeaderLine'),
  trailersDistinct: lazyProperty(kTrailersDistinct, 'rawTrailers', '_addHeaderLineDistinct', () => ({ __proto__: null })),
  connection: {
    configurable: true,
    enumerable: false,
    get() { return this.socket; },
    set(value) { this.socket = value; },
  },
});

IncomingMessage.prototype.setTimeout = function setTimeout(msecs, callback) {
  if (callback) this.on('timeout', callback);
  this.socket.setTimeout(msecs);
  return this;
};

IncomingMessage.prototype._read = function _read() {
  if (!this._consumed) {
    this._readableState.readingMore = false;
    this._consumed = true;
  }
  if (this.socket?.readable) this.socket.resume();
};

IncomingMessage.prototype._destroy = function _destroy(error, callback) {
  if (!this.readableEnded || !this.complete) {
    this.aborted = true;
    this.emit('aborted');
  }
  const done = (failure) => nextTick(() => callback(this.listenerCount('error') === 0 ? null : failure));
  if (!this.socket || this.socket.destroyed || !this.aborted) {
    done(error);
    return;
  }
  this.socket.destroy(error);
  const cleanup = finished(this.socket, (socketError) => {
    cleanup();
    done((socketError?.code === 'ERR_STREAM_PREMATURE_CLOSE' ? null : socketError) || error);
  });
};

/** Discards the body. */
IncomingMessage.prototype._dump = function _dump() {
  if (this._dumped) return;
  this._dumped = true;
  // Buffered data is discarded, too.
  this.removeAllListeners('data');
  this.resume();
};

/** Sets the version and the header fields of a parsed head. */
function setHead(message, head) {
  const { version } = head;
  message.httpVersionMajor = Math.trunc(version / 10);
  message.httpVersionMinor = version % 10;
  message.httpVersion = version === 11 ? '1.1' : `${message.httpVersionMajor}.${message.httpVersionMinor}`;
  message[kRawHeaders] = head.fields;
  message[kHeadersMax] = head.fieldsMax;
}

/** The first value of a field, whose name is in lower case, without an object of all fields. */
function fieldOf(message, name) {
  const raw = message[kRawHeaders];
  if (message[kHeaders] !== null || typeof raw !== 'string') return message.headers?.[name];
  for (let begin = 0; begin < raw.length;) {
    const nameEnd = raw.indexOf('\n', begin);
    const valueEnd = raw.indexOf('\n', nameEnd + 1);
    if (nameEnd - begin === name.length && toLowerCase(raw.slice(begin, nameEnd)) === name) return raw.slice(nameEnd + 1, valueEnd);
    begin = valueEnd + 1;
  }
  return undefined;
}

module.exports = { IncomingMessage, endBody, fieldOf, finishUnread, hasEnded, setHead, toRawHeaders };
