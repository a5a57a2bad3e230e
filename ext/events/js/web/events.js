// Event, EventTarget and CustomEvent: the DOM Standard 2. In: a type, listeners. Out: dispatch as
// in a browser for a target without a parent, with Node's warnings. Absent: NodeEventTarget
// (internal/event_target).
'use strict';

const { codes } = require('internal/errors');
const { validateAbortSignal, validateObject, kValidateObjectAllowObjects } = require('internal/validators');
const { kEmptyObject } = require('internal/util');
const { kMaxEventTargetListeners, kMaxEventTargetListenersWarned, kResistStopPropagation } =
  require('internal/events/symbols');

const kTrustEvent = Symbol('kTrustEvent');
const kNewListener = Symbol('kNewListener');
const kRemoveListener = Symbol('kRemoveListener');
const kDefaultMax = Symbol('kDefaultMax');
const kEmit = Symbol('kEmit');
const kEmitPlain = Symbol('kEmitPlain');
const kNodeListener = Symbol('kNodeListener');
/** Option of a listener: the object that retains it instead of the target. */
const kWeakHandler = Symbol('kWeak');
const kInspect = Symbol.for('nodejs.util.inspect.custom');
const { apply } = Reflect;
const { now } = Date;
// Private members that the classes of this file share.
const internals = {};

class Event {
  #type;
  #bubbles;
  #cancelable;
  #composed;
  #isTrusted;
  #timeStamp = now();
  #defaultPrevented = false;
  #propagationStopped = false;
  #immediatePropagationStopped = false;
  #target = null;
  #currentTarget = null;
  #isDispatched = false;
  #isPassive = false;

  constructor(type, options = undefined) {
    if (arguments.length === 0) throw new codes.ERR_MISSING_ARGS('type');
    if (options != null) validateObject(options, 'options', kValidateObjectAllowObjects);
    this.#bubbles = !!options?.bubbles;
    this.#cancelable = !!options?.cancelable;
    this.#composed = !!options?.composed;
    this.#isTrusted = options?.[kTrustEvent] === true;
    this.#type = `${type}`;
  }

  static #of(event) {
    if (!Event.#is(event)) throw new codes.ERR_INVALID_THIS('Event');
    return event;
  }

  static #is(value) {
    return typeof value === 'object' && value !== null && #type in value;
  }

  // State changes of a dispatched event.
  static {
    internals.isEvent = Event.#is;
    internals.begin = (event, target) => {
      if (event.#isDispatched) return false;
      event.#isDispatched = true;
      event.#target = target;
      event.#currentTarget = target;
      return true;
    };
    internals.end = (event) => {
      event.#isDispatched = false;
      event.#currentTarget = null;
      event.#propagationStopped = false;
      event.#immediatePropagationStopped = false;
    };
    internals.isStopped = (event) => event.#immediatePropagationStopped;
    internals.setPassive = (event, isPassive) => { event.#isPassive = isPassive; };
  }

  [kInspect](depth, options) {
    Event.#of(this);
    const { name } = this.constructor;
    if (depth < 0) return name;
    const { inspect } = require('internal/util/inspect');
    return `${name} ${inspect({
      type: this.#type,
      defaultPrevented: this.#defaultPrevented,
      cancelable: this.#cancelable,
      timeStamp: this.timeStamp,
    }, { ...options, depth: Number.isInteger(options.depth) ? options.depth - 1 : options.depth })}`;
  }

  initEvent(type, bubbles = false, cancelable = false) {
    Event.#of(this);
    if (arguments.length === 0) throw new codes.ERR_MISSING_ARGS('type');
    if (this.#isDispatched) return;
    this.#type = `${type}`;
    this.#bubbles = !!bubbles;
    this.#cancelable = !!cancelable;
    this.#target = null;
    this.#isTrusted = false;
    this.#defaultPrevented = false;
    this.#propagationStopped = false;
    this.#immediatePropagationStopped = false;
  }

  stopImmediatePropagation() {
    Event.#of(this);
    this.#propagationStopped = true;
    this.#immediatePropagationStopped = true;
  }

  preventDefault() {
    Event.#of(this);
    if (this.#cancelable && !this.#isPassive) this.#defaultPrevented = true;
  }

  get target() { return Event.#of(this).#target; }
  get currentTarget() { return Event.#of(this).#currentTarget; }
  get srcElement() { return Event.#of(this).#target; }
  get type() { return Event.#of(this).#type; }
  get cancelable() { return Event.#of(this).#cancelable; }
  get defaultPrevented() { return Event.#of(this).#defaultPrevented; }

  get timeStamp() {
    const { timeOrigin } = performance;
    return Math.max(0, Event.#of(this).#timeStamp - timeOrigin);
  }

  composedPath() {
    Event.#of(this);
    return this.#isDispatched ? [this.#currentTarget] : [];
  }

  get returnValue() { return !Event.#of(this).#defaultPrevented; }
  set returnValue(value) {
    Event.#of(this);
    if (!value) this.preventDefault();
  }

  get bubbles() { return Event.#of(this).#bubbles; }
  get composed() { return Event.#of(this).#composed; }
  get eventPhase() { return Event.#of(this).#isDispatched ? Event.AT_TARGET : Event.NONE; }
  get cancelBubble() { return Event.#of(this).#propagationStopped; }
  set cancelBubble(value) {
    Event.#of(this);
    if (value) this.#propagationStopped = true;
  }

  stopPropagation() { Event.#of(this).#propagationStopped = true; }
  get isTrusted() { return Event.#of(this).#isTrusted; }
}

define(Event, ['NONE', 'CAPTURING_PHASE', 'AT_TARGET', 'BUBBLING_PHASE'].entries(), [
  'initEvent', 'stopImmediatePropagation', 'preventDefault', 'target', 'currentTarget', 'srcElement', 'type', 'cancelable',
  'defaultPrevented', 'timeStamp', 'composedPath', 'returnValue', 'bubbles', 'composed', 'eventPhase', 'cancelBubble',
  'stopPropagation', 'isTrusted',
]);

class CustomEvent extends Event {
  #detail;

  constructor(type, options = undefined) {
    if (arguments.length === 0) throw new codes.ERR_MISSING_ARGS('type');
    super(type, options);
    this.#detail = options?.detail ?? null;
  }

  get detail() {
    if (typeof this !== 'object' || this === null || !(#detail in this)) throw new codes.ERR_INVALID_THIS('CustomEvent');
    return this.#detail;
  }

  /** Of the DOM Standard, for old programs; Node has no such method. */
  initCustomEvent(type, bubbles = false, cancelable = false, detail = null) {
    if (typeof this !== 'object' || this === null || !(#detail in this)) throw new codes.ERR_INVALID_THIS('CustomEvent');
    if (arguments.length === 0) throw new codes.ERR_MISSING_ARGS('type');
    if (this.eventPhase !== Event.NONE) return;
    this.initEvent(type, bubbles, cancelable);
    this.#detail = detail;
  }
}

define(CustomEvent, [], ['detail', 'initCustomEvent']);

/** Shared map of targets without listeners: most signals have none. */
const NO_LISTENERS = new Map();

// A listener: { callback, call, weak (instead of both), capture, once, passive,
// resistStopPropagation, isNodeStyleListener, removed }.
class EventTarget {
  #listeners = NO_LISTENERS;
  #max = undefined;
  #hasWarned = false;

  static #of(target) {
    if (!EventTarget.#is(target)) throw new codes.ERR_INVALID_THIS('EventTarget');
    return target;
  }

  static #is(value) {
    return typeof value === 'object' && value !== null && #listeners in value;
  }

  static {
    internals.isEventTarget = EventTarget.#is;
    internals.listeners = (target) => target.#listeners;
  }

  get [kMaxEventTargetListeners]() { return this.#max ?? this[kDefaultMax] ?? require('events').defaultMaxListeners; }
  set [kMaxEventTargetListeners](max) { this.#max = max; }
  get [kMaxEventTargetListenersWarned]() { return this.#hasWarned; }
  set [kMaxEventTargetListenersWarned](hasWarned) { this.#hasWarned = hasWarned; }

  addEventListener(type, listener, options = kEmptyObject) {
    EventTarget.#of(this);
    if (arguments.length < 2) throw new codes.ERR_MISSING_ARGS('type', 'listener');
    const listenerOptions = options === kEmptyObject ? options : convertOptions(options);
    const { signal } = listenerOptions;
    if (signal !== undefined) validateAbortSignal(signal, 'options.signal');
    if (!validateEventListener(listener)) {
      warnOfMissingListener(this, type, listener);
      return;
    }
    const capture = !!listenerOptions.capture;
    if (signal?.aborted) return;
    type = `${type}`;
    let list = this.#listeners.get(type);
    if (list === undefined) {
      if (this.#listeners === NO_LISTENERS) this.#listeners = new Map();
      this.#listeners.set(type, list = []);
    }
    if (list.some((candidate) => getCallback(candidate) === listener && candidate.capture === capture)) return;
    const call = typeof listener === 'function' ? listener : callHandleEvent.bind(undefined, listener);
    const owner = listenerOptions[kWeakHandler];
    const entry = {
      callback: owner === undefined ? listener : undefined,
      call: owner === undefined ? call : undefined,
      weak: owner === undefined ? undefined : weakListenerRef(owner, { callback: listener, call }),
      capture,
      once: !!listenerOptions.once,
      passive: !!listenerOptions.passive,
      resistStopPropagation: listenerOptions[kResistStopPropagation] === true,
      isNodeStyleListener: listenerOptions[kNodeListener] === true,
      removed: false,
    };
    list.push(entry);
    if (signal !== undefined) {
      signal.addEventListener('abort', () => this.removeEventListener(type, listener, { capture }), { once: true });
    }
    this[kNewListener](list.length, type, listener, entry.once, capture, entry.passive);
  }

  removeEventListener(type, listener, options = kEmptyObject) {
    EventTarget.#of(this);
    if (arguments.length < 2) throw new codes.ERR_MISSING_ARGS('type', 'listener');
    if (!validateEventListener(listener)) return;
    type = `${type}`;
    const capture = typeof options === 'boolean' ? options : !!options?.capture;
    const list = this.#listeners.get(type);
    const entry = list?.find((candidate) => getCallback(candidate) === listener && candidate.capture === capture);
    if (entry !== undefined) this.#remove(type, list, entry);
  }

  #remove(type, list, entry) {
    entry.removed = true;
    // A dispatch over the old list sees `removed`.
    const remaining = list.filter((candidate) => candidate !== entry);
    if (remaining.length > 0) this.#listeners.set(type, remaining);
    else this.#listeners.delete(type);
    this[kRemoveListener](remaining.length, type, getCallback(entry), entry.capture);
  }

  dispatchEvent(event) {
    EventTarget.#of(this);
    if (arguments.length < 1) throw new codes.ERR_MISSING_ARGS('event');
    if (!internals.isEvent(event)) throw new codes.ERR_INVALID_ARG_TYPE('event', 'Event', event);
    if (!internals.begin(event, this)) throw new codes.ERR_EVENT_RECURSION(event.type);
    this.#invokeListeners(event, event.type, event);
    internals.end(event);
    return !event.defaultPrevented;
  }

  // Node-style listeners are called with the value; others get an event that has it.
  [kEmit](type, value, event = new CustomEvent(type, { detail: value })) {
    internals.begin(event, this);
    this.#invokeListeners(event, type, value);
    internals.end(event);
  }

  /**
   * As kEmit, when all listeners are Node-style, so that no event is needed. Returns false if it
   * called none.
   */
  [kEmitPlain](type, rawValue, getValue) {
    const list = this.#listeners.get(type);
    if (list === undefined) return true;
    for (let i = 0; i < list.length; i++) if (!list[i].isNodeStyleListener || list[i].weak !== undefined) return false;
    const value = getValue(rawValue);
    const count = list.length;
    for (let i = 0; i < count; i++) {
      const entry = list[i];
      if (entry === undefined || entry.removed) continue;
      if (entry.once) this.#remove(type, this.#listeners.get(type), entry);
      try {
        const result = apply(entry.call, this, [value]);
        if (result !== undefined && result !== null) addCatch(result);
      } catch (error) {
        process.nextTick(() => { throw error; });
      }
    }
    return true;
  }

  // Node-style listeners are called with `nodeValue`, which may differ from the event.
  #invokeListeners(event, type, nodeValue) {
    const list = this.#listeners.get(type);
    if (list === undefined) return;
    const count = list.length;
    for (let i = 0; i < count; i++) {
      const entry = list[i];
      if (entry === undefined || entry.removed) continue;
      if (internals.isStopped(event) && !entry.resistStopPropagation) continue;
      const call = entry.weak === undefined ? entry.call : entry.weak.deref()?.call;
      if (call === undefined) continue;
      if (entry.once) this.#remove(type, this.#listeners.get(type), entry);
      if (entry.passive) internals.setPassive(event, true);
      try {
        const result = apply(call, this, [entry.isNodeStyleListener ? nodeValue : event]);
        if (result !== undefined && result !== null) addCatch(result);
      } catch (error) {
        process.nextTick(() => { throw error; });
      }
      if (entry.passive) internals.setPassive(event, false);
    }
  }

  [kNewListener](size, type) {
    if (this[kMaxEventTargetListeners] > 0 && size > this[kMaxEventTargetListeners] && !this.#hasWarned) {
      this.#hasWarned = true;
      warnOfListenerLeak(this, size, type);
    }
  }

  [kRemoveListener]() {}

  [kInspect](depth, options) {
    const { name } = this.constructor;
    if (depth < 0) return name;
    const { inspect } = require('internal/util/inspect');
    return `${name} ${inspect({}, {
      ...options, depth: Number.isInteger(options.depth) ? options.depth - 1 : options.depth,
    })}`;
  }
}

define(EventTarget, [], ['addEventListener', 'removeEventListener', 'dispatchEvent']);

// `handleEvent` is read at each call, as the standard requires.
function callHandleEvent(object, event) {
  const { handleEvent } = object;
  if (typeof handleEvent !== 'function') throw new TypeError('handleEvent is not a function');
  return apply(handleEvent, object, [event]);
}

function convertOptions(options) {
  if (typeof options === 'boolean') return { capture: options };
  if (options === null) return kEmptyObject;
  validateObject(options, 'options', kValidateObjectAllowObjects);
  const { capture, once, passive, signal } = options;
  return {
    capture, once, passive, signal,
    [kResistStopPropagation]: options[kResistStopPropagation],
    [kNodeListener]: options[kNodeListener],
    [kWeakHandler]: options[kWeakHandler],
  };
}

/** Objects with the listeners that they retain. */
const weakListenerOwners = new WeakMap();

function weakListenerRef(owner, listener) {
  const refs = weakListenerOwners.get(owner);
  if (refs === undefined) weakListenerOwners.set(owner, [listener]);
  else refs.push(listener);
  return new WeakRef(listener);
}

/** Returns the callback; undefined if its owner was collected. */
function getCallback(entry) {
  return entry.weak === undefined ? entry.callback : entry.weak.deref()?.callback;
}

function validateEventListener(listener) {
  if (typeof listener === 'function' || (typeof listener === 'object' && listener !== null)) return true;
  if (listener == null) return false;
  throw new codes.ERR_INVALID_ARG_TYPE('listener', 'EventListener', listener);
}

function warnOfMissingListener(target, type, listener) {
  const warning = new Error(`addEventListener called with ${listener} which has no effect.`);
  Object.assign(warning, { name: 'AddEventListenerArgumentTypeWarning', target, type });
  process.emitWarning(warning);
}

function warnOfListenerLeak(target, count, type) {
  const { inspect } = require('internal/util/inspect');
  const max = target[kMaxEventTargetListeners];
  const warning = new Error(
    `Possible EventTarget memory leak detected. ${count} ${type} listeners added to ${inspect(target, { depth: -1 })}. ` +
    `MaxListeners is ${max}. Use events.setMaxListeners() to increase limit`);
  Object.assign(warning, { name: 'MaxListenersExceededWarning', target, type, count });
  process.emitWarning(warning);
}

function addCatch(result) {
  const { then } = result;
  if (typeof then === 'function') {
    then.call(result, undefined, (error) => { process.nextTick(() => { throw error; }); });
  }
}

function define(type, constants, names) {
  for (const name of names) Object.defineProperty(type.prototype, name, { __proto__: null, enumerable: true });
  Object.defineProperty(type.prototype, Symbol.toStringTag, {
    __proto__: null, configurable: true, value: type.name,
  });
  for (const [value, name] of constants) {
    const property = { __proto__: null, enumerable: true, value };
    Object.defineProperty(type, name, property);
    Object.defineProperty(type.prototype, name, property);
  }
}

// Returns the callbacks of a type.
function listenersOf(target, type) {
  return (internals.listeners(target).get(type) ?? []).map(getCallback).filter((callback) => callback !== undefined);
}

/** Whether the target has a listener of the type. */
const hasListeners = (target, type) => internals.listeners(target).has(type);

/** Whether the target has a listener. */
const hasAnyListeners = (target) => internals.listeners(target).size > 0;

/** Whether one of them is a Node-style listener. */
const hasNodeListener = (target, type) => internals.listeners(target).get(type)?.some((entry) => entry.isNodeStyleListener) === true;

const kHandlers = Symbol('kHandlers');

// Event handler attribute `on<name>`: its listener is added when the attribute is first set.
function defineEventHandler(target, name, event = name) {
  const handlersOf = (self) => self[kHandlers] ??
    Object.defineProperty(self, kHandlers, { __proto__: null, value: new Map() })[kHandlers];
  const property = `on${name}`;
  const accessors = {
    get [property]() {
      return handlersOf(this).get(event)?.handler ?? null;
    },
    set [property](value) {
      const handlers = handlersOf(this);
      let entry = handlers.get(event);
      const handler = typeof value === 'function' || (typeof value === 'object' && value !== null) ? value : null;
      if (entry === undefined) {
        if (handler === null) return;
        entry = { handler: null, listener: undefined };
        entry.listener = function(...args) {
          return typeof entry.handler === 'function' ? apply(entry.handler, this, args) : undefined;
        };
        handlers.set(event, entry);
      }
      if (handler !== null && entry.handler === null) this.addEventListener(event, entry.listener);
      else if (handler === null && entry.handler !== null) this.removeEventListener(event, entry.listener);
      entry.handler = handler;
    },
  };
  Object.defineProperty(target, property, {
    ...Object.getOwnPropertyDescriptor(accessors, property), configurable: true, enumerable: true,
  });
}

module.exports = {
  CustomEvent,
  Event,
  EventTarget,
  define,
  defineEventHandler,
  hasNodeListener,
  isEvent: internals.isEvent,
  kDefaultMax,
  isEventTarget: internals.isEventTarget,
  kEmit,
  kEmitPlain,
  kNewListener,
  kNodeListener,
  kRemoveListener,
  kResistStopPropagation,
  kTrustEvent,
  kWeakHandler,
  hasAnyListeners,
  hasListeners,
  listenersOf,
};
