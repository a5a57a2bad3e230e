// V8's words for an error of the engine's whose message alone says too little. In: the message, the
// engine's text of its stack. Out: the words, or undefined. Absent: what the program's text says,
// see crates/runtime/src/source_positions/error_messages.rs.
'use strict';

const FRAME = /^([^@]*)@(?:(\[native code\])|(.*?):(\d+):(\d+))?$/;

const NO_NEW = 'Cannot call a class constructor without |new|';

/** Functions of the engine's that make a regular expression of what they are given. */
const OF_PATTERNS = new Set(['RegExp', 'compile', 'match', 'matchAll', 'search']);

const PATTERN = 'Invalid regular expression: ';

/** Said of what these were given. */
const FLAGS = 'Invalid flags supplied to RegExp constructor.';

/**
 * @param words V8's, as far as they follow from the message @param literal the regular expression
 *   that the text has, where the engine refused one of its own
 */
module.exports = function about(message, stack, words, literal) {
  const [first, second = ''] = stack.split('\n', 2);
  const [, name, isNative] = FRAME.exec(first) ?? [];
  if (words.startsWith(PATTERN)) {
    const expression = literal?.expression ?? (OF_PATTERNS.has(name) ? atPlace(message, second) : undefined);
    return expression === undefined ? words : `${PATTERN}${expression}: ${words.slice(PATTERN.length)}`;
  }
  if (message === NO_NEW) return classWithoutNew(name);
  if (isNative === undefined) return atPlace(message, first);
  return name === 'defineProperty' || message === FLAGS ? atPlace(message, second) : ofNative(message, name);
};

/** `frame`: where the program did it. */
function atPlace(message, frame) {
  const [, , , file, line, column] = FRAME.exec(frame) ?? [];
  if (file === undefined) return undefined;
  const given = require('internal/stack/given').current();
  if (file !== given?.name) return ofGlobal(inFile(file, +line, +column, message), globalThis);
  return ofGlobal(internalBinding('source_positions').v8MessageAt(file, +line - given.line + 1, +column, message, given.text), given.global ?? globalThis);
}

/**
 * What was found in files, by message and place: what fails again there has not to be read again.
 */
const found = new Map();

/** More places are kept no longer. */
const FOUND_MAX = 1000;

function inFile(file, line, column, message) {
  const key = `${message}\n${file}:${line}:${column}`;
  if (found.has(key)) return found.get(key);
  if (found.size === FOUND_MAX) found.clear();
  const words = internalBinding('source_positions').v8MessageAt(file, line, column, message);
  found.set(key, words);
  return words;
}

const GLOBAL = /^Cannot assign to read only property '([^']*)'$/;

/**
 * What a file does not declare is a property of the global object, or a constant of another script.
 */
function ofGlobal(words, global) {
  const name = words === undefined ? undefined : GLOBAL.exec(words)?.[1];
  if (name === undefined) return words;
  const found = Reflect.getOwnPropertyDescriptor(global, name);
  if (found === undefined || found.writable === true) return 'Assignment to constant variable.';
  return found.writable === false ? `${words} of object '#<Object>'` : `Cannot set property ${name} of #<Object> which has only a getter`;
}

/** The first frame is its constructor's. */
function classWithoutNew(name) {
  return name === undefined || name === '' ? "Class constructors cannot be invoked without 'new'" : `Class constructor ${name} cannot be invoked without 'new'`;
}

/** What a function of the engine's says: it does not name itself, its frame does. */
function ofNative(message, name) {
  // It quotes its own call, and was to take what it was given for an object.
  if (/ is not an object \(evaluating '/.test(message)) return 'Cannot convert undefined or null to object';
  if (message.startsWith(NUMBER)) return `Number.prototype.${name} requires that 'this' be a Number`;
  if (message !== 'Type error') return undefined;
  if (/^[gs]et/.test(name) && Object.hasOwn(Date.prototype, name)) return 'this is not a Date object.';
  return OF_TEXTS.has(name) ? `String.prototype.${name} called on null or undefined` : undefined;
}

const NUMBER = 'thisNumberValue called on incompatible ';

/** Methods of strings that no other class of the engine's has, but those that take any value. */
const OF_TEXTS = new Set(['at', 'charAt', 'charCodeAt', 'codePointAt', 'endsWith', 'isWellFormed', 'localeCompare', 'normalize', 'repeat', 'startsWith', 'substring', 'toLowerCase', 'toUpperCase', 'toWellFormed', 'trim', 'trimEnd', 'trimStart']);
