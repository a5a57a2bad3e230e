// Frames of stacks. In: the engine's stack, a line `name@file:line:column` per frame. Out: call
// sites with positions in the source. Absent: their names, see call_site.js.
'use strict';

const { CallSite } = require('internal/stack/call_site');
const evalSources = require('internal/stack/eval_source');

/** Frames of the stack's own files, which are left out. */
const STACK_FILES = 'node:internal/stack';

/** Files of builtins that no program requires. */
const INTERNAL_FILES = '@node:internal/';

/** Our `JSON.parse` and `JSON.stringify`, shown as native functions. */
const JSON_FRAME = /^(parse|stringify)@node:internal\/globals:/;

const GLOBALS_FRAME = '@node:internal/globals:';

/** The frame in which the event loop runs microtasks. */
const MICROTASKS_FRAME = 'runMicrotasks@[native code]';

/** Node's function that runs the next tick queue: in Node, too, the last frame of such a stack. */
const TICKS_FRAME = 'process.processTicksAndRejections@node:';

// The engine's names for code outside of functions.
const UNNAMED = new Set(['', 'global code', 'module code', 'eval code', 'anonymous']);

/** Frames that V8 does not show: callers on behalf of others, and the code below `eval`. */
const HIDDEN_FRAMES = new Set([
  '@[native code]', 'anonymous@[native code]', 'call@[native code]', 'apply@[native code]', 'construct@[native code]', 'eval code@',
]);

/** Constructors that are not written have a name only. They call that of their base class. */
const DEFAULT_CONSTRUCTOR = { source: { kind: 'constructor', callee: 'super' } };

let positions;

/**
 * Corrects the column in an evaluated source: the engine has the end of the called name, V8 has its
 * begin, or that of `new`.
 */
function mapEvalPosition(frame, evalSource) {
  const index = frame.line - evalSource.line;
  const line = evalSource.source.split(/\r?\n/)[index];
  if (line === undefined) return;
  const callee = line[frame.column - 1] === '(' ? /(?:\bnew +[\w$.]+|[\w$]+)$/.exec(line.slice(0, frame.column - 1)) : null;
  if (callee !== null) {
    frame.column = callee.index + 1;
    frame.isNew = callee[0].startsWith('new ');
  }
  if (index === 0) frame.column += evalSource.column - 1;
}

/** Parsed lines: programs that make many errors make them in the same places. */
const parsedLines = new Map();

const PARSED_LINES_MAX = 2000;

/** What whole stacks are in V8's form: { skipped, limit, text }, by the engine's stack. */
const renderedStacks = new Map();

const RENDERED_STACKS_MAX = 200;

/** Version of the sources for which lines were parsed. */
let parsedVersion;

/** Forgets what was parsed, if a source has changed since. */
function checkVersion() {
  positions ??= internalBinding('source_positions');
  const version = positions.version() + evalSources.version();
  if (version === parsedVersion && parsedLines.size <= PARSED_LINES_MAX && renderedStacks.size <= RENDERED_STACKS_MAX) return;
  parsedLines.clear();
  renderedStacks.clear();
  parsedVersion = version;
}

/** A frame of its own. */
function frameOf(line, usesSourceMaps, isIndirect) {
  // Positions in what is evaluated depend on it.
  if (evalSources.current() !== undefined) return { ...parse(line, usesSourceMaps), isIndirect };
  const key = usesSourceMaps ? line : `${line} `;
  let parsed = parsedLines.get(key);
  if (parsed === undefined) parsedLines.set(key, parsed = parse(line, usesSourceMaps));
  return { ...parsed, isIndirect };
}

/**
 * Parses a line of the engine's stack. `place`: the position as the engine has it, and what is
 * found there. `isNew`: the frame calls a constructor there. `isAsync`: the body of an asynchronous
 * function, if the line above may be one. `usesSourceMaps`: whether to apply the source maps of
 * files, where they are enabled.
 */
function parse(line, usesSourceMaps) {
  const at = line.indexOf('@');
  const name = at === -1 ? line : line.slice(0, at);
  const location = at === -1 ? '' : line.slice(at + 1);
  const frame = { name: UNNAMED.has(name) ? null : name, file: null, line: null, column: null, place: null, isNew: false, isAsync: false };
  if (location === '') frame.place = DEFAULT_CONSTRUCTOR;
  if (location === '' || location === '[native code]') return frame;
  const parts = /^(.*?):(\d+)(?::(\d+))?$/.exec(location);
  if (parts === null) {
    frame.file = location;
    return frame;
  }
  frame.file = parts[1];
  frame.line = +parts[2];
  frame.column = parts[3] === undefined ? 1 : +parts[3];
  if (!frame.file.startsWith('node:')) frame.place = { position: [frame.file, frame.line, frame.column], source: undefined };
  const evalSource = evalSources.current();
  if (frame.file === evalSource?.name) {
    mapEvalPosition(frame, evalSource);
  } else if (!frame.file.startsWith('node:')) {
    positions ??= internalBinding('source_positions');
    const original = positions.original(frame.file, frame.line, frame.column, usesSourceMaps);
    if (original !== undefined) [frame.file, frame.line, frame.column, frame.isNew, frame.isAsync] = original;
  }
  return frame;
}

/** Whether a frame is the one that runs modules which await; they are asynchronous functions. */
const isAsyncModule = (site) => site?.name === 'executeAsync' && site.file === 'node:internal/esm/evaluate';

/**
 * Merges the two frames of an asynchronous function: the engine splits it in two functions, of
 * which the inner one may have no name.
 */
function mergeAsyncBodies(sites) {
  const merged = [];
  let isMerged = false;
  for (const [index, site] of sites.entries()) {
    const above = merged.at(-1);
    const isAsync = site.isAsync || isAsyncModule(sites[index + 2]);
    // A body has one function around it, which ends where the body is called.
    isMerged = !isMerged && isAsync && above !== undefined && above.file === site.file && (above.name === null || above.name === site.name);
    if (isMerged) {
      above.name = site.name;
      above.isNew ||= site.isNew;
      above.isIndirect = site.isIndirect;
    } else {
      merged.push(site);
    }
  }
  return merged;
}

/** Removes the frames of builtins below the program's last one. */
function hideBuiltins(lines) {
  let end = lines.length;
  while (end > 0 && lines[end - 1].includes(INTERNAL_FILES)) end--;
  if (end > 0) lines.length = end;
}

/** Call sites of a stack. `skipped`: names of the error's constructors, the innermost first. */
function frames(stack, skipped, limit, usesSourceMaps = true) {
  const lines = stack === '' ? [] : stack.split('\n');
  // Frames below a microtask have not called it.
  const end = lines.indexOf(MICROTASKS_FRAME);
  if (end !== -1) lines.length = end;
  const ticks = lines.findIndex((line) => line.startsWith(TICKS_FRAME));
  if (ticks !== -1) lines.length = ticks + 1;
  // Native functions that a builtin calls, such as `Reflect.apply`, are left out.
  const isHidden = (line, index) => HIDDEN_FRAMES.has(line) || (line.endsWith('@[native code]') && lines[index + 1]?.includes('@node:') === true);
  const visible = [];
  const indirect = new Set();
  for (const [index, line] of lines.entries()) {
    if (isHidden(line, index)) indirect.add(visible.length - 1);
    else visible.push(line.includes(GLOBALS_FRAME) ? line.replace(JSON_FRAME, '$1@[native code]\n').split('\n', 1)[0] : line);
  }
  checkVersion();
  // An executable shows its program alone.
  if (positions.isExecutable) hideBuiltins(visible);
  let first = 0;
  while (first < visible.length && visible[first].includes(STACK_FILES)) first++;
  for (const name of skipped) {
    if (first < visible.length && name !== '' && visible[first].startsWith(`${name}@`)) first++;
  }
  // The caller's frame tells whether a function was called as a constructor.
  const shown = visible.slice(first, first + 2 * limit + 1);
  const parsed = shown.map((line, index) => frameOf(line, usesSourceMaps, indirect.has(first + index)));
  return callSites(mergeAsyncBodies(parsed), limit);
}

/** The first `limit` call sites. Each has the one below it, which shows how it was called. */
function callSites(merged, limit) {
  const sites = [];
  let caller;
  for (let index = merged.length - 1; index >= 0; index--) {
    caller = new CallSite(merged[index], caller);
    if (index < limit) sites[index] = caller;
  }
  return sites;
}

/** The lines of a stack in V8's form, each after a line break. */
function render(stack, skipped, limit) {
  // Positions in what is evaluated depend on it.
  if (evalSources.current() !== undefined) return textOf(frames(stack, skipped, limit));
  checkVersion();
  const names = skipped.length === 0 ? '' : skipped.join();
  const known = renderedStacks.get(stack);
  if (known !== undefined && known.skipped === names && known.limit === limit) return known.text;
  const text = textOf(frames(stack, skipped, limit));
  renderedStacks.set(stack, { skipped: names, limit, text });
  return text;
}

function textOf(sites) {
  let text = '';
  for (let index = 0; index < sites.length; index++) text += `\n    at ${sites[index].toString()}`;
  return text;
}

module.exports = { frames, render, textOf, CallSite };
