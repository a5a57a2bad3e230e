// A target of the web with the methods of an emitter: what MessagePort and the like are. In:
// listeners that are called with the event. Out: NodeEventTarget, and beside it what web/events
// has, for those who look for it under Node's name of this file.
'use strict';

const { codes } = require('internal/errors');
const events = require('web/events');
const { EventTarget, define, kNodeListener, listenersOf } = events;
const { kMaxEventTargetListeners } = require('internal/events/symbols');

/** Calls of removeAllListeners within each other. */
let depth = 0;
const isRemovingAll = () => depth > 0;

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
    const isHeard = listenersOf(this, type).length > 0;
    this[events.kEmit](type, value);
    return isHeard;
  }

  removeAllListeners(type) {
    NodeEventTarget.#of(this);
    depth++;
    try {
      for (const name of type === undefined ? this.eventNames() : [`${type}`]) {
        for (const listener of listenersOf(this, name)) {
          this.removeEventListener(name, listener);
          this.removeEventListener(name, listener, true);
        }
      }
    } finally {
      depth--;
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

module.exports = { NodeEventTarget, isRemovingAll, ...events };
