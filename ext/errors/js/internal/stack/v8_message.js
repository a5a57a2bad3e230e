// V8's message for an engine error whose own message does not say enough. In: the message, the
// engine's stack. Out: V8's message, or undefined. Absent: what follows from the source text, see
// crates/runtime/src/source_positions/error_messages.rs.
'use strict';

const FRAME = /^([^@]*)@(?:(\[native code\])|(.*?):(\d+):(\d+))?$/;

const CLASS_WITHOUT_NEW = 'Cannot call a class constructor without |new|';

/** The engine's functions that make a regular expression of their argument. */
const REGEXP_FUNCTIONS = new Set(['RegExp', 'compile', 'match', 'matchAll', 'search']);

const INVALID_REGEXP = 'Invalid regular expression: ';

/** The message of these functions for invalid flags. */
const INVALID_FLAGS = 'Invalid flags supplied to RegExp constructor.';

/**
 * @param message the engine's @param stack the engine's @param v8Message V8's, as far as it follows
 *   from the engine's message alone @param literal where the engine rejected a regular expression
 *   literal: { expression }
 */
module.exports = function v8MessageOf(message, stack, v8Message, literal) {
  const refused = REFUSED_BY_PROXY.exec(v8Message);
  if (refused !== null) return refusalMessage(refused[1]) ?? v8Message;
  const found = otherMessage(message, stack, v8Message, literal);
  const notDeleted = NOT_DELETED.exec(found);
  return notDeleted === null ? found : refusalMessage(notDeleted[1]) ?? found;
};

/** What a module namespace refuses; the engine knows it as a proxy. */
const REFUSED_BY_PROXY = /^'(?:set|defineProperty|setPrototypeOf)' on proxy: trap returned falsish for property '(.*)'$/;
const NOT_DELETED = /^Cannot delete property '\[?(.*?)\]?' of /;

const refusalMessage = (name) => require('internal/esm/namespace').refusalMessage(name);

function otherMessage(message, stack, v8Message, literal) {
  const [first, second = ''] = stack.split('\n', 2);
  const [, name, isNative] = FRAME.exec(first) ?? [];
  if (v8Message.startsWith(INVALID_REGEXP)) {
    const expression = literal?.expression ?? (REGEXP_FUNCTIONS.has(name) ? fromSource(message, second) : undefined);
    return expression === undefined ? v8Message : `${INVALID_REGEXP}${expression}: ${v8Message.slice(INVALID_REGEXP.length)}`;
  }
  if (message === CLASS_WITHOUT_NEW) return classWithoutNew(name);
  if (isNative === undefined) return fromSource(message, first);
  return name === 'defineProperty' || message === INVALID_FLAGS ? fromSource(message, second) : fromNativeFrame(message, name);
}

/** `frame`: the program's frame in which the error was thrown. */
function fromSource(message, frame) {
  const [, , , file, line, column] = FRAME.exec(frame) ?? [];
  if (file === undefined) return undefined;
  const evalSource = require('internal/stack/eval_source').current();
  if (file !== evalSource?.name) return globalAssignment(fromFile(file, +line, +column, message), globalThis);
  const v8Message = internalBinding('source_positions').v8MessageAt(file, +line - evalSource.line + 1, +column, message, evalSource.source);
  return globalAssignment(v8Message, evalSource.global ?? globalThis);
}

/** Messages by engine message and position: an error that repeats does not parse its file again. */
const messageCache = new Map();

/** With more entries the cache is cleared. */
const CACHE_ENTRIES_MAX = 1000;

function fromFile(file, line, column, message) {
  const key = `${message}\n${file}:${line}:${column}`;
  if (messageCache.has(key)) return messageCache.get(key);
  if (messageCache.size === CACHE_ENTRIES_MAX) messageCache.clear();
  const v8Message = internalBinding('source_positions').v8MessageAt(file, line, column, message);
  messageCache.set(key, v8Message);
  return v8Message;
}

const READ_ONLY = /^Cannot assign to read only property '([^']*)'$/;

/**
 * A name that a file does not declare is a property of the global object, or a constant of another
 * script.
 */
function globalAssignment(v8Message, global) {
  const name = v8Message === undefined ? undefined : READ_ONLY.exec(v8Message)?.[1];
  if (name === undefined) return v8Message;
  const descriptor = Reflect.getOwnPropertyDescriptor(global, name);
  if (descriptor === undefined || descriptor.writable === true) return 'Assignment to constant variable.';
  return descriptor.writable === false ? `${v8Message} of object '#<Object>'` : `Cannot set property ${name} of #<Object> which has only a getter`;
}

/** `name`: of the first frame, which is the constructor's. */
function classWithoutNew(name) {
  return name === undefined || name === '' ? "Class constructors cannot be invoked without 'new'" : `Class constructor ${name} cannot be invoked without 'new'`;
}

/** The message of an engine's function. It does not name the function; its frame does. */
function fromNativeFrame(message, name) {
  // It quotes its own call, and was to convert its argument to an object.
  if (/ is not an object \(evaluating '/.test(message)) return 'Cannot convert undefined or null to object';
  if (message.startsWith(NOT_A_NUMBER)) return `Number.prototype.${name} requires that 'this' be a Number`;
  if (message !== 'Type error') return undefined;
  if (/^[gs]et/.test(name) && Object.hasOwn(Date.prototype, name)) return 'this is not a Date object.';
  return STRING_METHODS.has(name) ? `String.prototype.${name} called on null or undefined` : undefined;
}

const NOT_A_NUMBER = 'thisNumberValue called on incompatible ';

/**
 * Methods of String.prototype that no other class of the engine has, without those that accept any
 * `this`.
 */
const STRING_METHODS = new Set(['at', 'charAt', 'charCodeAt', 'codePointAt', 'endsWith', 'isWellFormed', 'localeCompare', 'normalize', 'repeat', 'startsWith', 'substring', 'toLowerCase', 'toUpperCase', 'toWellFormed', 'trim', 'trimEnd', 'trimStart']);
