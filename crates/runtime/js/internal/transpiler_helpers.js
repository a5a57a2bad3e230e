// What transformed text calls: decorators, `using`. In: what stands in the source. Out: its
// meaning. Each function or class stands alone, for `Bun.Transpiler` puts its text behind what
// calls it.
'use strict';

/** Decorators of a class (two arguments) or of a member; the last one is called first. */
function decorate(decorators, target, key, given) {
  const isMember = key !== undefined;
  let result = isMember ? (given === null ? Object.getOwnPropertyDescriptor(target, key) : given) : target;
  for (let index = decorators.length - 1; index >= 0; index--) {
    const decorator = decorators[index];
    if (!decorator) continue;
    const made = isMember ? decorator(target, key, result) : decorator(result);
    result = made || result;
  }
  if (isMember && result) Object.defineProperty(target, key, result);
  return result;
}

function decorateParam(index, decorator) {
  return (target, key) => decorator(target, key, index);
}

function decorateMetadata(key, value) {
  return typeof Reflect.metadata === 'function' ? Reflect.metadata(key, value) : undefined;
}

/**
 * The resources of one block: `u` and `a` take one, `e` is what the block threw, `d` disposes of
 * all, the last first.
 */
function usingCtx() {
  const none = {};
  const resources = [];
  const dispose = Symbol.dispose ?? Symbol.for('Symbol.dispose');
  const asyncDispose = Symbol.asyncDispose ?? Symbol.for('Symbol.asyncDispose');

  function suppress(error, suppressed) {
    const message = 'An error was suppressed during disposal.';
    if (globalThis.SuppressedError !== undefined) return new globalThis.SuppressedError(error, suppressed, message);
    const parts = Object.entries({ name: 'SuppressedError', error, suppressed });
    const descriptors = parts.map(([name, value]) => [name, { value, writable: true, configurable: true }]);
    return Object.defineProperties(new Error(message), Object.fromEntries(descriptors));
  }

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
        error = error === none ? thrown : suppress(thrown, error);
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
            error = error === none ? thrown : suppress(thrown, error);
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

module.exports = {
  decorate,
  decorateParam,
  decorateMetadata,
  usingCtx,
  get Decoration() { return require('internal/decorators').Decoration; },
};
