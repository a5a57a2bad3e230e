// Tokenizer of pattern strings (URL Pattern Standard, "Tokenizing"). In: a string, and the tokenize
// policy: whether invalid characters are an error or a token. Out: [{ type, index, value }], the
// last of type 'end'.
'use strict';

const NAME_START = /[$_\p{ID_Start}]/u;
const NAME_PART = /[$_\u200c\u200d\p{ID_Continue}]/u;
const SINGLE = { '__proto__': null, '*': 'asterisk', '+': 'modifier', '?': 'modifier', '{': 'open', '}': 'close' };

/** The character at an index, of one or two code units. */
function characterAt(text, at) {
  return String.fromCodePoint(text.codePointAt(at));
}

function isNamePart(character) {
  return NAME_PART.test(character);
}

/** The end of the name that starts at `start`. */
function nameEnd(text, start) {
  let at = start;
  while (at < text.length) {
    const character = characterAt(text, at);
    if (!(at === start ? NAME_START : NAME_PART).test(character)) break;
    at += character.length;
  }
  return at;
}

/** The end of the regexp group whose content starts at `start`; undefined: it is invalid. */
function groupEnd(text, start) {
  let depth = 1;
  for (let at = start; at < text.length; at++) {
    const character = text[at];
    if (character > '\x7f' || (at === start && character === '?')) return undefined;
    if (character === '\\') {
      at++;
      if (at === text.length || text[at] > '\x7f') return undefined;
    } else if (character === ')') {
      depth--;
      if (depth === 0) return at === start ? undefined : at + 1;
    } else if (character === '(') {
      depth++;
      // Nested groups must be non-capturing.
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
  const onInvalid = (next, from) => {
    if (!isLenient) throw new TypeError('Invalid pattern');
    add('invalid-char', next, from);
  };
  while (index < text.length) {
    const character = characterAt(text, index);
    const next = index + character.length;
    if (SINGLE[character] !== undefined) {
      add(SINGLE[character], next, index);
    } else if (character === '\\') {
      if (next === text.length) onInvalid(next, index);
      else add('escaped-char', next + characterAt(text, next).length, next);
    } else if (character === ':') {
      const end = nameEnd(text, next);
      if (end === next) onInvalid(next, index);
      else add('name', end, next);
    } else if (character === '(') {
      const end = groupEnd(text, next);
      if (end === undefined) onInvalid(next, index);
      else add('regexp', end, next, end - 1);
    } else {
      add('char', next, index);
    }
  }
  add('end', index, index);
  return tokens;
}

module.exports = { isNamePart, tokenize };
