// Stacks of the engine's own errors, when somebody looks at them. In: an error. Out: its stack in V8's form, the place where it begins.
'use strict';

const { redefine, engineText } = require('internal/stack');

/** What the engine notes in an error, and V8 does not. */
const PLACE = ['line', 'column', 'sourceURL'];

/** The engine's own errors have their stack as a text of its form; it becomes V8's. */
function describe(error) {
  const own = Object.getOwnPropertyDescriptor(error, 'stack');
  if (own === undefined || typeof own.value !== 'string' || !own.configurable || !isEngineText(own.value)) return error.stack;
  redefine(error, own.value);
  // In an error that is being frozen they stay.
  for (const name of PLACE) Reflect.deleteProperty(error, name);
  return error.stack;
}

/** Whether it is a property that the engine gives errors of texts that do not parse, and V8 does not. */
function isPlace(error, key) {
  return PLACE.includes(key) && Object.hasOwn(error, 'sourceURL') && Object.hasOwn(error, 'line') && !Object.hasOwn(error, 'stack');
}

/** Where an error's stack begins, outside of files of ours: file, line, column. */
function place(error) {
  for (const line of String(error.stack).split('\n')) {
    const found = /^ {4}at (?:.* \()?(.+?):(\d+):(\d+)\)?$/.exec(line);
    if (found !== null && !found[1].startsWith('node:')) return [found[1], +found[2], +found[3]];
  }
  return undefined;
}

function isEngineText(text) {
  const first = text.slice(0, text.indexOf('\n') === -1 ? undefined : text.indexOf('\n'));
  return text === '' || /^[^\s(]*@|^[\w$. ]+ code@|^[\w$]+$/.test(first);
}

/** The file of the nearest caller that is not a builtin, of so many frames; undefined where all are. */
function callerFile(count) {
  for (const line of engineText(count + 1).split('\n')) {
    const file = /^[^@]*@(.*?)(?::\d+)*$/.exec(line)?.[1];
    if (file !== undefined && file !== '' && file !== '[native code]' && !file.startsWith('node:')) return file;
  }
  return undefined;
}

/** Of what another thread threw and could not send: how it is shown. */
const kText = Symbol('kText');

module.exports = { callerFile, describe, isPlace, kText, place };
