// Snapshot files: `__snapshots__/NAME.snap`, in the form of bun, jest and vitest. In: text, or
// names with serialized values. Out: a map of names, or text. A file is parsed, not evaluated.
// Absent: which snapshots a test has (snapshot/store.js), disk.
'use strict';

const HEADERS = {
  __proto__: null,
  bun: '// Bun Snapshot v1, https://bun.sh/docs/test/snapshots',
  jest: '// Jest Snapshot v1, https://jestjs.io/docs/snapshot-testing',
  vitest: '// Vitest Snapshot v1, https://vitest.dev/guide/snapshot.html',
};

/** The program whose form a file has. */
function formOf(text) {
  if (text.startsWith('// Jest Snapshot')) return 'jest';
  return text.startsWith('// Vitest Snapshot') ? 'vitest' : 'bun';
}

/** What a file says that is no snapshot file. */
class DamagedFile extends Error {
  constructor(line, expected) {
    super(`line ${line}: expected ${expected}`);
  }
}

const SPACE = /(?:\s|\/\/[^\n]*(?:\n|$))*/y;
const HEAD = /exports\[`/y;
const MIDDLE = /\]\s*=\s*`/y;
const END = /;/y;
const TEMPLATE = /((?:[^`\\$]|\\[^]|\$(?!\{))*)`/y;

/**
 * @param {string} source
 * @returns {{ form: string, header: string, entries: Map<string, string> }}
 */
function parse(source) {
  const text = source.replace(/\r\n?/g, '\n');
  const entries = new Map();
  let at = 0;
  const read = (pattern, expected) => {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match === null) throw new DamagedFile(text.slice(0, at).split('\n').length, expected);
    at = pattern.lastIndex;
    return match[1];
  };
  for (;;) {
    read(SPACE, 'a comment');
    if (at === text.length) break;
    read(HEAD, '`exports[` and a name between backticks');
    const name = unescape(read(TEMPLATE, 'a name between backticks, without `${`'));
    read(MIDDLE, '`] = ` and a value between backticks');
    entries.set(name, withoutEdges(unescape(read(TEMPLATE, 'a value that ends with a backtick, without `${`'))));
    read(END, 'a semicolon');
  }
  const form = formOf(text);
  return { form, header: text.startsWith('//') ? text.slice(0, text.indexOf('\n')) : HEADERS[form], entries };
}

/** @param {Map<string, string>} entries */
function render({ form, header, entries }) {
  const names = [...entries.keys()];
  // bun appends; the others sort, with numbers in numbers' order.
  if (form !== 'bun') names.sort(new Intl.Collator('en', { numeric: true }).compare);
  const rows = names.map((name) => `exports[\`${escape(name)}\`] = \`${escape(withEdges(entries.get(name)))}\`;\n`);
  return `${header}\n\n${rows.join('\n')}`;
}

const escape = (text) => text.replace(/`|\\|\$\{/g, '\\$&');
const unescape = (text) => text.replace(/\\([^])/g, '$1');

/** A value of several lines is between line ends. */
const withEdges = (text) => (text.includes('\n') ? `\n${text}\n` : text);

function withoutEdges(text) {
  return text.length > 1 && text.startsWith('\n') && text.endsWith('\n') ? text.slice(1, -1) : text;
}

module.exports = { DamagedFile, HEADERS, parse, render };
