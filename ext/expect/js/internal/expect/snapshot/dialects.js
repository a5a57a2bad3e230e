// How bun, jest and vitest write values into snapshots, where they differ. In: a value, a dialect.
// Out: text. Absent: what all have in common (pretty.js).
'use strict';

const types = require('internal/util/types');
const { namesOf } = require('internal/expect/mock_function');
const { BUN, classOf, enumerableSymbols, errorText, labelOf, pretty } = require('internal/expect/pretty');

/** Serializers of `expect.addSnapshotSerializer`, the last one first. */
const serializers = [];

// --- bun

/** What bun takes for a name: that in the source, not the variable of an arrow function. */
function writtenName(value, source) {
  const [, name] = /^function\s*([\w$]*)\s*\(/.exec(source) ?? [];
  if (name !== undefined) return name;
  return /^(?:\(|[\w$]+\s*=>)/.test(source) ? '' : value.name;
}

const isNativeClass = (value, source) => value !== Promise && /\[native code\]\s*\}$/.test(source) && Object.hasOwn(value, 'prototype');

/** bun names functions by their kind, if it is not the ordinary one. */
function functionTextOfBun(value) {
  const source = Function.prototype.toString.call(value);
  if (/^class\b/.test(source)) return `[class${/^class\s*(?:\{|extends\b)/.test(source) || value.name === '' ? '' : ` ${value.name}`}]`;
  if (isNativeClass(value, source)) return `[class ${value.name}]`;
  const [, kind] = /^\[object (\w+Function)\]$/.exec(Object.prototype.toString.call(value)) ?? [];
  const name = kind ?? writtenName(value, source);
  return name === '' ? '[Function]' : `[Function: ${name}]`;
}

/** An error has the name of its class. */
function leafTextOfBun(value) {
  if (types.kind(value) !== 'error') return undefined;
  const { message } = value;
  const name = classOf(value) || 'Error';
  return message === '' || message === undefined ? `[${name}]` : `[${name}: ${message}]`;
}

/** Symbols are among the other keys, as if they were their descriptions. */
function keysOfBun(value) {
  const textOf = (key) => (typeof key === 'symbol' ? key.description ?? '' : key);
  return [...Object.keys(value), ...enumerableSymbols(value)].sort((a, b) => {
    const [left, right] = [textOf(a), textOf(b)];
    return left < right ? -1 : left > right ? 1 : 0;
  });
}

/** A nested string of several lines, map or set has lines of its own. */
const bun = {
  accessorText(value, key) {
    const own = Reflect.getOwnPropertyDescriptor(value, key);
    return own !== undefined && 'value' in own ? undefined : '[native code]';
  },
  collection(text, indent, size) {
    if (indent === '') return text;
    const lines = size === 0 ? text : `\n${text}\n`;
    return text.startsWith('Set') ? indent + lines : lines;
  },
  functionText: functionTextOfBun,
  keysOf: keysOfBun,
  label: (key) => (typeof key === 'symbol' ? labelOf(key) : JSON.stringify(key)),
  leafText: leafTextOfBun,
  mockText: () => '[class Function]',
  /** Only buffers are written as their JSON. */
  readsJson: (slots) => slots === 'typedarray',
  string(text, indent) { return text.includes('\n') && indent !== '' ? `\n"${text}"\n` : undefined; },
  symbolText: (value) => (value.description === undefined ? 'Symbol' : undefined),
};

// --- jest and vitest

function mockText(name, value, printer, indent) {
  const head = name === undefined ? '[MockFunction]' : `[MockFunction ${name}]`;
  const { calls, results } = value.mock;
  if (calls.length === 0) return head;
  const inner = `${indent}  `;
  const shown = results.map(({ type, value: result }) => ({ type, value: result }));
  return `${head} {\n${inner}"calls": ${printer.print(calls, inner)},\n${inner}"results": ${printer.print(shown, inner)},\n${indent}}`;
}

const jest = {
  functionText: () => '[Function]',
  keysOf: (value) => [...Object.keys(value).sort(), ...enumerableSymbols(value)],
  label: (key) => (typeof key === 'symbol' ? key.toString() : `"${key}"`),
  leavesHoles: true,
  listPrefix(list) {
    const name = classOf(list);
    return name === 'Array' || name === '' ? '' : `${name} `;
  },
  mockText: (value, printer, indent) => mockText(namesOf(value).givenName, value, printer, indent),
  /** The syntax characters of a pattern are escaped. */
  regexp: (value) => RegExp.prototype.toString.call(value).replace(/[\\^$*+?.()|[\]{}]/g, '\\$&'),
};

/** vitest 3 names every mock; later ones do as jest does. */
const vitest = {
  ...jest,
  mockText(value, printer, indent) {
    const { givenName, ownName } = namesOf(value);
    return mockText(givenName ?? ownName ?? 'spy', value, printer, indent);
  },
};

/** Functions with their names, as jest's formatter writes them unless a snapshot asks for none. */
const named = { ...jest, functionText: (value) => `[Function ${value.name === '' ? 'anonymous' : value.name}]` };

const DIALECTS = { __proto__: null, bun, jest, vitest, named, rusk: { ...BUN, collection: bun.collection, string: bun.string } };

function serialize(value, dialect) {
  return pretty(value, { plugins: serializers, dialect: DIALECTS[dialect] });
}

/** The text in a dialect, then its other forms, which count as equal. */
function* forms(value, dialect) {
  yield serialize(value, dialect);
  for (const other of Object.keys(DIALECTS)) if (other !== dialect) yield serialize(value, other);
}

/** A thrown value: its message; in vitest with the name of the error. */
function* formsOfThrown(value, dialect) {
  const isError = value !== null && typeof value === 'object' && 'message' in value;
  const texts = [serialize(value?.message, dialect), isError ? `[${errorText(value)}]` : serialize(value, dialect)];
  yield* dialect === 'vitest' ? texts.reverse() : texts;
}

/** @param {object} serializer with `test` and `serialize` or `print` */
function addSerializer(serializer) {
  const isValid = typeof serializer?.test === 'function' && (typeof serializer.serialize === 'function' || typeof serializer.print === 'function');
  if (!isValid) throw new TypeError('expect.addSnapshotSerializer expects an object with `test`, and `serialize` or `print`');
  serializers.unshift(serializer);
}

module.exports = { addSerializer, forms, formsOfThrown, serializers };
