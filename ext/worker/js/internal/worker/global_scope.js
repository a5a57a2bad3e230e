// DedicatedWorkerGlobalScope of the HTML standard: `self`, `postMessage`, `close`, `onmessage`,
// event listeners. In: the global object, the port to the parent. Out: properties of the global
// object. The port is attached, and ref'd, while there are 'message' listeners. Absent:
// `importScripts`, `location`.
'use strict';

const { EventTarget, defineEventHandler, listenersOf } = require('web/events');

const TYPES = ['message', 'messageerror', 'error'];

/** The event target behind the global object, which is not an EventTarget itself. */
class WorkerGlobalScope extends EventTarget {
  #port;
  #global;
  #isAttached = false;

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

  /** Attaches or detaches the port. */
  update() {
    const hasListeners = listenersOf(this, 'message').length > 0;
    if (hasListeners === this.#isAttached) return;
    this.#isAttached = hasListeners;
    const method = hasListeners ? 'addEventListener' : 'removeEventListener';
    this.#port[method]('message', this.#onMessage);
    this.#port[method]('messageerror', this.#onMessageError);
    if (hasListeners) this.#port.start();
  }

  addEventListener(type, listener, ...rest) {
    super.addEventListener(type, typeof listener === 'function' ? this.#bindListener(listener) : listener, ...rest);
    this.update();
  }

  removeEventListener(type, listener, ...rest) {
    super.removeEventListener(type, this.#boundListeners.get(listener) ?? listener, ...rest);
    this.update();
  }

  #boundListeners = new WeakMap();

  /** The listener with the global object as `this`. */
  #bindListener(listener) {
    let bound = this.#boundListeners.get(listener);
    if (bound === undefined) {
      const global = this.#global;
      bound = (event) => Reflect.apply(listener, global, [event]);
      this.#boundListeners.set(listener, bound);
    }
    return bound;
  }
}

for (const type of TYPES) defineEventHandler(WorkerGlobalScope.prototype, type);

function install(global, { startupData, parentPort, exit }) {
  const scope = new WorkerGlobalScope(parentPort, global);
  const define = (name, value) => Object.defineProperty(global, name, { __proto__: null, value, writable: true, configurable: true, enumerable: false });
  define('self', global);
  define('name', startupData.name);
  define('postMessage', function postMessage(...args) { parentPort.postMessage(...args); });
  define('close', function close() { setImmediate(() => exit(require('process').exitCode ?? 0)); });
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
