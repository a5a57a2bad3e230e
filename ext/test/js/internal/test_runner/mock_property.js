// MockPropertyContext: mocks of properties. In: an object, a property's name, optionally a value.
// Out: an accessor that records reads and writes, until it is restored.
'use strict';

const { codes: { ERR_INVALID_ARG_VALUE, ERR_INVALID_ARG_TYPE } } = require('internal/errors');
const { validateInteger, validateObject } = require('internal/validators');

class MockPropertyContext {
  #object;
  #name;
  #descriptor;
  #value;
  #accesses = [];
  #once = new Map();

  constructor(object, name, { hasValue, value }) {
    const { findDescriptor } = require('internal/test_runner/mock');
    const descriptor = findDescriptor(object, name);
    if (descriptor === undefined) throw new ERR_INVALID_ARG_VALUE('propertyName', name, 'is not a property of the object');
    this.#object = object;
    this.#name = name;
    this.#descriptor = descriptor;
    this.#value = hasValue ? value : object[name];
    const { configurable, enumerable } = descriptor;
    Object.defineProperty(object, name, {
      __proto__: null,
      configurable,
      enumerable,
      get: () => {
        const next = this.#nextValue(this.#value);
        this.#trackAccess('get', next);
        return next;
      },
      set: (assigned) => this.mockImplementation(assigned),
    });
  }

  get accesses() { return [...this.#accesses]; }

  accessCount() { return this.#accesses.length; }

  mockImplementation(value) {
    if (this.#descriptor.writable === false) {
      throw new ERR_INVALID_ARG_VALUE('propertyName', this.#name, 'cannot be set');
    }
    const next = this.#nextValue(value);
    this.#trackAccess('set', next);
    this.#value = next;
  }

  mockImplementationOnce(value, onAccess) {
    const next = this.#accesses.length;
    const access = onAccess ?? next;
    validateInteger(access, 'onAccess', next);
    this.#once.set(access, value);
  }

  resetAccesses() { this.#accesses = []; }

  restore() { Object.defineProperty(this.#object, this.#name, this.#descriptor); }

  #nextValue(value) {
    const index = this.#accesses.length;
    if (!this.#once.has(index)) return value;
    const once = this.#once.get(index);
    this.#once.delete(index);
    return once;
  }

  #trackAccess(type, value) { this.#accesses.push({ __proto__: null, type, value, stack: new Error() }); }
}

function mockProperty(object, name, options) {
  validateObject(object, 'object');
  if (typeof name !== 'string' && typeof name !== 'symbol') throw new ERR_INVALID_ARG_TYPE('propertyName', ['string', 'symbol'], name);
  const context = new MockPropertyContext(object, name, options);
  const proxy = new Proxy(object, {
    __proto__: null,
    get: (target, key, receiver) => (key === 'mock' ? context : Reflect.get(target, key, receiver)),
  });
  return { context, proxy };
}

module.exports = { mockProperty };
