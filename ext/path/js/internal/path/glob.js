// Patterns of paths, as minimatch reads them. In: a pattern. Out: whether a path fits. `*` stays
// within a part and passes over names that begin with a dot, `**` is any number of parts, braces
// are alternatives, brackets one letter of a set, `!(x|y)` and the like patterns of their own.
// Absent: the disk.
'use strict';

const { validateString } = require('internal/validators');

const BRACES_MAX = 10_000;
const CLASSES = {
  __proto__: null,
  alnum: '\\p{L}\\p{Nl}\\p{Nd}', alpha: '\\p{L}\\p{Nl}', ascii: '\\x00-\\x7f', blank: '\\p{Zs}\\t', cntrl: '\\p{Cc}', digit: '\\p{Nd}',
  lower: '\\p{Ll}', space: '\\p{Z}\\t\\r\\n\\v\\f', upper: '\\p{Lu}', word: '\\p{L}\\p{Nl}\\p{Nd}\\p{Pc}', xdigit: 'A-Fa-f0-9',
  punct: '\\p{P}', print: '\\P{C}', graph: '\\P{Z}',
};

const escape = (letter) => letter.replace(/[$()*+./?[\\\]^{|}]/g, '\\$&');
// Within brackets alone: elsewhere a regular expression of Unicode refuses an escaped `-`.
const escapeInSet = (letter) => (letter === '-' ? '\\-' : escape(letter));

// What a pattern with braces stands for.
function expand(pattern) {
  const open = openBrace(pattern, 0);
  if (open === undefined) return [pattern];
  const { begin, end, commas } = open;
  const before = pattern.slice(0, begin);
  const rest = expand(pattern.slice(end + 1));
  const inner = pattern.slice(begin + 1, end);
  const choices = commas.length > 0 ? parted(pattern, begin, end, commas).flatMap(expand) : range(inner);
  if (choices === undefined) return rest.map((tail) => pattern.slice(0, end + 1) + tail);
  return choices.flatMap((choice) => rest.map((tail) => before + choice + tail)).slice(0, BRACES_MAX);
}

// The first braces that close, and the commas within that are theirs.
function openBrace(pattern, from) {
  for (let begin = from; begin < pattern.length; begin++) {
    if (pattern[begin] === '\\') { begin++; continue; }
    if (pattern[begin] !== '{' || pattern[begin - 1] === '$') continue;
    const commas = [];
    let depth = 0;
    for (let i = begin; i < pattern.length; i++) {
      const letter = pattern[i];
      if (letter === '\\') i++;
      else if (letter === '{') depth++;
      else if (letter === ',' && depth === 1) commas.push(i);
      else if (letter === '}' && --depth === 0) return { begin, end: i, commas };
    }
  }
  return undefined;
}

function parted(pattern, begin, end, commas) {
  return [...commas, end].map((place, index) => pattern.slice((index === 0 ? begin : commas[index - 1]) + 1, place));
}

// `1..5`, `a..e`, with a step.
function range(inner) {
  const found = /^(?:(-?\d+)\.\.(-?\d+)|([a-zA-Z])\.\.([a-zA-Z]))(?:\.\.(-?\d+))?$/.exec(inner);
  if (found === null) return undefined;
  const isNumber = found[1] !== undefined;
  const [first, last] = isNumber ? [+found[1], +found[2]] : [found[3].charCodeAt(0), found[4].charCodeAt(0)];
  const step = Math.max(1, Math.abs(+(found[5] ?? 1))) * (last < first ? -1 : 1);
  const width = isNumber && /^-?0\d/.test(found[1]) ? found[1].replace('-', '').length : 0;
  const choices = [];
  for (let i = first; step > 0 ? i <= last : i >= last; i += step) {
    if (choices.length >= BRACES_MAX) break;
    choices.push(isNumber ? `${i < 0 ? '-' : ''}${String(Math.abs(i)).padStart(width, '0')}` : String.fromCharCode(i));
  }
  return choices;
}

// One part of a pattern as a regular expression; a text: the part itself. With `dot` no name is
// special but `.` and `..`.
function compilePart(part, isWindows, dot) {
  if (!/[*?[\]!+@()\\]/.test(part)) return part;
  const state = { part, at: 0, isMagic: false };
  const source = compileUntil(state, '', true);
  // Names that begin with a dot are found by a pattern that does too.
  const guard = part[0] === '.' || part[0] === '\\' ? '' : dot ? '(?!\\.{1,2}$)' : '(?!\\.)';
  return state.isMagic ? new RegExp(`^${guard}(?=.)${source}$`, `su${isWindows ? 'i' : ''}`) : part.replace(/\\(.)/g, '$1');
}

function compileUntil(state, ends, isStart) {
  let source = '';
  const { part } = state;
  while (state.at < part.length) {
    const letter = part[state.at];
    if (ends.includes(letter) && ends !== '') break;
    if ('!?+*@'.includes(letter) && part[state.at + 1] === '(') {
      const list = compileList(state, letter);
      if (list !== undefined) {
        source += list;
        continue;
      }
    }
    state.at++;
    if (letter === '\\' && state.at < part.length) {
      source += escape(part[state.at++]);
    } else if (letter === '*') {
      while (part[state.at] === '*' && part[state.at + 1] !== '(') state.at++;
      state.isMagic = true;
      source += isStart && source === '' && state.at === part.length ? '[^/]+?' : '[^/]*?';
    } else if (letter === '?') {
      state.isMagic = true;
      source += '[^/]';
    } else if (letter === '[') {
      source += compileSet(state) ?? '\\[';
    } else {
      source += escape(letter);
    }
  }
  return source;
}

// `kind(x|y)`; undefined: it does not close.
function compileList(state, kind) {
  const before = state.at;
  const wasMagic = state.isMagic;
  state.at += 2;
  const choices = [];
  for (;;) {
    choices.push(compileUntil(state, '|)', false));
    const letter = state.part[state.at++];
    if (letter === ')') break;
    if (letter === undefined) {
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

// `[a-z]`, behind the bracket; undefined: it does not close.
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

// A pattern as lists of parts: strings, expressions, GLOBSTAR.
const GLOBSTAR = Symbol('**');

// A backslash separates in patterns everywhere, as in Node; where it does not, what is behind it
// stands for itself.
function compile(pattern, isWindows, dot = false, escapes = false) {
  if (!escapes) pattern = pattern.replaceAll('\\', '/');
  return expand(pattern).map((one) => one.replace(/(?!^)\/{2,}/g, '/').split('/').map((part) =>
    (part === '**' ? GLOBSTAR : compilePart(part, isWindows, dot))));
}

function fitsPart(pattern, part, isWindows) {
  if (typeof pattern !== 'string') return pattern.test(part);
  return isWindows ? pattern.toLowerCase() === part.toLowerCase() : pattern === part;
}

function fits(parts, patterns, isWindows, at = 0, from = 0) {
  for (; from < patterns.length; from++, at++) {
    const pattern = patterns[from];
    if (pattern === GLOBSTAR) {
      while (patterns[from + 1] === GLOBSTAR) from++;
      if (from === patterns.length - 1) {
        // What is below, not the directory itself.
        return at < parts.length && parts.slice(at).every((part) => part[0] !== '.');
      }
      for (let i = at; i < parts.length; i++) {
        if (fits(parts, patterns, isWindows, i, from + 1)) return true;
        if (parts[i][0] === '.') return false;
      }
      return false;
    }
    if (at >= parts.length || !fitsPart(pattern, parts[at], isWindows)) return false;
  }
  return at === parts.length || (at === parts.length - 1 && parts[at] === '');
}

function matchesGlob(path, pattern, isWindows) {
  validateString(path, 'path');
  validateString(pattern, 'pattern');
  if (isWindows) path = path.replaceAll('\\', '/');
  const parts = path.replace(/(?!^)\/{2,}/g, '/').split('/');
  if (pattern === '') return path === '';
  return compile(pattern, isWindows).some((patterns) => fits(parts, patterns, isWindows));
}

module.exports = { GLOBSTAR, compile, expand, fitsPart, matchesGlob };
