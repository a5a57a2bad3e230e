// `spyOn` and `replaceProperty`: mocks in place of methods, accessors and values of objects. In: an
// object, a key. Out: a mock that calls the original, and restores it.
'use strict';

const { isMockFunction, isSpy, makeMock } = require('internal/expect/mock_function');

const isObjectLike = (value) => value !== null && (typeof value === 'object' || typeof value === 'function');

function checkTarget(target, key) {
  if (!isObjectLike(target) || key === undefined || key === null) {
    throw new TypeError('spyOn(target, prop) expects a target object and a property key');
  }
}

/** The object that has the property itself, and its descriptor. */
function findDescriptor(target, key) {
  for (let at = target; at !== null; at = Object.getPrototypeOf(at)) {
    const descriptor = Object.getOwnPropertyDescriptor(at, key);
    if (descriptor !== undefined) return { descriptor, isOwn: at === target };
  }
  return { descriptor: undefined, isOwn: false };
}

/** @param {'get' | 'set'} [access] which half of an accessor */
function spyOn(target, key, access) {
  checkTarget(target, key);
  if (isNamespace(target)) return require('internal/expect/spy_export').spyOnExport(target, key, access);
  if (access !== undefined) return spyOnAccessor(target, key, access);
  const { descriptor, isOwn } = findDescriptor(target, key);
  if (descriptor?.get !== undefined && descriptor.value === undefined) return spyOnGetter(target, key, descriptor, isOwn);
  const original = target[key];
  if (isSpy(original)) return original;
  const isMethod = typeof original === 'function';
  const restore = () => restoreProperty(target, key, descriptor, isOwn);
  const spy = isMethod ? makeMock(undefined, { original, restore, name: `${String(key)}` }) : makeMock(undefined, { original: () => original, restore, name: `${String(key)}` });
  if (isMethod) copyStatics(spy, original);
  define(target, key, { configurable: true, enumerable: descriptor?.enumerable ?? true, writable: true, value: spy }, isMethod ? undefined : { get: () => spy(), set: (value) => { spy.mockImplementation(() => value); } });
  return spy;
}

const isNamespace = (value) => require('internal/esm/namespace').isNamespace(value);

/** A value that is no function is answered by a getter that calls the mock. */
function define(target, key, descriptor, accessor) {
  const before = Object.getOwnPropertyDescriptor(target, key);
  if (before !== undefined && !before.configurable) {
    if (accessor === undefined && before.writable) {
      target[key] = descriptor.value;
      return;
    }
    throw new TypeError(`Cannot spy on \`${String(key)}\`: the property is not configurable`);
  }
  if (before === undefined && !Object.isExtensible(target)) throw new TypeError(`Cannot spy on \`${String(key)}\`: the object is not extensible`);
  const { configurable, enumerable } = descriptor;
  Object.defineProperty(target, key, accessor === undefined ? { __proto__: null, ...descriptor } : { __proto__: null, configurable, enumerable, ...accessor });
}

/** Static members of a class or function, which its users read. */
function copyStatics(spy, original) {
  for (const key of Reflect.ownKeys(original)) {
    if (key === 'length' || key === 'name' || key === 'prototype' || key === 'arguments' || key === 'caller' || key in spy) continue;
    Object.defineProperty(spy, key, Object.getOwnPropertyDescriptor(original, key));
  }
}

function restoreProperty(target, key, descriptor, isOwn) {
  if (!isOwn) delete target[key];
  else if (Object.getOwnPropertyDescriptor(target, key)?.configurable === false) target[key] = descriptor.value;
  else Object.defineProperty(target, key, descriptor);
}

/** A property with a getter and no access type: the getter's function is spied on, as in bun. */
function spyOnGetter(target, key, descriptor, isOwn) {
  const value = target[key];
  if (typeof value !== 'function') return spyOnAccessor(target, key, 'get');
  if (isSpy(value)) return value;
  const restore = () => restoreProperty(target, key, descriptor, isOwn);
  const spy = makeMock(undefined, { original: value, restore, name: `${String(key)}` });
  define(target, key, { configurable: true, enumerable: descriptor.enumerable, writable: true, value: spy });
  return spy;
}

function spyOnAccessor(target, key, access) {
  if (access !== 'get' && access !== 'set') throw new TypeError(`spyOn(target, prop, accessType) expects "get" or "set", not ${String(access)}`);
  const { descriptor, isOwn } = findDescriptor(target, key);
  if (descriptor === undefined) throw new Error(`Property \`${String(key)}\` does not exist in the provided object`);
  const original = descriptor[access];
  if (original === undefined) throw new Error(`Property \`${String(key)}\` does not have access type ${access}`);
  if (isMockFunction(original)) return original;
  const spy = makeMock(undefined, { original, restore: () => restoreProperty(target, key, descriptor, isOwn), name: `${access} ${String(key)}` });
  define(target, key, { configurable: true, enumerable: descriptor.enumerable }, { get: descriptor.get, set: descriptor.set, [access]: spy });
  return spy;
}

/** `jest.replaceProperty`. */
function replaceProperty(target, key, value) {
  if (!isObjectLike(target)) throw new TypeError('replaceProperty(target, prop, value) expects a target object');
  const { descriptor, isOwn } = findDescriptor(target, key);
  if (descriptor === undefined) throw new Error(`Property \`${String(key)}\` does not exist in the provided object`);
  if (descriptor.get !== undefined) throw new Error(`Cannot replace the property \`${String(key)}\` because it has a getter. Use spyOn(target, key, 'get')`);
  if (typeof descriptor.value === 'function') throw new Error(`Cannot replace the method \`${String(key)}\`. Use spyOn(target, key).mockReturnValue()`);
  const restore = () => { restoreProperty(target, key, descriptor, isOwn); replaced.delete(restore); };
  replaced.add(restore);
  const handle = {
    replaceValue(other) {
      Object.defineProperty(target, key, { __proto__: null, configurable: true, enumerable: descriptor.enumerable, writable: true, value: other });
      return handle;
    },
    restore,
  };
  return handle.replaceValue(value);
}

const replaced = new Set();
function restoreProperties() { for (const restore of [...replaced]) restore(); }

module.exports = { copyStatics, replaceProperty, restoreProperties, spyOn };
