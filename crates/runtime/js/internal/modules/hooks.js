// Hooks of a program's own on finding and loading modules: `module.registerHooks`. In: hooks, the
// newest asked first. Out: for `require` and `import` what a specifier stands for, and what is in
// it. As long as none is registered nobody asks. Who answers behind them is whoever asks, or the
// hooks of `module.register`, on a thread of their own (esm/hooks_thread.js).
'use strict';

const { validateObject, validateFunction } = require('internal/validators');
const { toUrl, toPath } = require('internal/modules/file_url');

const hooks = [];

/**
 * Hooks that take their time: `resolve` and `load` give promises, `resolveNow` and `loadNow` wait.
 */
let provider;

function refuse(name, what) {
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

function register(given) {
  validateObject(given, 'hooks');
  const { resolve, load } = given;
  if (resolve !== undefined) validateFunction(resolve, 'hooks.resolve');
  if (load !== undefined) validateFunction(load, 'hooks.load');
  const own = new Hooks(resolve, load);
  hooks.push(own);
  return own;
}

/** Calls the hooks of one kind from the newest on; what the last one asks next is `end`. */
function chain(kind, subject, context, end) {
  const own = hooks.filter((hook) => hook[kind] !== undefined);
  function step(index, subject, context) {
    if (index < 0) return end(subject, context);
    let isAsked = false;
    const next = (newSubject, newContext) => {
      isAsked = true;
      return step(index - 1, newSubject ?? subject, { ...context, ...newContext });
    };
    const result = own[index][kind](subject, context, next);
    if (result === null || typeof result !== 'object') throw refuse(kind, 'nothing');
    if (!isAsked && result.shortCircuit !== true) {
      throw refuse(kind, { expected: 'true', property: 'shortCircuit', value: result.shortCircuit });
    }
    return result;
  }
  return step(own.length - 1, subject, context);
}

/**
 * `end` is asked with a specifier, who imports, and the conditions that count, undefined for the
 * usual ones.
 * @returns {{ url: string, format?: string }}
 */
function resolve(specifier, { parentURL, conditions, importAttributes }, end) {
  const result = chain('resolve', specifier, { conditions, importAttributes, parentURL }, (asked, context) => {
    return end(asked, context, conditionsOf(context.conditions, conditions));
  });
  if (typeof result.url !== 'string') throw refuse('resolve', { expected: 'a URL string', property: 'url', value: result.url });
  return result;
}

/** Those that a hook asks for; undefined: as without hooks. */
function conditionsOf(given, usual) {
  if (given === undefined || given === usual) return undefined;
  if (!Array.isArray(given)) {
    const { codes: { ERR_INVALID_ARG_VALUE } } = require('internal/errors');
    throw new ERR_INVALID_ARG_VALUE('context.conditions', given, 'expected an array');
  }
  return given.map(String);
}

/** What is in a file, a text for `require` and bytes for `import`; of a builtin nothing. */
function sourceOf(url, isImport) {
  if (url.startsWith('node:')) return null;
  const path = toPath(url);
  if (path !== undefined) return isImport ? require('fs').readFileSync(path) : internalBinding('loader').read(path);
  return url.startsWith('data:') ? require('internal/esm/address').textOf(url) : undefined;
}

/**
 * What hooks make of a module; `isOwn`: nobody has touched what is in it, and it is what it is
 * without hooks, `usual`.
 * @returns {{ format?: string, source?: string, isOwn: boolean }}
 */
function load(url, { format, usual, conditions, importAttributes }, isImport) {
  let own;
  const result = chain('load', url, { conditions, format, importAttributes }, (target, context) => {
    if (isImport && provider?.loadNow !== undefined) return provider.loadNow(target, context);
    const source = sourceOf(target, isImport);
    if (target === url) own = source;
    return { __proto__: null, format: target.startsWith('node:') ? 'builtin' : context.format, source };
  });
  const isBuiltin = url.startsWith('node:') && (result.format === 'builtin' || result.format === undefined);
  const isUsual = result.format === undefined || result.format === null || result.format === usual;
  if (isBuiltin || (isUsual && own !== undefined && result.source === own)) return { format: result.format, source: undefined, isOwn: true };
  // A hook that returns the format CommonJS may leave the source out.
  if (isImport && result.format === 'commonjs' && (result.source ?? undefined) === undefined) return { format: 'commonjs', source: undefined, isOwn: true };
  return { format: result.format, source: isImport ? result.source : textOf(result.source), isOwn: false };
}

function textOf(source, expected = 'a string, an ArrayBuffer, or a TypedArray') {
  if (typeof source === 'string') return source;
  if (isBytes(source)) return new TextDecoder().decode(source);
  throw refuse('load', { expected, property: 'source', value: source });
}

const isBytes = (source) => ArrayBuffer.isView(source) || source instanceof ArrayBuffer || source instanceof SharedArrayBuffer;

module.exports = {
  register,
  resolve,
  load,
  has: () => hooks.length > 0,
  /** Whether `import` asks anybody. */
  isAsked: () => hooks.length > 0 || provider !== undefined,
  get provider() { return provider; },
  /** Sets the asynchronous hooks, which are called after the synchronous ones. */
  provide(given) {
    provider = given;
    require('internal/modules/main_module').isHooked = true;
  },
  isBytes,
  refuse,
  textOf,
  toUrl,
  toPath,
};
