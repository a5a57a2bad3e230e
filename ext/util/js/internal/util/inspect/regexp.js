// Syntax highlighting of regular expressions. In: `/source/flags`. Out: the same with colors. As in
// Node, a token's color is an index into a palette of five, relative to its depth of nesting.
'use strict';

const PALETTE = ['green', 'red', 'yellow', 'cyan', 'magenta'];
/** Prefixes of groups, the longest first. */
const PREFIXES = ['?<=', '?<!', '?:', '?=', '?!'];

// Offsets in the palette, relative to the depth.
const BACK_REFERENCE = 0;
const BRACKET = 1;
const CHARACTER = 2;
const RANGE = 3;
const OPERATOR = 4;

function highlightRegExp(text) {
  const { colors } = require('internal/util/inspect').inspect;
  const names = highlightRegExp.colors;
  const palette = (Array.isArray(names) && names.length > 0 ? names : PALETTE).map((name) => colors[name]);
  const state = { source: text.slice(1), at: 0, depth: 0, isInClass: false, out: '' };
  state.put = (part, offset, depth = state.depth) => {
    // There may be more closing than opening parentheses.
    const [open, close] = palette[Math.max(0, depth + offset) % palette.length];
    state.out += `\u001b[${open}m${part}\u001b[${close}m`;
  };
  state.put('/', 0, 0);
  while (state.at < state.source.length && (state.isInClass || state.source[state.at] !== '/')) step(state);
  state.put('/', 0, 0);
  const flags = state.source.slice(state.at + 1);
  if (flags !== '') state.put(flags, BRACKET, 0);
  return state.out;
}
highlightRegExp.colors = PALETTE;

/** Processes one token. */
function step(state) {
  const char = state.source[state.at];
  if (char === '\\') return escape(state);
  if (state.isInClass) return stepInClass(state, char);
  state.at++;
  switch (char) {
    case '[':
      state.put('[', BRACKET);
      state.isInClass = true;
      return undefined;
    case '(': return open(state);
    case ')':
      state.depth--;
      return state.put(')', BRACKET);
    case '{': return repeat(state);
    case '.': return state.put('.', RANGE);
    case ',': case '|': case '*': case '+': case '?': case '^': case '$': return state.put(char, OPERATOR);
    default: return state.put(char, CHARACTER);
  }
}

function stepInClass(state, char) {
  const { source } = state;
  const before = source[state.at - 1];
  const isFirst = before === '[' && state.at > 0;
  state.at++;
  if (char === ']') {
    state.isInClass = false;
    return state.put(']', BRACKET);
  }
  const isRange = char === '-' && !isFirst && source[state.at] !== ']' && source[state.at] !== undefined && before !== '-' &&
    source[state.at] !== '-';
  return state.put(char, isRange ? RANGE : CHARACTER);
}

function open(state) {
  const rest = state.source.slice(state.at);
  state.put('(', BRACKET);
  const prefix = PREFIXES.find((each) => rest.startsWith(each));
  if (prefix !== undefined) {
    state.put(prefix, BRACKET);
    state.at += prefix.length;
  } else if (rest.startsWith('?<')) {
    const name = rest.slice(2, rest.indexOf('>'));
    state.put('?<', BRACKET);
    state.put(name, CHARACTER);
    state.put('>', BRACKET);
    state.at += name.length + 3;
  } else if (rest[0] === '?') {
    state.put('?', CHARACTER);
    state.at++;
  }
  state.depth++;
}

/** A quantifier `{2,3}`; any other `{` is a character. */
function repeat(state) {
  const rest = /^[\d,]+/.exec(state.source.slice(state.at));
  if (rest === null) return state.put('{', CHARACTER);
  state.put('{', BRACKET);
  for (const [part] of rest[0].matchAll(/\d+|,/g)) state.put(part, part === ',' ? CHARACTER : RANGE);
  state.at += rest[0].length;
  if (state.source[state.at] !== '}') return undefined;
  state.at++;
  return state.put('}', BRACKET);
}

function escape(state) {
  const { source, at } = state;
  const inner = state.isInClass ? 1 : 0;
  const rest = source.slice(at);
  const braced = /^\\[pPu]\{/.exec(rest);
  if (braced !== null) {
    const end = rest.indexOf('}');
    if (end === -1) {
      state.at += braced[0].length;
      return state.put(braced[0], CHARACTER);
    }
    state.put(braced[0], BRACKET + inner);
    state.put(rest.slice(braced[0].length, end), CHARACTER + inner);
    state.at += end + 1;
    return state.put('}', BRACKET + inner);
  }
  if (rest.startsWith('\\k<')) {
    const end = rest.indexOf('>');
    if (end === -1) {
      state.at += 3;
      return state.put('\\k<', CHARACTER);
    }
    state.put('\\k<', BACK_REFERENCE);
    state.put(rest.slice(3, end), BRACKET);
    state.at += end + 1;
    return state.put('>', BACK_REFERENCE);
  }
  const [part] = /^\\(?:x[0-9a-fA-F]{2}|[^]?)/.exec(rest);
  state.at += part.length;
  return state.put(part, CHARACTER);
}

module.exports = { highlightRegExp };
