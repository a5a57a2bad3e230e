// Hooks of `module.register`, one behind the other, on their thread. In: what is to be resolved or
// loaded. Out: what they make of it; Node's errors where one breaks the chain. The newest is asked
// first, at the end stands what is true without hooks. Absent: that end (hooks_default.js), who
// asks.
'use strict';

const { codes } = require('internal/errors');
const { validateObject } = require('internal/validators');
const hooks = require('internal/modules/hooks');
const ends = require('internal/esm/hooks_default');

const NEXT = { resolve: 'nextResolve', load: 'nextLoad' };
const END = 'node:internal/modules/esm/hooks';
const chains = { resolve: [{ file: END, hook: ends.resolve }], load: [{ file: END, hook: ends.load }] };

/**
 * What a file of hooks exports, under the name that it was registered by; it is asked from the next
 * question on.
 */
function add(file, { resolve, load }) {
  if (resolve !== undefined) chains.resolve.push({ file, hook: resolve });
  if (load !== undefined) chains.load.push({ file, hook: load });
}

/** { result, name }: what the hook is called that was asked last. */
async function ask(kind, subject, context) {
  const state = { kind, chain: chains[kind].slice(), context: withAssertions(context), isComplete: false, isShort: false, name: '' };
  const result = await nextOf(state, state.chain.length - 1, END)(subject);
  if (!state.isComplete && !state.isShort) throw new codes.ERR_LOADER_CHAIN_INCOMPLETE(state.name);
  return { result, name: state.name };
}

/** `asker`: the hook that is given this function. */
function nextOf(state, index, asker) {
  const { kind, chain } = state;
  const { file, hook } = chain[index];
  const next = async (subject, context) => {
    CHECKS[kind](`${asker} '${kind}' hook's ${NEXT[kind]}()`, subject, context);
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

// --- the former name of attributes

let isToldOfAssertions = false;

function tellOfAssertions() {
  if (isToldOfAssertions) return;
  isToldOfAssertions = true;
  require('process').emitWarning('Use `importAttributes` instead of `importAssertions`', 'ExperimentalWarning');
}

function withAssertions(context) {
  return Object.defineProperty(context, 'importAssertions', {
    __proto__: null,
    configurable: true,
    get() {
      tellOfAssertions();
      return this.importAttributes;
    },
    set(value) {
      tellOfAssertions();
      this.importAttributes = value;
    },
  });
}

function attributesOf({ importAttributes, importAssertions }) {
  if (importAttributes !== undefined || importAssertions === undefined) return importAttributes;
  tellOfAssertions();
  return importAssertions;
}

// --- what is asked

async function resolve(specifier, { conditions, importAttributes, parentURL }) {
  const { result, name } = await ask('resolve', specifier, { conditions, importAttributes: { ...importAttributes }, parentURL });
  const { url, format } = result;
  const refuse = (expected, property, value) => new codes.ERR_INVALID_RETURN_PROPERTY_VALUE(expected, name, property, value);
  const attributes = attributesOf(result);
  if (attributes !== undefined && (attributes === null || typeof attributes !== 'object')) throw refuse('an object', 'importAttributes', attributes);
  if (typeof url !== 'string' || !URL.canParse(url)) throw refuse('a URL string', 'url', url);
  if (format !== undefined && format !== null && typeof format !== 'string') throw refuse('a string', 'format', format);
  return { url, format, importAttributes: attributes };
}

async function load(url, { format, importAttributes }) {
  const { result, name } = await ask('load', url, { format, importAttributes: { ...importAttributes } });
  const refuse = (expected, property, value) => new codes.ERR_INVALID_RETURN_PROPERTY_VALUE(expected, name, property, value);
  const { source } = result;
  if (result.format !== undefined && result.format !== null && typeof result.format !== 'string') throw refuse('a string', 'format', result.format);
  const isText = source === undefined || source === null || typeof source === 'string' || hooks.isBytes(source);
  if (!isText) throw refuse('a string, an ArrayBuffer, or a TypedArray', 'source', source);
  return { format: result.format, source };
}

module.exports = { add, load, resolve };
