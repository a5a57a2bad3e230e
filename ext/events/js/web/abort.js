// AbortController, AbortSignal. In: a reason, a time, other signals. Out: one event, once. A signal
// that follows others is known to them weakly, unless somebody listens: then they keep it. Absent:
// sending signals to another thread (abort_crossing.js).
'use strict';

const { codes } = require('internal/errors');
const { validateUint32 } = require('internal/validators');
const {
  Event, EventTarget, define, defineEventHandler, isHeard, kDefaultMax, kNewListener, kRemoveListener, kTrustEvent,
} = require('web/events');

const kInspect = Symbol.for('nodejs.util.inspect.custom');
const kMake = Symbol('kMake');
// What the classes of this file let each other see.
const inner = {};
const { clearTimeout } = internalBinding('queues');

const { dispatchEvent } = EventTarget.prototype;
const NONE = Object.freeze([]);

// Signals of a timer that somebody listens to.
const awaited = new Set();
const timers = new FinalizationRegistry(clearTimeout);

function abortError(message, name) {
  const { DOMException } = require('web/dom_exception');
  return new DOMException(message, name);
}

class AbortSignal extends EventTarget {
  #aborted = false;
  #reason = undefined;
  // Who follows: weakly, and those that are listened to.
  #followers = undefined;
  #kept = undefined;
  // Whom it follows.
  #sources = undefined;
  #isTimed = false;


  constructor(token) {
    if (token !== kMake) throw new codes.ERR_ILLEGAL_CONSTRUCTOR();
    super();
  }

  /**
   * The signal itself, also where a program asks a proxy of it, as libraries make them of all that
   * they are given.
   */
  static #of(value) {
    let signal = value;
    while (typeof signal === 'object' && signal !== null) {
      if (#aborted in signal) return signal;
      signal = require('internal/util/types').proxyDetails(signal)?.[0];
    }
    throw new codes.ERR_INVALID_THIS('AbortSignal');
  }

  static {
    inner.abort = (signal, reason) => AbortSignal.#abort(signal, reason);
    inner.isSignal = (value) => typeof value === 'object' && value !== null && #aborted in value;
  }

  get aborted() { return AbortSignal.#of(this).#aborted; }
  get reason() { return AbortSignal.#of(this).#reason; }

  throwIfAborted() {
    const signal = AbortSignal.#of(this);
    if (signal.#aborted) throw signal.#reason;
  }

  [kInspect](depth, options) {
    return inspected(this, { aborted: this.aborted }, depth, options);
  }

  static abort(reason = abortError('This operation was aborted', 'AbortError')) {
    const signal = new AbortSignal(kMake);
    signal.#aborted = true;
    signal.#reason = reason;
    return signal;
  }

  static timeout(delay) {
    validateUint32(delay, 'delay', false);
    const signal = new AbortSignal(kMake);
    signal.#isTimed = true;
    const weak = new WeakRef(signal);
    const timer = require('internal/timers').setUnrefTimeout(() => {
      const signal = weak.deref();
      if (signal === undefined) return;
      awaited.delete(signal);
      AbortSignal.#abort(signal, abortError('The operation was aborted due to timeout', 'TimeoutError'));
    }, delay);
    timers.register(signal, timer);
    return signal;
  }

  static any(signals) {
    if (signals === null || typeof signals !== 'object' || typeof signals[Symbol.iterator] !== 'function') {
      throw new codes.ERR_INVALID_ARG_TYPE('signals', 'Iterable', signals);
    }
    const list = Array.from(signals);
    list.forEach((signal, index) => {
      if (!inner.isSignal(signal)) throw new codes.ERR_INVALID_ARG_TYPE(`signals[${index}]`, 'AbortSignal', signal);
    });
    const result = new AbortSignal(kMake);
    const aborted = list.find((signal) => signal.#aborted);
    if (aborted !== undefined) {
      result.#aborted = true;
      result.#reason = aborted.#reason;
      return result;
    }
    result.#sources = new Set();
    const weak = new WeakRef(result);
    for (const signal of list) {
      // Of one that follows, its own sources count.
      for (const source of signal.#sources ?? [signal]) {
        if (result.#sources.has(source)) continue;
        result.#sources.add(source);
        (source.#followers ??= new Set()).add(weak);
        forgetful.register(result, { source: new WeakRef(source), weak });
      }
    }
    return result;
  }

  static forget({ source, weak }) {
    source.deref()?.#followers?.delete(weak);
  }

  // All of them are aborted before the first one hears of it.
  static #abort(signal, reason) {
    if (signal.#aborted) return;
    signal.#aborted = true;
    signal.#reason = reason;
    const followers = AbortSignal.#abortFollowers(signal);
    signal.#followers = undefined;
    signal.#kept = undefined;
    signal.#tell();
    for (let i = 0; i < followers.length; i++) followers[i].#tell();
  }

  static #abortFollowers(signal) {
    if (signal.#followers === undefined) return NONE;
    const followers = [];
    for (const weak of signal.#followers) {
      const follower = weak.deref();
      if (follower === undefined || follower.#aborted) continue;
      follower.#aborted = true;
      follower.#reason = signal.#reason;
      followers.push(follower);
    }
    return followers;
  }

  #tell() {
    this.#release();
    // An event that nobody hears of is not made.
    if (this.dispatchEvent !== dispatchEvent || isHeard(this, 'abort')) {
      this.dispatchEvent(new Event('abort', { [kTrustEvent]: true }));
    }
  }

  #release() {
    if (this.#sources !== undefined) for (const source of this.#sources) source.#kept?.delete(this);
    if (this.#isTimed) awaited.delete(this);
  }

  [kNewListener](size, type, listener, once, capture, passive) {
    super[kNewListener](size, type, listener, once, capture, passive);
    if (type !== 'abort' || this.#aborted) return;
    for (const source of this.#sources ?? []) {
      (source.#kept ??= new Set()).add(this);
      if (source.#isTimed) awaited.add(source);
    }
    if (this.#isTimed) awaited.add(this);
  }

  [kRemoveListener](size, type, listener, capture) {
    super[kRemoveListener](size, type, listener, capture);
    if (type !== 'abort') return;
    if (size === 0) this.#release();
  }
}

const forgetful = new FinalizationRegistry(AbortSignal.forget);
delete AbortSignal.forget;
// Many may listen to one.
Object.defineProperty(AbortSignal.prototype, kDefaultMax, { value: 0 });
define(AbortSignal, [], ['aborted', 'reason', 'throwIfAborted']);
for (const name of ['abort', 'timeout', 'any']) Object.defineProperty(AbortSignal, name, { enumerable: true });
defineEventHandler(AbortSignal.prototype, 'abort');

class AbortController {
  #signal;

  get signal() {
    return this.#signal ??= new AbortSignal(kMake);
  }

  abort(reason = abortError('This operation was aborted', 'AbortError')) {
    inner.abort(this.#signal ??= new AbortSignal(kMake), reason);
  }

  [kInspect](depth, options) {
    return inspected(this, { signal: this.signal }, depth, options);
  }
}

define(AbortController, [], ['signal', 'abort']);

function inspected(self, shown, depth, options) {
  if (depth < 0) return `[${self.constructor.name}]`;
  const { inspect } = require('internal/util/inspect');
  const deeper = { ...options, depth: options.depth == null ? null : options.depth - 1 };
  return `${self.constructor.name} ${inspect(shown, deeper)}`;
}

module.exports = { AbortController, AbortSignal, isAbortSignal: inner.isSignal };
