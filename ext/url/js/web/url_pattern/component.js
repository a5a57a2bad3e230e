// One component of a pattern (the URL Pattern standard, "Patterns"). In: its text, what makes such
// components canonical, its characters. Out: a regular expression with the names of its groups, and
// the pattern in its plainest form. Absent: which components there are.
'use strict';

const { isNamePart, tokenize } = require('web/url_pattern/tokens');

/** What ends a group without an expression of its own, and what belongs to the group behind it. */
const PLAIN = { delimiter: '', prefix: '' };
const HOSTNAME = { delimiter: '.', prefix: '' };
const PATHNAME = { delimiter: '/', prefix: '/' };

const FULL_WILDCARD = '.*';
const MODIFIERS = { '__proto__': null, '?': '?', '*': '*', '+': '+' };

function escapeRegExp(text) {
  return text.replace(/[.+*?^${}()[\]|/\\]/g, '\\$&');
}

function escapePattern(text) {
  return text.replace(/[+*?:{}()\\]/g, '\\$&');
}

const segmentWildcard = ({ delimiter }) => `[^${escapeRegExp(delimiter)}]+?`;

class PartsReader {
  #tokens;
  #at = 0;
  #encode;
  #letters;
  #pending = '';
  #nextName = 0;
  #names = new Set();
  parts = [];

  constructor(text, letters, encode) {
    this.#tokens = tokenize(text, { isLenient: false });
    this.#letters = letters;
    this.#encode = encode;
    this.#read();
  }

  #take(type) {
    const token = this.#tokens[this.#at];
    if (token.type !== type) return undefined;
    this.#at++;
    return token.value;
  }

  #takeText() {
    let text = '';
    for (;;) {
      const more = this.#take('char') ?? this.#take('escaped-char');
      if (more === undefined) return text;
      text += more;
    }
  }

  #takeModifier() {
    return MODIFIERS[this.#take('modifier') ?? this.#take('asterisk')] ?? '';
  }

  /** An expression, or the wildcard where no name stands before. */
  #takeExpression(name) {
    const expression = this.#take('regexp');
    if (expression !== undefined) return expression;
    return name === undefined && this.#take('asterisk') !== undefined ? FULL_WILDCARD : undefined;
  }

  #read() {
    while (this.#at < this.#tokens.length) {
      const letter = this.#take('char');
      const name = this.#take('name');
      const expression = this.#takeExpression(name);
      if (name !== undefined || expression !== undefined) {
        this.#readGroup(letter ?? '', name, expression);
        continue;
      }
      const fixed = letter ?? this.#take('escaped-char');
      if (fixed !== undefined) this.#pending += fixed;
      else if (this.#take('open') !== undefined) this.#readBraces();
      else this.#readEnd();
    }
  }

  #readGroup(letter, name, expression) {
    let prefix = letter;
    if (prefix !== '' && prefix !== this.#letters.prefix) {
      this.#pending += prefix;
      prefix = '';
    }
    this.#addPending();
    this.#add({ prefix, name, expression, suffix: '', modifier: this.#takeModifier() });
  }

  #readBraces() {
    const prefix = this.#takeText();
    const name = this.#take('name');
    const expression = this.#takeExpression(name);
    const suffix = this.#takeText();
    if (this.#take('close') === undefined) throw new TypeError('Invalid pattern');
    this.#add({ prefix, name, expression, suffix, modifier: this.#takeModifier() });
  }

  #readEnd() {
    this.#addPending();
    if (this.#take('end') === undefined) throw new TypeError('Invalid pattern');
  }

  #addPending() {
    if (this.#pending === '') return;
    const value = this.#encode(this.#pending);
    this.#pending = '';
    this.parts.push({ type: 'text', value, modifier: '', name: '', prefix: '', suffix: '' });
  }

  #add({ prefix, name, expression, suffix, modifier }) {
    const isText = name === undefined && expression === undefined;
    if (isText && modifier === '') {
      this.#pending += prefix;
      return;
    }
    this.#addPending();
    if (isText) {
      if (prefix !== '') this.parts.push({ type: 'text', value: this.#encode(prefix), modifier, name: '', prefix: '', suffix: '' });
      return;
    }
    let type = 'regexp';
    let value = expression ?? segmentWildcard(this.#letters);
    if (value === segmentWildcard(this.#letters)) [type, value] = ['segment', ''];
    else if (value === FULL_WILDCARD) [type, value] = ['full', ''];
    const own = name ?? String(this.#nextName++);
    if (this.#names.has(own)) throw new TypeError('Invalid pattern');
    this.#names.add(own);
    this.parts.push({ type, value, modifier, name: own, prefix: this.#encode(prefix), suffix: this.#encode(suffix) });
  }
}

function expressionOf({ type, value }, letters) {
  return type === 'segment' ? segmentWildcard(letters) : type === 'full' ? FULL_WILDCARD : value;
}

function regExpOf(part, letters) {
  const { type, value, modifier } = part;
  if (type === 'text') return modifier === '' ? escapeRegExp(value) : `(?:${escapeRegExp(value)})${modifier}`;
  const inside = expressionOf(part, letters);
  const [prefix, suffix] = [escapeRegExp(part.prefix), escapeRegExp(part.suffix)];
  const isRepeated = modifier === '*' || modifier === '+';
  if (prefix === '' && suffix === '') return isRepeated ? `((?:${inside})${modifier})` : `(${inside})${modifier}`;
  if (!isRepeated) return `(?:${prefix}(${inside})${suffix})${modifier}`;
  return `(?:${prefix}((?:${inside})(?:${suffix}${prefix}(?:${inside}))*)${suffix})${modifier === '*' ? '?' : ''}`;
}

/** Whether the part has a name of its own, not the number that each has. */
const isNamed = ({ name }) => name !== '' && !(name[0] >= '0' && name[0] <= '9');

function needsBraces(part, previous, next, letters) {
  const { prefix, suffix, type, modifier } = part;
  if (suffix !== '' || (prefix !== '' && prefix !== letters.prefix)) return true;
  if (isNamed(part) && type === 'segment' && modifier === '' && next !== undefined && next.prefix === '' && next.suffix === '') {
    // What follows would be read as more of the name, or as its expression.
    if (next.type === 'text' ? isNamePart(String.fromCodePoint(next.value.codePointAt(0))) : !isNamed(next)) return true;
  }
  return prefix === '' && previous?.type === 'text' && letters.prefix !== '' && previous.value.endsWith(letters.prefix);
}

function patternOf(part, previous, next, letters) {
  const { type, value, modifier, name, prefix, suffix } = part;
  if (type === 'text') return modifier === '' ? escapePattern(value) : `{${escapePattern(value)}}${modifier}`;
  const isBraced = needsBraces(part, previous, next, letters);
  let text = escapePattern(prefix);
  if (isNamed(part)) text += `:${name}`;
  if (type === 'regexp') {
    text += `(${value})`;
  } else if (type === 'segment' && !isNamed(part)) {
    text += `(${segmentWildcard(letters)})`;
  } else if (type === 'full') {
    const isClear = previous === undefined || previous.type === 'text' || previous.modifier !== '' || isBraced || prefix !== '';
    text += !isNamed(part) && isClear ? '*' : `(${FULL_WILDCARD})`;
  }
  if (type === 'segment' && isNamed(part) && suffix !== '' && isNamePart(String.fromCodePoint(suffix.codePointAt(0)))) text += '\\';
  text += escapePattern(suffix);
  return (isBraced ? `{${text}}` : text) + modifier;
}

/** `isAnyCase`: characters of either case are the same. */
function compile(text, encode, letters, isAnyCase = false) {
  const { parts } = new PartsReader(text, letters, encode);
  const source = parts.map((part) => regExpOf(part, letters)).join('');
  return {
    pattern: parts.map((part, index) => patternOf(part, parts[index - 1], parts[index + 1], letters)).join(''),
    regExp: new RegExp(`^${source}$`, isAnyCase ? 'vi' : 'v'),
    names: parts.filter(({ type }) => type !== 'text').map(({ name }) => name),
    hasRegExp: parts.some(({ type }) => type === 'regexp'),
  };
}

module.exports = { HOSTNAME, PATHNAME, PLAIN, compile, escapePattern };
