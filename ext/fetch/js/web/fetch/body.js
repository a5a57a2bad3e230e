// Bodies of requests and responses: the Fetch Standard, 5.2 and 5.3. In: a BodyInit value, or bytes
// from the network. Out: bytes, strings and other forms, once; a stream, which is only made when it
// is requested.
'use strict';

const { whenBunIsUsed } = require('internal/bun_use');
const { isAnyArrayBuffer, isArrayBufferView, isUint8Array } = require('internal/util/types');
const { isBlob } = require('internal/blob');
const { isObject } = require('web/streams/webidl_utils');

const encode = (string) => new (require('web/encoding').TextEncoder)().encode(string);
const isStream = (value) => isObject(value) && Object.prototype.toString.call(value) === '[object ReadableStream]' &&
  value instanceof require('web/streams').ReadableStream;
const TEXT_TYPE = 'text/plain;charset=UTF-8';
const GeneratorFunction = Object.getPrototypeOf(function* () {}).constructor;
const AsyncGeneratorFunction = Object.getPrototypeOf(async function* () {}).constructor;
const isDisturbed = (stream) => stream[Symbol.for('nodejs.stream.disturbed')];

function unusable() {
  return new TypeError('Body is unusable: Body has already been read');
}

/**
 * A body: bytes, a string or a Blob (`source`), the network (`networkReader`: `read()`, `close()`,
 * and if it has them `readAll()` and `length`), or a stream. A string is encoded when its bytes are
 * needed.
 */
class Body {
  #source;
  #networkReader;
  #stream;
  #isRead = false;
  #length;

  constructor({ source, networkReader, stream, length = null }) {
    this.#source = source;
    this.#networkReader = networkReader;
    this.#stream = stream;
    this.#length = length;
  }

  get source() {
    if (typeof this.#source === 'string') this.#source = encode(this.#source);
    return this.#source;
  }

  /** In bytes; null: not known. */
  get length() {
    if (typeof this.#source === 'string') return this.source.length;
    return this.#length ?? this.#networkReader?.length ?? (isUint8Array(this.#source) ? this.#source.length : null);
  }

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
    if (this.#networkReader) return networkStream(this.#networkReader);
    if (isBlob(this.#source)) return this.#source.stream();
    const bytes = this.source.slice();
    return new ReadableStream({
      type: 'bytes',
      pull(controller) {
        if (bytes.length > 0) controller.enqueue(bytes);
        controller.close();
        controller.byobRequest?.respond(0);
      },
    }, { highWaterMark: 0 });
  }

  /** Consumes the body as text, if all of it is there and its reader decodes it; else undefined. */
  textNow() {
    if (this.#networkReader?.readText === undefined || this.#stream !== undefined || this.isUnusable) return undefined;
    const text = this.#networkReader.readText();
    if (text !== undefined) this.#isRead = true;
    return text;
  }

  /** Consumes the body. The caller owns the bytes. */
  async bytes() {
    if (this.isUnusable) throw unusable();
    if (this.#stream === undefined) {
      this.#isRead = true;
      if (this.#networkReader) return this.#networkReader.readAll?.() ?? collect(() => this.#networkReader.read());
      return isBlob(this.#source) ? new Uint8Array(await this.#source.arrayBuffer()) : this.source.slice();
    }
    const reader = this.#stream.getReader();
    return collect(async () => {
      const { value, done } = await reader.read();
      return done ? undefined : chunkBytes(value);
    });
  }

  /** Consumes the body without copying: returns bytes in memory, else a stream. */
  take() {
    if (this.isUnusable) throw unusable();
    const source = this.source;
    const { bytesOf, hasFiles } = require('internal/blob');
    if (this.#stream !== undefined || source === undefined || (isBlob(source) && hasFiles(source))) return this.stream;
    this.#isRead = true;
    return isBlob(source) ? bytesOf(source) : source;
  }

  /**
   * Consumes the body for a server: a string, bytes or a Blob as they were given, else undefined;
   * then the caller takes the stream.
   */
  takeSource() {
    if (this.isUnusable) throw unusable();
    if (this.#stream !== undefined || this.#source === undefined) return undefined;
    this.#isRead = true;
    return this.#source;
  }

  /** Tees the body. */
  clone() {
    if (this.#stream === undefined && this.#source !== undefined) {
      return new Body({ source: this.#source, length: this.#length });
    }
    const [first, second] = this.stream.tee();
    this.#stream = first;
    return new Body({ source: this.#source, stream: second, length: this.#length });
  }

  /** Cancels reading from the network. */
  fail(error) {
    this.#networkReader?.close(error);
  }
}

/** As in Bun, a chunk may be text or any view; the standard takes Uint8Array only. */
function chunkBytes(chunk) {
  if (isUint8Array(chunk)) return chunk;
  if (typeof chunk === 'string') return encode(chunk);
  if (isAnyArrayBuffer(chunk)) return new Uint8Array(chunk);
  if (isArrayBufferView(chunk)) return new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  throw new TypeError('Received non-Uint8Array chunk');
}

/** Reads all chunks and concatenates them. */
async function collect(read) {
  const chunks = [];
  let length = 0;
  for (let chunk = await read(); chunk !== undefined; chunk = await read()) {
    chunks.push(chunk);
    length += chunk.length;
  }
  if (chunks.length === 1) return chunks[0];
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}

function networkStream(networkReader) {
  const { ReadableStream } = require('web/streams');
  return new ReadableStream({
    type: 'bytes',
    async pull(controller) {
      const chunk = await networkReader.read();
      if (chunk !== undefined) {
        if (chunk.length > 0) controller.enqueue(chunk);
        return;
      }
      controller.close();
      controller.byobRequest?.respond(0);
    },
    cancel(reason) { networkReader.close(reason); },
  }, { highWaterMark: 0 });
}

/** Extracts a body and its type from a BodyInit value: the Fetch Standard, "extract a body". */
function extract(init, keepalive = false) {
  if (typeof init === 'string') return { body: new Body({ source: init.toWellFormed() }), type: TEXT_TYPE };
  if (isStream(init)) {
    if (keepalive) throw new TypeError('keepalive');
    if (isDisturbed(init) || init.locked) throw new TypeError('Response body object should not be disturbed or locked');
    return { body: new Body({ stream: init }), type: null };
  }
  if (isBlob(init)) return { body: new Body({ source: init, length: init.size }), type: init.type || null };
  if (isAnyArrayBuffer(init)) return fromBytes(new Uint8Array(init).slice(), null);
  if (isArrayBufferView(init)) return fromBytes(new Uint8Array(init.buffer, init.byteOffset, init.byteLength).slice(), null);
  if (isObject(init)) {
    const { URLSearchParams } = require('web/url_search_params');
    if (init instanceof URLSearchParams) return fromBytes(encode(`${init}`), 'application/x-www-form-urlencoded;charset=UTF-8');
    if (require('web/fetch/form_data').isFormData(init)) {
      const { blob, boundary } = require('web/fetch/multipart').render(init);
      return { body: new Body({ source: blob, length: blob.size }), type: `multipart/form-data; boundary=${boundary}` };
    }
    if (typeof init[Symbol.asyncIterator] === 'function') {
      const stream = require('web/streams').ReadableStream.from(toByteChunks(init));
      return { body: new Body({ stream }), type: null };
    }
  }
  // As in bun: the chunks of a generator.
  if (init instanceof AsyncGeneratorFunction || init instanceof GeneratorFunction) {
    return { body: new Body({ stream: require('web/streams').ReadableStream.from(toByteChunks(init())) }), type: null };
  }
  return { body: new Body({ source: `${init}`.toWellFormed() }), type: TEXT_TYPE };
}

async function * toByteChunks(iterable) {
  for await (const chunk of iterable) yield typeof chunk === 'string' ? encode(chunk) : chunk;
}

function fromBytes(bytes, type) {
  return { body: new Body({ source: bytes, length: bytes.length }), type };
}

/** The MIME type in the headers, or null. */
function mimeType(list) {
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
    const isWholeBuffer = bytes.byteOffset === 0 && bytes.byteLength === bytes.buffer.byteLength;
    return isWholeBuffer ? bytes.buffer : bytes.slice().buffer;
  },
  blob: (bytes, list) => new (require('internal/blob').Blob)([bytes], { type: `${mimeType(list) ?? ''}` }),
  bytes: (bytes) => bytes,
  formData: (bytes, list) => require('web/fetch/multipart').parse(bytes, mimeType(list)),
  json: (bytes) => JSON.parse(CONSUMERS.text(bytes)),
  text: (bytes) => new (require('web/encoding').TextDecoder)().decode(bytes),
};

/** Consumers of a body that is text already. */
const FROM_TEXT = { json: JSON.parse, text: (text) => text };

/** bun's method `textStream`: the body as text, piece by piece. */
function textStreamOf(getState) {
  return function textStream() {
    const { body } = getState(this);
    if (body?.isUnusable) throw Object.assign(new TypeError('Body is disturbed or locked'), { code: 'ERR_BODY_ALREADY_USED' });
    const { ReadableStream, TextDecoderStream } = require('web/streams');
    const stream = body?.stream ?? new ReadableStream({ start(controller) { controller.close(); } });
    return stream.pipeThrough(new TextDecoderStream());
  };
}

/** Defines the Body mixin. `getState` returns `{ body, list }` of an object, or throws. */
function defineBody(Class, getState) {
  const members = {
    get body() { return getState(this).body?.stream ?? null; },
    get bodyUsed() { return getState(this).body?.isUsed ?? false; },
  };
  Object.defineProperties(Class.prototype, Object.getOwnPropertyDescriptors(members));
  whenBunIsUsed(() => Object.defineProperty(Class.prototype, 'textStream', { __proto__: null, value: textStreamOf(getState), writable: true, enumerable: true, configurable: true }));
  for (const [name, convert] of Object.entries(CONSUMERS)) {
    const fromText = FROM_TEXT[name];
    const method = fromText === undefined ? {
      async [name]() {
        const { body, list } = getState(this);
        return convert(body ? await body.bytes() : new Uint8Array(), list);
      },
    }[name] : {
      async [name]() {
        const { body, list } = getState(this);
        const text = body?.textNow();
        return text === undefined ? convert(body ? await body.bytes() : new Uint8Array(), list) : fromText(text);
      },
    }[name];
    Object.defineProperty(Class.prototype, name, { __proto__: null, value: method, writable: true, configurable: true });
  }
}

/** The body of a Request or a Response, or null; undefined if the value is neither. */
function bodyOf(value) {
  const tag = Object.prototype.toString.call(value);
  if (tag !== '[object Response]' && tag !== '[object Request]') return undefined;
  return require(tag === '[object Response]' ? 'web/fetch/response' : 'web/fetch/request').bodyOf(value).body;
}

module.exports = { Body, TEXT_TYPE, bodyOf, chunkBytes, defineBody, extract, unusable };
