// `node:events`: EventEmitter and its functions. In: event names, listeners. Out: listeners called
// with the arguments of `emit`. The listeners of an event are one function, or an array that is
// copied before a call. Absent: `once` and `on` (internal/events/once_on), EventTarget
// (web/events).
'use strict';

const { codes } = require('internal/errors');
const { validateBoolean, validateFunction, validateNumber } = require('internal/validators');

const { kMaxEventTargetListeners, kMaxEventTargetListenersWarned } = require('internal/events/symbols');

const kCapture = Symbol('kCapture');
const kErrorMonitor = Symbol('events.errorMonitor');
const kShapeMode = Symbol('shapeMode');
const kRejection = Symbol.for('nodejs.rejection');
const { apply, ownKeys } = Reflect;
/** Of JavaScriptCore's ways to an object without prototype, the literal takes twice as long. */
const { create: createObject } = Object;

let defaultMaxListeners = 10;

function EventEmitter(options) {
  EventEmitter.init.call(this, options);
}

EventEmitter.addAbortListener = (signal, listener) =>
  require('internal/events/abort_listener').addAbortListener(signal, listener);
EventEmitter.once = async function once(emitter, name, options) {
  return require('internal/events/once_on').once(emitter, name, options);
};
EventEmitter.on = function on(emitter, event, options) {
  return require('internal/events/once_on').on(emitter, event, options);
};
EventEmitter.getEventListeners = getEventListeners;
EventEmitter.getMaxListeners = getMaxListeners;
EventEmitter.listenerCount = countListeners;
EventEmitter.EventEmitter = EventEmitter;
EventEmitter.usingDomains = false;
EventEmitter.captureRejectionSymbol = kRejection;

Object.defineProperties(EventEmitter, {
  captureRejections: {
    enumerable: true,
    get() { return EventEmitter.prototype[kCapture]; },
    set(value) {
      validateBoolean(value, 'EventEmitter.captureRejections');
      EventEmitter.prototype[kCapture] = value;
    },
  },
  EventEmitterAsyncResource: {
    enumerable: true,
    configurable: true,
    get() { return require('internal/events/async_resource').EventEmitterAsyncResource; },
    set: undefined,
  },
  errorMonitor: { value: kErrorMonitor, writable: true, configurable: true, enumerable: true },
  defaultMaxListeners: {
    enumerable: true,
    get() { return defaultMaxListeners; },
    set(value) {
      validateNumber(value, 'defaultMaxListeners', 0);
      defaultMaxListeners = value;
    },
  },
  kMaxEventTargetListeners: { value: kMaxEventTargetListeners },
  kMaxEventTargetListenersWarned: { value: kMaxEventTargetListenersWarned },
});
Object.defineProperty(EventEmitter.prototype, kCapture, { value: false, writable: true, enumerable: false });

EventEmitter.setMaxListeners = function setMaxListeners(n = defaultMaxListeners, ...eventTargets) {
  validateNumber(n, 'setMaxListeners', 0);
  if (eventTargets.length === 0) {
    defaultMaxListeners = n;
    return;
  }
  for (const target of eventTargets) {
    if (isEventTarget(target)) {
      target[kMaxEventTargetListeners] = n;
      target[kMaxEventTargetListenersWarned] = false;
    } else if (typeof target.setMaxListeners === 'function') {
      target.setMaxListeners(n);
    } else {
      throw new codes.ERR_INVALID_ARG_TYPE('eventTargets', ['EventEmitter', 'EventTarget'], target);
    }
  }
};

// Subclasses that do not call the constructor are initialized by the first method that is used.
EventEmitter.init = function init(options) {
  if (this._events === undefined || this._events === Object.getPrototypeOf(this)._events) {
    this._events = createObject(null);
    this._eventsCount = 0;
    this[kShapeMode] = false;
  } else {
    // The class has predefined the event names that it uses (Node's kShapeMode).
    this[kShapeMode] = true;
  }
  this._maxListeners ||= undefined;
  if (options?.captureRejections) {
    validateBoolean(options.captureRejections, 'options.captureRejections');
    this[kCapture] = Boolean(options.captureRejections);
  } else {
    this[kCapture] = EventEmitter.prototype[kCapture];
  }
};

EventEmitter.prototype._events = undefined;
EventEmitter.prototype._eventsCount = 0;
EventEmitter.prototype._maxListeners = undefined;

EventEmitter.prototype.setMaxListeners = function setMaxListeners(n) {
  validateNumber(n, 'setMaxListeners', 0);
  this._maxListeners = n;
  return this;
};

EventEmitter.prototype.getMaxListeners = function getMaxListeners() {
  return _getMaxListeners(this);
};

function _getMaxListeners(emitter) {
  return emitter._maxListeners === undefined ? defaultMaxListeners : emitter._maxListeners;
}

// Without a rest parameter: calls with few arguments need no array.
EventEmitter.prototype.emit = function emit(type) {
  const events = this._events;
  if (type === 'error') emitErrorEvent(this, events, argumentsAfterType(arguments));
  const listeners = events?.[type];
  if (listeners === undefined) return false;
  if (typeof listeners === 'function') {
    let result;
    switch (arguments.length) {
      case 1: result = listeners.call(this); break;
      case 2: result = listeners.call(this, arguments[1]); break;
      case 3: result = listeners.call(this, arguments[1], arguments[2]); break;
      default: result = apply(listeners, this, argumentsAfterType(arguments));
    }
    if (result !== undefined && result !== null && this[kCapture]) addCatch(this, result, type, argumentsAfterType(arguments));
    return true;
  }
  // Listeners that are added or removed meanwhile take effect at the next `emit`.
  const snapshot = listeners.slice();
  for (let i = 0; i < snapshot.length; i++) {
    let result;
    switch (arguments.length) {
      case 1: result = snapshot[i].call(this); break;
      case 2: result = snapshot[i].call(this, arguments[1]); break;
      case 3: result = snapshot[i].call(this, arguments[1], arguments[2]); break;
      default: result = apply(snapshot[i], this, argumentsAfterType(arguments));
    }
    if (result !== undefined && result !== null && this[kCapture]) addCatch(this, result, type, argumentsAfterType(arguments));
  }
  return true;
};

function argumentsAfterType(args) {
  const result = new Array(args.length - 1);
  for (let i = 1; i < args.length; i++) result[i - 1] = args[i];
  return result;
}

function emitErrorEvent(emitter, events, args) {
  if (events?.[kErrorMonitor] !== undefined) emitter.emit(kErrorMonitor, ...args);
  if (events?.error === undefined) throwUnhandledError(emitter, args);
}

function throwUnhandledError(emitter, args) {
  const error = args.length > 0 ? args[0] : undefined;
  if (error instanceof Error) {
    require('internal/events/unhandled_error_stack').captureEmitStack(error, emitter, EventEmitter.prototype.emit);
    throw error;
  }
  const { inspect } = require('internal/util/inspect');
  let inspected;
  try {
    inspected = inspect(error);
  } catch {
    inspected = error;
  }
  const unhandled = new codes.ERR_UNHANDLED_ERROR(inspected);
  unhandled.context = error;
  throw unhandled;
}

// With `captureRejections`, a rejected promise of a listener becomes an event.
function addCatch(emitter, promise, type, args) {
  try {
    const { then } = promise;
    if (typeof then !== 'function') return;
    then.call(promise, undefined, (error) => {
      process.nextTick(emitUnhandledRejectionOrErr, emitter, error, type, args);
    });
  } catch (error) {
    emitter.emit('error', error);
  }
}

function emitUnhandledRejectionOrErr(emitter, error, type, args) {
  if (typeof emitter[kRejection] === 'function') {
    emitter[kRejection](error, type, ...args);
    return;
  }
  // A listener that rejects for this event would recur forever.
  const previousCapture = emitter[kCapture];
  try {
    emitter[kCapture] = false;
    emitter.emit('error', error);
  } finally {
    emitter[kCapture] = previousCapture;
  }
}

function _addListener(emitter, type, listener, prepend) {
  validateFunction(listener, 'listener');
  let events = emitter._events;
  if (events === undefined) {
    events = emitter._events = createObject(null);
    emitter._eventsCount = 0;
  } else if (events.newListener !== undefined) {
    emitter.emit('newListener', type, listener.listener ?? listener);
    // A 'newListener' listener may have changed the listeners.
    events = emitter._events;
  }
  const existing = events[type];
  if (existing === undefined) {
    events[type] = listener;
    ++emitter._eventsCount;
    return emitter;
  }
  if (typeof existing === 'function') {
    const pair = events[type] = prepend ? [listener, existing] : [existing, listener];
    warnOfListenerLeak(emitter, pair, type);
    return emitter;
  }
  if (prepend) existing.unshift(listener);
  else existing.push(listener);
  warnOfListenerLeak(emitter, existing, type);
  return emitter;
}

function warnOfListenerLeak(emitter, listeners, type) {
  const max = _getMaxListeners(emitter);
  if (!(max > 0 && listeners.length > max) || listeners.warned) return;
  listeners.warned = true;
  const { inspect } = require('internal/util/inspect');
  const warning = new Error(
    'Possible EventEmitter memory leak detected. ' +
    `${listeners.length} ${String(type)} listeners added to ${inspect(emitter, { depth: -1 })}. MaxListeners is ${max}. ` +
    'Use emitter.setMaxListeners() to increase limit');
  Object.assign(warning, {
    name: 'MaxListenersExceededWarning', emitter, type, count: listeners.length,
  });
  process.emitWarning(warning);
}

EventEmitter.prototype.addListener = function addListener(type, listener) {
  return _addListener(this, type, listener, false);
};

EventEmitter.prototype.on = EventEmitter.prototype.addListener;

EventEmitter.prototype.prependListener = function prependListener(type, listener) {
  return _addListener(this, type, listener, true);
};

function onceWrapper() {
  if (this.fired) return;
  this.target.removeListener(this.type, this.wrapped);
  this.fired = true;
  return arguments.length === 0 ? this.listener.call(this.target) : apply(this.listener, this.target, arguments);
}

function _onceWrap(target, type, listener) {
  const state = { fired: false, wrapped: undefined, target, type, listener };
  const wrapped = onceWrapper.bind(state);
  wrapped.listener = listener;
  state.wrapped = wrapped;
  return wrapped;
}

EventEmitter.prototype.once = function once(type, listener) {
  validateFunction(listener, 'listener');
  this.on(type, _onceWrap(this, type, listener));
  return this;
};

EventEmitter.prototype.prependOnceListener = function prependOnceListener(type, listener) {
  validateFunction(listener, 'listener');
  this.prependListener(type, _onceWrap(this, type, listener));
  return this;
};

EventEmitter.prototype.removeListener = function removeListener(type, listener) {
  validateFunction(listener, 'listener');
  const events = this._events;
  const existing = events?.[type];
  if (existing === undefined) return this;
  if (existing === listener || existing.listener === listener) {
    deleteListeners(this, type);
    if (events.removeListener) this.emit('removeListener', type, existing.listener || listener);
  } else if (typeof existing !== 'function') {
    let position = existing.length - 1;
    while (position >= 0 && existing[position] !== listener && existing[position].listener !== listener) position--;
    if (position < 0) return this;
    const { listener: original = listener } = existing[position];
    // Faster than `splice` for the few listeners that there are.
    for (; position + 1 < existing.length; position++) existing[position] = existing[position + 1];
    existing.pop();
    if (existing.length === 1) events[type] = existing[0];
    if (events.removeListener !== undefined) this.emit('removeListener', type, original);
  }
  return this;
};

EventEmitter.prototype.off = EventEmitter.prototype.removeListener;

function deleteListeners(emitter, type) {
  --emitter._eventsCount;
  if (emitter[kShapeMode]) emitter._events[type] = undefined;
  else if (emitter._eventsCount === 0) emitter._events = createObject(null);
  else delete emitter._events[type];
}

EventEmitter.prototype.removeAllListeners = function removeAllListeners(type) {
  const events = this._events;
  if (events === undefined) return this;
  // Without a 'removeListener' listener nothing is emitted.
  if (events.removeListener === undefined) {
    if (arguments.length === 0) resetEvents(this);
    else if (events[type] !== undefined) deleteListeners(this, type);
    return this;
  }
  if (arguments.length === 0) {
    for (const key of ownKeys(events)) {
      if (key !== 'removeListener') this.removeAllListeners(key);
    }
    this.removeAllListeners('removeListener');
    resetEvents(this);
    return this;
  }
  const listeners = events[type];
  if (typeof listeners === 'function') {
    this.removeListener(type, listeners);
  } else if (listeners !== undefined) {
    for (let i = listeners.length - 1; i >= 0; i--) this.removeListener(type, listeners[i]);
  }
  return this;
};

function resetEvents(emitter) {
  emitter._events = createObject(null);
  emitter._eventsCount = 0;
  emitter[kShapeMode] = false;
}

function _listeners(target, type, unwrap) {
  const listeners = target._events?.[type];
  if (listeners === undefined) return [];
  const all = typeof listeners === 'function' ? [listeners] : listeners.slice();
  return unwrap ? all.map((listener) => listener.listener || listener) : all;
}

EventEmitter.prototype.listeners = function listeners(type) {
  return _listeners(this, type, true);
};

EventEmitter.prototype.rawListeners = function rawListeners(type) {
  return _listeners(this, type, false);
};

EventEmitter.prototype.listenerCount = function listenerCount(type, listener) {
  const listeners = this._events?.[type];
  if (listeners === undefined) return 0;
  if (listener == null) return typeof listeners === 'function' ? 1 : listeners.length;
  const isSame = (candidate) => candidate === listener || candidate.listener === listener;
  if (typeof listeners === 'function') return isSame(listeners) ? 1 : 0;
  return listeners.filter(isSame).length;
};

EventEmitter.prototype.eventNames = function eventNames() {
  if (!(this._eventsCount > 0)) return [];
  return this[kShapeMode] ?
    ownKeys(this._events).filter((name) => this._events[name] !== undefined) : ownKeys(this._events);
};

function isEventTarget(value) {
  return require('web/events').isEventTarget(value);
}

function getEventListeners(emitterOrTarget, type) {
  if (typeof emitterOrTarget.listeners === 'function') return emitterOrTarget.listeners(type);
  if (isEventTarget(emitterOrTarget)) return require('web/events').listenersOf(emitterOrTarget, type);
  throw new codes.ERR_INVALID_ARG_TYPE('emitter', ['EventEmitter', 'EventTarget'], emitterOrTarget);
}

function getMaxListeners(emitterOrTarget) {
  if (typeof emitterOrTarget?.getMaxListeners === 'function') return _getMaxListeners(emitterOrTarget);
  if (emitterOrTarget?.[kMaxEventTargetListeners] !== undefined) return emitterOrTarget[kMaxEventTargetListeners];
  throw new codes.ERR_INVALID_ARG_TYPE('emitter', ['EventEmitter', 'EventTarget'], emitterOrTarget);
}

function countListeners(emitterOrTarget, type) {
  if (typeof emitterOrTarget.listenerCount === 'function') return emitterOrTarget.listenerCount(type);
  if (isEventTarget(emitterOrTarget)) return require('web/events').listenersOf(emitterOrTarget, type).length;
  return EventEmitter.prototype.listenerCount.call(emitterOrTarget, type);
}

for (const name of ['addAbortListener', 'getEventListeners', 'getMaxListeners', 'listenerCount']) {
  Object.defineProperty(EventEmitter[name], 'name', { value: name });
}

module.exports = EventEmitter;
