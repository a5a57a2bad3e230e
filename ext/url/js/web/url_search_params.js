// `URLSearchParams`, as in the URL Standard. In: a query string, pairs, a record. Out: the list of
// parameters, and its serialization. The list of a `URL` notifies it of changes. Absent: `URL`.
'use strict';

const { forbidCloning } = require('internal/messaging/symbols');
const { codes } = require('internal/errors');
const { validateFunction } = require('internal/validators');
const { toUsv } = require('web/usv_string');

const kInspect = Symbol.for('nodejs.util.inspect.custom');
const IteratorPrototype = Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]()));
const utf8 = new (require('web/encoding').TextDecoder)('utf-8', { ignoreBOM: true });
// Access to private members for the functions and classes below.
const internals = {};

// `#list` has names and values alternately.
class URLSearchParams {
  #list = [];
  #url = undefined;
  #onChange = undefined;

  constructor(init = undefined) {
    if (init == null) return;
    if (typeof init !== 'object' && typeof init !== 'function') {
      const text = toUsv(init);
      this.#list = parse(text[0] === '?' ? text.slice(1) : text);
      return;
    }
    const method = init[Symbol.iterator];
    if (method === this[Symbol.iterator] && #list in init) {
      this.#list = init.#list.slice();
    } else if (method != null) {
      if (typeof method !== 'function') throw new codes.ERR_ARG_NOT_ITERABLE('Query pairs');
      this.#list = readPairs(init);
    } else {
      this.#list = readRecord(init);
    }
  }

  static #of(params) {
    if (typeof params !== 'object' || params === null || !(#list in params)) {
      throw new codes.ERR_INVALID_THIS('URLSearchParams');
    }
    return params;
  }

  static {
    internals.setUrl = (params, url, onChange) => {
      params.#url = url;
      params.#onChange = onChange;
    };
    internals.replaceList = (params, search) => { params.#list = parse(search.slice(1)); };
    internals.list = (params) => params.#list;
  }

  #notify() {
    if (this.#url !== undefined) this.#onChange(this.#url, render(this.#list));
  }

  [kInspect](depth, options) {
    URLSearchParams.#of(this);
    if (typeof depth === 'number' && depth < 0) return options.stylize('[Object]', 'special');
    const { inspect } = require('internal/util/inspect');
    const innerOptions = { ...options, depth: options.depth == null ? null : options.depth - 1 };
    const items = [];
    for (let i = 0; i < this.#list.length; i += 2) {
      items.push(`${inspect(this.#list[i], innerOptions)} => ${inspect(this.#list[i + 1], innerOptions)}`);
    }
    return formatList(`${this.constructor.name} `, items, options);
  }

  get size() { return URLSearchParams.#of(this).#list.length / 2; }

  append(name, value) {
    URLSearchParams.#of(this);
    if (arguments.length < 2) throw new codes.ERR_MISSING_ARGS('name', 'value');
    this.#list.push(toUsv(name), toUsv(value));
    this.#notify();
  }

  delete(name, value = undefined) {
    URLSearchParams.#of(this);
    if (arguments.length < 1) throw new codes.ERR_MISSING_ARGS('name');
    name = toUsv(name);
    if (value !== undefined) value = toUsv(value);
    const list = this.#list;
    this.#list = [];
    for (let i = 0; i < list.length; i += 2) {
      if (list[i] !== name || (value !== undefined && list[i + 1] !== value)) this.#list.push(list[i], list[i + 1]);
    }
    this.#notify();
  }

  get(name) {
    URLSearchParams.#of(this);
    if (arguments.length < 1) throw new codes.ERR_MISSING_ARGS('name');
    const at = this.#find(toUsv(name));
    return at < 0 ? null : this.#list[at + 1];
  }

  #find(name) {
    const list = this.#list;
    for (let i = 0; i < list.length; i += 2) {
      if (list[i] === name) return i;
    }
    return -1;
  }

  getAll(name) {
    URLSearchParams.#of(this);
    if (arguments.length < 1) throw new codes.ERR_MISSING_ARGS('name');
    name = toUsv(name);
    return this.#list.filter((_, i) => i % 2 === 1 && this.#list[i - 1] === name);
  }

  has(name, value = undefined) {
    URLSearchParams.#of(this);
    if (arguments.length < 1) throw new codes.ERR_MISSING_ARGS('name');
    name = toUsv(name);
    if (value !== undefined) value = toUsv(value);
    const list = this.#list;
    for (let i = 0; i < list.length; i += 2) {
      if (list[i] === name && (value === undefined || list[i + 1] === value)) return true;
    }
    return false;
  }

  set(name, value) {
    URLSearchParams.#of(this);
    if (arguments.length < 2) throw new codes.ERR_MISSING_ARGS('name', 'value');
    name = toUsv(name);
    value = toUsv(value);
    const at = this.#find(name);
    if (at < 0) {
      this.#list.push(name, value);
    } else {
      const list = this.#list;
      list[at + 1] = value;
      this.#list = list.slice(0, at + 2);
      for (let i = at + 2; i < list.length; i += 2) {
        if (list[i] !== name) this.#list.push(list[i], list[i + 1]);
      }
    }
    this.#notify();
  }

  sort() {
    URLSearchParams.#of(this);
    const pairs = [];
    for (let i = 0; i < this.#list.length; i += 2) pairs.push([this.#list[i], this.#list[i + 1]]);
    // By code units; stable.
    pairs.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
    this.#list = pairs.flat();
    this.#notify();
  }

  entries() { return iterate(URLSearchParams.#of(this), 'entries'); }

  forEach(callback, thisArg = undefined) {
    URLSearchParams.#of(this);
    validateFunction(callback, 'callback');
    for (let i = 0; i < this.#list.length; i += 2) {
      Reflect.apply(callback, thisArg, [this.#list[i + 1], this.#list[i], this]);
    }
  }

  keys() { return iterate(URLSearchParams.#of(this), 'keys'); }
  values() { return iterate(URLSearchParams.#of(this), 'values'); }
  toString() { return render(URLSearchParams.#of(this).#list); }
}

class ParamsIterator {
  #params;
  #kind;
  #at = 0;

  constructor(params, kind) {
    this.#params = params;
    this.#kind = kind;
  }

  next() {
    if (typeof this !== 'object' || this === null || !(#params in this)) {
      throw new codes.ERR_INVALID_THIS('URLSearchParamsIterator');
    }
    const list = internals.list(this.#params);
    const at = this.#at;
    if (at >= list.length) return { value: undefined, done: true };
    this.#at += 2;
    if (this.#kind === 'keys') return { value: list[at], done: false };
    return { value: this.#kind === 'values' ? list[at + 1] : [list[at], list[at + 1]], done: false };
  }

  [kInspect](depth, options) {
    if (!(#params in this)) throw new codes.ERR_INVALID_THIS('URLSearchParamsIterator');
    if (typeof depth === 'number' && depth < 0) return options.stylize('[Object]', 'special');
    const { inspect } = require('internal/util/inspect');
    const innerOptions = { ...options, depth: options.depth == null ? null : options.depth - 1 };
    const rest = [...{ __proto__: ParamsIterator.prototype, [Symbol.iterator]: () => this.#copy() }];
    if (rest.length === 0) return 'URLSearchParams Iterator {  }';
    const items = rest.map((value) => inspect(value, innerOptions));
    // Multi-line if an array of the same values is.
    return inspect(rest, innerOptions).includes('\n') ? `URLSearchParams Iterator {\n  ${items.join(',\n  ')} }` : `URLSearchParams Iterator { ${items.join(', ')} }`;
  }

  #copy() {
    const copy = new ParamsIterator(this.#params, this.#kind);
    copy.#at = this.#at;
    return copy;
  }
}

Object.setPrototypeOf(ParamsIterator.prototype, IteratorPrototype);
delete ParamsIterator.prototype.constructor;
Object.defineProperties(ParamsIterator.prototype, {
  next: { __proto__: null, enumerable: true },
  [Symbol.toStringTag]: { __proto__: null, configurable: true, value: 'URLSearchParams Iterator' },
});

function iterate(params, kind) {
  return new ParamsIterator(params, kind);
}

function formatList(name, items, options) {
  const length = items.reduce((sum, text) => sum + text.replace(/\u001b\[\d\d?m/g, '').length + 2, -2);
  if (length > options.breakLength) return `${name}{\n  ${items.join(',\n  ')} }`;
  return items.length === 0 ? `${name}{}` : `${name}{ ${items.join(', ')} }`;
}

function readPairs(pairs) {
  const list = [];
  for (const pair of pairs) {
    if (pair == null || (typeof pair !== 'object' && typeof pair !== 'function') ||
        typeof pair[Symbol.iterator] !== 'function') {
      throw new codes.ERR_INVALID_TUPLE('Each query pair', '[name, value]');
    }
    const both = Array.from(pair);
    if (both.length !== 2) throw new codes.ERR_INVALID_TUPLE('Each query pair', '[name, value]');
    list.push(toUsv(both[0]), toUsv(both[1]));
  }
  return list;
}

// Names that are equal after the conversion to USVString are one.
function readRecord(record) {
  const pairs = new Map();
  for (const key of Reflect.ownKeys(record)) {
    const property = Reflect.getOwnPropertyDescriptor(record, key);
    if (property === undefined || !property.enumerable) continue;
    if (typeof key === 'symbol') throw new TypeError('Cannot convert a Symbol value to a string');
    pairs.set(toUsv(key), toUsv(record[key]));
  }
  return [...pairs].flat();
}

// Uses `indexOf`: `split` takes five times as long.
function parse(text) {
  const list = [];
  // Checked once for the whole string instead of for each name and value.
  const isPlain = !text.includes('%') && !text.includes('+');
  // Offset of the next `=`, which may be in a later pair, so that no character is scanned twice.
  let equals = -1;
  for (let from = 0, end; from < text.length; from = end + 1) {
    end = text.indexOf('&', from);
    if (end < 0) end = text.length;
    if (end === from) continue;
    if (equals < from) equals = text.indexOf('=', from);
    if (equals < 0) equals = text.length;
    const at = Math.min(equals, end);
    const name = text.slice(from, at);
    const value = text.slice(at + 1, end);
    if (isPlain) list.push(name, value);
    else list.push(decode(name), decode(value));
  }
  return list;
}

function decode(text) {
  if (text.includes('+')) text = text.replaceAll('+', ' ');
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return decodeLoosely(text);
  }
}

// Invalid escapes stay, invalid UTF-8 becomes U+FFFD.
function decodeLoosely(text) {
  const { Buffer } = require('buffer');
  const bytes = Buffer.from(text);
  let written = 0;
  for (let i = 0; i < bytes.length; i++, written++) {
    const code = bytes[i] === 0x25 ? Number.parseInt(bytes.latin1Slice(i + 1, Math.min(i + 3, bytes.length)), 16) : NaN;
    const isEscape = bytes[i] === 0x25 && i + 2 < bytes.length && isHex(bytes[i + 1]) && isHex(bytes[i + 2]);
    bytes[written] = isEscape ? code : bytes[i];
    if (isEscape) i += 2;
  }
  return utf8.decode(bytes.subarray(0, written));
}

function isHex(code) {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 70) || (code >= 97 && code <= 102);
}

const PLAIN = /^[A-Za-z0-9*\-._]*$/;

function encode(text) {
  if (PLAIN.test(text)) return text;
  return encodeURIComponent(text).replace(/%20|[!'()~]/g, (match) =>
    (match === '%20' ? '+' : `%${match.charCodeAt(0).toString(16).toUpperCase()}`));
}

function render(list) {
  let text = '';
  for (let i = 0; i < list.length; i += 2) {
    text += `${i === 0 ? '' : '&'}${encode(list[i])}=${encode(list[i + 1])}`;
  }
  return text;
}

const METHODS = ['append', 'delete', 'get', 'getAll', 'has', 'set', 'sort', 'entries', 'forEach', 'keys', 'values', 'toString', 'size'];
for (const name of METHODS) Object.defineProperty(URLSearchParams.prototype, name, { __proto__: null, enumerable: true });
Object.defineProperties(URLSearchParams.prototype, {
  // Of bun.
  toJSON: { __proto__: null, configurable: true, writable: true, value: function toJSON() { return require('internal/url/pairs').toObject(this.entries()); } },
  [Symbol.toStringTag]: { __proto__: null, configurable: true, value: 'URLSearchParams' },
  [Symbol.iterator]: { __proto__: null, configurable: true, writable: true, value: URLSearchParams.prototype.entries },
});

forbidCloning(URLSearchParams, 'size');

module.exports = { URLSearchParams, setUrl: internals.setUrl, replaceList: internals.replaceList };
