// Which modules are ours to give. In: a specifier. Out: whether it names one, and the module. One
// that Node has and we do not yet says so by name.
'use strict';

const builtins = internalBinding('builtins');

const PLAIN = new Set(builtins.plain());
const BUN = new Set(builtins.bun());
const SCHEMED = new Set(builtins.schemed());

/** Files of ours that no program gets, but for `--expose-internals`. */
function isExposed(specifier) {
  return specifier.startsWith('internal/') && require('internal/options').getOptionValue('--expose-internals') && builtins.has(specifier);
}

/** `fs`, `node:fs`, `node:test`, `bun`; not `test`. */
function isBuiltin(specifier) {
  if (typeof specifier !== 'string') return false;
  if (!specifier.startsWith('node:')) return PLAIN.has(specifier) || BUN.has(specifier) || isExposed(specifier);
  const name = specifier.slice(5);
  return PLAIN.has(name) || SCHEMED.has(name);
}

/** What was given before, by name. */
const given = new Map();

function load(name) {
  const known = given.get(name);
  if (known !== undefined) return known;
  const found = loadFirst(name);
  given.set(name, found);
  return found;
}

function loadFirst(name) {
  if (isExposed(name)) return require(name);
  if (builtins.has(`node/${name}`)) {
    const found = require(name);
    // Its streams may be replaced from now on, and the console writes to what is there.
    if (name === 'process') require('internal/console/sinks').watch(found);
    return found;
  }
  const { codes: { ERR_UNKNOWN_BUILTIN_MODULE } } = require('internal/errors');
  const error = new ERR_UNKNOWN_BUILTIN_MODULE(`node:${name}`);
  error.message += ' (rusk does not have it yet)';
  throw error;
}

module.exports = {
  isBuiltin,
  load,
  publicNames: () => [...PLAIN, ...[...SCHEMED].map((name) => `node:${name}`)],
};
