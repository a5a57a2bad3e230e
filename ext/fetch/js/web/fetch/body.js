// Bodies of requests and answers: the Fetch Standard 5.2 and 5.3. In: what a program gives, or what
// comes over the network. Out: bytes, strings and more, once; a stream for those who ask for it. A
// body that nobody reads as a stream never becomes one.
'use strict';

const { isAnyArrayBuffer, isArrayBufferView, isUint8Array } = require('internal/util/types');
const { isBlob } = require('internal/blob');
const { isObject } = require('web/streams/webidl_utils');

const encode = (text) => new (require('web/encoding').TextEncoder)().encode(text);
const isStream = (value) => isObject(value) && Object.prototype.toString.call(value) === '[object ReadableStream]' &&
  value instanceof require('web/streams').ReadableStream;
const isDisturbed = (stream) => stream[Symbol.for('nodejs.stream.disturbed')];

function unusable() {
  return new TypeError('Body is unusable: Body has already been read');
}

/**
 * One of: bytes or a Blob (`source`), what comes from outside (`feed`: `read()`, `close()`), a
 * stream.
 */
class Body {
  #source;
  #feed;
  #stream;
  #isRead = false;

  constructor({ source, feed, stream, length = null }) {
    this.#source = source;
    this.#feed = feed;
    this.#stream = stream;
    this.length = length;
  }

  get source() { return this.#source; }

  get isUsed() {
    return this.#isRead || (this.#stream !== undefined && isDisturbed(this.#stream));
  }

  get isUnusable() {
    return this.isUsed || (this.#stream?.locked ?? false);
  }

  get stream() {
    if (this.#stream === undefined) this.#stream = this.#makeStream();
    return this.#stream;
  }

  #makeStream() {
    const { ReadableStream } = require('web/streams');
    if (this.#isRead) {
      const stream = new ReadableStream({ type: 'bytes', start(controller) { controller.close(); } });
      stream.getReader();
      return stream;
    }
    if (this.#feed) return feedStream(this.#feed);
    if (isBlob(this.#source)) return this.#source.stream();
    const bytes = this.#source.slice();
    return new ReadableStream({
      type: 'bytes',
      pull(controller) {
        if (bytes.length > 0) controller.enqueue(bytes);
        controller.close();
        controller.byobRequest?.respond(0);
      },
    }, { highWaterMark: 0 });
  }

  /** All bytes. They are the caller's alone. */
  async bytes() {
    if (this.isUnusable) throw unusable();
    if (this.#stream === undefined) {
      this.#isRead = true;
      if (this.#feed) return collect(() => this.#feed.read());
      return isBlob(this.#source) ? new Uint8Array(await this.#source.arrayBuffer()) : this.#source.slice();
    }
    const reader = this.#stream.getReader();
    return collect(async () => {
      const { value, done } = await reader.read();
      if (done) return undefined;
      if (!isUint8Array(value)) throw new TypeError('Received non-Uint8Array chunk');
      return value;
    });
  }

  /**
   * For who takes it as it lies: bytes where they are here, else a stream. It counts as read from
   * then on.
   */
  take() {
    if (this.isUnusable) throw unusable();
    const source = this.#source;
    const { bytesOf, hasFiles } = require('internal/blob');
    if (this.#stream !== undefined || source === undefined || (isBlob(source) && hasFiles(source))) return this.stream;
    this.#isRead = true;
    return isBlob(source) ? bytesOf(source) : source;
  }

  /** The same body a second time. */
  clone() {
    if (this.#stream === undefined && this.#source !== undefined) {
      return new Body({ source: this.#source, length: this.length });
    }
    const [one, other] = this.stream.tee();
    this.#stream = one;
    return new Body({ source: this.#source, stream: other, length: this.length });
  }

  /** Nobody reads the rest, and no more is to come. */
  fail(error) {
    this.#feed?.close(error);
  }
}

/** Pieces in one. */
async function collect(read) {
  const pieces = [];
  let length = 0;
  for (let piece = await read(); piece !== undefined; piece = await read()) {
    pieces.push(piece);
    length += piece.length;
  }
  if (pieces.length === 1) return pieces[0];
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

function feedStream(feed) {
  const { ReadableStream } = require('web/streams');
  return new ReadableStream({
    type: 'bytes',
    async pull(controller) {
      const piece = await feed.read();
      if (piece !== undefined) {
        if (piece.length > 0) controller.enqueue(piece);
        return;
      }
      controller.close();
      controller.byobRequest?.respond(0);
    },
    cancel(reason) { feed.close(reason); },
  }, { highWaterMark: 0 });
}

/** What a program gives as a body. Out: the body, and the type that goes with it. */
function extract(given, isKeptAlive = false) {
  if (isStream(given)) {
    if (isKeptAlive) throw new TypeError('keepalive');
    if (isDisturbed(given) || given.locked) throw new TypeError('Response body object should not be disturbed or locked');
    return { body: new Body({ stream: given }), type: null };
  }
  if (isBlob(given)) return { body: new Body({ source: given, length: given.size }), type: given.type || null };
  if (isAnyArrayBuffer(given)) return whole(new Uint8Array(given).slice(), null);
  if (isArrayBufferView(given)) return whole(new Uint8Array(given.buffer, given.byteOffset, given.byteLength).slice(), null);
  if (isObject(given)) {
    const { URLSearchParams } = require('web/url_search_params');
    if (given instanceof URLSearchParams) return whole(encode(`${given}`), 'application/x-www-form-urlencoded;charset=UTF-8');
    if (require('web/fetch/form_data').isFormData(given)) {
      const { blob, boundary } = require('web/fetch/multipart').render(given);
      return { body: new Body({ source: blob, length: blob.size }), type: `multipart/form-data; boundary=${boundary}` };
    }
    if (typeof given[Symbol.asyncIterator] === 'function') {
      const stream = require('web/streams').ReadableStream.from(bytesOf(given));
      return { body: new Body({ stream }), type: null };
    }
  }
  return whole(encode(`${given}`), 'text/plain;charset=UTF-8');
}

async function * bytesOf(iterable) {
  for await (const piece of iterable) yield typeof piece === 'string' ? encode(piece) : piece;
}

function whole(bytes, type) {
  return { body: new Body({ source: bytes, length: bytes.length }), type };
}

/** The type of a body by its headers, or null. */
function typeOf(list) {
  const header = list.get('content-type');
  if (header === null) return null;
  try {
    return new (require('internal/util/mime_type').MIMEType)(header);
  } catch {
    return null;
  }
}

const CONSUMERS = {
  arrayBuffer: (bytes) => {
    const isAll = bytes.byteOffset === 0 && bytes.byteLength === bytes.buffer.byteLength;
    return isAll ? bytes.buffer : bytes.slice().buffer;
  },
  blob: (bytes, list) => new (require('internal/blob').Blob)([bytes], { type: `${typeOf(list) ?? ''}` }),
  bytes: (bytes) => bytes,
  formData: (bytes, list) => require('web/fetch/multipart').parse(bytes, typeOf(list)),
  json: (bytes) => JSON.parse(CONSUMERS.text(bytes)),
  text: (bytes) => new (require('web/encoding').TextDecoder)().decode(bytes),
};

/** `body`, `bodyUsed` and what reads them. `of` gives `{ body, list }` of an object, or throws. */
function defineBody(Class, of) {
  const members = {
    get body() { return of(this).body?.stream ?? null; },
    get bodyUsed() { return of(this).body?.isUsed ?? false; },
  };
  Object.defineProperties(Class.prototype, Object.getOwnPropertyDescriptors(members));
  for (const [name, make] of Object.entries(CONSUMERS)) {
    const method = {
      async [name]() {
        const { body, list } = of(this);
        return make(body ? await body.bytes() : new Uint8Array(), list);
      },
    }[name];
    Object.defineProperty(Class.prototype, name, { __proto__: null, value: method, writable: true, configurable: true });
  }
}

/** The body of a Request or a Response, null where there is none; undefined for what is neither. */
function bodyOf(value) {
  const kind = Object.prototype.toString.call(value);
  if (kind !== '[object Response]' && kind !== '[object Request]') return undefined;
  return require(kind === '[object Response]' ? 'web/fetch/response' : 'web/fetch/request').bodyOf(value).body;
}

module.exports = { Body, bodyOf, defineBody, extract, unusable };
