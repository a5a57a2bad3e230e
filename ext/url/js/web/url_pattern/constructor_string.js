// Constructor string parser (URL Pattern Standard, "Constructor string parsing"). In: a pattern
// string. Out: the patterns of its components: { protocol, hostname, ... }. Absent: their
// compilation.
'use strict';

const { tokenize } = require('web/url_pattern/tokenizer');
const { DEFAULT, compile } = require('web/url_pattern/component');
const canonical = require('web/url_pattern/canonicalization');

const ORDER = ['protocol', 'authority', 'username', 'password', 'hostname', 'port', 'pathname', 'search', 'hash'];
const WITHOUT_COMPONENT = new Set(['init', 'authority', 'done']);
const LITERAL = new Set(['char', 'escaped-char', 'invalid-char']);
/** A `?` after these is a modifier. */
const REPEATABLE = new Set(['name', 'regexp', 'close', 'asterisk']);

function isSpecial(component) {
  return [...canonical.SPECIAL.keys()].some((scheme) => component.regExp.test(scheme));
}

class ConstructorStringParser {
  #input;
  #tokens;
  #index = 0;
  #step = 1;
  #start = 0;
  #state = 'init';
  #groupDepth = 0;
  #bracketDepth = 0;
  #isSpecial = false;
  result = {};

  constructor(input) {
    this.#input = input;
    this.#tokens = tokenize(input, { isLenient: true });
    this.#parse();
    // Without a port, it is the default port of the scheme.
    if (this.result.hostname !== undefined) this.result.port ??= '';
  }

  #token(at) {
    return this.#tokens[at] ?? this.#tokens[this.#tokens.length - 1];
  }

  #is(character, at = this.#index) {
    const { value, type } = this.#token(at);
    return value === character && LITERAL.has(type);
  }

  #isSearch() {
    if (this.#is('?')) return true;
    if (this.#tokens[this.#index].value !== '?') return false;
    return this.#index === 0 || !REPEATABLE.has(this.#token(this.#index - 1).type);
  }

  #component() {
    return this.#input.slice(this.#token(this.#start).index, this.#tokens[this.#index].index);
  }

  #changeState(state, skip) {
    const before = this.#state;
    if (!WITHOUT_COMPONENT.has(before)) this.result[before] = this.#component();
    if (before !== 'init' && state !== 'done') this.#fillSkipped(ORDER.indexOf(before), ORDER.indexOf(state));
    this.#state = state;
    this.#index += skip;
    this.#start = this.#index;
    this.#step = 0;
  }

  /** Skipped components are empty strings, not wildcards. */
  #fillSkipped(from, to) {
    const isBetween = (name) => from < ORDER.indexOf(name) && ORDER.indexOf(name) < to && this.result[name] === undefined;
    if (from <= ORDER.indexOf('password') && to >= ORDER.indexOf('port') && isBetween('hostname')) this.result.hostname = '';
    if (isBetween('pathname')) this.result.pathname = this.#isSpecial ? '/' : '';
    if (isBetween('search')) this.result.search = '';
  }

  #rewind(state) {
    this.#index = this.#start;
    this.#step = 0;
    if (state !== undefined) this.#state = state;
  }

  #parse() {
    for (; this.#index < this.#tokens.length; this.#index += this.#step) {
      this.#step = 1;
      const { type } = this.#tokens[this.#index];
      if (type === 'end') {
        if (this.#onEnd()) return;
      } else if (type === 'open') {
        this.#groupDepth++;
      } else if (this.#groupDepth > 0 && type !== 'close') {
        // Braces cannot contain the end of a component.
      } else {
        if (this.#groupDepth > 0) this.#groupDepth--;
        this[this.#state]();
      }
    }
  }

  /** Returns true when parsing is finished. */
  #onEnd() {
    if (this.#state === 'init') {
      this.#rewind();
      if (this.#is('#')) this.#changeState('hash', 1);
      else if (this.#isSearch()) this.#changeState('search', 1);
      else this.#changeState('pathname', 0);
      return false;
    }
    if (this.#state === 'authority') {
      this.#rewind('hostname');
      return false;
    }
    this.#changeState('done', 0);
    return true;
  }

  // --- states, each called with the current token

  init() {
    if (this.#is(':')) this.#rewind('protocol');
  }

  protocol() {
    if (!this.#is(':')) return;
    this.#isSpecial = isSpecial(compile(this.#component(), canonical.protocol, DEFAULT));
    if (this.#is('/', this.#index + 1) && this.#is('/', this.#index + 2)) this.#changeState('authority', 3);
    else this.#changeState(this.#isSpecial ? 'authority' : 'pathname', 1);
  }

  authority() {
    if (this.#is('@')) this.#rewind('username');
    else if (this.#is('/') || this.#isSearch() || this.#is('#')) this.#rewind('hostname');
  }

  username() {
    if (this.#is(':')) this.#changeState('password', 1);
    else if (this.#is('@')) this.#changeState('hostname', 1);
  }

  password() {
    if (this.#is('@')) this.#changeState('hostname', 1);
  }

  hostname() {
    if (this.#is('[')) this.#bracketDepth++;
    else if (this.#is(']')) this.#bracketDepth--;
    else if (this.#is(':') && this.#bracketDepth === 0) this.#changeState('port', 1);
    else this.port();
  }

  port() {
    if (this.#is('/')) this.#changeState('pathname', 0);
    else this.pathname();
  }

  pathname() {
    if (this.#isSearch()) this.#changeState('search', 1);
    else this.search();
  }

  search() {
    if (this.#is('#')) this.#changeState('hash', 1);
  }

  hash() {}
}

const parse = (input) => new ConstructorStringParser(input).result;

module.exports = { isSpecial, parse };
