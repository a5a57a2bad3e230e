// NodeEventTarget: an EventTarget with the methods of EventEmitter, the base of MessagePort. In:
// listeners, called with the event. Out: the class, and the exports of web/events, because Node has
// both in this file.
'use strict';

const { codes } = require('internal/errors');
const events = require('web/events');
const { EventTarget, define, kNodeListener, listenersOf } = events;
const { kMaxEventTargetListeners } = require('internal/events/symbols');

/** Depth of nested calls of removeAllListeners. */
let removeAllDepth = 0;
const isRemovingAllListeners = () => removeAllDepth > 0;

class NodeEventTarget extends EventTarget {
  static #of(target) {
    if (!(target instanceof NodeEventTarget)) throw new codes.ERR_INVALID_THIS('NodeEventTarget');
    return target;
  }

  #types = new Set();

  setMaxListeners(n) {
    NodeEventTarget.#of(this);
    require('events').setMaxListeners(n, this);
  }

  getMaxListeners() { return NodeEventTarget.#of(this)[kMaxEventTargetListeners]; }

  eventNames() {
    NodeEventTarget.#of(this);
    return [...this.#types].filter((type) => listenersOf(this, type).length > 0);
  }

  listenerCount(type) {
    NodeEventTarget.#of(this);
    return listenersOf(this, `${type}`).length;
  }

  off(type, listener, options) {
    NodeEventTarget.#of(this).removeEventListener(type, listener, options);
    return this;
  }

  removeListener(type, listener, options) {
    NodeEventTarget.#of(this).removeEventListener(type, listener, options);
    return this;
  }

  on(type, listener) {
    NodeEventTarget.#of(this).addEventListener(type, listener, { [kNodeListener]: true });
    return this;
  }

  addListener(type, listener) {
    NodeEventTarget.#of(this).addEventListener(type, listener, { [kNodeListener]: true });
    return this;
  }

  once(type, listener) {
    NodeEventTarget.#of(this).addEventListener(type, listener, { once: true, [kNodeListener]: true });
    return this;
  }

  emit(type, value) {
    NodeEventTarget.#of(this);
    if (typeof type !== 'string') throw new codes.ERR_INVALID_ARG_TYPE('type', 'string', type);
    const hadListeners = listenersOf(this, type).length > 0;
    this[events.kEmit](type, value);
    return hadListeners;
  }

  removeAllListeners(type) {
    NodeEventTarget.#of(this);
    removeAllDepth++;
    try {
      for (const name of type === undefined ? this.eventNames() : [`${type}`]) {
        for (const listener of listenersOf(this, name)) {
          this.removeEventListener(name, listener);
          this.removeEventListener(name, listener, true);
        }
      }
    } finally {
      removeAllDepth--;
    }
    return this;
  }

  addEventListener(type, ...rest) {
    super.addEventListener(type, ...rest);
    this.#types.add(`${type}`);
  }
}

define(NodeEventTarget, [], [
  'setMaxListeners', 'getMaxListeners', 'eventNames', 'listenerCount', 'off', 'removeListener', 'on', 'addListener', 'once',
  'emit', 'removeAllListeners',
]);

module.exports = { NodeEventTarget, isRemovingAllListeners, ...events };
