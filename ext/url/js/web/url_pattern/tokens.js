// A pattern's text, cut into tokens (the URL Pattern standard, "Tokenizing"). In: a text, and
// whether what is wrong is an error or a token. Out: [{ type, index, value }], the last one of type
// 'end'.
'use strict';

const NAME_START = /[$_\p{ID_Start}]/u;
const NAME_PART = /[$_\u200c\u200d\p{ID_Continue}]/u;
const SINGLE = { '__proto__': null, '*': 'asterisk', '+': 'modifier', '?': 'modifier', '{': 'open', '}': 'close' };

/** The letter at a place, of one or two units. */
function letterAt(text, at) {
  return String.fromCodePoint(text.codePointAt(at));
}

function isNamePart(letter) {
  return NAME_PART.test(letter);
}

/** Where the name that begins at `start` ends. */
function nameEnd(text, start) {
  let at = start;
  while (at < text.length) {
    const letter = letterAt(text, at);
    if (!(at === start ? NAME_START : NAME_PART).test(letter)) break;
    at += letter.length;
  }
  return at;
}

/**
 * Where the group ends whose inside begins at `start`, behind its bracket; undefined where it is
 * none.
 */
function groupEnd(text, start) {
  let depth = 1;
  for (let at = start; at < text.length; at++) {
    const letter = text[at];
    if (letter > '\x7f' || (at === start && letter === '?')) return undefined;
    if (letter === '\\') {
      at++;
      if (at === text.length || text[at] > '\x7f') return undefined;
    } else if (letter === ')') {
      depth--;
      if (depth === 0) return at === start ? undefined : at + 1;
    } else if (letter === '(') {
      depth++;
      // Only groups that keep nothing may stand in one that does.
      if (text[at + 1] !== '?') return undefined;
    }
  }
  return undefined;
}

function tokenize(text, { isLenient }) {
  const tokens = [];
  let index = 0;
  const add = (type, next, from, to = next) => {
    tokens.push({ type, index, value: text.slice(from, to) });
    index = next;
  };
  const refuse = (next, from) => {
    if (!isLenient) throw new TypeError('Invalid pattern');
    add('invalid-char', next, from);
  };
  while (index < text.length) {
    const letter = letterAt(text, index);
    const next = index + letter.length;
    if (SINGLE[letter] !== undefined) {
      add(SINGLE[letter], next, index);
    } else if (letter === '\\') {
      if (next === text.length) refuse(next, index);
      else add('escaped-char', next + letterAt(text, next).length, next);
    } else if (letter === ':') {
      const end = nameEnd(text, next);
      if (end === next) refuse(next, index);
      else add('name', end, next);
    } else if (letter === '(') {
      const end = groupEnd(text, next);
      if (end === undefined) refuse(next, index);
      else add('regexp', end, next, end - 1);
    } else {
      add('char', next, index);
    }
  }
  add('end', index, index);
  return tokens;
}

module.exports = { isNamePart, tokenize };
