// What stands on top of the stack of an error that a script of `node:vm` throws: the place, the
// line, a caret. In: what was thrown, and the script. Out: the same, with that stack. Absent: where
// an error is thrown that was made elsewhere; the engine tells where it was made.
'use strict';

const { within } = require('internal/stack/given');
const { LINE_LENGTH_MAX, decorates, faultAndStack, lineAt, place, readSource } = require('internal/stack/shown');
const { isProxy } = require('internal/util/types');

/** Before the end of a name, what V8 points to: the statement that throws, `new`, or the name. */
const BEFORE = /(?:\bthrow +(?:new +)?[\w$.]*|\bnew +[\w$.]+|[\w$]*)$/;

/** @param script { text, name, line, column }: of its first letter, both from 1 */
function decorate(error, script) {
  if (error === null || typeof error !== 'object' || isProxy(error)) return;
  try {
    const { stack, fault } = within(script, () => faultAndStack(error));
    const top = fault === undefined && typeof stack === 'string' ? topOf(error, script) : undefined;
    // Those that came through a script inside of this one have theirs.
    if (top !== undefined && decorates(error)) Reflect.set(error, 'stack', `${top}\n${stack}`);
  } catch {
    // A program lays stacks out itself, and fails.
  }
}

function topOf(error, script) {
  const found = place(error);
  if (found === undefined) return undefined;
  const [file, line, column] = found;
  const isOfScript = file === script.name;
  const text = isOfScript ? script.text.split(/\r?\n/)[line - script.line] : lineOfFile(file, line);
  if (text === undefined || text.length > LINE_LENGTH_MAX) return undefined;
  const ours = isOfScript && line === script.line ? script.column - 1 : 0;
  const before = text.slice(0, column - 1 - ours);
  return lineAt(`${file}:${line}`, text, before.slice(0, BEFORE.exec(before).index), 1);
}

function lineOfFile(file, line) {
  try {
    return readSource(file).split(/\r?\n/, line)[line - 1];
  } catch {
    // It was none, or is gone.
    return undefined;
  }
}

module.exports = { decorate };
