// `Bun.JSON5.stringify`. In: a value, the indentation. Out: JSON5, with names unquoted where they
// are identifiers. Objects with `toJSON` are asked, so that a Date is a string. Absent: the
// replacer; parsing (internal/data_formats).
'use strict';

const { indentOf } = require('internal/bun/yaml');

const IDENTIFIER = /^[$_\p{ID_Start}][$\u200c\u200d\p{ID_Continue}]*$/u;
const ESCAPES = { __proto__: null, '\0': '\\0', '\b': '\\b', '\t': '\\t', '\n': '\\n', '\v': '\\v', '\f': '\\f', '\r': '\\r', "'": "\\'", '\\': '\\\\' };
const ESCAPED = /[\0-\x1f'\\\x7f\u2028\u2029]/g;

function stringify(value, replacer, space) {
  if (replacer !== undefined && replacer !== null) throw new Error('JSON5.stringify does not support the replacer argument');
  return new Writer(indentOf(space)).write(value, '', '');
}

function quote(text) {
  return `'${text.replace(ESCAPED, escape)}'`;
}

function escape(character) {
  const code = character.charCodeAt(0);
  const hex = code.toString(16);
  return ESCAPES[character] ?? (code > 0xff ? `\\u${hex}` : `\\x${hex.padStart(2, '0')}`);
}

class Writer {
  #indent;
  /** The objects around the current one. */
  #open = new Set();

  constructor(indent) { this.#indent = indent; }

  /** undefined: the value is left out. `margin`: the indentation of its line. */
  write(input, key, margin) {
    const value = plain(input, key);
    switch (typeof value) {
      case 'string': return quote(value);
      case 'number': return Object.is(value, -0) ? '0' : `${value}`;
      case 'boolean': return `${value}`;
      case 'bigint': throw new Error('JSON5.stringify cannot serialize BigInt');
      case 'object': return value === null ? 'null' : this.#object(value, margin);
      default: return undefined;
    }
  }

  #object(value, margin) {
    if (this.#open.has(value)) throw new Error('Converting circular structure to JSON5');
    this.#open.add(value);
    const inner = margin + this.#indent;
    const isArray = Array.isArray(value);
    const members = isArray ? this.#items(value, inner) : this.#properties(value, inner);
    this.#open.delete(value);
    const [open, close] = isArray ? '[]' : '{}';
    if (members.length === 0) return open + close;
    if (this.#indent === '') return `${open}${members.join(',')}${close}`;
    return `${open}\n${members.map((member) => `${inner}${member},\n`).join('')}${margin}${close}`;
  }

  #items(value, margin) {
    return Array.from(value, (item, index) => this.write(item, `${index}`, margin) ?? 'null');
  }

  #properties(value, margin) {
    const separator = this.#indent === '' ? ':' : ': ';
    const members = [];
    for (const key of Object.keys(value)) {
      const text = this.write(value[key], key, margin);
      if (text !== undefined) members.push(`${IDENTIFIER.test(key) ? key : quote(key)}${separator}${text}`);
    }
    return members;
  }
}

/** What is written for a value: primitives of their objects, the result of `toJSON`. */
function plain(input, key) {
  const value = typeof input?.toJSON === 'function' ? input.toJSON(key) : input;
  return value instanceof Number || value instanceof String || value instanceof Boolean ? value.valueOf() : value;
}

module.exports = { stringify };
