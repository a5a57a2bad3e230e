// `process.finalization`: callbacks for objects that are still there when the program ends. In: an
// object, a callback. Out: the callback, called with the object at 'exit' or 'beforeExit'. An
// object that was collected is forgotten.

'use strict';

const { validateObject, kValidateObjectAllowObjects } = require('internal/validators');
const { codes: { ERR_INVALID_ARG_TYPE } } = require('internal/errors');
const { hold } = require('internal/process/gc_keepalive');

function createFinalization() {
  const process = require('process');
  /** What is registered for each event: references, and what to call. */
  const registered = { exit: [], beforeExit: [] };
  const forget = new FinalizationRegistry((entry) => drop(entry));

  function drop(entry) {
    const list = registered[entry.event];
    const place = list.indexOf(entry);
    if (place !== -1) {
      list.splice(place, 1);
    }
    if (list.length === 0) {
      process.removeListener(entry.event, listeners[entry.event]);
    }
  }

  function call(event) {
    for (const entry of registered[event].splice(0)) {
      const object = entry.reference.deref();
      forget.unregister(entry);
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
    forget.register(object, entry, entry);
    hold(object);
  }

  return {
    register: (object, callback) => add('exit', object, callback),
    registerBeforeExit: (object, callback) => add('beforeExit', object, callback),
    unregister(object) {
      for (const event of ['exit', 'beforeExit']) {
        for (const entry of registered[event].filter(({ reference }) => reference.deref() === object)) {
          forget.unregister(entry);
          drop(entry);
        }
      }
    },
  };
}

module.exports = { createFinalization };
