// One document on its way through an HTMLRewriter. In: chunks. Out: rewritten chunks, at once or as
// a promise when a handler returned one. Absent: where chunks come from.
'use strict';

const { Comment, Doctype, DocumentEnd, Element, EndTag, Recorder, Text, Token, rewriterError } = require('internal/html_rewriter/tokens');
const { isPromise, promiseDetails } = require('internal/util/types');

const binding = internalBinding('html_rewriter');
const { event } = binding;

/** Pieces of a larger chunk, so that its events do not all exist at once. */
const PIECE_BYTES = 64 * 1024;

const [PENDING, , REJECTED] = [0, 1, 2];

class Transform {
  #document;
  #handlers;
  /** Elements with an end tag handler or removed content, by the number of their event. */
  #open = new Map();
  #removedContents = 0;
  #eventCount = 0;

  /** `handlers`: `{ owner, callback }` by number. */
  constructor({ selectors, ofSelectors, ofDocuments, handlers }) {
    this.#document = binding.create(selectors, ofSelectors, ofDocuments);
    this.#handlers = handlers;
  }

  /** `bytes`: undefined at the end. Calls `write` with each rewritten piece. */
  async feed(bytes, write) {
    for (const piece of piecesOf(bytes)) {
      for (const promise of this.#run(piece, write)) await promise;
    }
  }

  /** The same, of a caller that cannot wait. `kind`: what it was to return. */
  feedSync(bytes, write, kind) {
    for (const piece of piecesOf(bytes)) {
      for (const promise of this.#run(piece, write)) settle(promise, kind);
    }
  }

  /** Yields the promises that handlers return. */
  * #run(piece, write) {
    const events = binding.scan(this.#document, piece);
    if (typeof events === 'string') throw rewriterError(events);
    const recorder = new Recorder();
    let count = 0;
    for (let at = 0; at < events.length; count++) {
      recorder.index = count;
      const callCount = events[at + 1];
      const handlers = events.slice(at + 2, at + 2 + callCount);
      const { token, size, onEnd } = this.#token(recorder, events, at, at + 2 + callCount);
      at += 2 + callCount + size;
      this.#eventCount++;
      if (token === undefined) continue;
      yield * this.#call(token, handlers, onEnd);
    }
    const output = binding.apply(this.#document, count, recorder.operations);
    if (typeof output === 'string') throw rewriterError(output);
    if (output.length > 0) write(output);
  }

  * #call(token, handlers, onEnd) {
    try {
      if (onEnd !== undefined) {
        const result = onEnd(token);
        if (isPromise(result)) yield result;
      }
      for (const number of handlers) {
        const { owner, callback } = this.#handlers[number];
        const result = callback.call(owner, token);
        if (isPromise(result)) yield result;
      }
      if (token instanceof Element) this.#afterElement(token);
    } finally {
      Token.end(token);
    }
  }

  #afterElement(element) {
    if (!Element.canHaveContent(element)) return;
    const onEnd = Element.onEndTag(element);
    const removesContent = Element.removesContent(element);
    if (removesContent) this.#removedContents++;
    if (removesContent || onEnd !== undefined) this.#open.set(this.#eventCount - 1, { onEnd, removesContent, newName: Element.newName(element) });
  }

  /** The token of an event whose fields begin at `at`, and how many these are. */
  #token(recorder, events, start, at) {
    switch (events[start]) {
      case event.ELEMENT: {
        const [name, namespace, isSelfClosing, canHaveContent, count] = events.slice(at, at + 5);
        const attributes = [];
        for (let index = 0; index < count; index++) attributes.push([events[at + 5 + 2 * index], events[at + 6 + 2 * index]]);
        const token = new Element(recorder, [name, namespace, isSelfClosing, canHaveContent, attributes], this.#removedContents > 0);
        return { token, size: 5 + 2 * count };
      }
      case event.END_TAG: return { ...this.#endTag(recorder, events[at], events[at + 1]), size: 2 };
      case event.TEXT: return { token: new Text(recorder, events[at], events[at + 1]), size: 2 };
      case event.COMMENT: return { token: new Comment(recorder, events[at]), size: 1 };
      case event.DOCTYPE: return { token: new Doctype(recorder, events.slice(at, at + 3)), size: 3 };
      default: return { token: new DocumentEnd(recorder), size: 0 };
    }
  }

  #endTag(recorder, number, name) {
    const entry = this.#open.get(number);
    if (entry === undefined) return {};
    this.#open.delete(number);
    if (entry.removesContent) this.#removedContents--;
    return entry.onEnd === undefined ? {} : { token: new EndTag(recorder, entry.newName ?? name), onEnd: entry.onEnd };
  }
}

function * piecesOf(bytes) {
  if (bytes === undefined) {
    yield undefined;
    return;
  }
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES);
}

/** Runs microtasks until the promise is settled, or nothing more can settle it. */
function settle(promise, kind) {
  promise.then(undefined, () => {});
  binding.runMicrotasks();
  const [state, value] = promiseDetails(promise) ?? [PENDING];
  if (state === PENDING) {
    throw new TypeError(`HTMLRewriter.transform() cannot synchronously return ${kind} because a content handler returned a Promise that did not resolve within a microtask. Pass a Response instead and await its body`);
  }
  if (state === REJECTED) throw value;
}

module.exports = { Transform };
