// What `Promise.any` rejects with has a message, which the engine leaves out. In: the engine's
// function, a constructor of promises, values. Out: the promise. Absent: counting who was rejected,
// which stays the engine's.
'use strict';

const { apply } = Reflect;
const { defineProperty, hasOwn } = Object;

const MESSAGE = 'All promises were rejected';

/** Words alone: there is no frame, for nobody threw it. */
function complete(error) {
  if (!(error instanceof AggregateError)) return error;
  // Engines from 2.52 on say that nothing caused it.
  if (hasOwn(error, 'cause') && error.cause === undefined) delete error.cause;
  if (hasOwn(error, 'message')) return error;
  const said = { message: MESSAGE, stack: `AggregateError: ${MESSAGE}` };
  for (const name of Object.keys(said)) {
    defineProperty(error, name, { __proto__: null, value: said[name], writable: true, configurable: true });
  }
  return error;
}

module.exports = function any(engine, Constructor, values) {
  // The engine says what is wrong with it.
  if (typeof Constructor !== 'function') return apply(engine, Constructor, [values]);
  function Completed(executor) {
    return new Constructor((resolve, reject) => executor(resolve, (error) => reject(complete(error))));
  }
  defineProperty(Completed, 'resolve', {
    get() {
      const { resolve } = Constructor;
      return typeof resolve === 'function' ? (value) => apply(resolve, Constructor, [value]) : resolve;
    },
  });
  return apply(engine, Completed, [values]);
};
