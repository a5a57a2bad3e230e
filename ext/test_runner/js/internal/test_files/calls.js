// Calls of test functions and hooks: `done` callbacks, promises, time limits. In: a function, its
// arguments, a limit. Out: nothing if it has succeeded; an error, or a promise of one. Absent:
// which functions are called, and when (execute.js).
'use strict';

const { run: runInContext } = require('internal/async_context');
const { setTimeout, clearTimeout } = globalThis;
const { now } = internalBinding('test_runner');

/** What stands for a thrown `undefined`: an outcome is an error, or undefined. */
class Thrown {
  constructor(value) { this.value = value; }
}

/** What `skip()` of vitest's test context throws. */
class Skipped {}

/**
 * A function whose first parameter is taken apart: `({ task }) => ...`. A callback `done` is not.
 */
const CONTEXT = /^(?:async\b\s*)?(?:function\b\s*)?[\w$]*\s*\(\s*\{/;

/** Functions of this library that get the test context, whatever their source is. */
const contextual = new WeakSet();

function takesContext(fn) {
  contextual.add(fn);
  return fn;
}

const isContextual = (fn) => contextual.has(fn) || CONTEXT.test(Function.prototype.toString.call(fn));

/** A function with the same parameters, which adds to a list what it returns or resolves to. */
function keepResult(fn, results) {
  const keep = (result) => { results.push(result); };
  function kept(...values) {
    const result = Reflect.apply(fn, this, values);
    return isThenable(result) ? result.then(keep) : keep(result);
  }
  Object.defineProperty(kept, 'length', { __proto__: null, value: fn.length });
  return isContextual(fn) ? takesContext(kept) : kept;
}

/** Calls that wait; an uncaught error ends the wait of the one that it belongs to. */
const waiting = new Set();

const WAITS_FOR_DONE = ', before its done callback was called. If a done callback was not intended, remove the last parameter from the test callback function';

function timeoutError(what, limit, hint = '') {
  const error = new Error(`${what} timed out after ${limit}ms${hint}`);
  error.name = 'TimeoutError';
  error.stack = '';
  return error;
}

const isThenable = (value) => value !== null && (typeof value === 'object' || typeof value === 'function') && typeof value.then === 'function';

/**
 * @param {Function} fn
 * @param {unknown[]} values arguments; a function with one parameter more gets a callback
 * @param {number} limit milliseconds; 0 and Infinity: none
 * @param {() => object} [makeContext] vitest's test context, for a function that takes it apart
 * @param {object} [asyncContext] of the test, if it is concurrent; else the function has none: the
 * one that the test before has left is not its own
 * @param {number} [start] when the limit has begun
 * @returns {Thrown | undefined | Promise<Thrown | undefined>}
 */
function call(fn, values, limit, what, makeContext, asyncContext, start = now()) {
  let result;
  const hasMore = fn.length === values.length + 1;
  const hasContext = hasMore && makeContext !== undefined && isContextual(fn);
  const takesDone = hasMore && !hasContext;
  try {
    result = takesDone ? runInContext(asyncContext, callWithDone, undefined, [fn, values])
      : runInContext(asyncContext, fn, undefined, hasContext ? [...values, makeContext()] : values);
  } catch (error) {
    return new Thrown(error);
  }
  if (isThenable(result)) return settle(result, limit, start, takesDone ? { what, hint: WAITS_FOR_DONE } : { what });
  return isOver(limit, start) ? new Thrown(timeoutError(what, limit)) : undefined;
}

const isOver = (limit, start) => limit > 0 && limit !== Infinity && now() - start > limit;

/**
 * jest's and bun's callback: `done()` or `done(error)`. What the function throws afterwards fails
 * the test, too, and so does the promise that it returns.
 */
function callWithDone(fn, values) {
  const { promise, resolve, reject } = Promise.withResolvers();
  const done = (error) => { if (error === undefined || error === null) resolve(); else reject(error); };
  done.fail = (error) => reject(error ?? new Error('done.fail() was called'));
  const result = Reflect.apply(fn, undefined, [...values, done]);
  if (!isThenable(result)) return promise;
  result.then(undefined, reject);
  return promise.then(() => result);
}

/** Waits for a promise, but no longer than the limit. */
function settle(promise, limit, start, { what, hint }) {
  return new Promise((resolve) => {
    let timer;
    const wait = {
      end(outcome) {
        if (timer !== undefined) clearTimeout(timer);
        waiting.delete(wait);
        resolve(outcome);
      },
    };
    waiting.add(wait);
    if (limit > 0 && limit !== Infinity) {
      timer = setTimeout(() => wait.end(new Thrown(timeoutError(what, limit, hint))), Math.min(Math.max(limit - (now() - start), 0), 0x7fffffff));
    }
    promise.then(() => wait.end(isOver(limit, start) ? new Thrown(timeoutError(what, limit)) : undefined), (error) => wait.end(new Thrown(error)));
  });
}

/** Ends all waits: an uncaught error has failed the test. */
function endWaits() {
  for (const wait of [...waiting]) wait.end(undefined);
}

module.exports = { Skipped, Thrown, call, endWaits, isThenable, keepResult, takesContext, waiting };
