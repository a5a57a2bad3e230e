// What transformed text calls: decorators of TypeScript, `using`. In: what stands in the source. Out: its meaning.
'use strict';

const { defineProperty, getOwnPropertyDescriptor } = Object;

/** Decorators of a class (two arguments) or of a member; the last one is called first. */
function decorate(decorators, target, key, given) {
  const isMember = key !== undefined;
  let result = isMember ? (given === null ? getOwnPropertyDescriptor(target, key) : given) : target;
  for (let index = decorators.length - 1; index >= 0; index--) {
    const decorator = decorators[index];
    if (!decorator) continue;
    const made = isMember ? decorator(target, key, result) : decorator(result);
    result = made || result;
  }
  if (isMember && result) defineProperty(target, key, result);
  return result;
}

function decorateParam(index, decorator) {
  return (target, key) => decorator(target, key, index);
}

function decorateMetadata(key, value) {
  return typeof Reflect.metadata === 'function' ? Reflect.metadata(key, value) : undefined;
}

class SuppressedErrorOfOurs extends Error {
  constructor(error, suppressed, message) {
    super(message);
    defineProperty(this, 'name', { __proto__: null, value: 'SuppressedError', writable: true, configurable: true });
    defineProperty(this, 'error', { __proto__: null, value: error, writable: true, configurable: true });
    defineProperty(this, 'suppressed', { __proto__: null, value: suppressed, writable: true, configurable: true });
  }
}

const dispose = Symbol.dispose ?? Symbol.for('Symbol.dispose');
const asyncDispose = Symbol.asyncDispose ?? Symbol.for('Symbol.asyncDispose');

/** The resources of one block: `u` and `a` take one, `e` is what the block threw, `d` disposes of all, the last first. */
function usingCtx() {
  const none = {};
  const resources = [];
  const Suppressed = globalThis.SuppressedError ?? SuppressedErrorOfOurs;

  function take(isAwait, value) {
    if (value === null || value === undefined) {
      if (isAwait) resources.push({ dispose: undefined, value, isAwait });
      return value;
    }
    if (Object(value) !== value) throw new TypeError('using declarations can only be used with objects, functions, null, or undefined.');
    let method = isAwait ? value[asyncDispose] : undefined;
    if (method === undefined) {
      const sync = value[dispose];
      // What it gives is not waited for, as where there is no asynchronous one.
      if (isAwait && typeof sync === 'function') method = function () { sync.call(value); };
      else method = sync;
    }
    if (typeof method !== 'function') throw new TypeError('Property [Symbol.dispose] is not a function.');
    resources.push({ dispose: method, value, isAwait });
    return value;
  }

  return {
    e: none,
    u: (value) => take(false, value),
    a: (value) => take(true, value),
    d() {
      let error = this.e;
      let mustWait = false;

      function failed(thrown) {
        error = error === none ? thrown : new Suppressed(thrown, error, 'An error was suppressed during disposal.');
        return next();
      }

      function next() {
        while (resources.length > 0) {
          const { dispose: method, value, isAwait } = resources.pop();
          if (!isAwait && mustWait) {
            mustWait = false;
            resources.push({ dispose: method, value, isAwait });
            return Promise.resolve().then(next);
          }
          try {
            if (method === undefined) {
              mustWait = true;
              continue;
            }
            const given = method.call(value);
            if (isAwait) {
              mustWait = false;
              return Promise.resolve(given).then(next, failed);
            }
          } catch (thrown) {
            error = error === none ? thrown : new Suppressed(thrown, error, 'An error was suppressed during disposal.');
          }
        }
        if (mustWait) {
          mustWait = false;
          return Promise.resolve().then(next);
        }
        if (error !== none) throw error;
        return undefined;
      }

      return next();
    },
  };
}

module.exports = { decorate, decorateParam, decorateMetadata, usingCtx };
