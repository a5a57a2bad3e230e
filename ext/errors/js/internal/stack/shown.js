// Stacks of the engine's own errors, when somebody looks at them. In: an error. Out: its stack in
// V8's form, the place where it begins.
'use strict';

const { redefine, engineText } = require('internal/stack');

/** What the engine notes in an error, and V8 does not. */
const PLACE = ['line', 'column', 'sourceURL'];

/** Longer lines were made by a program, and nobody reads them. */
const LINE_LENGTH_MAX = 4096;

/** Of errors of strings that do not parse: where, and what stands above their stack. */
const faults = new WeakMap();

/** Of errors of strings that are in no file: where. */
const places = new WeakMap();

/** Errors whose stack says on top where they were thrown. */
const decorated = new WeakSet();

/** Makes it one of them; false where it was. */
function decorates(error) {
  if (decorated.has(error)) return false;
  decorated.add(error);
  return true;
}

/**
 * Has the stack of an error of a text that is in no file begin with a place: { line, text, before,
 * width }, its line, and what is before the caret.
 */
function setPlace(error, place) { places.set(error, place); }

/** The engine's own errors have their stack as a text of its form; it becomes V8's. */
function describe(error) {
  translate(error);
  return error.stack;
}

/** `words`: what its message is to say; the same as it says where only the place tells more. */
function translate(error, words) {
  const own = Object.getOwnPropertyDescriptor(error, 'stack');
  if (typeof own?.value !== 'string' || !own.configurable || !isOfEngine(error, own.value)) return;
  const fault = faultOf(error, own.value, words);
  if (words !== undefined) {
    const { message } = error;
    const said = words === message || isOfPattern(words) ? require('internal/stack/about')(message, own.value, words, fault?.literal) : words;
    if (said !== undefined) Reflect.set(error, 'message', said);
  }
  if (fault !== undefined) faults.set(error, fault);
  redefine(error, own.value, fault?.top);
  // In an error that is being frozen they stay.
  for (const name of PLACE) Reflect.deleteProperty(error, name);
}

/**
 * Where a text does not parse: no frame of its error stands there. Undefined for other errors,
 * which name the place of their first frame.
 */
function faultOf(error, text, words) {
  const { sourceURL: file, line, column } = error instanceof SyntaxError ? error : {};
  const isOfText = typeof file === 'string' && file !== '' && !file.startsWith('node:') && typeof line === 'number' && !text.includes(`@${file}:`);
  if (!isOfText) return undefined;
  const literal = isOfPattern(words) ? require('internal/stack/patterns')(file, line) : undefined;
  const place = literal ?? places.get(error) ?? placeInFile(file, line, column);
  const at = place.line ?? line;
  return { file, line: at, column, top: topOf(file, at, place), literal };
}

/** Whether it says what is wrong with a regular expression. */
function isOfPattern(words) { return words?.startsWith('Invalid regular expression: '); }

/** The place, and the line with a caret below it if it is known. */
function topOf(file, line, { text, before, width }) {
  const place = `${file}:${line}`;
  if (text === undefined || text.length > LINE_LENGTH_MAX) return `${place}\n\n`;
  return `${lineAt(place, text, before, width)}\n`;
}

function placeInFile(file, line, column) {
  if (typeof column !== 'number') return {};
  try {
    const text = readSource(file).split(/\r?\n/, line)[line - 1];
    if (text === undefined) return {};
    return { text, before: text.slice(0, column - 1), width: internalBinding('source_positions').tokenWidth(text.slice(column - 1)) };
  } catch {
    // It was none, or is gone.
    return {};
  }
}

/** A place, its line, and carets below what follows `before`, as V8 shows them. */
function lineAt(place, text, before, count) {
  return `${place}\n${text}\n${before.replace(/[^\t]/g, ' ')}${'^'.repeat(count)}\n`;
}

/** The text of a file, by the name that frames have for it: a path or an address. */
function readSource(file) {
  const path = file.startsWith('file:') ? require('internal/url').fileURLToPath(file) : file;
  return require('fs').readFileSync(path, 'utf8');
}

/**
 * Of an error of a text that does not parse, told apart: its stack without what stands above, and
 * where.
 */
function faultAndStack(error) {
  const stack = describe(error);
  const fault = faults.get(error);
  if (fault === undefined) return { stack };
  return { stack: typeof stack === 'string' && stack.startsWith(fault.top) ? stack.slice(fault.top.length) : stack, fault };
}

/**
 * Whether it is a property that the engine gives errors of strings that do not parse, and V8 does
 * not.
 */
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

/**
 * Whether the engine wrote it, and no program. It notes the place beside; a copy has none, and its
 * stack may be but a name.
 */
function isOfEngine(error, text) {
  if (text === '') return true;
  const [first, second] = text.split('\n', 2);
  if (!/^(?:[gs]et )?[^\s(]*@|^[\w$. ]+ code@|^[\w$]+$/.test(first)) return false;
  return first.includes('@') || (Object.hasOwn(error, 'line') && !second?.startsWith('    at '));
}

/**
 * The file of the nearest caller that is not a builtin, of so many frames; undefined where all are.
 */
function callerFile(count) {
  for (const line of engineText(count + 1).split('\n')) {
    const file = /^[^@]*@(.*?)(?::\d+)*$/.exec(line)?.[1];
    if (file !== undefined && file !== '' && file !== '[native code]' && !file.startsWith('node:')) return file;
  }
  return undefined;
}

/** Of what another thread threw and could not send: how it is shown. */
const kText = Symbol('kText');

module.exports = {
  LINE_LENGTH_MAX, callerFile, decorates, describe, faultAndStack, isDecorated: (error) => decorated.has(error), isPlace, kText, lineAt, place, readSource, setPlace, translate,
};
