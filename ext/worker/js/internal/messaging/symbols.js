// Symbols of cloneable platform objects, as in Node's lib/internal/worker/js_transferable.js. Out:
// the symbols; a mark for classes whose objects cannot be cloned. Absent: the algorithms
// (cloneable.js, transfer.js); this file is small because many classes load it.
'use strict';

/**
 * Method that returns { type, data, native }, of which another thread creates the object;
 * undefined: it is cloned as an ordinary object.
 */
const kSerialize = Symbol('kSerialize');
/** Method that returns a copy for a receiver in this thread, or undefined as above. */
const kClone = Symbol('kClone');
/** Whether Node implements the object natively, so that V8 cannot serialize it to bytes. */
const kHostObject = Symbol('kHostObject');

/**
 * Makes objects of a class uncloneable. `member` of the class must throw if the receiver is another
 * object, such as the prototype.
 */
function forbidCloning(Class, member) {
  const { get, value: probe = get } = Object.getOwnPropertyDescriptor(Class.prototype, member);
  const clone = function () {
    try {
      Reflect.apply(probe, this, ['name']);
    } catch {
      return undefined;
    }
    throw require('internal/messaging/transfer').dataCloneError('Cannot clone object of unsupported type.');
  };
  for (const key of [kClone, kSerialize]) Object.defineProperty(Class.prototype, key, { __proto__: null, value: clone, configurable: true });
}

function markHostObject(Class) {
  Object.defineProperty(Class.prototype, kHostObject, { __proto__: null, value: true, configurable: true });
}

module.exports = { forbidCloning, kClone, kHostObject, kSerialize, markHostObject };
