// Events of a test file for the process that reports them: one JSON object per line, and a shorter
// form of the most frequent ones. In: what happened. Out: lines on a pipe, those of many tests
// joined. What a test prints goes to the same pipe, and keeps its place between them. Absent: how
// they are shown (crates/test-runner).
'use strict';

const binding = internalBinding('test_runner');
const { stringify } = JSON;

let pending = '';

/** Lines are written together. */
const BYTES_MAX = 32 * 1024;

/**
 * Builtins that neither print nor start what does. While no other one is loaded, a test prints
 * nothing, and a thread may write its events later.
 */
const SILENT = /^(?:assert|buffer|bun\/(?:test|vitest)|events|module|path|url|util|web\/(?:encoding|url|usv_string)|internal\/(?:assert|async_context|blob|buffer|bun\/inspect|bun_use|builtin_list|errors|esm|expect|file|globals|messaging\/symbols|modules|options|stack|test_files|transpiler_runtime|url|util|validators))(?:$|\/|_)/;

/** Those of every program, none of which prints by itself, and the runner's own. */
const loadedAtStart = require.isLoaded('process') ? [] : require.loadedIds();

/** Whether only silent builtins are loaded; undefined: that is not known yet. */
let isSilent;

/** Looks at the builtins of this global object, those that are loaded later included. */
function watchBuiltins() {
  if (isSilent !== undefined) return;
  isSilent = require.loadedIds().every((id) => SILENT.test(id) || loadedAtStart.includes(id));
  require.watchLoads((id) => {
    if (!isSilent || SILENT.test(id)) return;
    flush();
    isSilent = false;
  });
}

function add(event) {
  pending += `${stringify(event)}\n`;
  if (pending.length > BYTES_MAX) flush();
}

/** A file begins. */
function addFile(index) { pending += `{"t":"file","i":${index}}\n`; }

/** A test begins. `limit`: its time limit in milliseconds, 0 without one. */
function addStart(test, limit) { pending += `s${limit} ${test.pathText}\n`; }

/** Has the lines written before the program goes on or, if it prints nothing, soon. */
function post() {
  if (!isSilent) {
    flush();
    return;
  }
  binding.post(pending);
  pending = '';
}

/** The test that has begun last has passed at once. */
function addPass(milliseconds, assertions) {
  pending += `p${milliseconds} ${assertions}\n`;
  if (pending.length > BYTES_MAX) flush();
}

function flush() {
  // What was posted may be pending, too.
  if (pending === '' && !isSilent) return;
  const lines = pending;
  pending = '';
  binding.send(lines);
}

/** Forgets what was not sent. */
function drop() { pending = ''; }

/** How deep `cause` and `errors` are followed. */
const DEPTH_MAX = 4;

/** Members that are shown by themselves, or that every error has. */
const KNOWN = new Set(['name', 'message', 'stack', 'cause', 'errors', 'line', 'column', 'sourceURL', 'matcherResult']);

/** An error as the reporters need it. */
function describeError(error, depth = 0) {
  const isError = Error.isError ?? require('internal/errors/is_error');
  if (!isErrorLike(error, isError)) {
    const { inspect } = require('util');
    return { name: '', message: typeof error === 'string' ? error : inspect(error), stack: '' };
  }
  const described = { name: text(error, 'name', 'Error'), message: asWritten(text(error, 'message', '')), stack: withoutRunner(asWritten(text(error, 'stack', ''))) };
  if (error instanceof SyntaxError) {
    // No frame has its position.
    const [, file, line, column, isUnparsed] = require('internal/errors/fatal')(error, false);
    if (isUnparsed) described.stack = `SyntaxError: ${described.message}\n    at ${file}:${line}:${column}`;
    else described.stack = framed(described);
  }
  described.x = excerptOf(described.stack);
  try {
    if (Object.hasOwn(error, 'matcherResult')) described.m = 1;
    const own = Object.keys(error).filter((key) => !KNOWN.has(key));
    if (own.length > 0) {
      const { inspect } = require('util');
      described.members = own.map((key) => `${key}: ${inspect(error[key], { depth: 2 })}`);
    }
    if (depth < DEPTH_MAX) {
      if (error.cause !== undefined) described.cause = describeError(error.cause, depth + 1);
      if (Array.isArray(error.errors) && error.errors.length > 0) described.errors = error.errors.slice(0, 10).map((each) => describeError(each, depth + 1));
    }
  } catch {
    // A getter of the error threw; what was read before is shown.
  }
  return described;
}

/** The line of an import that has no export, which is above the stack, as its first frame. */
function framed({ stack, message }) {
  const [, place, carets] = /^((?:file:\/\/)?\/[^\n]*:\d+)\n[^\n]*\n( *)\^/.exec(stack) ?? [];
  return place === undefined ? stack : `SyntaxError: ${message}\n    at ${place}:${carets.length + 1}`;
}

/** Code as the source has it, in messages of the engine that nothing has read before. */
const asWritten = (message) => (message.includes('$r') ? require('internal/util/function_source')(message) : message);

/** Frames of the runner, which are the same for each test. */
const withoutRunner = (stack) => stack.replace(/\n +at [^\n]*\bnode:internal\/(?:test_files|expect)\/[^\n]*/g, '');

/** How many lines are shown above that of an error. */
const LINES_BEFORE = 5;

/**
 * The lines up to that of the first frame in the user's code, of a file with inline snapshots:
 * these may be written before the error is shown.
 */
function excerptOf(stack) {
  const [, path, number] = /\n +at (?:[^\n]*\()?(?:file:\/\/)?(\/[^\n]*?):(\d+):\d+\)?(?=\n|$)/.exec(stack) ?? [];
  if (path === undefined) return undefined;
  try {
    const source = internalBinding('loader').read(path);
    if (!source.includes('InlineSnapshot')) return undefined;
    return source.split(/\r?\n/).slice(Math.max(Number(number) - LINES_BEFORE - 1, 0), Number(number));
  } catch {
    return undefined;
  }
}

function isErrorLike(error, isError) {
  if (isError(error)) return true;
  return error !== null && typeof error === 'object' && typeof error.message === 'string' && typeof error.stack === 'string';
}

function text(error, key, otherwise) {
  try {
    const value = error[key];
    return typeof value === 'string' ? value : otherwise;
  } catch {
    return otherwise;
  }
}

module.exports = { add, addFile, addPass, addStart, describeError, drop, flush, post, watchBuiltins };
