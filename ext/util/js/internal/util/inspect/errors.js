// Format of errors: the stack with the class's name, without the frames that are also in the
// cause's stack. In: an error. Out: a string, and the keys that remain to be shown. Absent: stack
// traces (internal/stack).
'use strict';

const types = require('internal/util/types');
const { isEnginePositionKey, v8Stack } = require('internal/stack/engine_errors');
const names = require('internal/util/inspect/names');

/** Fewer equal frames are not left out. */
const SAME_MIN = 3;
/** Shorter stacks are not collapsed. */
const SHORT_STACK_MAX = 10;

function choose(view, formatting) {
  const { value, ctx } = view;
  view.keys = keysOfError(value, ctx.showHidden);
  view.braces = ['{', '}'];
  view.base = formatError(view, formatting);
  return formatting.hasNoProperties(view) ? view.base : undefined;
}

/** Without the engine's position properties; the stack comes first. */
function keysOfError(error, showHidden) {
  const keys = names.keysOf(error, showHidden).filter((key) => !isEnginePositionKey(error, key));
  if (!showHidden) return keys;
  const shown = keys.filter((key) => key !== 'stack' && (!POSITION_KEYS.includes(key) || Object.prototype.propertyIsEnumerable.call(error, key)));
  return keys.includes('stack') ? ['stack', ...shown] : shown;
}
const POSITION_KEYS = ['line', 'column', 'sourceURL'];

function formatError({ value, constructor, tag, ctx, keys }, formatting) {
  let stack;
  let message;
  let name;
  try {
    stack = getStackString(ctx, value, formatting);
    name = value.name ?? 'Error';
    ({ message } = value);
  } catch {
    return Object.prototype.toString.call(value);
  }
  removeDuplicateErrorKeys(ctx, keys, value, stack);
  if (Object.hasOwn(value, 'cause') && !keys.includes('cause')) keys.push('cause');
  if (Object.hasOwn(value, 'errors') && Array.isArray(value.errors) && !keys.includes('errors')) keys.push('errors');
  stack = improveStack(stack, constructor, name, tag);
  let messageEnd = message && typeof message === 'string' ? stack.indexOf(message) : -1;
  if (messageEnd !== -1) messageEnd += message.length;
  const frames = stack.indexOf('\n    at', messageEnd);
  if (frames === -1) {
    stack = `[${stack}]`;
  } else {
    const lines = getStackFrames(ctx, value, stack.slice(frames + 1), formatting);
    const shown = ctx.colors ? lines.map((line) => markNodeModulesAndCwd(ctx, line)) : lines;
    stack = `${stack.slice(0, frames)}\n${shown.join('\n')}`;
  }
  return ctx.indentationLvl === 0 ? stack : stack.replaceAll('\n', `\n${' '.repeat(ctx.indentationLvl)}`);
}

function getStackString(ctx, error, formatting) {
  const stack = v8Stack(error);
  if (typeof stack === 'string' && stack !== '') return stack;
  const head = Error.prototype.toString.call(error);
  if (!stack) return head;
  ctx.seen.push(error);
  ctx.indentationLvl += 4;
  const shown = formatting.formatValue(ctx, stack);
  ctx.indentationLvl -= 4;
  ctx.seen.pop();
  return `${head}\n    ${shown}`;
}

/** Removes keys whose values are in the stack. */
function removeDuplicateErrorKeys(ctx, keys, error, stack) {
  if (ctx.showHidden || keys.length === 0) return;
  for (const name of ['name', 'message', 'stack']) {
    const index = keys.indexOf(name);
    if (index !== -1 && (typeof error[name] !== 'string' || stack.includes(error[name]))) keys.splice(index, 1);
  }
}

/** Replaces the name at the start of the stack by the class's name and tag. */
function improveStack(stack, constructor, name, tag) {
  if (typeof name !== 'string') {
    const shown = String(name);
    stack = stack.replace(shown, `${shown} [${names.prefix(constructor, tag, 'Error').slice(0, -1)}]`);
    name = shown;
  }
  let { length } = name;
  const isNamed = name.endsWith('Error') && stack.startsWith(name) &&
    (stack.length === length || stack[length] === ':' || stack[length] === '\n');
  if (constructor !== null && !isNamed) return stack;
  let fallback = 'Error';
  if (constructor === null) {
    const start = /^([A-Z][a-z_ A-Z0-9[\]()-]+)(?::|\n\s+at)/.exec(stack) ?? /^([a-z_A-Z0-9-]*Error)$/.exec(stack);
    fallback = start?.[1] ?? '';
    ({ length } = fallback);
    fallback ||= 'Error';
  }
  const prefix = names.prefix(constructor, tag, fallback).slice(0, -1);
  if (name === prefix) return stack;
  if (prefix.includes(name)) return length === 0 ? `${prefix}: ${stack}` : `${prefix}${stack.slice(length)}`;
  return `${prefix} [${name}]${stack.slice(length)}`;
}

function getStackFrames(ctx, error, text, formatting) {
  const frames = text.split('\n');
  let cause;
  try {
    ({ cause } = error);
  } catch {
    return frames;
  }
  if (cause != null && types.kind(cause) === 'error') omitFramesOfCause(ctx, frames, cause, formatting);
  return frames.length > SHORT_STACK_MAX ? collapseRepetitions(ctx, frames) : frames;
}

function omitFramesOfCause(ctx, frames, cause, formatting) {
  const inner = getStackString(ctx, cause, formatting);
  const start = inner.indexOf('\n    at');
  if (start === -1) return;
  const { len, offset } = identicalSequenceRange(frames, inner.slice(start + 1).split('\n'));
  if (len > SAME_MIN) {
    const skipped = len - 2;
    frames.splice(offset + 1, skipped, ctx.stylize(`    ... ${skipped} lines matching cause stack trace ...`, 'undefined'));
  }
}

/**
 * Collapses repeated frames of longer stacks (recursion).
 */
function collapseRepetitions(ctx, frames) {
  if (frames.length - new Set(frames).size <= SAME_MIN) return frames;
  const shown = [];
  for (let at = 0; at < frames.length;) {
    const { range, times } = repetition(frames, at);
    const hidden = range * times;
    if (hidden < SAME_MIN) {
      shown.push(frames[at++]);
      continue;
    }
    const above = times > 1 ? `${range} lines ${times} times...` : 'lines ...';
    shown.push(...frames.slice(at, at + range), ctx.stylize(`    ... collapsed ${hidden} duplicate lines matching above ${above}`, 'undefined'));
    at += range + hidden;
  }
  return shown;
}

/**
 * The repetition that begins at `at`: the number of lines and how often they repeat. Of several the
 * one that hides the most lines, then the shortest.
 */
function repetition(frames, at) {
  let best = { range: 0, times: 0 };
  for (let next = frames.indexOf(frames[at], at + 1); next !== -1; next = frames.indexOf(frames[at], next + 1)) {
    const range = next - at;
    let same = 0;
    while (next + same < frames.length && frames[at + same] === frames[next + same]) same++;
    const times = Math.floor(same / range);
    if (range * times > best.range * best.times) best = { range, times };
  }
  return best;
}

/** The first sequence of lines of `a` that is also in `b`: { len, offset }. */
function identicalSequenceRange(a, b) {
  for (let i = 0; i < a.length - SAME_MIN; i++) {
    const at = b.indexOf(a[i]);
    if (at === -1) continue;
    const rest = b.length - at;
    if (rest <= SAME_MIN) continue;
    let len = 1;
    const most = Math.min(a.length - i, rest);
    while (len < most && a[i + len] === b[at + len]) len++;
    if (len > SAME_MIN) return { len, offset: i };
  }
  return { len: 0, offset: 0 };
}

/** Colors a frame: builtins grey, package names underlined, the working directory grey. */
function markNodeModulesAndCwd(ctx, line) {
  const builtin = /^ {4}at (?:[^/\\(]+ \(|)node:(.+):\d+:\d+(?:\)|$)/.exec(line);
  if (builtin !== null) return ctx.stylize(line, 'undefined');
  return markCwd(ctx, markNodeModules(ctx, line));
}

function markNodeModules(ctx, line) {
  let marked = '';
  let last = 0;
  for (const { 0: text, 1: name, index } of line.matchAll(/[/\\]node_modules[/\\](.+?)(?=[/\\])/g)) {
    let packageName = name;
    if (name[0] === '@') {
      const more = /^[/\\][^/\\]+/.exec(line.slice(index + text.length));
      if (more !== null) packageName += more[0];
    }
    const start = index + text.length - name.length;
    marked += `${line.slice(last, start)}${ctx.stylize(packageName, 'module')}`;
    last = start + packageName.length;
  }
  return last === 0 ? line : marked + line.slice(last);
}

/** Colors the working directory, with the parentheses around the location. */
function markCwd(ctx, line) {
  let cwd;
  try {
    cwd = require('process').cwd();
  } catch {
    return line;
  }
  let start = line.indexOf(cwd);
  if (start === -1) {
    if (!line.includes('file://')) return line;
    cwd = require('url').pathToFileURL(cwd).href;
    start = line.indexOf(cwd);
    if (start === -1) return line;
  }
  let { length } = cwd;
  if (line.slice(start - 7, start) === 'file://') {
    length += 7;
    start -= 7;
  }
  const begin = line[start - 1] === '(' ? start - 1 : start;
  const end = begin !== start && line.endsWith(')') ? -1 : line.length;
  const rest = start + length + 1;
  return `${line.slice(0, begin)}${ctx.stylize(line.slice(begin, rest), 'undefined')}${line.slice(rest, end)}${
    end === -1 ? ctx.stylize(')', 'undefined') : ''}`;
}

module.exports = { SAME_MIN, choose, identicalSequenceRange };
