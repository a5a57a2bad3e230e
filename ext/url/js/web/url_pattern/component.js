// Compiler of one component of a pattern (URL Pattern Standard, "Patterns"). In: the pattern
// string, the canonicalization, the options. Out: a regular expression with the names of its
// groups, and the normalized pattern string.
'use strict';

const { isNamePart, tokenize } = require('web/url_pattern/tokenizer');

/** Delimiter code point, which ends a group without a regular expression, and prefix code point. */
const DEFAULT = { delimiter: '', prefix: '' };
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

class PatternParser {
  #tokens;
  #index = 0;
  #encode;
  #options;
  #pending = '';
  #nextName = 0;
  #names = new Set();
  parts = [];

  constructor(text, options, encode) {
    this.#tokens = tokenize(text, { isLenient: false });
    this.#options = options;
    this.#encode = encode;
    this.#parse();
  }

  #consume(type) {
    const token = this.#tokens[this.#index];
    if (token.type !== type) return undefined;
    this.#index++;
    return token.value;
  }

  #consumeText() {
    let text = '';
    for (;;) {
      const more = this.#consume('char') ?? this.#consume('escaped-char');
      if (more === undefined) return text;
      text += more;
    }
  }

  #consumeModifier() {
    return MODIFIERS[this.#consume('modifier') ?? this.#consume('asterisk')] ?? '';
  }

  /** A regular expression, or a wildcard if there is no name. */
  #consumeExpression(name) {
    const expression = this.#consume('regexp');
    if (expression !== undefined) return expression;
    return name === undefined && this.#consume('asterisk') !== undefined ? FULL_WILDCARD : undefined;
  }

  #parse() {
    while (this.#index < this.#tokens.length) {
      const character = this.#consume('char');
      const name = this.#consume('name');
      const expression = this.#consumeExpression(name);
      if (name !== undefined || expression !== undefined) {
        this.#parseGroup(character ?? '', name, expression);
        continue;
      }
      const fixed = character ?? this.#consume('escaped-char');
      if (fixed !== undefined) this.#pending += fixed;
      else if (this.#consume('open') !== undefined) this.#parseBraces();
      else this.#parseEnd();
    }
  }

  #parseGroup(character, name, expression) {
    let prefix = character;
    if (prefix !== '' && prefix !== this.#options.prefix) {
      this.#pending += prefix;
      prefix = '';
    }
    this.#addPending();
    this.#add({ prefix, name, expression, suffix: '', modifier: this.#consumeModifier() });
  }

  #parseBraces() {
    const prefix = this.#consumeText();
    const name = this.#consume('name');
    const expression = this.#consumeExpression(name);
    const suffix = this.#consumeText();
    if (this.#consume('close') === undefined) throw new TypeError('Invalid pattern');
    this.#add({ prefix, name, expression, suffix, modifier: this.#consumeModifier() });
  }

  #parseEnd() {
    this.#addPending();
    if (this.#consume('end') === undefined) throw new TypeError('Invalid pattern');
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
    let value = expression ?? segmentWildcard(this.#options);
    if (value === segmentWildcard(this.#options)) [type, value] = ['segment', ''];
    else if (value === FULL_WILDCARD) [type, value] = ['full', ''];
    const own = name ?? String(this.#nextName++);
    if (this.#names.has(own)) throw new TypeError('Invalid pattern');
    this.#names.add(own);
    this.parts.push({ type, value, modifier, name: own, prefix: this.#encode(prefix), suffix: this.#encode(suffix) });
  }
}

function expressionOf({ type, value }, options) {
  return type === 'segment' ? segmentWildcard(options) : type === 'full' ? FULL_WILDCARD : value;
}

function regExpOf(part, options) {
  const { type, value, modifier } = part;
  if (type === 'text') return modifier === '' ? escapeRegExp(value) : `(?:${escapeRegExp(value)})${modifier}`;
  const pattern = expressionOf(part, options);
  const [prefix, suffix] = [escapeRegExp(part.prefix), escapeRegExp(part.suffix)];
  const isRepeated = modifier === '*' || modifier === '+';
  if (prefix === '' && suffix === '') return isRepeated ? `((?:${pattern})${modifier})` : `(${pattern})${modifier}`;
  if (!isRepeated) return `(?:${prefix}(${pattern})${suffix})${modifier}`;
  return `(?:${prefix}((?:${pattern})(?:${suffix}${prefix}(?:${pattern}))*)${suffix})${modifier === '*' ? '?' : ''}`;
}

/** Whether the part has a custom name, not a number. */
const isNamed = ({ name }) => name !== '' && !(name[0] >= '0' && name[0] <= '9');

function needsBraces(part, previous, next, options) {
  const { prefix, suffix, type, modifier } = part;
  if (suffix !== '' || (prefix !== '' && prefix !== options.prefix)) return true;
  if (isNamed(part) && type === 'segment' && modifier === '' && next !== undefined && next.prefix === '' && next.suffix === '') {
    // The following part would be parsed as part of the name, or as its regular expression.
    if (next.type === 'text' ? isNamePart(String.fromCodePoint(next.value.codePointAt(0))) : !isNamed(next)) return true;
  }
  return prefix === '' && previous?.type === 'text' && options.prefix !== '' && previous.value.endsWith(options.prefix);
}

function patternOf(part, previous, next, options) {
  const { type, value, modifier, name, prefix, suffix } = part;
  if (type === 'text') return modifier === '' ? escapePattern(value) : `{${escapePattern(value)}}${modifier}`;
  const isBraced = needsBraces(part, previous, next, options);
  let text = escapePattern(prefix);
  if (isNamed(part)) text += `:${name}`;
  if (type === 'regexp') {
    text += `(${value})`;
  } else if (type === 'segment' && !isNamed(part)) {
    text += `(${segmentWildcard(options)})`;
  } else if (type === 'full') {
    const isClear = previous === undefined || previous.type === 'text' || previous.modifier !== '' || isBraced || prefix !== '';
    text += !isNamed(part) && isClear ? '*' : `(${FULL_WILDCARD})`;
  }
  if (type === 'segment' && isNamed(part) && suffix !== '' && isNamePart(String.fromCodePoint(suffix.codePointAt(0)))) text += '\\';
  text += escapePattern(suffix);
  return (isBraced ? `{${text}}` : text) + modifier;
}

function compile(text, encode, options, ignoresCase = false) {
  const { parts } = new PatternParser(text, options, encode);
  const source = parts.map((part) => regExpOf(part, options)).join('');
  return {
    pattern: parts.map((part, index) => patternOf(part, parts[index - 1], parts[index + 1], options)).join(''),
    regExp: new RegExp(`^${source}$`, ignoresCase ? 'vi' : 'v'),
    names: parts.filter(({ type }) => type !== 'text').map(({ name }) => name),
    hasRegExp: parts.some(({ type }) => type === 'regexp'),
  };
}

module.exports = { HOSTNAME, PATHNAME, DEFAULT, compile, escapePattern };
