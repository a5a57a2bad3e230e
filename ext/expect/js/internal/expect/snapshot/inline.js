// Snapshots in the source of tests: `toMatchInlineSnapshot(`...`)`. In: where matchers were called,
// and values. Out: changed sources, TypeScript and JSX as they were written. Absent: finding the
// call in the source (crates/transpile, method_calls.rs).
'use strict';

const { editInlineSnapshots } = internalBinding('expect');
const { callSite } = require('internal/expect/call_site');

/**
 * The text of a snapshot without what writing it has added: the first and the last line, and the
 * indentation.
 */
function dedent(text) {
  if (!text.includes('\n')) return text;
  const lines = text.split('\n');
  const last = lines.at(-1);
  if (lines[0].trim() !== '' || last.trim() !== '' || lines.length < 3) return text;
  const content = lines.slice(1, -1);
  const indent = /^[ \t]*/.exec(content.find((line) => line !== '') ?? '')[0];
  if (content.some((line) => line !== '' && !line.startsWith(indent))) return content.join('\n');
  return content.map((line) => line.slice(indent.length)).join('\n');
}

class InlineChanges {
  /** By path: calls with their new values. */
  #files = new Map();

  /** @param {string} name of the matcher */
  add(stack, name, text) {
    const site = callSite(stack);
    if (site === undefined || site.path.includes('/node_modules/')) throw new Error('an inline snapshot can be written only into a source file of the project');
    const key = `${site.line}:${site.column}`;
    const calls = this.#files.get(site.path) ?? new Map();
    this.#files.set(site.path, calls);
    const other = calls.get(key);
    if (other !== undefined && other.text !== text) {
      throw new Error(`one inline snapshot cannot have several values\n\nFirst: ${other.text}\nThen:  ${text}`);
    }
    calls.set(key, { line: site.line, column: site.column, name, text });
  }

  write() {
    const fs = require('fs');
    const { replaceFile } = require('internal/expect/snapshot/store');
    for (const [path, calls] of this.#files) {
      const list = [...calls.values()].flatMap(({ line, column, name, text }) => [`${line}`, `${column}`, name, text]);
      replaceFile(path, editInlineSnapshots(fs.readFileSync(path, 'utf8'), path, list));
    }
    this.#files.clear();
  }
}

module.exports = { InlineChanges, dedent };
