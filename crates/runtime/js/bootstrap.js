// @ts-check
// What every program has before its first line: `require` for our own files, bindings, and globals
// that are made when they are touched. In: `compile` (a name, out: the function of one of our
// files, or undefined), `makeBinding` (a name, out: an object of Rust functions, or undefined),
// what js/queues.js gives, who is to be told what shall become of the engine's own stacks. Out:
// `require` of ours, for the native half. Absent: what a program is.

(function (compile, makeBinding, queues) {
  'use strict';

  const modules = new Map();
  const bindings = new Map();

  function internalBinding(name) {
    let found = bindings.get(name);
    if (found === undefined) {
      found = makeBinding(name);
      if (found === undefined) throw new Error(`there is no binding ${name}`);
      bindings.set(name, found);
    }
    return found;
  }

  /** What js/queues.js gives, under the names that programs have for it. */
  const GLOBALS = ['setTimeout', 'setInterval', 'setImmediate', 'clearTimeout', 'clearInterval', 'clearImmediate', 'queueMicrotask'];

  const folders = /^(?:internal|web)\//;

  function require(id) {
    const known = modules.get(id);
    if (known !== undefined) return known.exports;
    const wrapper = compile(folders.test(id) ? id : `node/${id}`);
    if (wrapper === undefined) {
      if (folders.test(id)) throw new Error(`there is no file ${id}`);
      const { codes: { ERR_UNKNOWN_BUILTIN_MODULE } } = require('internal/errors');
      throw new ERR_UNKNOWN_BUILTIN_MODULE(id);
    }
    const module = { id, exports: {} };
    modules.set(id, module);
    try {
      wrapper(module.exports, require, module, internalBinding);
    } catch (error) {
      modules.delete(id);
      throw error;
    }
    return module.exports;
  }

  bindings.set('queues', queues);
  queues.connect({
    checkCallback(callback) { require('internal/validators').validateFunction(callback, 'callback'); },
    warnOfDuration(duration, max) { require('internal/timers').warnOfDuration(duration, max); },
  });
  for (const name of GLOBALS) {
    Object.defineProperty(globalThis, name, { value: queues[name], writable: true, configurable: true, enumerable: true });
  }
  for (const name of ['setTimeout', 'setImmediate']) {
    Object.defineProperty(queues[name], Symbol.for('nodejs.util.promisify.custom'), {
      enumerable: true,
      get: () => require('timers/promises')[name],
    });
  }
  const { install, translate } = require('internal/stack');
  install(globalThis);
  internalBinding('stack').translateStacks(translate);
  require('internal/modules/function_import').install(globalThis);
  require('internal/globals').install(globalThis);
  return require;
})
