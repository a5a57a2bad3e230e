// Headers: the Fetch Standard, 5.1. In: names and values. Out: header lists, which are sorted for
// iteration. Those of responses from the network are immutable. Absent: forbidden header names.
'use strict';

const { whenBunIsUsed } = require('internal/bun_use');
const { forbidCloning } = require('internal/messaging/symbols');
const { codes: { ERR_INVALID_THIS } } = require('internal/errors');
const { finishClass, isObject } = require('web/streams/webidl_utils');
const { checkArguments, defineIterators, illegalInvocation, defineInspect } = require('web/fetch/webidl');

const TOKEN = /^[!#$%&'*+\-.^_`|~A-Za-z0-9]+$/;
const SURROUNDING_WHITESPACE = /^[\t\n\r ]+|[\t\n\r ]+$/g;
const INVALID_VALUE_CHARACTER = /[\0\r\n]/;

/** Converts to a ByteString: code units up to 255. */
function toByteString(value) {
  const string = `${value}`;
  for (let i = 0; i < string.length; i++) {
    if (string.charCodeAt(i) > 255) {
      throw new TypeError(`Cannot convert argument to a ByteString because the character at index ${i} has a value of ` +
        `${string.charCodeAt(i)} which is greater than 255.`);
    }
  }
  return string;
}

function validateName(name, where) {
  if (!TOKEN.test(name)) throw new TypeError(`${where}: "${name}" is an invalid header name.`);
}

function validateValue(value, where) {
  if (INVALID_VALUE_CHARACTER.test(value)) throw new TypeError(`${where}: "${value}" is an invalid header value.`);
}

/** A header list: values by lower-case name, each with its original name; cookies separately. */
class HeadersList {
  entries = new Map();
  cookies = [];

  append(name, value) {
    const key = name.toLowerCase();
    if (key === 'set-cookie') this.cookies.push(value);
    const entry = this.entries.get(key);
    if (entry === undefined) this.entries.set(key, { name, value });
    else entry.value = `${entry.value}${key === 'cookie' ? '; ' : ', '}${value}`;
  }

  set(name, value) {
    const key = name.toLowerCase();
    if (key === 'set-cookie') this.cookies = [value];
    const entry = this.entries.get(key);
    if (entry === undefined) this.entries.set(key, { name, value });
    else entry.value = value;
  }

  delete(name) {
    const key = name.toLowerCase();
    if (key === 'set-cookie') this.cookies = [];
    this.entries.delete(key);
  }

  get(name) {
    return this.entries.get(name.toLowerCase())?.value ?? null;
  }

  has(name) {
    return this.entries.has(name.toLowerCase());
  }

  /** Names and values, alternating. */
  toFlatList() {
    const flat = [];
    for (const [key, { value }] of this.entries) {
      if (key === 'set-cookie') this.cookies.forEach((cookie) => flat.push(key, cookie));
      else flat.push(key, value);
    }
    return flat;
  }

  sortAndCombine() {
    const pairs = [];
    for (const key of [...this.entries.keys()].sort()) {
      if (key === 'set-cookie') this.cookies.forEach((cookie) => pairs.push([key, cookie]));
      else pairs.push([key, this.entries.get(key).value]);
    }
    return pairs;
  }

  copy() {
    const copy = new HeadersList();
    for (const [key, { name, value }] of this.entries) copy.entries.set(key, { name, value });
    copy.cookies = [...this.cookies];
    return copy;
  }
}

/**
 * The header list of a request that a server has received. In: `field(name)`, which looks one up
 * while the request lasts, and `head()`, all of it as text. The list is made when more than a value
 * is asked for.
 */
class ReceivedHeadersList {
  #source;
  #list;

  constructor(source) { this.#source = source; }

  #full() { return this.#list ??= parseHead(this.#source.head()); }

  get entries() { return this.#full().entries; }
  get cookies() { return this.#full().cookies; }
  get(name) {
    if (this.#list !== undefined) return this.#list.get(name);
    const value = this.#source.field(name.toLowerCase());
    // undefined: the request is over.
    return value === undefined ? this.#full().get(name) : value;
  }
  has(name) { return this.get(name) !== null; }
  append(name, value) { this.#full().append(name, value); }
  set(name, value) { this.#full().set(name, value); }
  delete(name) { this.#full().delete(name); }
  toFlatList() { return this.#full().toFlatList(); }
  sortAndCombine() { return this.#full().sortAndCombine(); }
  copy() { return this.#full().copy(); }
}

/** The fields of the head of an HTTP/1.1 message, which was parsed before. */
function parseHead(head) {
  const list = new HeadersList();
  const lines = head.split('\r\n');
  // Line ends may precede the request line.
  let index = lines.findIndex((line) => line !== '') + 1;
  for (; index < lines.length && lines[index] !== ''; index++) {
    const colon = lines[index].indexOf(':');
    list.append(lines[index].slice(0, colon), lines[index].slice(colon + 1).replace(SURROUNDING_WHITESPACE, ''));
  }
  return list;
}

const internals = {};

class Headers {
  #list;
  #isImmutable = false;

  constructor(init = undefined) {
    if (init === internals) return;
    this.#list = new HeadersList();
    if (init !== undefined) internals.fill(this, init);
  }

  static #brandCheck(headers) {
    if (!isObject(headers) || !(#list in headers)) throw illegalInvocation(new ERR_INVALID_THIS('Headers'));
    return headers;
  }

  #throwIfImmutable() {
    if (this.#isImmutable) throw new TypeError('immutable');
  }

  append(name, value) {
    const headers = Headers.#brandCheck(this);
    checkArguments(arguments, 2, 'Headers.append');
    name = toByteString(name);
    value = toByteString(value).replace(SURROUNDING_WHITESPACE, '');
    validateName(name, 'Headers.append');
    validateValue(value, 'Headers.append');
    headers.#throwIfImmutable();
    headers.#list.append(name, value);
  }

  delete(name) {
    const headers = Headers.#brandCheck(this);
    checkArguments(arguments, 1, 'Headers.delete');
    name = toByteString(name);
    validateName(name, 'Headers.delete');
    headers.#throwIfImmutable();
    headers.#list.delete(name);
  }

  get(name) {
    const headers = Headers.#brandCheck(this);
    checkArguments(arguments, 1, 'Headers.get');
    name = toByteString(name);
    validateName(name, 'Headers.get');
    return headers.#list.get(name);
  }

  has(name) {
    const headers = Headers.#brandCheck(this);
    checkArguments(arguments, 1, 'Headers.has');
    name = toByteString(name);
    validateName(name, 'Headers.has');
    return headers.#list.has(name);
  }

  set(name, value) {
    const headers = Headers.#brandCheck(this);
    checkArguments(arguments, 2, 'Headers.set');
    name = toByteString(name);
    value = toByteString(value).replace(SURROUNDING_WHITESPACE, '');
    validateName(name, 'Headers.set');
    validateValue(value, 'Headers.set');
    headers.#throwIfImmutable();
    headers.#list.set(name, value);
  }

  getSetCookie() {
    return [...Headers.#brandCheck(this).#list.cookies];
  }

  static {
    internals.listOf = (headers) => Headers.#brandCheck(headers).#list;
    internals.is = (value) => isObject(value) && #list in value;
    /** Headers over an existing list. */
    internals.fromList = (list, isImmutable) => {
      const headers = new Headers(internals);
      headers.#list = list;
      headers.#isImmutable = isImmutable;
      return headers;
    };
    internals.fill = (headers, init) => {
      for (const [name, value] of entriesOf(init)) headers.append(name, value);
    };
  }
}

function entriesOf(init) {
  if (!isObject(init) && typeof init !== 'function') {
    throw new TypeError('Headers constructor: Argument 1 could not be converted to one of: sequence<sequence<ByteString>>, ' +
      'record<ByteString, ByteString>.');
  }
  if (init[Symbol.iterator] === undefined || init[Symbol.iterator] === null) {
    return Reflect.ownKeys(init).filter((key) => Object.getOwnPropertyDescriptor(init, key)?.enumerable)
      .map((key) => [toByteString(typeof key === 'symbol' ? throwOnSymbol() : key), toByteString(init[key])]);
  }
  const list = [];
  for (const pair of init) {
    if (!isObject(pair) || typeof pair[Symbol.iterator] !== 'function') {
      throw new TypeError('Headers constructor: expected name/value pair to be an iterable object.');
    }
    const entry = [...pair];
    if (entry.length !== 2) {
      throw new TypeError(`Headers constructor: expected name/value pair to be length 2, found ${entry.length}.`);
    }
    list.push(entry);
  }
  return list;
}

function throwOnSymbol() {
  throw new TypeError('Cannot convert a Symbol value to a string');
}

defineIterators(Headers, (headers) => internals.listOf(headers).sortAndCombine());
finishClass(Headers);
defineInspect(Headers, (headers) => {
  const object = {};
  for (const [, { name }] of internals.listOf(headers).entries) object[name] = internals.listOf(headers).get(name);
  return object;
});

forbidCloning(Headers, 'has');

/** Members that Bun adds. Node's Headers are `{}` as JSON. */
const bunMembers = {
  get count() { return internals.listOf(this).sortAndCombine().length; },

  getAll(name) {
    const list = internals.listOf(this);
    if (arguments.length === 0) throw new TypeError('Missing argument');
    if (`${name}`.toLowerCase() !== 'set-cookie') throw new TypeError('Only "set-cookie" is supported.');
    return [...list.cookies];
  },

  toJSON() {
    const list = internals.listOf(this);
    const object = {};
    for (const [name, value] of list.sortAndCombine()) object[name] = name === 'set-cookie' ? [...list.cookies] : value;
    return object;
  },
};
whenBunIsUsed(() => Object.defineProperties(Headers.prototype, Object.getOwnPropertyDescriptors(bunMembers)));

module.exports = {
  Headers, HeadersList, ReceivedHeadersList, fillHeaders: internals.fill, headersFromList: internals.fromList, isHeaders: internals.is, listOf: internals.listOf,
};
