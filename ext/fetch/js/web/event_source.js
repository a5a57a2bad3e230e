// EventSource: server-sent events of the HTML Standard, 9.2. In: a URL. Out: a 'message' event, or
// one of the server's types, for each block of lines; the connection is made again when it ends.
// Absent: CORS, proxies of their own.
'use strict';

const { Event, EventTarget, defineEventHandler, kTrustEvent } = require('web/events');
const { finishClass } = require('web/streams/webidl_utils');
const { EventStreamParser } = require('internal/event_stream_parser');

const CONNECTING = 0;
const OPEN = 1;
const CLOSED = 2;

const RECONNECTION_MS = 3000;

const trusted = (init) => ({ [kTrustEvent]: true, ...init });

class EventSource extends EventTarget {
  #url;
  #withCredentials;
  #readyState = CONNECTING;
  #controller;
  #timer;
  #reconnectionMs = RECONNECTION_MS;
  #lastEventId = '';

  constructor(url, init = undefined) {
    if (arguments.length === 0) throw new TypeError('EventSource constructor: 1 argument required, but 0 found.');
    super();
    warnOnce();
    this.#withCredentials = Boolean(init?.withCredentials);
    try {
      this.#url = new (require('web/url').URL)(`${url}`).href;
    } catch (error) {
      const { DOMException } = require('web/dom_exception');
      throw new DOMException(`${error}`, 'SyntaxError');
    }
    this.#connect();
  }

  get url() { return this.#url; }
  get withCredentials() { return this.#withCredentials; }
  get readyState() { return this.#readyState; }

  close() {
    if (this.#readyState === CLOSED) return;
    this.#readyState = CLOSED;
    clearTimeout(this.#timer);
    this.#controller.abort();
  }

  async #connect() {
    const { AbortController } = require('web/abort');
    this.#controller = new AbortController();
    const { signal } = this.#controller;
    const headers = { accept: 'text/event-stream' };
    // The field is Latin-1: the bytes of UTF-8.
    if (this.#lastEventId !== '') headers['last-event-id'] = require('buffer').Buffer.from(this.#lastEventId).toString('latin1');
    try {
      const { fetch } = require('web/fetch/fetch');
      const response = await fetch(this.#url, { headers, signal, cache: 'no-store' });
      if (!isEventStream(response)) {
        this.#fail();
        response.body?.cancel().catch(() => {});
        return;
      }
      this.#open();
      await this.#read(response);
    } catch {
      // The connection has failed, or `close` has aborted it.
    }
    this.#reconnect();
  }

  async #read(response) {
    const { origin } = new (require('web/url').URL)(response.url);
    const { MessageEvent } = require('web/message_event');
    const parser = new EventStreamParser({
      lastEventId: this.#lastEventId,
      onRetry: (ms) => { this.#reconnectionMs = ms; },
      onEvent: ({ type, data, lastEventId }) => {
        if (this.#readyState === CLOSED) return;
        this.#lastEventId = lastEventId;
        this.dispatchEvent(new MessageEvent(type, trusted({ data, origin, lastEventId })));
      },
    });
    const decoder = new (require('web/encoding').TextDecoder)();
    for await (const chunk of response.body) {
      if (this.#readyState === CLOSED) return;
      parser.push(decoder.decode(chunk, { stream: true }));
    }
    this.#lastEventId = parser.lastEventId;
  }

  #open() {
    if (this.#readyState === CLOSED) return;
    this.#readyState = OPEN;
    this.dispatchEvent(new Event('open', trusted()));
  }

  /** "Fail the connection": it is not made again. */
  #fail() {
    if (this.#readyState === CLOSED) return;
    this.#readyState = CLOSED;
    this.dispatchEvent(new Event('error', trusted()));
  }

  #reconnect() {
    if (this.#readyState === CLOSED) return;
    this.#readyState = CONNECTING;
    this.dispatchEvent(new Event('error', trusted()));
    // The listener may have closed it.
    if (this.#readyState === CLOSED) return;
    this.#timer = setTimeout(() => { this.#connect(); }, this.#reconnectionMs);
  }
}

function isEventStream(response) {
  const type = response.headers.get('content-type')?.split(';', 1)[0].trim().toLowerCase();
  return response.status === 200 && type === 'text/event-stream';
}

let hasWarned = false;

function warnOnce() {
  if (hasWarned) return;
  hasWarned = true;
  require('process').emitWarning('EventSource is experimental, expect them to change at any time.', { code: 'UNDICI-ES' });
}

for (const type of ['open', 'message', 'error']) defineEventHandler(EventSource.prototype, type);
for (const [name, value] of Object.entries({ CONNECTING, OPEN, CLOSED })) {
  for (const target of [EventSource, EventSource.prototype]) {
    Object.defineProperty(target, name, { __proto__: null, value, enumerable: true });
  }
}
finishClass(EventSource);

module.exports = { EventSource };
