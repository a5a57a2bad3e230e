// `process.finalization`: callbacks for objects that are alive when the program ends, as in Node's
// lib/internal/process/finalization.js. In: an object, a callback. Out: a call with the object at
// 'exit' or 'beforeExit'. The registration of a collected object is removed.

'use strict';

const { validateObject, kValidateObjectAllowObjects } = require('internal/validators');
const { codes: { ERR_INVALID_ARG_TYPE } } = require('internal/errors');
const { hold } = require('internal/process/gc_keepalive');

function createFinalization() {
  const process = require('process');
  /** Registrations of each event: weak references and callbacks. */
  const registered = { exit: [], beforeExit: [] };
  const registry = new FinalizationRegistry((entry) => remove(entry));

  function remove(entry) {
    const list = registered[entry.event];
    const index = list.indexOf(entry);
    if (index !== -1) {
      list.splice(index, 1);
    }
    if (list.length === 0) {
      process.removeListener(entry.event, listeners[entry.event]);
    }
  }

  function call(event) {
    for (const entry of registered[event].splice(0)) {
      const object = entry.reference.deref();
      registry.unregister(entry);
      if (object !== undefined) {
        entry.callback(object, event);
      }
    }
  }

  const listeners = { exit: () => call('exit'), beforeExit: () => call('beforeExit') };

  function add(event, object, callback) {
    validateObject(object, 'obj', kValidateObjectAllowObjects);
    if (typeof callback !== 'function') {
      throw new ERR_INVALID_ARG_TYPE('fn', 'Function', callback);
    }
    if (registered[event].length === 0) {
      process.on(event, listeners[event]);
    }
    const entry = { event, reference: new WeakRef(object), callback };
    registered[event].push(entry);
    registry.register(object, entry, entry);
    hold(object);
  }

  return {
    register: (object, callback) => add('exit', object, callback),
    registerBeforeExit: (object, callback) => add('beforeExit', object, callback),
    unregister(object) {
      for (const event of ['exit', 'beforeExit']) {
        for (const entry of registered[event].filter(({ reference }) => reference.deref() === object)) {
          registry.unregister(entry);
          remove(entry);
        }
      }
    },
  };
}

module.exports = { createFinalization };
