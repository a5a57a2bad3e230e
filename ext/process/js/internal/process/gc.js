// The function `gc`: runs the garbage collector. In: nothing, or V8's options. Out: undefined after
// a full collection, or a promise of it where `execution` is 'async'. Absent: minor collections;
// JavaScriptCore's API has only full ones.
'use strict';

const binding = internalBinding('process');
const { releaseAll } = require('internal/process/gc_keepalive');

/** V8's numbers of a full collection, and of one that a program has forced. */
const DETAIL = { kind: 4, flags: 4 };

function collect() {
  releaseAll();
  const end = require('internal/perf/observe').begin('gc', 'gc', DETAIL);
  const result = binding.collect();
  end?.();
  return result;
}

function gc(options) {
  if (options?.execution !== 'async') return collect();
  return new Promise((resolve) => {
    setImmediate(() => {
      collect();
      resolve();
    });
  });
}

/** Whether new contexts of node:vm have it: `--expose-gc`, also by `v8.setFlagsFromString`. */
let isExposed = false;

function setExposed(value) { isExposed = value; }

function defineGlobal(global) {
  Object.defineProperty(global, 'gc', { __proto__: null, value: gc, writable: true, enumerable: false, configurable: true });
}

/** @param global that of a new context */
function exposeInContext(global) { if (isExposed) defineGlobal(global); }

module.exports = { defineGlobal, exposeInContext, setExposed };
