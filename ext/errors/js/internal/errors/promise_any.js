// `Promise.any` with the message of its AggregateError, which the engine leaves empty. In: the
// engine's function, a promise constructor, values. Out: the promise. Absent: the algorithm, which
// is the engine's.
'use strict';

const { apply } = Reflect;
const { defineProperty, hasOwn } = Object;

const MESSAGE = 'All promises were rejected';

/** The stack is the message alone: no code threw the error. */
function complete(error) {
  if (!(error instanceof AggregateError)) return error;
  // Engines from 2.52 on define `cause` as undefined.
  if (hasOwn(error, 'cause') && error.cause === undefined) delete error.cause;
  if (hasOwn(error, 'message')) return error;
  const said = { message: MESSAGE, stack: `AggregateError: ${MESSAGE}` };
  for (const name of Object.keys(said)) {
    defineProperty(error, name, { __proto__: null, value: said[name], writable: true, configurable: true });
  }
  return error;
}

module.exports = function any(engine, Constructor, values) {
  // The engine throws for an invalid constructor.
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
