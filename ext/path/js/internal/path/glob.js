// Glob patterns with minimatch's syntax. In: a pattern. Out: whether a path matches. `*` matches
// within a part, and no names that begin with a dot; `**` matches any number of parts; braces are
// alternatives, brackets are character classes, `!(x|y)` and the like are extended globs. Absent:
// access to the file system.
'use strict';

const { validateString } = require('internal/validators');

const BRACES_MAX = 10_000;
const CLASSES = {
  __proto__: null,
  alnum: '\\p{L}\\p{Nl}\\p{Nd}', alpha: '\\p{L}\\p{Nl}', ascii: '\\x00-\\x7f', blank: '\\p{Zs}\\t', cntrl: '\\p{Cc}', digit: '\\p{Nd}',
  lower: '\\p{Ll}', space: '\\p{Z}\\t\\r\\n\\v\\f', upper: '\\p{Lu}', word: '\\p{L}\\p{Nl}\\p{Nd}\\p{Pc}', xdigit: 'A-Fa-f0-9',
  punct: '\\p{P}', print: '\\P{C}', graph: '\\P{Z}',
};

const escape = (char) => char.replace(/[$()*+./?[\\\]^{|}]/g, '\\$&');
// Only in character classes: elsewhere a regular expression with the flag `u` rejects `\-`.
const escapeInSet = (char) => (char === '-' ? '\\-' : escape(char));

// Brace expansion: the patterns without braces.
function expand(pattern) {
  const open = openBrace(pattern, 0);
  if (open === undefined) return [pattern];
  const { begin, end, commas } = open;
  const before = pattern.slice(0, begin);
  const rest = expand(pattern.slice(end + 1));
  const inner = pattern.slice(begin + 1, end);
  const choices = commas.length > 0 ? splitAt(pattern, begin, end, commas).flatMap(expand) : range(inner);
  if (choices === undefined) return rest.map((tail) => pattern.slice(0, end + 1) + tail);
  return choices.flatMap((choice) => rest.map((tail) => before + choice + tail)).slice(0, BRACES_MAX);
}

// The first balanced braces, and their commas at the top level.
function openBrace(pattern, from) {
  for (let begin = from; begin < pattern.length; begin++) {
    if (pattern[begin] === '\\') { begin++; continue; }
    if (pattern[begin] !== '{' || pattern[begin - 1] === '$') continue;
    const commas = [];
    let depth = 0;
    for (let i = begin; i < pattern.length; i++) {
      const char = pattern[i];
      if (char === '\\') i++;
      else if (char === '{') depth++;
      else if (char === ',' && depth === 1) commas.push(i);
      else if (char === '}' && --depth === 0) return { begin, end: i, commas };
    }
  }
  return undefined;
}

function splitAt(pattern, begin, end, commas) {
  return [...commas, end].map((offset, index) => pattern.slice((index === 0 ? begin : commas[index - 1]) + 1, offset));
}

// A brace range, `1..5` or `a..e`, optionally with a step.
function range(inner) {
  const match = /^(?:(-?\d+)\.\.(-?\d+)|([a-zA-Z])\.\.([a-zA-Z]))(?:\.\.(-?\d+))?$/.exec(inner);
  if (match === null) return undefined;
  const isNumber = match[1] !== undefined;
  const [first, last] = isNumber ? [+match[1], +match[2]] : [match[3].charCodeAt(0), match[4].charCodeAt(0)];
  const step = Math.max(1, Math.abs(+(match[5] ?? 1))) * (last < first ? -1 : 1);
  const width = isNumber && /^-?0\d/.test(match[1]) ? match[1].replace('-', '').length : 0;
  const choices = [];
  for (let i = first; step > 0 ? i <= last : i >= last; i += step) {
    if (choices.length >= BRACES_MAX) break;
    choices.push(isNumber ? `${i < 0 ? '-' : ''}${String(Math.abs(i)).padStart(width, '0')}` : String.fromCharCode(i));
  }
  return choices;
}

// Compiles a part to a regular expression, or to a string without wildcards. With `dot`, wildcards
// match names that begin with a dot, except `.` and `..`.
function compilePart(part, isWindows, dot) {
  if (!/[*?[\]!+@()\\]/.test(part)) return part;
  const state = { part, at: 0, isMagic: false };
  const source = compileUntil(state, '', true);
  // Names that begin with a dot match only patterns that do too.
  const guard = part[0] === '.' || part[0] === '\\' ? '' : dot ? '(?!\\.{1,2}$)' : '(?!\\.)';
  return state.isMagic ? new RegExp(`^${guard}(?=.)${source}$`, `su${isWindows ? 'i' : ''}`) : part.replace(/\\(.)/g, '$1');
}

function compileUntil(state, ends, isStart) {
  let source = '';
  const { part } = state;
  while (state.at < part.length) {
    const char = part[state.at];
    if (ends.includes(char) && ends !== '') break;
    if ('!?+*@'.includes(char) && part[state.at + 1] === '(') {
      const list = compileList(state, char);
      if (list !== undefined) {
        source += list;
        continue;
      }
    }
    state.at++;
    if (char === '\\' && state.at < part.length) {
      source += escape(part[state.at++]);
    } else if (char === '*') {
      while (part[state.at] === '*' && part[state.at + 1] !== '(') state.at++;
      state.isMagic = true;
      source += isStart && source === '' && state.at === part.length ? '[^/]+?' : '[^/]*?';
    } else if (char === '?') {
      state.isMagic = true;
      source += '[^/]';
    } else if (char === '[') {
      source += compileSet(state) ?? '\\[';
    } else {
      source += escape(char);
    }
  }
  return source;
}

// Extended glob `kind(x|y)`; undefined: the parenthesis is not closed.
function compileList(state, kind) {
  const before = state.at;
  const wasMagic = state.isMagic;
  state.at += 2;
  const choices = [];
  for (;;) {
    choices.push(compileUntil(state, '|)', false));
    const char = state.part[state.at++];
    if (char === ')') break;
    if (char === undefined) {
      state.at = before;
      state.isMagic = wasMagic;
      return undefined;
    }
  }
  state.isMagic = true;
  const all = choices.join('|');
  if (kind !== '!') return `(?:${all})${kind === '@' ? '' : kind}`;
  const rest = compileUntil({ part: state.part.slice(state.at), at: 0, isMagic: false }, '', false);
  return `(?!(?:${all})${rest}$)[^/]*?`;
}

// Character class `[a-z]`, after the bracket; undefined: the bracket is not closed.
function compileSet(state) {
  const { part } = state;
  let at = state.at;
  const isNot = part[at] === '!' || part[at] === '^';
  if (isNot) at++;
  let source = '';
  for (let isFirst = true; at < part.length; isFirst = false) {
    if (part[at] === ']' && !isFirst) {
      state.at = at + 1;
      state.isMagic = true;
      return `[${isNot ? '^/' : ''}${source}]`;
    }
    const posix = /^\[:([a-z]+):\]/.exec(part.slice(at));
    if (posix !== null && CLASSES[posix[1]] !== undefined) {
      source += CLASSES[posix[1]];
      at += posix[0].length;
      continue;
    }
    if (part[at] === '\\' && at + 1 < part.length) at++;
    const from = part[at++];
    if (part[at] === '-' && at + 1 < part.length && part[at + 1] !== ']') {
      const to = part[at + 1];
      if (to >= from) source += `${escapeInSet(from)}-${escapeInSet(to)}`;
      at += 2;
    } else {
      source += escapeInSet(from);
    }
  }
  return undefined;
}

// Compiles a pattern to lists of parts: strings, regular expressions, GLOBSTAR.
const GLOBSTAR = Symbol('**');

// As in Node, a backslash in a pattern is a separator on all systems; with `escapes` it escapes the
// next character.
function compile(pattern, isWindows, dot = false, escapes = false) {
  if (!escapes) pattern = pattern.replaceAll('\\', '/');
  return expand(pattern).map((one) => one.replace(/(?!^)\/{2,}/g, '/').split('/').map((part) =>
    (part === '**' ? GLOBSTAR : compilePart(part, isWindows, dot))));
}

function matchesPart(pattern, part, isWindows) {
  if (typeof pattern !== 'string') return pattern.test(part);
  return isWindows ? pattern.toLowerCase() === part.toLowerCase() : pattern === part;
}

function matchesParts(parts, patterns, isWindows, at = 0, from = 0) {
  for (; from < patterns.length; from++, at++) {
    const pattern = patterns[from];
    if (pattern === GLOBSTAR) {
      while (patterns[from + 1] === GLOBSTAR) from++;
      if (from === patterns.length - 1) {
        // `**` at the end matches the content, not the directory itself.
        return at < parts.length && parts.slice(at).every((part) => part[0] !== '.');
      }
      for (let i = at; i < parts.length; i++) {
        if (matchesParts(parts, patterns, isWindows, i, from + 1)) return true;
        if (parts[i][0] === '.') return false;
      }
      return false;
    }
    if (at >= parts.length || !matchesPart(pattern, parts[at], isWindows)) return false;
  }
  return at === parts.length || (at === parts.length - 1 && parts[at] === '');
}

function matchesGlob(path, pattern, isWindows) {
  validateString(path, 'path');
  validateString(pattern, 'pattern');
  if (isWindows) path = path.replaceAll('\\', '/');
  const parts = path.replace(/(?!^)\/{2,}/g, '/').split('/');
  if (pattern === '') return path === '';
  return compile(pattern, isWindows).some((patterns) => matchesParts(parts, patterns, isWindows));
}

module.exports = { GLOBSTAR, compile, expand, matchesPart, matchesGlob };
