// Makes streams of a class something that may be transferred. In: the class, how the slots of an
// object's sides are found. Out: the methods that messages ask for. Absent: what happens then
// (crossing.js, which is read when the first stream goes).
'use strict';

const { kCheckTransfer, kSend, kTransfer } = require('internal/messaging/transfer');

const crossing = () => require('web/streams/cross_realm_transform');

/** `sidesOf`: { readable, writable }, slots of those that there are. */
function makeTransferable(Class, sidesOf) {
  const methods = {
    [kCheckTransfer]() { crossing().checkUnlocked(sidesOf(this), Class.name); },
    [kTransfer]() { return crossing().joined(crossing().divided(sidesOf(this))); },
    [kSend]() { return crossing().sent(sidesOf(this)); },
  };
  for (const key of [kCheckTransfer, kTransfer, kSend]) {
    Object.defineProperty(Class.prototype, key, { __proto__: null, value: methods[key], writable: true, configurable: true });
  }
}

module.exports = { makeTransferable };
