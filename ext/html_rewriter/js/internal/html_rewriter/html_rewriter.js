// HTMLRewriter: changes HTML by handlers of its elements, comments and text, as in Cloudflare
// Workers and bun. In: selectors and handlers; a Response, a string or bytes. Out: the same kind,
// rewritten. Absent: documents as trees.
'use strict';

const { invalidArgType } = require('internal/bun/environment');
const { isAnyArrayBuffer, isArrayBufferView } = require('internal/util/types');
const { Headers } = require('web/fetch/headers');
const { responseParts } = require('web/fetch/response');
const { rewriterError } = require('internal/html_rewriter/tokens');
const { Transform } = require('internal/html_rewriter/transform');

const binding = internalBinding('html_rewriter');

const ELEMENT_KINDS = ['element', 'comments', 'text'];
const DOCUMENT_KINDS = ['doctype', 'comments', 'text', 'end'];

class HTMLRewriter {
  #selectors = [];
  #ofSelectors = [];
  #ofDocuments = [];
  /** `{ owner, callback }` by number. */
  #handlers = [];

  on(selector, handlers) {
    if (arguments.length < 2) throw invalidArgType('Missing argument');
    const text = `${selector}`;
    const problem = binding.checkSelector(text);
    if (problem !== undefined) throw rewriterError(problem);
    const numbers = this.#number(handlers, ELEMENT_KINDS);
    this.#selectors.push(text);
    this.#ofSelectors.push(...numbers);
    return this;
  }

  onDocument(handlers) {
    if (arguments.length < 1) throw invalidArgType('Missing argument');
    this.#ofDocuments.push(...this.#number(handlers, DOCUMENT_KINDS));
    return this;
  }

  /** Numbers of the handlers, -1 for those that are absent. */
  #number(owner, kinds) {
    if ((typeof owner !== 'object' && typeof owner !== 'function') || owner === null) throw invalidArgType('Expected object');
    const callbacks = kinds.map((kind) => [kind, owner[kind]]);
    for (const [kind, callback] of callbacks) {
      if (callback !== undefined && callback !== null && typeof callback !== 'function') throw invalidArgType(`${kind} must be a function`);
    }
    return callbacks.map(([, callback]) => (typeof callback === 'function' ? this.#handlers.push({ owner, callback }) - 1 : -1));
  }

  transform(input) {
    if (arguments.length < 1) throw invalidArgType('Missing argument');
    if (typeof input === 'string') {
      return new (require('web/encoding').TextDecoder)('utf-8', { ignoreBOM: true }).decode(this.#transformBytes(encode(input), 'a string'));
    }
    if (responseParts.is(input)) return this.#transformResponse(input);
    if (isAnyArrayBuffer(input)) return this.#transformBytes(new Uint8Array(input), 'an ArrayBuffer').buffer;
    if (isArrayBufferView(input)) {
      return this.#transformBytes(new Uint8Array(input.buffer, input.byteOffset, input.byteLength), 'an ArrayBuffer').buffer;
    }
    throw invalidArgType('Expected Response or Body');
  }

  #begin() {
    return new Transform({
      selectors: this.#selectors, ofSelectors: this.#ofSelectors, ofDocuments: this.#ofDocuments, handlers: this.#handlers,
    });
  }

  /** Returns bytes in an ArrayBuffer of their own. */
  #transformBytes(bytes, kind) {
    const transform = this.#begin();
    const chunks = [];
    const write = (chunk) => chunks.push(chunk);
    transform.feedSync(bytes, write, kind);
    transform.feedSync(undefined, write, kind);
    return concatenate(chunks);
  }

  #transformResponse(response) {
    const body = responseParts.bodyField(response);
    if (body?.isUnusable) throw invalidArgType('Response body already used');
    const { Response } = require('web/fetch/response');
    const headers = new Headers(response.headers);
    // The length of the result is not known.
    headers.delete('content-length');
    const { status, statusText } = response;
    const init = { status, statusText, headers };
    if (body === null) return new Response(null, init);
    return new Response(rewrittenStream(this.#begin(), readerOf(body)), init);
  }

  get [Symbol.toStringTag]() { return 'HTMLRewriter'; }
}

const encode = (text) => new (require('web/encoding').TextEncoder)().encode(text);

function concatenate(chunks) {
  const bytes = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

/** Consumes a body: a reader of its chunks. */
function readerOf(body) {
  const source = body.takeSource();
  if (source === undefined) return body.stream.getReader();
  if (typeof source === 'string') return onceReader(encode(source));
  return require('internal/blob').isBlob(source) ? source.stream().getReader() : onceReader(source);
}

/** The rewritten body. It is rewritten from the start; once it is read, as fast as it is read. */
function rewrittenStream(transform, reader) {
  const { ReadableStream } = require('web/streams');
  let isCancelled = false;
  let isRead = false;
  /** The reader waits for a chunk. */
  let isWanted = false;
  let onPull = () => {};
  async function run(controller) {
    const write = (chunk) => {
      if (isCancelled) return;
      isWanted = false;
      controller.enqueue(chunk);
    };
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (isCancelled) return;
        if (done) break;
        await transform.feed(typeof value === 'string' ? encode(value) : value, write);
        if (isRead && !isWanted && !isCancelled) await new Promise((resolve) => { onPull = resolve; });
      }
      await transform.feed(undefined, write);
      if (isCancelled) return;
      controller.close();
      controller.byobRequest?.respond(0);
    } catch (error) {
      if (!isCancelled) controller.error(error);
      reader.cancel(error).catch(() => {});
    }
  }
  return new ReadableStream({
    type: 'bytes',
    start(controller) { run(controller); },
    pull() {
      isRead = isWanted = true;
      onPull();
    },
    cancel(reason) {
      isCancelled = true;
      onPull();
      return reader.cancel(reason);
    },
  }, { highWaterMark: 0 });
}

/** A reader of bytes in memory. */
function onceReader(bytes) {
  let isDone = false;
  return {
    async read() {
      if (isDone) return { done: true, value: undefined };
      isDone = true;
      return { done: false, value: bytes };
    },
    async cancel() { isDone = true; },
  };
}

module.exports = { HTMLRewriter };
