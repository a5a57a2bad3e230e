// @ts-check
// Bootstrap of a VM: `require` and `internalBinding` for our builtins, and the first globals. In:
// `compile` (an id, out: the function of a builtin, or undefined), `makeBinding` (a name, out: an
// object of native functions, or undefined), the object of js/queues.js, the global object. Out:
// `require`, for the native half. Absent: the program.

(function (compile, makeBinding, queues, realm) {
  'use strict';

  // This code may be compiled in another global object, as that of shared builtins.
  const { Error, Function, Map, Object, Symbol } = realm;

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

  /** Globals that js/queues.js defines. */
  const GLOBALS = ['setTimeout', 'setInterval', 'setImmediate', 'clearTimeout', 'clearInterval', 'clearImmediate', 'queueMicrotask'];

  /** A shared builtin takes the global object only (crates/extension-build). */
  const SHARED_ARGUMENTS = 1;

  /** Makes functions of ours those of the program's global object. */
  function adoptGlobals() {
    if (Object.getPrototypeOf(queues.setTimeout) === Function.prototype) return;
    for (const name of GLOBALS) Object.setPrototypeOf(queues[name], Function.prototype);
    Object.setPrototypeOf(queues.nextTick, Function.prototype);
  }

  /**
   * What our files read of the engine's globals. A program may have replaced some, as tests do with
   * `Date`, or deleted them, when a file is loaded that was not needed before.
   */
  const INTRINSICS = [
    'Array', 'ArrayBuffer', 'BigInt', 'BigInt64Array', 'Boolean', 'Date', 'Error', 'FinalizationRegistry', 'Function', 'Intl', 'Map',
    'Math', 'Number', 'Object', 'Promise', 'Proxy', 'RangeError', 'Reflect', 'RegExp', 'Set', 'String', 'Symbol', 'TypeError', 'Uint8Array',
    'WeakMap', 'WeakRef', 'WeakSet', 'encodeURIComponent',
  ];
  let intrinsics = [];
  /** Getters of ours that have such a value, by name. */
  const getters = { __proto__: null };
  const { defineProperty, getOwnPropertyDescriptor } = Object;

  /** Puts the engine's globals in their place. Returns what was there, or undefined. */
  function restoreIntrinsics() {
    let replaced;
    for (let index = 0; index < intrinsics.length; index++) {
      const name = INTRINSICS[index];
      // A getter of the program is not called.
      const own = getOwnPropertyDescriptor(realm, name);
      if (own !== undefined && (own.value === intrinsics[index] || !own.configurable || (own.get !== undefined && own.get === getters[name]))) continue;
      replaced ??= [];
      replaced[replaced.length] = { name, own };
      defineProperty(realm, name, { __proto__: null, value: intrinsics[index], writable: true, configurable: true });
    }
    return replaced;
  }

  function bringBack(replaced) {
    for (let index = 0; index < replaced.length; index++) {
      const { name, own } = replaced[index];
      if (own === undefined) delete realm[name];
      else defineProperty(realm, name, { __proto__: null, ...own });
    }
  }

  /** Called before a builtin is loaded. @type {((id: string) => void) | undefined} */
  let onLoad;

  /** How many builtins were loaded, those that were forgotten included. */
  let loads = 0;

  const directories = /^(?:internal|web)\//;

  function require(id) {
    const known = modules.get(id);
    if (known !== undefined) return known.exports;
    onLoad?.(id);
    const wrapper = compile(directories.test(id) ? id : `node/${id}`);
    if (wrapper === undefined) {
      if (directories.test(id)) throw new Error(`there is no file ${id}`);
      const { codes: { ERR_UNKNOWN_BUILTIN_MODULE } } = require('internal/errors');
      throw new ERR_UNKNOWN_BUILTIN_MODULE(id);
    }
    const module = { id, exports: {} };
    modules.set(id, module);
    loads++;
    const replaced = restoreIntrinsics();
    try {
      if (wrapper.length === SHARED_ARGUMENTS) wrapper(realm)(module.exports, require, module, internalBinding);
      else wrapper(module.exports, require, module, internalBinding);
    } catch (error) {
      modules.delete(id);
      throw error;
    } finally {
      if (replaced !== undefined) bringBack(replaced);
    }
    return module.exports;
  }

  /** From now on the program may change its globals. */
  require.keepIntrinsics = () => { intrinsics = INTRINSICS.map((name) => realm[name]); };
  /** A global has a getter now that returns the engine's value. */
  require.keepGetter = (name) => { getters[name] = getOwnPropertyDescriptor(realm, name).get; };
  require.watchLoads = (callback) => { onLoad = callback; };
  require.isLoaded = (id) => modules.has(id);
  require.loadedIds = () => [...modules.keys()];
  require.loads = () => loads;
  /** The next `require` evaluates the file again. */
  require.forget = (id) => { modules.delete(id); };

  bindings.set('queues', queues);
  queues.connect({
    checkCallback(callback) { require('internal/validators').validateFunction(callback, 'callback'); },
    warnOfDuration(duration, max) { require('internal/timers').warnOfDuration(duration, max); },
  });
  adoptGlobals();
  for (const name of GLOBALS) {
    Object.defineProperty(realm, name, { value: queues[name], writable: true, configurable: true, enumerable: true });
  }
  for (const name of ['setTimeout', 'setImmediate']) {
    Object.defineProperty(queues[name], Symbol.for('nodejs.util.promisify.custom'), {
      enumerable: true,
      get: () => require('timers/promises')[name],
    });
  }
  const { install, translate } = require('internal/stack');
  install(realm);
  internalBinding('stack').setStackTranslator(translate);
  require('internal/modules/function_import').install(realm);
  require('internal/globals').install(realm);
  return require;
})
