// What those who copy and move values ask of objects of ours, by symbols. Out: the symbols; a word
// for classes whose objects are never copied. Absent: what the answers mean (cloneable.js,
// transfer.js); this file is loaded with classes that most programs never send.
'use strict';

/**
 * Gives { type, parts, shared }, of which another thread makes the object again; undefined: it is
 * made of its members alone.
 */
const kParts = Symbol('kParts');
/**
 * Gives a copy for whoever gets it in this thread, or undefined as above; the object stays as it
 * is.
 */
const kClone = Symbol('kClone');
/** Whether it is an object of the native half in Node, which bytes cannot hold. */
const kHost = Symbol('kHost');

/**
 * Node marks such objects, or has their insides in its native half. `member`: of the class, and
 * throws over what is no object of it, as a prototype is none.
 */
function forbidCloning(Class, member) {
  const { get, value: probe = get } = Object.getOwnPropertyDescriptor(Class.prototype, member);
  const answer = function () {
    try {
      Reflect.apply(probe, this, ['name']);
    } catch {
      return undefined;
    }
    throw require('internal/messaging/transfer').refuse('Cannot clone object of unsupported type.');
  };
  for (const key of [kClone, kParts]) Object.defineProperty(Class.prototype, key, { __proto__: null, value: answer, configurable: true });
}

function markHost(Class) {
  Object.defineProperty(Class.prototype, kHost, { __proto__: null, value: true, configurable: true });
}

module.exports = { forbidCloning, kClone, kHost, kParts, markHost };
