// Headers: the Fetch Standard 5.1. In: names and values. Out: lists of them, sorted when they are
// walked. Those of answers that came over the network cannot be changed. Absent: names that
// browsers forbid.
'use strict';

const { forbidCloning } = require('internal/messaging/symbols');
const { codes: { ERR_INVALID_THIS } } = require('internal/errors');
const { finishClass, isObject } = require('web/streams/webidl_utils');
const { checkArguments, defineIterators, illegal, showMembers } = require('web/fetch/webidl');

const TOKEN = /^[!#$%&'*+\-.^_`|~A-Za-z0-9]+$/;
const AROUND = /^[\t\n\r ]+|[\t\n\r ]+$/g;
const NOT_IN_VALUE = /[\0\r\n]/;

/** A text whose characters are bytes. */
function byteString(value) {
  const text = `${value}`;
  for (let i = 0; i < text.length; i++) {
    if (text.charCodeAt(i) > 255) {
      throw new TypeError(`Cannot convert argument to a ByteString because the character at index ${i} has a value of ` +
        `${text.charCodeAt(i)} which is greater than 255.`);
    }
  }
  return text;
}

function checkName(name, where) {
  if (!TOKEN.test(name)) throw new TypeError(`${where}: "${name}" is an invalid header name.`);
}

function checkValue(value, where) {
  if (NOT_IN_VALUE.test(value)) throw new TypeError(`${where}: "${value}" is an invalid header value.`);
}

/**
 * What is behind Headers: names in small characters, each with its own spelling and its values in
 * one; cookies one by one.
 */
class HeadersList {
  entries = new Map();
  cookies = [];

  append(name, value) {
    const key = name.toLowerCase();
    if (key === 'set-cookie') this.cookies.push(value);
    const known = this.entries.get(key);
    if (known === undefined) this.entries.set(key, { name, value });
    else known.value = `${known.value}${key === 'cookie' ? '; ' : ', '}${value}`;
  }

  set(name, value) {
    const key = name.toLowerCase();
    if (key === 'set-cookie') this.cookies = [value];
    const known = this.entries.get(key);
    if (known === undefined) this.entries.set(key, { name, value });
    else known.value = value;
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

  /** Names and values by turns, as they are sent. */
  flat() {
    const flat = [];
    for (const [key, { value }] of this.entries) {
      if (key === 'set-cookie') this.cookies.forEach((cookie) => flat.push(key, cookie));
      else flat.push(key, value);
    }
    return flat;
  }

  sorted() {
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

const inner = {};

class Headers {
  #list = new HeadersList();
  #isFixed = false;

  constructor(init = undefined) {
    if (init === undefined) return;
    inner.fill(this, init);
  }

  static #of(headers) {
    if (!isObject(headers) || !(#list in headers)) throw illegal(new ERR_INVALID_THIS('Headers'));
    return headers;
  }

  #checkOpen() {
    if (this.#isFixed) throw new TypeError('immutable');
  }

  append(name, value) {
    const headers = Headers.#of(this);
    checkArguments(arguments, 2, 'Headers.append');
    name = byteString(name);
    value = byteString(value).replace(AROUND, '');
    checkName(name, 'Headers.append');
    checkValue(value, 'Headers.append');
    headers.#checkOpen();
    headers.#list.append(name, value);
  }

  delete(name) {
    const headers = Headers.#of(this);
    checkArguments(arguments, 1, 'Headers.delete');
    name = byteString(name);
    checkName(name, 'Headers.delete');
    headers.#checkOpen();
    headers.#list.delete(name);
  }

  get(name) {
    const headers = Headers.#of(this);
    checkArguments(arguments, 1, 'Headers.get');
    name = byteString(name);
    checkName(name, 'Headers.get');
    return headers.#list.get(name);
  }

  has(name) {
    const headers = Headers.#of(this);
    checkArguments(arguments, 1, 'Headers.has');
    name = byteString(name);
    checkName(name, 'Headers.has');
    return headers.#list.has(name);
  }

  set(name, value) {
    const headers = Headers.#of(this);
    checkArguments(arguments, 2, 'Headers.set');
    name = byteString(name);
    value = byteString(value).replace(AROUND, '');
    checkName(name, 'Headers.set');
    checkValue(value, 'Headers.set');
    headers.#checkOpen();
    headers.#list.set(name, value);
  }

  getSetCookie() {
    return [...Headers.#of(this).#list.cookies];
  }

  static {
    inner.listOf = (headers) => Headers.#of(headers).#list;
    inner.is = (value) => isObject(value) && #list in value;
    /** Headers over a list that is somebody else's. */
    inner.over = (list, isFixed) => {
      const headers = new Headers();
      headers.#list = list;
      headers.#isFixed = isFixed;
      return headers;
    };
    inner.fill = (headers, init) => {
      for (const [name, value] of pairsOf(init)) headers.append(name, value);
    };
  }
}

function pairsOf(init) {
  if (!isObject(init) && typeof init !== 'function') {
    throw new TypeError('Headers constructor: Argument 1 could not be converted to one of: sequence<sequence<ByteString>>, ' +
      'record<ByteString, ByteString>.');
  }
  if (init[Symbol.iterator] === undefined || init[Symbol.iterator] === null) {
    return Reflect.ownKeys(init).filter((key) => Object.getOwnPropertyDescriptor(init, key)?.enumerable)
      .map((key) => [byteString(typeof key === 'symbol' ? refuseSymbol() : key), byteString(init[key])]);
  }
  const list = [];
  for (const pair of init) {
    if (!isObject(pair) || typeof pair[Symbol.iterator] !== 'function') {
      throw new TypeError('Headers constructor: expected name/value pair to be an iterable object.');
    }
    const found = [...pair];
    if (found.length !== 2) {
      throw new TypeError(`Headers constructor: expected name/value pair to be length 2, found ${found.length}.`);
    }
    list.push(found);
  }
  return list;
}

function refuseSymbol() {
  throw new TypeError('Cannot convert a Symbol value to a string');
}

defineIterators(Headers, (headers) => inner.listOf(headers).sorted());
finishClass(Headers);
showMembers(Headers, (headers) => {
  const shown = {};
  for (const [, { name }] of inner.listOf(headers).entries) shown[name] = inner.listOf(headers).get(name);
  return shown;
});

forbidCloning(Headers, 'has');

module.exports = { Headers, HeadersList, fillHeaders: inner.fill, headersOver: inner.over, isHeaders: inner.is, listOf: inner.listOf };
