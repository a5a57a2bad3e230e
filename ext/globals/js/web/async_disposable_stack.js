// `AsyncDisposableStack`: replaces the engine's, which rejects resources with only `Symbol.dispose`
// and settles before its resources are disposed. In: resources, callbacks. Out: a promise that
// settles after the last of them. Messages are V8's.
'use strict';

const { bind } = require('internal/async_context');
const { apply } = Reflect;

const PREFIX = 'AsyncDisposableStack.prototype.';

function shown(value) {
  const isValue = value === null || (typeof value !== 'object' && typeof value !== 'function' && typeof value !== 'symbol');
  return isValue ? `${value}` : require('internal/serdes/uncloneable').noSideEffectsToString(value);
}

function callable(method, name) {
  if (typeof method !== 'function') throw new TypeError(`${name} is not a function`);
  return method;
}

/** Combines an error with an earlier one, as a SuppressedError. */
function suppress(error, suppressed) {
  const message = 'An error was suppressed during disposal';
  if (globalThis.SuppressedError !== undefined) return new globalThis.SuppressedError(error, suppressed, message);
  return Object.assign(new Error(message), { name: 'SuppressedError', error, suppressed });
}

/** The dispose function of a value. The result of a synchronous one is not awaited. */
function methodOf(value) {
  const method = value[Symbol.asyncDispose];
  if (method !== undefined && method !== null) {
    callable(method, 'Symbol(Symbol.asyncDispose)');
    return () => apply(method, value, []);
  }
  const sync = callable(value[Symbol.dispose], 'Symbol(Symbol.dispose)');
  return () => { apply(sync, value, []); };
}

/** Calls `disposers` from the last to the first. For `undefined` only a tick is awaited. */
async function disposeOf(disposers, call) {
  let [hasFailed, failure, isWaitedFor, hasWaited] = [false, undefined, false, false];
  for (let index = disposers.length - 1; index >= 0; index--) {
    if (disposers[index] === undefined) {
      isWaitedFor = true;
      continue;
    }
    try {
      const given = call(disposers[index]);
      hasWaited = true;
      await given;
    } catch (error) {
      failure = hasFailed ? suppress(error, failure) : error;
      hasFailed = true;
    }
  }
  if (isWaitedFor && !hasWaited) await undefined;
  if (hasFailed) throw failure;
}

class AsyncDisposableStack {
  /** `undefined` after disposal. */
  #disposers = [];

  static #check(stack, method) {
    if (typeof stack !== 'object' || stack === null || !(#disposers in stack)) {
      throw new TypeError(`Method ${method} called on incompatible receiver ${shown(stack)}`);
    }
    return stack;
  }

  /** The disposers of a stack that is not disposed; throws otherwise. */
  static #of(stack, method) {
    const found = AsyncDisposableStack.#check(stack, `${PREFIX}${method}`).#disposers;
    if (found === undefined) throw new ReferenceError(`Cannot call ${PREFIX}${method} on an already-disposed DisposableStack`);
    return found;
  }

  use(value) {
    const disposers = AsyncDisposableStack.#of(this, 'use');
    if (value === null || value === undefined) {
      disposers.push(undefined);
      return value;
    }
    if (Object(value) !== value) throw new TypeError('An object is expected with `using` declarations');
    disposers.push(methodOf(value));
    return value;
  }

  disposeAsync() {
    if (typeof this !== 'object' || this === null || !(#disposers in this)) {
      return Promise.reject(new TypeError('Receiver is not an AsyncDisposableStack'));
    }
    const disposers = this.#disposers ?? [];
    this.#disposers = undefined;
    return disposeOf(disposers, bind((dispose) => dispose()));
  }

  adopt(value, onDisposeAsync) {
    const disposers = AsyncDisposableStack.#of(this, 'adopt');
    callable(onDisposeAsync, shown(onDisposeAsync));
    disposers.push(() => onDisposeAsync(value));
    return value;
  }

  defer(onDisposeAsync) {
    const disposers = AsyncDisposableStack.#of(this, 'defer');
    callable(onDisposeAsync, shown(onDisposeAsync));
    disposers.push(() => onDisposeAsync());
  }

  move() {
    const moved = new AsyncDisposableStack();
    moved.#disposers = AsyncDisposableStack.#of(this, 'move');
    this.#disposers = undefined;
    return moved;
  }

  get disposed() { return AsyncDisposableStack.#check(this, `get ${PREFIX}disposed`).#disposers === undefined; }
}

const { prototype } = AsyncDisposableStack;
for (const [key, value] of [[Symbol.asyncDispose, prototype.disposeAsync], [Symbol.toStringTag, 'AsyncDisposableStack']]) {
  Object.defineProperty(prototype, key, { __proto__: null, value, writable: typeof value === 'function', configurable: true });
}

module.exports = { AsyncDisposableStack };
