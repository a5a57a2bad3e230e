// Exchange: one request of a server and its response. In: numbers of server and request. Out: what
// a Request is made of (URL, header list, body, signal), each when it is asked for. Absent: the
// response (respond.js).
'use strict';

const { ReceivedHeadersList } = require('web/fetch/headers');

const binding = internalBinding('serve');

function abortError() {
  const { DOMException } = require('web/dom_exception');
  return new DOMException('The connection was closed.', 'AbortError');
}

let changedCookies;

class Exchange {
  isUpgraded = false;
  isOver = false;
  isAborted = false;
  /** Called when the client has gone. */
  onAbort = undefined;
  /** The BunRequest of a route, and the names, values and object of its parameters. */
  request = undefined;
  parameterNames = undefined;
  parameterValues = undefined;
  params = undefined;
  #origin;
  #head;
  #url;
  #controller;
  /** What waits for an event: called with whether the request still lasts. */
  #bodyWaiter;
  #drainWaiter;

  constructor(number, id, origin) {
    this.number = number;
    this.id = id;
    this.#origin = origin;
  }

  /** The class of a clone of the request. */
  get Class() { return this.request === undefined ? undefined : require('internal/serve/bun_request').BunRequest; }

  url() { return this.#url ??= binding.url(this.number, this.id, this.#origin) ?? urlOfHead(this.#head, this.#origin); }
  list() { return new ReceivedHeadersList(this); }
  head() { return this.#head ?? binding.head(this.number, this.id); }
  field(name) { return binding.field(this.number, this.id, name); }

  signal() {
    if (this.#controller === undefined) {
      const { AbortController } = require('web/abort');
      this.#controller = new AbortController();
      if (this.isAborted) this.#controller.abort(abortError());
    }
    return this.#controller.signal;
  }

  body() {
    const { Body } = require('web/fetch/body');
    return new Body({ networkReader: this });
  }

  /** Of the body, in bytes; null: not known. */
  get length() {
    const length = this.isOver ? /^content-length:[ \t]*(\d+)/im.exec(this.#head ?? '')?.[1] : this.field('content-length');
    return typeof length === 'string' ? Number(length) : null;
  }

  // --- the body: what `Body` reads

  /** A chunk; undefined at the end. */
  async read() {
    for (;;) {
      const bytes = binding.readBody(this.number, this.id);
      if (bytes === null) return undefined;
      if (bytes === undefined) throw abortError();
      if (bytes !== false) return bytes;
      await this.#waitForBody();
    }
  }

  async readAll() {
    for (;;) {
      const bytes = binding.readWholeBody(this.number, this.id);
      if (bytes === null) return new Uint8Array();
      if (bytes === undefined) throw abortError();
      if (bytes !== false) return bytes;
      await this.#waitForBody();
    }
  }

  /** The whole body as text; undefined: not all of it has come. */
  readText() {
    const text = binding.readWholeText(this.number, this.id);
    if (text === null) return '';
    if (text === undefined) throw abortError();
    return text === false ? undefined : text;
  }

  /** The rest is not wanted: it is not read, and the connection ends with the response. */
  close() {}

  #waitForBody() {
    return new Promise((resolve) => { this.#bodyWaiter = resolve; });
  }

  /** Until all output is written, or the client has gone. */
  drained() {
    return new Promise((resolve) => {
      this.#drainWaiter = resolve;
      binding.waitForDrain(this.number, this.id);
    });
  }

  // --- events

  notifyBody() {
    const waiter = this.#bodyWaiter;
    this.#bodyWaiter = undefined;
    waiter?.();
  }

  notifyDrain() {
    const waiter = this.#drainWaiter;
    this.#drainWaiter = undefined;
    waiter?.();
  }

  abort() {
    this.isOver = true;
    this.isAborted = true;
    this.#controller?.abort(abortError());
    this.onAbort?.();
    this.notifyBody();
    this.notifyDrain();
  }

  /**
   * The response is sent next: what the request consists of is stored, as the program may keep the
   * request.
   */
  finish(head = this.head()) {
    this.isOver = true;
    this.#head = head;
    if (this.parameterNames !== undefined && this.params === undefined) this.parameterValues = binding.parameters(this.number, this.id);
  }

  /** `Set-Cookie` fields of what the handler has changed in `request.cookies`. */
  cookieFields() {
    if (this.request === undefined) return '';
    changedCookies ??= require('internal/serve/bun_request').changedCookies;
    const cookies = changedCookies(this.request);
    return cookies === undefined ? '' : cookies.map((cookie) => `Set-Cookie: ${cookie}\r\n`).join('');
  }
}

/** The URL of a request that is over. */
function urlOfHead(head, origin) {
  const target = / (\S+)/.exec(head ?? '')?.[1] ?? '/';
  const host = /^host:[ \t]*(\S+)/im.exec(head ?? '')?.[1];
  const scheme = origin.slice(0, origin.indexOf(':'));
  const url = target[0] === '/' ? `${host === undefined ? origin : `${scheme}://${host}`}${target}` : target;
  const { URL } = require('web/url');
  return (URL.canParse(url) ? new URL(url) : new URL('/', origin)).href;
}

module.exports = { Exchange, abortError };
