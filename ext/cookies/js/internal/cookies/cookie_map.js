// `Bun.CookieMap`: the cookies of a request, and the changes that its response sends. In: a
// `Cookie` header, pairs or an object; `set` and `delete`. Out: values, and a `Set-Cookie` value
// for each change. Absent: reading and sending headers.
'use strict';

const { Cookie, isObject, missingArguments } = require('internal/cookies/cookie');
const { defineIterators, defineInspect } = require('web/fetch/webidl');

class CookieMap {
  /** Pairs of the request that were not changed. */
  #original;
  /** Changed cookies, by name, in the order of the last change. */
  #changed = new Map();
  /** The names in `#changed` that were deleted. */
  #deleted = new Set();

  constructor(init = undefined) {
    this.#original = pairsOf(init);
  }

  #pairs() {
    const pairs = [];
    for (const [name, cookie] of this.#changed) {
      if (!this.#deleted.has(name)) pairs.push([name, cookie.value]);
    }
    pairs.push(...this.#original);
    return pairs;
  }

  get(name) {
    const key = `${name}`;
    if (this.#deleted.has(key)) return null;
    return this.#changed.get(key)?.value ?? this.#original.find((pair) => pair[0] === key)?.[1] ?? null;
  }

  /** The `Set-Cookie` values of all changes. */
  toSetCookieHeaders() {
    return Array.from(this.#changed.values(), String);
  }

  has(name) {
    return this.get(name) !== null;
  }

  set(name, value, options = undefined) {
    if (arguments.length === 0) return;
    if (arguments.length === 1 && !isObject(name)) throw missingArguments();
    const cookie = arguments.length > 1 ? new Cookie(name, value, options) : name instanceof Cookie ? name : new Cookie(name);
    this.#change(cookie);
  }

  delete(name, options = undefined) {
    if (arguments.length === 0) return;
    const { domain, path } = (isObject(name) ? name : options) ?? {};
    const key = isObject(name) ? name.name : name;
    if (key === undefined || key === '') throw new TypeError('Cookie name is required');
    this.#change(new Cookie(key, '', { domain, path, expires: 0 }));
    this.#deleted.add(`${key}`);
  }

  #change(cookie) {
    const { name } = cookie;
    this.#original = this.#original.filter((pair) => pair[0] !== name);
    this.#deleted.delete(name);
    this.#changed.delete(name);
    this.#changed.set(name, cookie);
  }

  toJSON() {
    const object = {};
    for (const [name, value] of this.#pairs()) {
      // The first of a name counts, as for `get`.
      if (!Object.hasOwn(object, name)) Object.defineProperty(object, name, { __proto__: null, value, enumerable: true, writable: true, configurable: true });
    }
    return object;
  }

  get size() { return this.#pairs().length; }

  static {
    defineIterators(CookieMap, (map) => map.#pairs());
  }
}

Object.defineProperty(CookieMap, 'length', { __proto__: null, value: 1, configurable: true });
Object.defineProperty(CookieMap.prototype, Symbol.toStringTag, { __proto__: null, value: 'CookieMap', configurable: true });
defineInspect(CookieMap, (map) => map.toJSON());

function pairsOf(init) {
  if (init === undefined || init === null) return [];
  if (typeof init === 'string') return parseHeader(init);
  if (Array.isArray(init)) {
    return init.map((pair) => {
      if (!Array.isArray(pair)) throw new TypeError('Expected each element to be an array of two strings');
      if (pair.length !== 2) throw new TypeError('Expected arrays of exactly two strings');
      return [`${pair[0]}`, `${pair[1]}`];
    });
  }
  if (!isObject(init)) throw new TypeError('Invalid initializer type');
  return Object.entries(init).map(([name, value]) => [name, `${value}`]);
}

/** Parses a `Cookie` header (RFC 6265, 4.2); parts without a name or `=` are ignored. */
function parseHeader(header) {
  const pairs = [];
  for (const part of header.split(';')) {
    const equals = part.indexOf('=');
    const name = equals < 0 ? '' : part.slice(0, equals).trim();
    if (name !== '') pairs.push([name, decode(part.slice(equals + 1).trim())]);
  }
  return pairs;
}

/** Percent-decodes UTF-8; what is malformed becomes U+FFFD. */
function decode(value) {
  if (!value.includes('%')) return value;
  return value.replaceAll(/(?:%[\da-f]{2})+|%(?:..)?/gis, (escaped) => (
    /^%[\da-f]{2}/i.test(escaped) ? Buffer.from(escaped.replaceAll('%', ''), 'hex').toString() : '\ufffd'));
}

module.exports = { CookieMap };
