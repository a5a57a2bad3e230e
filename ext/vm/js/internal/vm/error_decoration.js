// Arrow messages (Node's `decorateErrorStack`) for errors that a script of `node:vm` throws: the
// position, the source line, a caret. In: the thrown value, and the script. Out: the same value
// with that stack. Absent: where an error is thrown that was constructed elsewhere; the engine has
// the position of the construction only.
'use strict';

const { within } = require('internal/stack/eval_source');
const { LINE_LENGTH_MAX, arrowMessage, markDecorated, readSource, stackAndSyntaxError, topFramePosition } = require('internal/stack/engine_errors');
const { isProxy } = require('internal/util/types');

/** What V8 points to, before the end of a name: the statement that throws, `new`, or the name. */
const CARET_TARGET = /(?:\bthrow +(?:new +)?[\w$.]*|\bnew +[\w$.]+|[\w$]*)$/;

/** @param script { source, name, line, column }: see internal/stack/eval_source */
function decorate(error, script) {
  if (error === null || typeof error !== 'object' || isProxy(error)) return;
  try {
    const { stack, syntaxError } = within(script, () => stackAndSyntaxError(error));
    const arrow = syntaxError === undefined && typeof stack === 'string' ? arrowOf(error, script) : undefined;
    // An error that an inner script threw has its arrow message already.
    if (arrow !== undefined && markDecorated(error)) Reflect.set(error, 'stack', `${arrow}\n${stack}`);
  } catch {
    // The program's prepareStackTrace threw.
  }
}

function arrowOf(error, script) {
  const position = topFramePosition(error);
  if (position === undefined) return undefined;
  const [file, line, column] = position;
  const isInScript = file === script.name;
  const text = isInScript ? script.source.split(/\r?\n/)[line - script.line] : readLine(file, line);
  if (text === undefined || text.length > LINE_LENGTH_MAX) return undefined;
  const columnOffset = isInScript && line === script.line ? script.column - 1 : 0;
  const before = text.slice(0, column - 1 - columnOffset);
  return arrowMessage(`${file}:${line}`, text, before.slice(0, CARET_TARGET.exec(before).index), 1);
}

function readLine(file, line) {
  try {
    return readSource(file).split(/\r?\n/, line)[line - 1];
  } catch {
    // It is not a file, or was removed.
    return undefined;
  }
}

module.exports = { decorate };
