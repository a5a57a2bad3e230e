// `structuredClone`: the structured clone algorithm within one thread. In: a value, what moves.
// Out: its copy, with the same cycles and identities. Absent: copies for other threads
// (internal/messaging/encoder.js), which are refused by the same rules.
'use strict';

const { apply } = Reflect;
const { keys: keysOf, hasOwn, defineProperty } = Object;
const { isArray } = Array;

const { kindOfAny, isSharedArrayBuffer } = require('internal/util/types');
const { namesUnlessItems } = require('internal/messaging/transfer_items');
const { kClone } = require('internal/messaging/symbols');
const transfer = require('internal/messaging/transfer');
const { followsBuffer, isEnvironment, isForeign, nameOf } = require('internal/serdes/refusals');

const { refuse } = transfer;
const getter = (prototype, name) => Object.getOwnPropertyDescriptor(prototype, name).get;
const dateValue = Date.prototype.getTime;
const bufferLength = getter(ArrayBuffer.prototype, 'byteLength');
const isDetached = getter(ArrayBuffer.prototype, 'detached');
const isResizable = getter(ArrayBuffer.prototype, 'resizable');
const maxLength = getter(ArrayBuffer.prototype, 'maxByteLength');
const viewTag = getter(Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag);

const ERRORS = new Set(['Error', 'EvalError', 'RangeError', 'ReferenceError', 'SyntaxError', 'TypeError', 'URIError']);
/** Values of these are kept in an object. */
const BOXES = { __proto__: null, number: Number, string: String, boolean: Boolean, bigint: BigInt };

const define = (object, key, value) => defineProperty(object, key, { __proto__: null, value, writable: true, enumerable: true, configurable: true });
const refused = (value) => refuse(`${nameOf(value)} could not be cloned.`);

class Cloner {
  #known = new Map();
  #views;

  /** `views`: how long views were before their buffers moved. */
  constructor(views = new Map()) { this.#views = views; }

  /** What moves: it is what it was, for the copy. */
  move(object, moved) { this.#known.set(object, moved); }

  clone(value) {
    switch (typeof value) {
      case 'symbol':
      case 'function':
        throw refused(value);
      case 'object':
        return value === null ? null : this.#object(value);
      default:
        return value;
    }
  }

  #object(value) {
    const known = this.#known.get(value);
    if (known !== undefined) return known;
    const kind = kindOfAny(value);
    switch (kind) {
      case 'buffer': return isSharedArrayBuffer(value) ? this.#keep(value, value) : this.#buffer(value);
      case 'typedarray': case 'dataview': return this.#view(value, kind);
    }
    if (transfer.isMarked(value)) transfer.refuseMarked();
    switch (kind) {
      case 'other': return this.#other(value);
      case 'date': return this.#keep(value, new Date(apply(dateValue, value, [])));
      case 'regexp': return this.#keep(value, new RegExp(value.source, value.flags));
      case 'map': return this.#map(value);
      case 'set': return this.#set(value);
      case 'error': return this.#error(value);
      case 'number': case 'string': case 'boolean': case 'bigint':
        return this.#keep(value, Object(apply(BOXES[kind].prototype.valueOf, value, [])));
      default:
        if (!isEnvironment(value)) throw refused(value);
        return this.#keep(value, { ...value });
    }
  }

  #keep(value, copy) {
    this.#known.set(value, copy);
    return copy;
  }

  /** Lists, objects of ours, and whatever is made of members alone. */
  #other(value) {
    if (isArray(value)) return this.#array(value);
    if (value[transfer.kTransfer] !== undefined) throw refuse('Object that needs transfer was found in message but not listed in transferList');
    const copy = value[kClone]?.();
    if (copy !== undefined) return this.#keep(value, copy);
    if (isForeign(value)) return this.#foreign(value);
    return this.#members(value, keysOf(value), this.#keep(value, {}));
  }

  /**
   * What was compiled never changes; another object over memory that threads share is made as for
   * another thread.
   */
  #foreign(value) {
    if (value instanceof WebAssembly.Module) return this.#keep(value, value);
    if (require('internal/modules/webassembly').sharedMemoryOf(value) === undefined) throw refused(value);
    const { pack, unpack } = require('internal/messaging/packets');
    return this.#keep(value, unpack(pack(value)).value);
  }

  #array(value) {
    const { length } = value;
    const names = namesUnlessItems(value, length);
    const copy = this.#keep(value, new Array(length));
    if (names !== undefined) return this.#members(value, names, copy);
    for (let i = 0; i < length; i++) {
      const item = value[i];
      if (item === undefined && !hasOwn(value, i)) continue;
      const member = typeof item === 'number' || typeof item === 'string' ? item : this.clone(item);
      if (i in copy) define(copy, i, member);
      else copy[i] = member;
    }
    return copy;
  }

  #members(value, names, copy) {
    for (const key of names) {
      if (!hasOwn(value, key)) continue;
      const member = this.clone(value[key]);
      // A setter of a prototype does not hear of it.
      if (key in copy) define(copy, key, member);
      else copy[key] = member;
    }
    return copy;
  }

  #buffer(value) {
    if (apply(isDetached, value, [])) throw refuse('An ArrayBuffer is detached and could not be cloned.');
    const length = apply(bufferLength, value, []);
    const copy = apply(isResizable, value, [])
      ? new ArrayBuffer(length, { maxByteLength: apply(maxLength, value, []) })
      : new ArrayBuffer(length);
    new Uint8Array(copy).set(new Uint8Array(value));
    return this.#keep(value, copy);
  }

  #view(value, kind) {
    const name = kind === 'dataview' ? 'DataView' : apply(viewTag, value, []);
    const { buffer, offset, length } = this.#shape(value, name);
    return this.#keep(value, new globalThis[name](this.clone(buffer), offset, length));
  }

  #shape(value, name) {
    let shape = this.#views.get(value);
    if (shape === undefined) {
      const { buffer, byteOffset: offset } = value;
      const isTracking = !isSharedArrayBuffer(buffer) && apply(isResizable, buffer, []) && followsBuffer(value);
      const length = isTracking ? undefined : name === 'DataView' ? value.byteLength : value.length;
      this.#views.set(value, shape = { buffer, offset, length });
    }
    return shape;
  }

  #map(value) {
    const copy = this.#keep(value, new Map());
    for (const [key, member] of [...apply(Map.prototype.entries, value, [])]) copy.set(this.clone(key), this.clone(member));
    return copy;
  }

  #set(value) {
    const copy = this.#keep(value, new Set());
    for (const member of [...apply(Set.prototype.values, value, [])]) copy.add(this.clone(member));
    return copy;
  }

  #error(value) {
    const { DOMException, isDOMException } = require('web/dom_exception');
    if (isDOMException(value)) {
      const copy = this.#keep(value, new DOMException(value.message, value.name));
      defineProperty(copy, 'stack', { __proto__: null, value: value.stack, writable: true, configurable: true });
      return copy;
    }
    const name = ERRORS.has(`${value.name}`) ? `${value.name}` : 'Error';
    const own = this.#keep(value, new globalThis[name]());
    const hidden = (key, given) => {
      defineProperty(own, key, { __proto__: null, value: given, writable: true, enumerable: false, configurable: true });
    };
    const message = Object.getOwnPropertyDescriptor(value, 'message');
    if (message !== undefined && 'value' in message) hidden('message', `${message.value}`);
    const { stack } = value;
    hidden('stack', typeof stack === 'string' ? stack : undefined);
    if (hasOwn(value, 'cause')) hidden('cause', this.clone(value.cause));
    return own;
  }
}

/**
 * The copy of a value, with what of `list` moves along in place of what it was, for whoever gets
 * it.
 */
function clonePacket(value, list) {
  // What moves is moved last, so that an error leaves it where it is.
  const views = new Map();
  if (list.length > 0) {
    const trial = new Cloner(views);
    for (const item of list) trial.move(item, item);
    trial.clone(value);
  }
  const cloner = new Cloner(views);
  const { moved, error } = transfer.move(list);
  if (error !== undefined) return { error, ports: [] };
  for (const [item, now] of moved) cloner.move(item, now);
  const { MessagePort } = moved.length === 0 ? {} : require('web/message_port');
  return { value: cloner.clone(value), ports: moved.map(([, now]) => now).filter((now) => now instanceof MessagePort) };
}

function structuredClone(value, options) {
  if (arguments.length === 0) {
    const { codes: { ERR_MISSING_ARGS } } = require('internal/errors');
    throw new ERR_MISSING_ARGS('The "value" argument must be specified');
  }
  const list = transfer.readOptions(options);
  if (list.length === 0) return new Cloner().clone(value);
  transfer.check(list, undefined);
  const packet = clonePacket(value, list);
  if ('error' in packet) throw packet.error;
  return packet.value;
}

module.exports = { clonePacket, structuredClone };
