// Stacks of the engine's own errors, translated to V8's form on first use. In: an error. Out: its
// stack in V8's form, with the arrow message (Node's term for the source line with a caret) where
// the error has one; the position where it was thrown.
'use strict';

const { redefine, engineStack } = require('internal/stack');

/** Properties that the engine defines on an error, and V8 does not. */
const POSITION_KEYS = ['line', 'column', 'sourceURL'];

/** Longer lines are generated code, and are not shown. */
const LINE_LENGTH_MAX = 4096;

/**
 * By syntax error: { file, line, column, arrow, literal }; `arrow` is what its stack begins with.
 */
const syntaxErrors = new WeakMap();

/** By syntax error of evaluated code: its position, see `setSyntaxErrorPosition`. */
const positions = new WeakMap();

/** Errors whose stack begins with the arrow message of where they were thrown. */
const decorated = new WeakSet();

/** Marks it as decorated. False: it was already. */
function markDecorated(error) {
  if (decorated.has(error)) return false;
  decorated.add(error);
  return true;
}

/**
 * Sets what the arrow message of a syntax error of evaluated code shows: { line, text, before,
 * width }, as in stack/invalid_regexp.js.
 */
function setSyntaxErrorPosition(error, position) { positions.set(error, position); }

/** The stack, in V8's form also for errors of the engine's. */
function v8Stack(error) {
  translate(error);
  return error.stack;
}

/** What the transpiler puts into programs around the iterables of asynchronous generators. */
const ITERATED = /^yield\* \$r[\d_]*\.each is not a function/;
/** V8's message for what is not iterable there. */
const NOT_ITERABLE = 'undefined is not a function';

/**
 * The engine's message, and V8's, of an error whose message quotes transpiled code: of the code as
 * the program has it.
 */
function asWritten(engineMessage, v8Message) {
  if (!engineMessage.includes('$r')) return [engineMessage, v8Message];
  const message = require('internal/util/function_source')(engineMessage);
  if (message === engineMessage) return [message, v8Message];
  return [message, ITERATED.test(engineMessage) ? NOT_ITERABLE : internalBinding('stack').v8Message(message) ?? message];
}

/** V8's messages that do not follow from the engine's message alone. */
const NEEDS_MORE = /^(?:Invalid regular expression: |'\w+' on proxy: trap returned falsish)/;

/** The engine's message for a variable that is read too early; 2.52 has another, with a name. */
const UNINITIALIZED = 'Cannot access uninitialized variable.';

/** `v8Message`: V8's for the error; equal to the engine's where only the position tells more. */
function translate(error, v8Message) {
  const descriptor = Object.getOwnPropertyDescriptor(error, 'stack');
  if (typeof descriptor?.value !== 'string' || !descriptor.configurable || !isEngineStack(error, descriptor.value)) return;
  const early = v8Message === UNINITIALIZED ? require('internal/stack/early_import').earlyImport(descriptor.value) : undefined;
  const syntaxError = syntaxErrorOf(error, descriptor.value, v8Message);
  if (early !== undefined) {
    Reflect.set(error, 'message', `Cannot access '${early.name}' before initialization`);
  } else if (v8Message !== undefined) {
    const engineMessage = error.message;
    const [message, known] = asWritten(engineMessage, v8Message);
    const translated = known === message || NEEDS_MORE.test(known)
      ? require('internal/stack/v8_message')(message, descriptor.value, known, syntaxError?.literal)
      : known;
    if (translated !== undefined || message !== engineMessage) Reflect.set(error, 'message', translated ?? message);
  }
  if (syntaxError !== undefined) syntaxErrors.set(error, syntaxError);
  redefine(error, early?.stack ?? descriptor.value, syntaxError?.arrow);
  // An error that is being frozen retains them.
  for (const name of POSITION_KEYS) Reflect.deleteProperty(error, name);
}

/**
 * Position of a syntax error: no frame of its stack has it. Undefined for other errors, whose
 * properties have the position of their first frame.
 */
function syntaxErrorOf(error, stack, v8Message) {
  const { sourceURL: file, line, column } = error instanceof SyntaxError ? error : {};
  const hasPosition = typeof file === 'string' && file !== '' && !file.startsWith('node:') && typeof line === 'number' && !stack.includes(`@${file}:`);
  if (!hasPosition) return undefined;
  const literal = isRegExpMessage(v8Message) ? require('internal/stack/invalid_regexp')(file, line) : undefined;
  const position = literal ?? positions.get(error) ?? positionInFile(file, line, column);
  const shownLine = position.line ?? line;
  return { file, line: shownLine, column, arrow: syntaxErrorArrow(file, shownLine, position), literal };
}

/** Whether the message is about a regular expression. */
function isRegExpMessage(message) { return message?.startsWith('Invalid regular expression: '); }

/** File and line; the source line with a caret, if it is known. */
function syntaxErrorArrow(file, line, { text, before, width }) {
  const location = `${file}:${line}`;
  if (text === undefined || text.length > LINE_LENGTH_MAX) return `${location}\n\n`;
  return `${arrowMessage(location, text, before, width)}\n`;
}

function positionInFile(file, line, column) {
  if (typeof column !== 'number') return {};
  try {
    const text = readSource(file).split(/\r?\n/, line)[line - 1];
    if (text === undefined) return {};
    return { text, before: text.slice(0, column - 1), width: internalBinding('source_positions').tokenWidth(text.slice(column - 1)) };
  } catch {
    // It is not a file, or was removed.
    return {};
  }
}

/** `file:line`, the source line, and `count` carets after the width of `before`, as in V8. */
function arrowMessage(location, text, before, count) {
  return `${location}\n${text}\n${before.replace(/[^\t]/g, ' ')}${'^'.repeat(count)}\n`;
}

/** The source text of a file by the name that its frames have: a path or a URL. */
function readSource(file) {
  const path = file.startsWith('file:') ? require('internal/url').fileURLToPath(file) : file;
  return require('fs').readFileSync(path, 'utf8');
}

/** The stack without the arrow message of a syntax error, and the entry of `syntaxErrors`. */
function stackAndSyntaxError(error) {
  const stack = v8Stack(error);
  const syntaxError = syntaxErrors.get(error);
  if (syntaxError === undefined) return { stack };
  const { arrow } = syntaxError;
  return { stack: typeof stack === 'string' && stack.startsWith(arrow) ? stack.slice(arrow.length) : stack, syntaxError };
}

/** Whether it is a property that the engine defines on syntax errors, and V8 does not. */
function isEnginePositionKey(error, key) {
  return POSITION_KEYS.includes(key) && Object.hasOwn(error, 'sourceURL') && Object.hasOwn(error, 'line') && !Object.hasOwn(error, 'stack');
}

/** [file, line, column] of the first frame that is not in a builtin. */
function topFramePosition(error) {
  for (const line of String(error.stack).split('\n')) {
    const match = /^ {4}at (?:.* \()?(.+?):(\d+):(\d+)\)?$/.exec(line);
    if (match !== null && !match[1].startsWith('node:')) return [match[1], +match[2], +match[3]];
  }
  return undefined;
}

/**
 * Whether the engine made the stack, and not the program. The engine also defines the position's
 * properties; a clone has none, and its stack may be a single name.
 */
function isEngineStack(error, stack) {
  if (stack === '') return true;
  const [first, second] = stack.split('\n', 2);
  if (!/^(?:[gs]et )?[^\s(]*@|^[\w$. ]+ code@|^[\w$]+$/.test(first)) return false;
  return first.includes('@') || (Object.hasOwn(error, 'line') && !second?.startsWith('    at '));
}

/**
 * The file of the nearest caller that is not a builtin, among `count` frames. Undefined where all
 * are builtins.
 */
function callerFile(count) {
  for (const line of engineStack(count + 1).split('\n')) {
    const file = /^[^@]*@(.*?)(?::\d+)*$/.exec(line)?.[1];
    if (file !== undefined && file !== '' && file !== '[native code]' && !file.startsWith('node:')) return file;
  }
  return undefined;
}

/** The inspected form of a value that a worker threw and could not serialize. */
const kInspected = Symbol('kInspected');

module.exports = {
  LINE_LENGTH_MAX, arrowMessage, callerFile, isDecorated: (error) => decorated.has(error), isEnginePositionKey, kInspected, markDecorated,
  readSource, setSyntaxErrorPosition, stackAndSyntaxError, topFramePosition, translate, v8Stack,
};
