// Helpers that transpiled code calls: legacy decorators, `using`. Each function or class is
// self-contained, because `Bun.Transpiler` appends its source text to its output.
'use strict';

/** Applies decorators to a class (two arguments) or a member; the last one is called first. */
function decorate(decorators, target, key, descriptor) {
  const isMember = key !== undefined;
  let result = isMember ? (descriptor === null ? Object.getOwnPropertyDescriptor(target, key) : descriptor) : target;
  for (let index = decorators.length - 1; index >= 0; index--) {
    const decorator = decorators[index];
    if (!decorator) continue;
    const returned = isMember ? decorator(target, key, result) : decorator(result);
    result = returned || result;
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
 * The disposable resources of one block: `u` adds one of `using`, `a` one of `await using`, `e` is
 * the error of the block, `d` disposes of all, the last first.
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

  function add(isAwait, value) {
    if (value === null || value === undefined) {
      if (isAwait) resources.push({ dispose: undefined, value, isAwait });
      return value;
    }
    if (Object(value) !== value) throw new TypeError('using declarations can only be used with objects, functions, null, or undefined.');
    let method = isAwait ? value[asyncDispose] : undefined;
    if (method === undefined) {
      const sync = value[dispose];
      // The result of a synchronous method is not awaited.
      if (isAwait && typeof sync === 'function') method = function () { sync.call(value); };
      else method = sync;
    }
    if (typeof method !== 'function') throw new TypeError('Property [Symbol.dispose] is not a function.');
    resources.push({ dispose: method, value, isAwait });
    return value;
  }

  return {
    e: none,
    u: (value) => add(false, value),
    a: (value) => add(true, value),
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
            const descriptor = method.call(value);
            if (isAwait) {
              mustWait = false;
              return Promise.resolve(descriptor).then(next, failed);
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
