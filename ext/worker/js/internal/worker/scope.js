// The globals that a worker of the web has: `self`, `postMessage`, `close`, `onmessage`, listeners.
// In: the global object, the port to the one who started it. Out: properties of it. The port is
// listened to as long as somebody here listens, and keeps the worker going as long. Absent:
// `importScripts`, `location`.
'use strict';

const { EventTarget, defineEventHandler, listenersOf } = require('web/events');

const TYPES = ['message', 'messageerror', 'error'];

/** What the global object passes on to: it is of no class of ours itself. */
class WorkerScope extends EventTarget {
  #port;
  #global;
  #isListening = false;

  constructor(port, global) {
    super();
    this.#port = port;
    this.#global = global;
  }

  #deliver = (type, data, ports) => {
    const { MessageEvent } = require('web/message_event');
    const event = new MessageEvent(type, { data, ports });
    for (const name of ['target', 'currentTarget', 'srcElement']) {
      Object.defineProperty(event, name, { __proto__: null, value: this.#global, configurable: true });
    }
    this.dispatchEvent(event);
  };

  #onMessage = (event) => this.#deliver('message', event.data, event.ports);
  #onMessageError = (event) => this.#deliver('messageerror', event.data, event.ports);

  /** Whether the port is to be heard. */
  update() {
    const isHeard = listenersOf(this, 'message').length > 0;
    if (isHeard === this.#isListening) return;
    this.#isListening = isHeard;
    const method = isHeard ? 'addEventListener' : 'removeEventListener';
    this.#port[method]('message', this.#onMessage);
    this.#port[method]('messageerror', this.#onMessageError);
    if (isHeard) this.#port.start();
  }

  addEventListener(type, listener, ...rest) {
    super.addEventListener(type, typeof listener === 'function' ? this.#bound(listener) : listener, ...rest);
    this.update();
  }

  removeEventListener(type, listener, ...rest) {
    super.removeEventListener(type, this.#known.get(listener) ?? listener, ...rest);
    this.update();
  }

  #known = new WeakMap();

  /** Listeners see the global object as `this`. */
  #bound(listener) {
    let bound = this.#known.get(listener);
    if (bound === undefined) {
      const global = this.#global;
      bound = (event) => Reflect.apply(listener, global, [event]);
      this.#known.set(listener, bound);
    }
    return bound;
  }
}

for (const type of TYPES) defineEventHandler(WorkerScope.prototype, type);

function install(global, { about, parentPort, leave }) {
  const scope = new WorkerScope(parentPort, global);
  const define = (name, value) => Object.defineProperty(global, name, { __proto__: null, value, writable: true, configurable: true, enumerable: false });
  define('self', global);
  define('name', about.name);
  define('postMessage', function postMessage(...args) { parentPort.postMessage(...args); });
  define('close', function close() { setImmediate(() => leave(require('process').exitCode ?? 0)); });
  for (const name of ['addEventListener', 'removeEventListener', 'dispatchEvent']) {
    define(name, { [name]: (...args) => scope[name](...args) }[name]);
  }
  for (const type of TYPES) {
    const name = `on${type}`;
    let handler = null;
    Object.defineProperty(global, name, {
      __proto__: null, configurable: true, enumerable: false,
      get: () => handler,
      set(value) {
        if (handler !== null) scope.removeEventListener(type, handler);
        handler = typeof value === 'function' ? value : null;
        if (handler !== null) scope.addEventListener(type, handler);
      },
    });
  }
}

module.exports = { install };
