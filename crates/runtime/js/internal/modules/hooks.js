// Synchronous module hooks, `module.registerHooks`. In: hooks; the one registered last runs first.
// Out: for `require` and `import` the resolution of a specifier, and the source of a module. The
// default step belongs to the caller, or to the asynchronous hooks of `module.register`
// (esm/hooks_thread.js). Not loaded while no hook is registered.
'use strict';

const { validateObject, validateFunction } = require('internal/validators');
const { toUrl, toPath } = require('internal/modules/file_url');

const hooks = [];

/** Asynchronous hooks: `resolve` and `load` return promises, `resolveSync` and `loadSync` wait. */
let asyncHooks;

function invalidReturn(name, what) {
  const { codes: { ERR_INVALID_RETURN_PROPERTY_VALUE, ERR_INVALID_RETURN_VALUE } } = require('internal/errors');
  if (what === 'nothing') return new ERR_INVALID_RETURN_VALUE('an object', name, undefined);
  return new ERR_INVALID_RETURN_PROPERTY_VALUE(what.expected, name, what.property, what.value);
}

class Hooks {
  constructor(resolve, load) {
    this.resolve = resolve;
    this.load = load;
  }

  deregister() {
    const at = hooks.indexOf(this);
    if (at !== -1) hooks.splice(at, 1);
  }
}

function register(functions) {
  validateObject(functions, 'hooks');
  const { resolve, load } = functions;
  if (resolve !== undefined) validateFunction(resolve, 'hooks.resolve');
  if (load !== undefined) validateFunction(load, 'hooks.load');
  const registered = new Hooks(resolve, load);
  hooks.push(registered);
  return registered;
}

/** Calls the hooks of one kind, the newest first; the `next` of the oldest is `end`. */
function chain(kind, subject, context, end) {
  const chained = hooks.filter((hook) => hook[kind] !== undefined);
  function step(index, subject, context) {
    if (index < 0) return end(subject, context);
    let hasCalledNext = false;
    const next = (newSubject, newContext) => {
      hasCalledNext = true;
      return step(index - 1, newSubject ?? subject, { ...context, ...newContext });
    };
    const result = chained[index][kind](subject, context, next);
    if (result === null || typeof result !== 'object') throw invalidReturn(kind, 'nothing');
    if (!hasCalledNext && result.shortCircuit !== true) {
      throw invalidReturn(kind, { expected: 'true', property: 'shortCircuit', value: result.shortCircuit });
    }
    return result;
  }
  return step(chained.length - 1, subject, context);
}

/**
 * `end` receives the specifier, the context, and the conditions, undefined for the default ones.
 * @returns {{ url: string, format?: string }}
 */
function resolve(specifier, { parentURL, conditions, importAttributes }, end) {
  const result = chain('resolve', specifier, { conditions, importAttributes, parentURL }, (target, context) => {
    return end(target, context, conditionsOf(context.conditions, conditions));
  });
  if (typeof result.url !== 'string') throw invalidReturn('resolve', { expected: 'a URL string', property: 'url', value: result.url });
  return result;
}

/** The conditions that a hook set; undefined: the default ones. */
function conditionsOf(conditions, defaults) {
  if (conditions === undefined || conditions === defaults) return undefined;
  if (!Array.isArray(conditions)) {
    const { codes: { ERR_INVALID_ARG_VALUE } } = require('internal/errors');
    throw new ERR_INVALID_ARG_VALUE('context.conditions', conditions, 'expected an array');
  }
  return conditions.map(String);
}

/** The source of a module: a string for `require`, bytes for `import`; null for a builtin. */
function sourceOf(url, isImport) {
  if (url.startsWith('node:')) return null;
  const path = toPath(url);
  if (path !== undefined) return isImport ? require('fs').readFileSync(path) : internalBinding('loader').read(path);
  return url.startsWith('data:') ? require('internal/esm/data_url').sourceOf(url) : undefined;
}

/**
 * Format and source after the hooks. `isUnchanged`: the source is the original, and the format is
 * `defaultFormat`.
 * @returns {{ format?: string, source?: string, isUnchanged: boolean }}
 */
function load(url, { format, defaultFormat, conditions, importAttributes }, isImport) {
  let original;
  const result = chain('load', url, { conditions, format, importAttributes }, (target, context) => {
    if (isImport && asyncHooks?.loadSync !== undefined) return asyncHooks.loadSync(target, context);
    const source = sourceOf(target, isImport);
    if (target === url) original = source;
    return { __proto__: null, format: target.startsWith('node:') ? 'builtin' : context.format, source };
  });
  // Exports that a plugin of `Bun.plugin` returned.
  if (result.format === 'object') return { format: 'object', source: result.source, isUnchanged: false };
  const isBuiltin = url.startsWith('node:') && (result.format === 'builtin' || result.format === undefined);
  const isDefaultFormat = result.format === undefined || result.format === null || result.format === defaultFormat;
  if (isBuiltin || (isDefaultFormat && original !== undefined && result.source === original)) return { format: result.format, source: undefined, isUnchanged: true };
  // A hook that returns the format CommonJS may leave the source out.
  if (isImport && result.format === 'commonjs' && (result.source ?? undefined) === undefined) return { format: 'commonjs', source: undefined, isUnchanged: true };
  return { format: result.format, source: isImport ? result.source : textOf(result.source), isUnchanged: false };
}

function textOf(source, expected = 'a string, an ArrayBuffer, or a TypedArray') {
  if (typeof source === 'string') return source;
  if (isBytes(source)) return new TextDecoder().decode(source);
  throw invalidReturn('load', { expected, property: 'source', value: source });
}

const isBytes = (source) => ArrayBuffer.isView(source) || source instanceof ArrayBuffer || source instanceof SharedArrayBuffer;

module.exports = {
  register,
  resolve,
  load,
  has: () => hooks.length > 0,
  /** Whether `import` has to run hooks, synchronous or asynchronous. */
  isActive: () => hooks.length > 0 || asyncHooks !== undefined,
  get asyncHooks() { return asyncHooks; },
  /** Sets the asynchronous hooks, which are called after the synchronous ones. */
  setAsyncHooks(functions) {
    asyncHooks = functions;
    require('internal/modules/main_module').isHooked = true;
  },
  isBytes,
  invalidReturn,
  textOf,
  toUrl,
  toPath,
};
