// Hooks of a program's own on finding and loading modules: `module.registerHooks`. In: hooks, the newest asked first. Out: for `require` and
// `import` what a specifier stands for, and what is in it. As long as none is registered nobody asks. Absent: hooks on a thread of
// their own (`module.register`).
'use strict';

const { validateObject, validateFunction } = require('internal/validators');
const { toUrl, toPath } = require('internal/module_url');

const hooks = [];

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

/** @returns {{ url: string, format?: string }} */
function resolve(specifier, { parentURL, conditions, importAttributes }, end) {
  const result = chain('resolve', specifier, { conditions, importAttributes, parentURL }, end);
  if (typeof result.url !== 'string') throw refuse('resolve', { expected: 'a URL string', property: 'url', value: result.url });
  return result;
}

/** @returns {{ format: string, source?: string | Uint8Array }} */
function load(url, { format, conditions, importAttributes }, end) {
  return chain('load', url, { conditions, format, importAttributes }, end);
}

/** Of a text or bytes; undefined where nothing was given. */
function textOf(source) {
  if (source === undefined || source === null) return undefined;
  return typeof source === 'string' ? source : new TextDecoder().decode(source);
}

module.exports = {
  register,
  textOf,
  resolve,
  load,
  has: () => hooks.length > 0,
  toUrl,
  toPath,
};
