// `http.IncomingMessage`: requests to a server, responses to a client. In: a socket, a parsed head.
// Out: a readable stream of the body; header fields, where repeated ones are joined or dropped by
// Node's rules.
'use strict';

const { Readable, finished } = require('stream');
const { nextTick } = require('process');

const kHeaders = Symbol('kHeaders');
const kDistinct = Symbol('kDistinct');
const kTrailers = Symbol('kTrailers');
const kTrailersDistinct = Symbol('kTrailersDistinct');

/** Of these the first counts. */
const SINGLE = new Set([
  'age', 'authorization', 'content-length', 'content-type', 'etag', 'expires', 'from', 'host', 'if-modified-since', 'if-unmodified-since', 'last-modified',
  'location', 'max-forwards', 'proxy-authorization', 'referer', 'retry-after', 'server', 'user-agent',
]);

function IncomingMessage(socket) {
  const options = socket ? { highWaterMark: socket.readableHighWaterMark } : undefined;
  Reflect.apply(Readable, this, [options]);
  this._readableState.readingMore = true;
  this.socket = socket;
  this.httpVersionMajor = null;
  this.httpVersionMinor = null;
  this.httpVersion = null;
  this.complete = false;
  this[kHeaders] = null;
  this[kDistinct] = null;
  this.rawHeaders = [];
  this[kTrailers] = null;
  this[kTrailersDistinct] = null;
  this.rawTrailers = [];
  this.joinDuplicateHeaders = false;
  this.aborted = false;
  this.upgrade = null;
  this.url = '';
  this.method = null;
  this.statusCode = null;
  this.statusMessage = null;
  this.client = socket;
  this._consumed = false;
  this._dumped = false;
}
Object.setPrototypeOf(IncomingMessage.prototype, Readable.prototype);
Object.setPrototypeOf(IncomingMessage, Readable);

/** Names as they are compared; those that come again and again are kept. */
const lowered = new Map();
const LOWERED_MAX = 256;

function lower(field) {
  const known = lowered.get(field);
  if (known !== undefined) return known;
  const name = field.toLowerCase();
  if (lowered.size < LOWERED_MAX) lowered.set(field, name);
  return name;
}

/** Adds a header to those before it. */
IncomingMessage.prototype._addHeaderLine = function _addHeaderLine(field, value, into) {
  const name = lower(field);
  // What every object has under such a name is no header.
  const known = into[name];
  if (name === 'set-cookie') {
    if (known === undefined) into[name] = [value];
    else known.push(value);
  } else if (typeof known !== 'string') {
    into[name] = value;
  } else if (name === 'cookie') {
    into[name] = `${known}; ${value}`;
  } else if (this.joinDuplicateHeaders || !SINGLE.has(name)) {
    into[name] = `${known}, ${value}`;
  }
};

IncomingMessage.prototype._addHeaderLineDistinct = function _addHeaderLineDistinct(field, value, into) {
  const name = lower(field);
  if (!Array.isArray(into[name])) into[name] = [value];
  else into[name].push(value);
};

IncomingMessage.prototype._addHeaderLines = function _addHeaderLines(headers) {
  if (!headers?.length) return;
  if (this.complete) {
    this.rawTrailers = headers;
    this[kTrailers] = this[kTrailersDistinct] = null;
  } else {
    this.rawHeaders = headers;
    this[kHeaders] = this[kDistinct] = null;
  }
};

function collect(message, raw, add) {
  const into = {};
  for (let at = 0; at + 1 < raw.length; at += 2) add.call(message, raw[at], raw[at + 1], into);
  return into;
}

function lazily(kept, raw, add) {
  return {
    configurable: true,
    enumerable: false,
    get() {
      // A prototype of a program's own has none.
      if (this[kept] == null && this[raw] !== undefined) this[kept] = collect(this, this[raw], this[add]);
      return this[kept];
    },
    set(value) { this[kept] = value; },
  };
}

Object.defineProperties(IncomingMessage.prototype, {
  headers: lazily(kHeaders, 'rawHeaders', '_addHeaderLine'),
  headersDistinct: lazily(kDistinct, 'rawHeaders', '_addHeaderLineDistinct'),
  trailers: lazily(kTrailers, 'rawTrailers', '_addHeaderLine'),
  trailersDistinct: lazily(kTrailersDistinct, 'rawTrailers', '_addHeaderLineDistinct'),
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
  const done = (problem) => nextTick(() => callback(this.listenerCount('error') === 0 ? null : problem));
  if (!this.socket || this.socket.destroyed || !this.aborted) {
    done(error);
    return;
  }
  this.socket.destroy(error);
  const stop = finished(this.socket, (problem) => {
    stop();
    done((problem?.code === 'ERR_STREAM_PREMATURE_CLOSE' ? null : problem) || error);
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

/** Takes over what a head says. */
function takeHead(message, head) {
  message.httpVersionMajor = head.major;
  message.httpVersionMinor = head.minor;
  message.httpVersion = `${head.major}.${head.minor}`;
  message.rawHeaders = head.rawHeaders;
}

module.exports = { IncomingMessage, takeHead };
