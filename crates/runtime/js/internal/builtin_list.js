// List of the public builtins. In: a specifier. Out: whether it names a builtin, and its exports;
// an error for a builtin of Node that is not implemented.
'use strict';

const builtins = internalBinding('builtins');

/** Names by kind, once one was asked for. */
let names;
function namesByKind() {
  names ??= { plain: new Set(builtins.plain()), bun: new Set(builtins.bun()), schemed: new Set(builtins.schemed()) };
  return names;
}

/** Whether it is an internal file, which programs get with `--expose-internals` only. */
function isExposed(specifier) {
  return /^(?:internal|web)\//.test(specifier) && require('internal/options').getOptionValue('--expose-internals') && builtins.has(specifier);
}

/** `fs`, `node:fs`, `node:test`, `bun`; not `test`, nor a builtin of Node that is absent. */
function isBuiltin(specifier) {
  return isKnown(specifier) && (isExposed(specifier) || builtins.has(fileOf(specifier.replace(/^node:/, ''))));
}

/** The file of a builtin: `node/fs`, `node/bun/ffi`. */
const fileOf = (name) => `node/${name.replace('bun:', 'bun/')}`;

/** Whether Node or bun has a builtin of that name. Loading one that is absent throws. */
function isKnown(specifier) {
  if (typeof specifier !== 'string') return false;
  const { plain, bun, schemed } = namesByKind();
  if (!specifier.startsWith('node:')) return plain.has(specifier) || bun.has(specifier) || isExposed(specifier);
  const name = specifier.slice(5);
  return plain.has(name) || schemed.has(name);
}

/** Exports of loaded builtins, by name. */
const loaded = new Map();

function load(name) {
  const cached = loaded.get(name);
  if (cached !== undefined) return cached;
  const exports = loadFirst(name);
  loaded.set(name, exports);
  return exports;
}

function loadFirst(name) {
  if (isExposed(name)) return require(name);
  if (builtins.has(fileOf(name))) {
    const exports = require(fileOf(name).slice('node/'.length));
    // From now on the program may replace its streams; the console has to write to the new ones.
    if (name === 'process') require('internal/console/sinks').watchProcess(exports);
    return exports;
  }
  const { codes: { ERR_UNKNOWN_BUILTIN_MODULE } } = require('internal/errors');
  const error = new ERR_UNKNOWN_BUILTIN_MODULE(`node:${name}`);
  error.message += ' (rusk does not have it yet)';
  throw error;
}

/** Names of the builtins that the program has got. */
function loadedNames() { return [...loaded.keys()]; }

/** The next program gets the exports of a builtin that is evaluated again. */
function forget(name) { loaded.delete(name); }

module.exports = {
  forget,
  isBuiltin,
  isKnown,
  load,
  loadedNames,
  publicNames: () => [...namesByKind().plain, ...[...namesByKind().schemed].map((name) => `node:${name}`)].filter(isBuiltin),
};
