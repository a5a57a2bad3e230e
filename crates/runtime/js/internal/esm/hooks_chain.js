// Chains of `resolve` and `load` hooks of `module.register`, on the hooks thread. In: what to
// resolve or load. Out: the results; Node's errors if a hook breaks the chain. The hook registered
// last runs first, the default step last. Absent: the default step (hooks_default.js), the requests
// (hooks_server.js).
'use strict';

const { codes } = require('internal/errors');
const { validateObject } = require('internal/validators');
const hooks = require('internal/modules/hooks');
const defaults = require('internal/esm/hooks_default');

const NEXT = { resolve: 'nextResolve', load: 'nextLoad' };
const DEFAULT_FILE = 'node:internal/modules/esm/hooks';
const chains = { resolve: [{ file: DEFAULT_FILE, hook: defaults.resolve }], load: [{ file: DEFAULT_FILE, hook: defaults.load }] };

/** Adds the exports of a hooks module, registered as `file`; later requests call them. */
function add(file, { resolve, load }) {
  if (resolve !== undefined) chains.resolve.push({ file, hook: resolve });
  if (load !== undefined) chains.load.push({ file, hook: load });
}

/** Runs a chain: { result, name of the hook that ran last, for error messages }. */
async function runChain(kind, subject, context) {
  const state = { kind, chain: chains[kind].slice(), context: withAssertions(context), isComplete: false, isShort: false, name: '' };
  const result = await nextOf(state, state.chain.length - 1, DEFAULT_FILE)(subject);
  if (!state.isComplete && !state.isShort) throw new codes.ERR_LOADER_CHAIN_INCOMPLETE(state.name);
  return { result, name: state.name };
}

/** The `next` function that the hook `caller` receives. */
function nextOf(state, index, caller) {
  const { kind, chain } = state;
  const { file, hook } = chain[index];
  const next = async (subject, context) => {
    CHECKS[kind](`${caller} '${kind}' hook's ${NEXT[kind]}()`, subject, context);
    if (index === 0) state.isComplete = true;
    if (context) Object.assign(state.context, context);
    state.name = `${file} '${kind}'`;
    const result = await hook(subject, state.context, index === 0 ? undefined : nextOf(state, index - 1, file));
    if (result === null || typeof result !== 'object') throw new codes.ERR_INVALID_RETURN_VALUE('an object', `${file} '${kind}' hook's ${NEXT[kind]}()`, result);
    if (result.shortCircuit === true) state.isShort = true;
    return result;
  };
  return Object.defineProperty(next, 'name', { __proto__: null, value: NEXT[kind] });
}

const CHECKS = {
  resolve(name, specifier, context) {
    if (typeof specifier !== 'string') throw new codes.ERR_INVALID_ARG_TYPE(`${name} specifier`, 'string', specifier);
    if (context) validateObject(context, `${name} context`);
  },
  load(name, url, context) {
    if (typeof url !== 'string') throw new codes.ERR_INVALID_ARG_TYPE(`${name} url`, 'string', url);
    if (!URL.canParse(url)) throw new codes.ERR_INVALID_ARG_VALUE(`${name} url`, url, 'should be a URL string');
    if (context) validateObject(context, `${name} context`);
  },
};

// --- `importAssertions`, the former name of `importAttributes`

let hasWarnedOfAssertions = false;

function warnOfAssertions() {
  if (hasWarnedOfAssertions) return;
  hasWarnedOfAssertions = true;
  require('process').emitWarning('Use `importAttributes` instead of `importAssertions`', 'ExperimentalWarning');
}

function withAssertions(context) {
  return Object.defineProperty(context, 'importAssertions', {
    __proto__: null,
    configurable: true,
    get() {
      warnOfAssertions();
      return this.importAttributes;
    },
    set(value) {
      warnOfAssertions();
      this.importAttributes = value;
    },
  });
}

function attributesOf({ importAttributes, importAssertions }) {
  if (importAttributes !== undefined || importAssertions === undefined) return importAttributes;
  warnOfAssertions();
  return importAssertions;
}

// --- requests

async function resolve(specifier, { conditions, importAttributes, parentURL }) {
  const { result, name } = await runChain('resolve', specifier, { conditions, importAttributes: { ...importAttributes }, parentURL });
  const { url, format } = result;
  const refuse = (expected, property, value) => new codes.ERR_INVALID_RETURN_PROPERTY_VALUE(expected, name, property, value);
  const attributes = attributesOf(result);
  if (attributes !== undefined && (attributes === null || typeof attributes !== 'object')) throw refuse('an object', 'importAttributes', attributes);
  if (typeof url !== 'string' || !URL.canParse(url)) throw refuse('a URL string', 'url', url);
  if (format !== undefined && format !== null && typeof format !== 'string') throw refuse('a string', 'format', format);
  return { url, format, importAttributes: attributes };
}

async function load(url, { format, importAttributes }) {
  const { result, name } = await runChain('load', url, { format, importAttributes: { ...importAttributes } });
  const refuse = (expected, property, value) => new codes.ERR_INVALID_RETURN_PROPERTY_VALUE(expected, name, property, value);
  const { source } = result;
  if (result.format !== undefined && result.format !== null && typeof result.format !== 'string') throw refuse('a string', 'format', result.format);
  const isValid = source === undefined || source === null || typeof source === 'string' || hooks.isBytes(source);
  if (!isValid) throw refuse('a string, an ArrayBuffer, or a TypedArray', 'source', source);
  return { format: result.format, source };
}

module.exports = { add, load, resolve };
