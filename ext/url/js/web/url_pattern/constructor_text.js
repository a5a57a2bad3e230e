// A whole pattern in one text (the URL Pattern standard, "Constructor string parsing"). In: such a
// text. Out: its components, each still a pattern: { protocol, hostname, ... }. Absent: what the
// components say.
'use strict';

const { tokenize } = require('web/url_pattern/tokens');
const { PLAIN, compile } = require('web/url_pattern/component');
const canonical = require('web/url_pattern/canonical');

const ORDER = ['protocol', 'authority', 'username', 'password', 'hostname', 'port', 'pathname', 'search', 'hash'];
const UNPARTED = new Set(['init', 'authority', 'done']);
const LITERAL = new Set(['char', 'escaped-char', 'invalid-char']);
/** A `?` behind these says how often they come. */
const REPEATABLE = new Set(['name', 'regexp', 'close', 'asterisk']);

function isSpecial(component) {
  return [...canonical.SPECIAL.keys()].some((scheme) => component.regExp.test(scheme));
}

class TextReader {
  #text;
  #tokens;
  #at = 0;
  #step = 1;
  #start = 0;
  #state = 'init';
  #groups = 0;
  #brackets = 0;
  #isSpecial = false;
  found = {};

  constructor(text) {
    this.#text = text;
    this.#tokens = tokenize(text, { isLenient: true });
    this.#read();
    // Without a port, an address has that of its scheme.
    if (this.found.hostname !== undefined) this.found.port ??= '';
  }

  #token(at) {
    return this.#tokens[at] ?? this.#tokens[this.#tokens.length - 1];
  }

  #is(letter, at = this.#at) {
    const { value, type } = this.#token(at);
    return value === letter && LITERAL.has(type);
  }

  #isSearch() {
    if (this.#is('?')) return true;
    if (this.#tokens[this.#at].value !== '?') return false;
    return this.#at === 0 || !REPEATABLE.has(this.#token(this.#at - 1).type);
  }

  #part() {
    return this.#text.slice(this.#token(this.#start).index, this.#tokens[this.#at].index);
  }

  #change(state, skip) {
    const before = this.#state;
    if (!UNPARTED.has(before)) this.found[before] = this.#part();
    if (before !== 'init' && state !== 'done') this.#fill(ORDER.indexOf(before), ORDER.indexOf(state));
    this.#state = state;
    this.#at += skip;
    this.#start = this.#at;
    this.#step = 0;
  }

  /** What was left out on the way is empty, not anything. */
  #fill(from, to) {
    const isBetween = (name) => from < ORDER.indexOf(name) && ORDER.indexOf(name) < to && this.found[name] === undefined;
    if (from <= ORDER.indexOf('password') && to >= ORDER.indexOf('port') && isBetween('hostname')) this.found.hostname = '';
    if (isBetween('pathname')) this.found.pathname = this.#isSpecial ? '/' : '';
    if (isBetween('search')) this.found.search = '';
  }

  #rewind(state) {
    this.#at = this.#start;
    this.#step = 0;
    if (state !== undefined) this.#state = state;
  }

  #read() {
    for (; this.#at < this.#tokens.length; this.#at += this.#step) {
      this.#step = 1;
      const { type } = this.#tokens[this.#at];
      if (type === 'end') {
        if (this.#atEnd()) return;
      } else if (type === 'open') {
        this.#groups++;
      } else if (this.#groups > 0 && type !== 'close') {
        // Nothing within braces ends a component.
      } else {
        if (this.#groups > 0) this.#groups--;
        this[this.#state]();
      }
    }
  }

  /** True: there is nothing left. */
  #atEnd() {
    if (this.#state === 'init') {
      this.#rewind();
      if (this.#is('#')) this.#change('hash', 1);
      else if (this.#isSearch()) this.#change('search', 1);
      else this.#change('pathname', 0);
      return false;
    }
    if (this.#state === 'authority') {
      this.#rewind('hostname');
      return false;
    }
    this.#change('done', 0);
    return true;
  }

  // --- one for each state, at a token

  init() {
    if (this.#is(':')) this.#rewind('protocol');
  }

  protocol() {
    if (!this.#is(':')) return;
    this.#isSpecial = isSpecial(compile(this.#part(), canonical.protocol, PLAIN));
    if (this.#is('/', this.#at + 1) && this.#is('/', this.#at + 2)) this.#change('authority', 3);
    else this.#change(this.#isSpecial ? 'authority' : 'pathname', 1);
  }

  authority() {
    if (this.#is('@')) this.#rewind('username');
    else if (this.#is('/') || this.#isSearch() || this.#is('#')) this.#rewind('hostname');
  }

  username() {
    if (this.#is(':')) this.#change('password', 1);
    else if (this.#is('@')) this.#change('hostname', 1);
  }

  password() {
    if (this.#is('@')) this.#change('hostname', 1);
  }

  hostname() {
    if (this.#is('[')) this.#brackets++;
    else if (this.#is(']')) this.#brackets--;
    else if (this.#is(':') && this.#brackets === 0) this.#change('port', 1);
    else this.port();
  }

  port() {
    if (this.#is('/')) this.#change('pathname', 0);
    else this.pathname();
  }

  pathname() {
    if (this.#isSearch()) this.#change('search', 1);
    else this.search();
  }

  search() {
    if (this.#is('#')) this.#change('hash', 1);
  }

  hash() {}
}

const parse = (text) => new TextReader(text).found;

module.exports = { isSpecial, parse };
