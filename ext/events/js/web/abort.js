// AbortController and AbortSignal: the DOM Standard 3. In: a reason, a delay, other signals. Out:
// one 'abort' event. A source signal references its dependent signals weakly, or strongly while
// they have listeners. Absent: transfer to another thread (transferable_abort_signal.js).
'use strict';

const { codes } = require('internal/errors');
const { validateUint32 } = require('internal/validators');
const {
  Event, EventTarget, define, defineEventHandler, hasListeners, kDefaultMax, kNewListener, kRemoveListener, kTrustEvent,
} = require('web/events');

const kInspect = Symbol.for('nodejs.util.inspect.custom');
const kConstructorKey = Symbol('kConstructorKey');
// Private members that the classes of this file share.
const internals = {};
const { clearTimeout } = internalBinding('queues');

const { dispatchEvent } = EventTarget.prototype;
const NO_SIGNALS = Object.freeze([]);

// Timeout signals with listeners, retained until they abort.
const gcPersistentSignals = new Set();
const timeoutRegistry = new FinalizationRegistry(clearTimeout);

function abortError(message, name) {
  const { DOMException } = require('web/dom_exception');
  return new DOMException(message, name);
}

class AbortSignal extends EventTarget {
  #aborted = false;
  #reason = undefined;
  // Dependent signals: weak references, and those with listeners, retained.
  #dependentSignals = undefined;
  #persistentDependents = undefined;
  // The signals that this one depends on.
  #sourceSignals = undefined;
  #isTimeout = false;


  constructor(token) {
    if (token !== kConstructorKey) throw new codes.ERR_ILLEGAL_CONSTRUCTOR();
    super();
  }

  /**
   * Returns the signal, unwrapped if it is a Proxy: some libraries wrap every object that they get.
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
    internals.abort = (signal, reason) => AbortSignal.#abort(signal, reason);
    internals.isSignal = (value) => typeof value === 'object' && value !== null && #aborted in value;
  }

  get aborted() { return AbortSignal.#of(this).#aborted; }
  get reason() { return AbortSignal.#of(this).#reason; }

  throwIfAborted() {
    const signal = AbortSignal.#of(this);
    if (signal.#aborted) throw signal.#reason;
  }

  [kInspect](depth, options) {
    return customInspect(this, { aborted: this.aborted }, depth, options);
  }

  static abort(reason = abortError('This operation was aborted', 'AbortError')) {
    const signal = new AbortSignal(kConstructorKey);
    signal.#aborted = true;
    signal.#reason = reason;
    return signal;
  }

  static timeout(delay) {
    validateUint32(delay, 'delay', false);
    const signal = new AbortSignal(kConstructorKey);
    signal.#isTimeout = true;
    const weak = new WeakRef(signal);
    const timer = require('internal/timers').setUnrefTimeout(() => {
      const signal = weak.deref();
      if (signal === undefined) return;
      gcPersistentSignals.delete(signal);
      AbortSignal.#abort(signal, abortError('The operation was aborted due to timeout', 'TimeoutError'));
    }, delay);
    timeoutRegistry.register(signal, timer);
    return signal;
  }

  static any(signals) {
    if (signals === null || typeof signals !== 'object' || typeof signals[Symbol.iterator] !== 'function') {
      throw new codes.ERR_INVALID_ARG_TYPE('signals', 'Iterable', signals);
    }
    const list = Array.from(signals);
    list.forEach((signal, index) => {
      if (!internals.isSignal(signal)) throw new codes.ERR_INVALID_ARG_TYPE(`signals[${index}]`, 'AbortSignal', signal);
    });
    const result = new AbortSignal(kConstructorKey);
    const aborted = list.find((signal) => signal.#aborted);
    if (aborted !== undefined) {
      result.#aborted = true;
      result.#reason = aborted.#reason;
      return result;
    }
    result.#sourceSignals = new Set();
    const weak = new WeakRef(result);
    for (const signal of list) {
      // A dependent signal contributes its own source signals.
      for (const source of signal.#sourceSignals ?? [signal]) {
        if (result.#sourceSignals.has(source)) continue;
        result.#sourceSignals.add(source);
        (source.#dependentSignals ??= new Set()).add(weak);
        dependentSignalRegistry.register(result, { source: new WeakRef(source), weak });
      }
    }
    return result;
  }

  static removeDependent({ source, weak }) {
    source.deref()?.#dependentSignals?.delete(weak);
  }

  // All dependents are aborted before the first event is dispatched.
  static #abort(signal, reason) {
    if (signal.#aborted) return;
    signal.#aborted = true;
    signal.#reason = reason;
    const dependentSignals = AbortSignal.#abortDependents(signal);
    signal.#dependentSignals = undefined;
    signal.#persistentDependents = undefined;
    signal.#runAbort();
    for (let i = 0; i < dependentSignals.length; i++) dependentSignals[i].#runAbort();
  }

  static #abortDependents(signal) {
    if (signal.#dependentSignals === undefined) return NO_SIGNALS;
    const dependentSignals = [];
    for (const weak of signal.#dependentSignals) {
      const dependent = weak.deref();
      if (dependent === undefined || dependent.#aborted) continue;
      dependent.#aborted = true;
      dependent.#reason = signal.#reason;
      dependentSignals.push(dependent);
    }
    return dependentSignals;
  }

  #runAbort() {
    this.#releasePersistent();
    // Without a listener no event is made.
    if (this.dispatchEvent !== dispatchEvent || hasListeners(this, 'abort')) {
      this.dispatchEvent(new Event('abort', { [kTrustEvent]: true }));
    }
  }

  #releasePersistent() {
    if (this.#sourceSignals !== undefined) for (const source of this.#sourceSignals) source.#persistentDependents?.delete(this);
    if (this.#isTimeout) gcPersistentSignals.delete(this);
  }

  [kNewListener](size, type, listener, once, capture, passive) {
    super[kNewListener](size, type, listener, once, capture, passive);
    if (type !== 'abort' || this.#aborted) return;
    for (const source of this.#sourceSignals ?? []) {
      (source.#persistentDependents ??= new Set()).add(this);
      if (source.#isTimeout) gcPersistentSignals.add(source);
    }
    if (this.#isTimeout) gcPersistentSignals.add(this);
  }

  [kRemoveListener](size, type, listener, capture) {
    super[kRemoveListener](size, type, listener, capture);
    if (type !== 'abort') return;
    if (size === 0) this.#releasePersistent();
  }
}

const dependentSignalRegistry = new FinalizationRegistry(AbortSignal.removeDependent);
delete AbortSignal.removeDependent;
// No limit of listeners by default.
Object.defineProperty(AbortSignal.prototype, kDefaultMax, { value: 0 });
define(AbortSignal, [], ['aborted', 'reason', 'throwIfAborted']);
for (const name of ['abort', 'timeout', 'any']) Object.defineProperty(AbortSignal, name, { enumerable: true });
defineEventHandler(AbortSignal.prototype, 'abort');

class AbortController {
  #signal;

  get signal() {
    return this.#signal ??= new AbortSignal(kConstructorKey);
  }

  abort(reason = abortError('This operation was aborted', 'AbortError')) {
    internals.abort(this.#signal ??= new AbortSignal(kConstructorKey), reason);
  }

  [kInspect](depth, options) {
    return customInspect(this, { signal: this.signal }, depth, options);
  }
}

define(AbortController, [], ['signal', 'abort']);

function customInspect(self, members, depth, options) {
  if (depth < 0) return `[${self.constructor.name}]`;
  const { inspect } = require('internal/util/inspect');
  const deeper = { ...options, depth: options.depth == null ? null : options.depth - 1 };
  return `${self.constructor.name} ${inspect(members, deeper)}`;
}

module.exports = { AbortController, AbortSignal, isAbortSignal: internals.isSignal };
