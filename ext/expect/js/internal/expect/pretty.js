// Values as text for diffs and snapshots, a line for each member, in the form of jest's
// pretty-format: sorted keys, trailing commas, no `Object` and `Array` before plain ones. Functions
// are printed as in bun. In: a value, options. Out: a string. Absent: elements of React and of
// documents (pretty_elements.js), snapshots' own quirks (snapshot/dialects.js).
'use strict';

const types = require('internal/util/types');
const { isAsymmetric } = require('internal/expect/equals');

const DEPTH_MAX = 1000;
const tagOf = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag).get;
const isEnumerable = Object.prototype.propertyIsEnumerable;

/** How values are written that programs write differently. */
const BUN = {
  functionText(value) {
    const source = Function.prototype.toString.call(value);
    if (/^class\b/.test(source)) return value.name === '' ? '[class (anonymous)]' : `[class ${value.name}]`;
    const kind = /^\[object (\w+)\]$/.exec(Object.prototype.toString.call(value))?.[1] ?? 'Function';
    return value.name === '' ? `[${kind}]` : `[${kind}: ${value.name}]`;
  },
  mockText: (value) => BUN.functionText(value),
};

class Printer {
  #plugins;
  #dialect;
  #escapesStrings;
  #showsErrors;
  #path = [];

  /**
   * @param {{ plugins?: object[], dialect?: object, escapesStrings?: boolean, showsErrors?:
   *   boolean }} options `showsErrors`: errors are printed with their members
   */
  constructor({ plugins = [], dialect = BUN, escapesStrings = false, showsErrors = false } = {}) {
    this.#showsErrors = showsErrors;
    this.#plugins = plugins;
    this.#dialect = dialect;
    this.#escapesStrings = escapesStrings;
  }

  print(value, indent = '') {
    for (const plugin of this.#plugins) if (plugin.test(value)) return this.#byPlugin(plugin, value, indent);
    switch (typeof value) {
      case 'string': return this.#string(value, indent);
      case 'number': return Object.is(value, -0) ? '-0' : `${value}`;
      case 'bigint': return `${value}n`;
      case 'symbol': return this.#dialect.symbolText?.(value) ?? value.toString();
      case 'function': return this.#function(value, indent);
      case 'object': return value === null ? 'null' : this.#object(value, indent);
      default: return `${value}`;
    }
  }

  #string(value, indent) {
    const text = this.#escapesStrings ? value.replace(/["\\]/g, '\\$&') : value;
    return this.#dialect.string?.(text, indent) ?? `"${text}"`;
  }

  #function(value, indent) {
    if (isAsymmetric(value)) return this.#asymmetric(value, indent);
    return value._isMockFunction === true ? this.#dialect.mockText(value, this, indent) : this.#dialect.functionText(value);
  }

  /** A serializer of `expect.addSnapshotSerializer`, in either of its two forms. */
  #byPlugin(plugin, value, indent) {
    const printer = (other, config, itsIndent, depth, refs) => this.print(other, itsIndent ?? indent);
    const result = typeof plugin.serialize === 'function'
      ? plugin.serialize(value, CONFIG, indent, this.#path.length, this.#path, printer)
      : plugin.print(value, (other) => this.print(other, indent), (text) => indented(text, indent), { edgeSpacing: '\n', min: false, spacing: '\n' }, CONFIG.colors);
    if (typeof result !== 'string') {
      throw new TypeError(`pretty-format: Plugin must return type "string" but instead returned "${typeof result}".`);
    }
    return result;
  }

  #object(value, indent) {
    if (isAsymmetric(value)) return this.#asymmetric(value, indent);
    if (this.#path.includes(value)) return '[Circular]';
    if (this.#path.length > DEPTH_MAX) return '[Object]';
    if (this.#dialect.regexp !== undefined && types.kind(value) === 'regexp') return this.#dialect.regexp(value);
    const isShown = this.#showsErrors && types.kind(value) === 'error';
    const leaf = isShown ? undefined : this.#dialect.leafText?.(value) ?? leafText(value);
    if (leaf !== undefined) return leaf;
    this.#path.push(value);
    try {
      return this.#composite(value, indent);
    } finally {
      this.#path.pop();
    }
  }

  #composite(value, indent) {
    const slots = types.kind(value);
    const element = require('internal/expect/pretty_elements').print(value, indent, this);
    if (element !== undefined) return element;
    if (typeof value.toJSON === 'function' && slots !== 'map' && slots !== 'set' && this.#dialect.readsJson?.(slots) !== false) {
      // A cyclic `toJSON` ends here: the value is on the path.
      const json = value.toJSON();
      if (json !== value) return this.print(json, indent);
    }
    if (Array.isArray(value)) return this.#list(this.#dialect.listPrefix?.(value) ?? '', value, indent);
    switch (slots) {
      case 'typedarray': return this.#list(`${tagOf.call(value)} `, value, indent);
      case 'buffer': return this.#list('ArrayBuffer ', new Uint8Array(value), indent);
      case 'dataview': return this.#list('DataView ', new Uint8Array(value.buffer, value.byteOffset, value.byteLength), indent);
      case 'arguments': return this.#list('Arguments ', value, indent);
      case 'map': return this.#map(value, indent);
      case 'set': return this.#set(value, indent);
      case 'error': return this.#properties(nameOf(value, slots), membersOf(value), indent);
      default: return this.#properties(nameOf(value, slots), value, indent);
    }
  }

  #list(prefix, list, indent) {
    const inner = `${indent}  `;
    const lines = [];
    for (let index = 0; index < list.length; index++) {
      const isHole = this.#dialect.leavesHoles && !(index in list);
      lines.push(`${inner}${isHole ? '' : this.print(list[index], inner)},`);
    }
    return `${prefix}${this.#lines('[', lines, ']', indent)}`;
  }

  #map(map, indent) {
    const inner = `${indent}  `;
    const lines = [...map].map(([key, value]) => `${inner}${this.print(key, inner)} => ${this.print(value, inner)},`);
    const text = `Map ${this.#lines('{', lines, '}', indent)}`;
    return this.#dialect.collection?.(text, indent, lines.length) ?? text;
  }

  #set(set, indent) {
    const inner = `${indent}  `;
    const lines = [...set].map((value) => `${inner}${this.print(value, inner)},`);
    const text = `Set ${this.#lines('{', lines, '}', indent)}`;
    return this.#dialect.collection?.(text, indent, lines.length) ?? text;
  }

  #properties(name, value, indent) {
    const inner = `${indent}  `;
    const { keysOf = propertyKeys, label = labelOf, accessorText } = this.#dialect;
    const lines = keysOf(value).map((key) => {
      const text = accessorText?.(value, key) ?? this.print(read(value, key), inner);
      return `${inner}${label(key)}: ${text},`;
    });
    return `${name === '' ? '' : `${name} `}${this.#lines('{', lines, '}', indent)}`;
  }

  #lines(open, lines, close, indent) {
    return lines.length === 0 ? open + close : `${open}\n${lines.join('\n')}\n${indent}${close}`;
  }

  /** `Any<Number>`, `ObjectContaining {...}`, and matchers of the program. */
  #asymmetric(value, indent) {
    const name = typeof value.toAsymmetricMatcher === 'function' ? value.toAsymmetricMatcher() : `${value}`;
    if (!('sample' in value) || !/^(?:Array|Object|String)/.test(name) || typeof value.sample === 'undefined') return name;
    if (/^String/.test(name)) return `${name} ${this.print(value.sample, indent)}`;
    return `${name} ${this.#sample(value.sample, indent)}`;
  }

  #sample(sample, indent) {
    if (this.#path.includes(sample)) return '[Circular]';
    this.#path.push(sample);
    try {
      return Array.isArray(sample) ? this.#list('', sample, indent) : this.#properties('', sample, indent);
    } finally {
      this.#path.pop();
    }
  }
}

/** What serializers of programs read. */
const COLORS = Object.fromEntries(['comment', 'content', 'prop', 'tag', 'value'].map((name) => [name, { close: '', open: '' }]));
const CONFIG = {
  callToJSON: true, colors: COLORS, compareKeys: undefined, escapeRegex: false, escapeString: false, indent: '  ',
  maxDepth: Infinity, maxWidth: Infinity, min: false, plugins: [], printBasicPrototype: false, printFunctionName: true,
  spacingInner: '\n', spacingOuter: '\n',
};

const indented = (text, indent) => text.replace(/^/gm, `${indent}  `).trimStart();

/** Objects without members of their own; undefined: it has some. */
function leafText(value) {
  switch (types.kind(value)) {
    case 'date': return Number.isNaN(Number(value)) ? 'Date { NaN }' : Date.prototype.toISOString.call(value);
    case 'regexp': return RegExp.prototype.toString.call(value);
    case 'error': return `[${errorText(value)}]`;
    case 'weakmap': return 'WeakMap {}';
    case 'weakset': return 'WeakSet {}';
    case 'promise': return 'Promise {}';
    default: return undefined;
  }
}

/** What is compared of errors. */
function membersOf(error) {
  const { message } = error;
  const members = { __proto__: null, message };
  for (const key of ['cause', 'errors']) if (Object.hasOwn(error, key)) members[key] = read(error, key);
  for (const key of [...Object.keys(error), ...enumerableSymbols(error)]) members[key] = read(error, key);
  return members;
}

/** `Name: message`; a program's `toString` is not called. */
function errorText(error) {
  const { name, message } = error;
  return name === '' || name === undefined ? `${message}` : message === '' || message === undefined ? `${name}` : `${name}: ${message}`;
}

/** The class in front of members; '' for plain objects. */
function nameOf(value, slots) {
  if (slots === 'number' || slots === 'string' || slots === 'boolean' || slots === 'symbol' || slots === 'bigint') {
    const name = slots === 'bigint' ? 'BigInt' : slots[0].toUpperCase() + slots.slice(1);
    return classOf(value) || name;
  }
  const name = classOf(value);
  return name === 'Object' || typeof name !== 'string' ? '' : name;
}

function classOf({ constructor }) { return typeof constructor === 'function' ? constructor.name : ''; }

const enumerableSymbols = (value) => Object.getOwnPropertySymbols(value).filter((symbol) => isEnumerable.call(value, symbol));

function propertyKeys(value) {
  const keys = Object.keys(value).sort();
  const symbols = enumerableSymbols(value);
  return symbols.length === 0 ? keys : [...keys, ...symbols.sort((a, b) => (a.toString() < b.toString() ? -1 : 1))];
}

const labelOf = (key) => (typeof key === 'symbol' ? `[${key.toString()}]` : `"${key}"`);

/** A getter that throws does not end the message. */
function read(value, key) {
  try {
    return value[key];
  } catch (error) {
    return `[Getter threw ${error?.name ?? 'an exception'}]`;
  }
}

function pretty(value, options) { return new Printer(options).print(value); }

module.exports = { BUN, classOf, enumerableSymbols, errorText, labelOf, pretty };
