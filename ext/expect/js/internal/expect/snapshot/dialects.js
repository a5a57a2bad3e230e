// How bun, jest and vitest write values into snapshots, where they differ. In: a value, a dialect.
// Out: text. Absent: what all have in common (pretty.js).
'use strict';

const { BUN, errorText, pretty } = require('internal/expect/pretty');

/** Serializers of `expect.addSnapshotSerializer`, the last one first. */
const serializers = [];

/** Snapshots of bun: a nested string of several lines, map or set has lines of its own. */
const bun = {
  ...BUN,
  string(text, indent) { return text.includes('\n') && indent !== '' ? `\n"${text}"\n` : undefined; },
  collection(text, indent, size) {
    if (indent === '') return text;
    const lines = size === 0 ? text : `\n${text}\n`;
    return text.startsWith('Set') ? indent + lines : lines;
  },
};

const functionText = (value) => `[Function ${value.name === '' ? 'anonymous' : value.name}]`;

function mockText(value, printer, indent) {
  const name = value.getMockName?.();
  const head = `[MockFunction${name === undefined || name === '' || name === 'jest.fn()' || name === 'vi.fn()' ? '' : ` ${name}`}]`;
  const { calls, results } = value.mock;
  if (calls.length === 0) return head;
  const inner = `${indent}  `;
  const shown = results.map(({ type, value: result }) => ({ type, value: result }));
  return `${head} {\n${inner}"calls": ${printer.print(calls, inner)},\n${inner}"results": ${printer.print(shown, inner)},\n${indent}}`;
}

/** jest's form of a pattern has its syntax characters escaped. */
const regexp = (value) => RegExp.prototype.toString.call(value).replace(/[\\^$*+?.()|[\]{}]/g, '\\$&');

const jest = { functionText, leavesHoles: true, mockText, regexp };
const DIALECTS = { __proto__: null, bun, jest, vitest: jest };

function serialize(value, dialect) {
  return pretty(value, { plugins: serializers, dialect: DIALECTS[dialect] });
}

/** The text in a dialect, and its other forms that count as equal. */
function* forms(value, dialect) {
  yield serialize(value, dialect);
  yield serialize(value, dialect === 'bun' ? 'jest' : 'bun');
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
