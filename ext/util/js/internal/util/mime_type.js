// `util.MIMEType`: MIME types of the WHATWG's MIME Sniffing standard. In: a string. Out: its type,
// subtype and parameters, which can be changed; the serialized string.
'use strict';

const { codes: { ERR_INVALID_MIME_SYNTAX } } = require('internal/errors');

const NOT_TOKEN = /[^!#$%&'*+\-.^_`|~A-Za-z0-9]/;
const NOT_QUOTED = /[^\t\u0020-~\u0080-\u00ff]/;
const LAST_SPACES = /[\r\n\t ]*$/;
const FIRST_TEXT = /[^\r\n\t ]|$/;

function lower(text) {
  return text.replace(/[A-Z]+/g, (match) => match.toLowerCase());
}

function trimEnd(text) {
  return text.slice(0, text.search(LAST_SPACES));
}

function checkToken(production, text) {
  const at = text.search(NOT_TOKEN);
  if (text.length === 0 || at !== -1) throw new ERR_INVALID_MIME_SYNTAX(production, text, at);
}

function parseTypeAndSubtype(text) {
  let position = text.search(FIRST_TEXT);
  const slash = text.indexOf('/', position);
  const type = slash === -1 ? text.slice(position) : text.slice(position, slash);
  const wrong = type.search(NOT_TOKEN);
  if (type === '' || wrong !== -1 || slash === -1) throw new ERR_INVALID_MIME_SYNTAX('type', text, wrong);
  position = slash + 1;
  const semicolon = text.indexOf(';', position);
  const subtype = trimEnd(semicolon === -1 ? text.slice(position) : text.slice(position, semicolon));
  const bad = subtype.search(NOT_TOKEN);
  if (subtype === '' || bad !== -1) throw new ERR_INVALID_MIME_SYNTAX('subtype', text, bad);
  return { type: lower(type), subtype: lower(subtype), rest: semicolon === -1 ? '' : text.slice(semicolon) };
}

/** A serialized value: in quotes unless it is a token. */
function encode(value) {
  if (value.length === 0) return '""';
  if (!NOT_TOKEN.test(value)) return value;
  return `"${value.replace(/["\\]/g, '\\$&')}"`;
}

class MIMEParams {
  #data = new Map();

  delete(name) {
    this.#data.delete(`${name}`);
  }
  get(name) {
    return this.#data.get(`${name}`) ?? null;
  }
  has(name) {
    return this.#data.has(`${name}`);
  }
  set(name, value) {
    name = `${name}`;
    value = `${value}`;
    checkToken('parameter name', name);
    const at = value.search(NOT_QUOTED);
    if (at !== -1) throw new ERR_INVALID_MIME_SYNTAX('parameter value', value, at);
    this.#data.set(name, value);
  }
  *entries() {
    yield* this.#data.entries();
  }
  *keys() {
    yield* this.#data.keys();
  }
  *values() {
    yield* this.#data.values();
  }
  toString() {
    return Array.from(this.#data, ([name, value]) => `${name}=${encode(value)}`).join(';');
  }

  /** Adds the parameters of a string; of equal names only the first. */
  static parse(params, text) {
    let position = 0;
    while (position < text.length) {
      position += text.slice(position).search(FIRST_TEXT);
      let end = position;
      while (end < text.length && text[end] !== ';' && text[end] !== '=') end++;
      const name = lower(text.slice(position, end));
      position = end;
      if (position < text.length && text[position] === ';') {
        position++;
        continue;
      }
      if (position >= text.length) break;
      const [value, after] = parseValue(text, position + 1);
      position = after;
      if (value === undefined) continue;
      if (name !== '' && !NOT_TOKEN.test(name) && !NOT_QUOTED.test(value) && !params.#data.has(name)) params.#data.set(name, value);
    }
    return params;
  }
}

/**
 * The value at `position`, undefined if it is empty and unquoted, and the position of the next
 * parameter.
 */
function parseValue(text, position) {
  if (text[position] === '"') {
    let value = '';
    for (position++; position < text.length && text[position] !== '"'; position++) {
      if (text[position] === '\\' && position + 1 < text.length) position++;
      value += text[position];
    }
    const next = text.indexOf(';', position);
    return [value, next === -1 ? text.length : next + 1];
  }
  const semicolon = text.indexOf(';', position);
  const value = trimEnd(semicolon === -1 ? text.slice(position) : text.slice(position, semicolon));
  return [value === '' ? undefined : value, semicolon === -1 ? text.length : semicolon + 1];
}

Object.defineProperties(MIMEParams.prototype, {
  [Symbol.iterator]: { __proto__: null, value: MIMEParams.prototype.entries, writable: true, configurable: true, enumerable: false },
  toJSON: { __proto__: null, value: MIMEParams.prototype.toString, writable: true, configurable: true, enumerable: false },
});
const parseInto = MIMEParams.parse;
delete MIMEParams.parse;

class MIMEType {
  #type;
  #subtype;
  #parameters;

  constructor(text) {
    text = `${text}`;
    const { type, subtype, rest } = parseTypeAndSubtype(text);
    this.#type = type;
    this.#subtype = subtype;
    this.#parameters = parseInto(new MIMEParams(), rest.slice(1));
  }
  get type() {
    return this.#type;
  }
  set type(value) {
    value = `${value}`;
    checkToken('type', value);
    this.#type = lower(value);
  }
  get subtype() {
    return this.#subtype;
  }
  set subtype(value) {
    value = `${value}`;
    checkToken('subtype', value);
    this.#subtype = lower(value);
  }
  get essence() {
    return `${this.#type}/${this.#subtype}`;
  }
  get params() {
    return this.#parameters;
  }
  toString() {
    const parameters = this.#parameters.toString();
    return parameters === '' ? this.essence : `${this.essence};${parameters}`;
  }
}

Object.defineProperty(MIMEType.prototype, 'toJSON', {
  __proto__: null, value: MIMEType.prototype.toString, writable: true, configurable: true, enumerable: false,
});

module.exports = { MIMEParams, MIMEType };
