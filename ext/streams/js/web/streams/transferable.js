// Transferable streams: adds the transfer methods to a stream class. In: the class; a function that
// returns the slots of an object's sides. Out: the methods that structured clone calls. Absent: the
// transfer itself (cross_realm_transform.js, loaded at the first transfer).
'use strict';

const { kCheckTransfer, kTransferToThread, kTransfer } = require('internal/messaging/transfer');

const crossRealm = () => require('web/streams/cross_realm_transform');

/** `getSides` returns { readable, writable }, the slots of the sides that exist. */
function makeTransferable(Class, getSides) {
  const methods = {
    [kCheckTransfer]() { crossRealm().throwIfLocked(getSides(this), Class.name); },
    [kTransfer]() { return crossRealm().receiveTransferred(crossRealm().setUpTransfer(getSides(this))); },
    [kTransferToThread]() { return crossRealm().sendTransferred(getSides(this)); },
  };
  for (const key of [kCheckTransfer, kTransfer, kTransferToThread]) {
    Object.defineProperty(Class.prototype, key, { __proto__: null, value: methods[key], writable: true, configurable: true });
  }
}

module.exports = { makeTransferable };
