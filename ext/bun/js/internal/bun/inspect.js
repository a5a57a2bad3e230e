// `Bun.inspect`: formats values as Bun does. In: a value, options. Out: a string with a line for
// each property, and lists in lines of 80 columns. Objects with `nodejs.util.inspect.custom` (URLs,
// Blobs, events) and errors are formatted as in Node. Absent: Bun's source excerpt in errors;
// `console`, which formats as Node does.
'use strict';

const types = require('internal/util/types');
const { inspect: inspectAsNode } = require('internal/util/inspect');
const { namesOf, nameOfObject, nameOfFunction } = require('internal/bun/inspect_names');
const { pairsOf } = require('internal/bun/inspect_pairs');
const { InspectWriter } = require('internal/bun/inspect_writer');

const kCustom = Symbol.for('nodejs.util.inspect.custom');
const DEPTH = 8;
/** Limit of shown elements. */
const ELEMENTS_MAX = 100;
/** Longer lists begin on a new line. */
const SHORT_LIST = 10;
const CLASSES = { __proto__: null, map: 'Map', set: 'Set', weakmap: 'WeakMap', weakset: 'WeakSet' };
const STATES = ['pending', 'resolved', 'rejected'];

class Printer {
  #writer;
  #depth;
  #isSorted;
  /** Enclosing objects, to detect cycles. */
  #path = [];

  constructor({ depth = DEPTH, colors = false, sorted = false, compact = false }) {
    this.#depth = depth === null || depth < 0 ? Infinity : Number(depth);
    this.#writer = new InspectWriter(Boolean(colors), Boolean(compact), Boolean(sorted));
    this.#isSorted = Boolean(sorted);
  }

  format(value) {
    this.#value(value);
    return this.#writer.output();
  }

  #value(value) {
    const writer = this.#writer;
    switch (typeof value) {
      case 'string': return writer.put(quoted(value), 'string');
      case 'number': return writer.put(Object.is(value, -0) ? '-0' : `${value}`, 'number');
      case 'bigint': return writer.put(`${value}n`, 'number');
      case 'boolean': return writer.put(`${value}`, 'number');
      case 'undefined': return writer.put('undefined', 'faint');
      case 'symbol': return writer.put(value.toString(), 'symbol');
      default: return value === null ? writer.put('null', 'number') : this.#object(value);
    }
  }

  #object(value) {
    if (types.isProxy(value)) value = types.proxyDetails(value)[0] ?? value;
    if (this.#path.includes(value)) return this.#writer.put('[Circular]', 'function');
    const custom = value[kCustom];
    if (typeof custom === 'function') {
      const pairs = pairsOf(value);
      return pairs === undefined ? this.#custom(value, custom) : this.#pairs(value, ...pairs);
    }
    if (typeof value === 'function') return this.#writer.put(nameOfFunction(value), 'function');
    this.#path.push(value);
    this.#kind(value, types.kind(value));
    return this.#path.pop();
  }

  #custom(value, custom) {
    const depth = this.#depth - this.#path.length;
    const options = { depth, colors: this.#writer.isColored, stylize: (string) => `${string}` };
    const result = Reflect.apply(custom, value, [depth, options, inspect]);
    if (typeof result === 'string') this.#writer.putRaw(result);
    else if (result !== value) this.#value(result);
  }

  #kind(value, kind) {
    const writer = this.#writer;
    if (Array.isArray(value) || kind === 'arguments') return this.#list(value);
    switch (kind) {
      case 'date': return writer.put(Number.isNaN(Number(value)) ? 'Invalid Date' : value.toISOString(), 'symbol');
      case 'regexp': return writer.put(String(value), 'regexp');
      case 'error': return writer.putRaw(inspectAsNode(value, { colors: writer.isColored }));
      case 'number': case 'boolean': return writer.put(`[${kind === 'number' ? 'Number' : 'Boolean'}: ${value.valueOf()}]`, 'number');
      case 'string': return this.#value(String(value));
      case 'promise': return writer.put(`Promise { <${STATES[types.promiseDetails(value)?.[0] ?? 0]}> }`);
      case 'map': return this.#entries('Map', [...Map.prototype.entries.call(value)], true);
      case 'set': return this.#entries('Set', [...Set.prototype.values.call(value)], false);
      case 'weakmap': case 'weakset': return writer.put(`${CLASSES[kind]} {}`);
      case 'generator': return writer.put('{}');
      case 'typedarray': return this.#numbers(value, tagOf.call(value), value.length);
      case 'dataview': return this.#numbers(bytesOf(value.buffer, value.byteOffset, value.byteLength), 'DataView', value.byteLength);
      case 'buffer': return this.#numbers(bytesOf(value), Object.prototype.toString.call(value).slice(8, -1), value.byteLength);
      case 'mapiterator': return this.#iterator(value, 'MapIterator');
      case 'setiterator': return this.#iterator(value, 'SetIterator');
      default: return this.#plain(value);
    }
  }

  /** Whether the depth limit is reached; then writes a placeholder. */
  #isTooDeep(name) {
    if (this.#path.length - 1 <= this.#depth) return false;
    this.#writer.put(`[${name} ...]`, 'function');
    return true;
  }

  // --- lists

  #list(list) {
    const writer = this.#writer;
    if (list.length === 0) return writer.put('[]');
    if (this.#isTooDeep('Array')) return undefined;
    const isLong = list.length > SHORT_LIST || startsLine(list[0], 0 in list);
    const isOpen = isLong || writer.isFull();
    writer.open('[', isOpen);
    let hasBroken = isOpen;
    let isFirst = true;
    const next = () => {
      if (!isFirst) hasBroken = writer.comma() || hasBroken;
      isFirst = false;
    };
    this.#elements(list, next);
    for (const key of Object.keys(list)) {
      if (/^(?:0|[1-9]\d*)$/.test(key)) continue;
      next();
      writer.key(formatKey(key));
      this.#value(list[key]);
    }
    return writer.close(']', hasBroken);
  }

  #elements(list, next) {
    const writer = this.#writer;
    let count = 0;
    for (let index = 0; index < list.length;) {
      if (count === ELEMENTS_MAX) {
        writer.comma(true);
        return writer.put(`... ${list.length - index} more items`, 'faint');
      }
      next();
      if (index in list) {
        this.#value(list[index++]);
        count++;
        continue;
      }
      const begin = index;
      while (index < list.length && !(index in list)) index++;
      writer.put(index - begin === 1 ? 'empty item' : `${index - begin} x empty items`, 'faint');
    }
    return undefined;
  }

  #numbers(list, name, length) {
    const writer = this.#writer;
    const isBig = typeof list[0] === 'bigint';
    if (list.length === 0) return writer.put(`${name}(0) []`);
    writer.put(`${name}(${length}) [ `);
    for (let index = 0; index < list.length; index++) {
      if (index > 0) writer.put(', ');
      writer.putNumber(isBig ? `${list[index]}n` : `${list[index]}`);
    }
    return writer.put(' ]');
  }

  // --- objects with a line for each part

  #entries(name, entries, isMap) {
    const writer = this.#writer;
    if (entries.length === 0) return writer.put(`${name} {}`);
    if (this.#isTooDeep(name)) return undefined;
    writer.open(`${name}(${entries.length}) {`, true);
    entries.forEach((entry, index) => {
      if (index > 0) writer.line();
      if (isMap) {
        this.#value(entry[0]);
        writer.colon();
      }
      this.#value(isMap ? entry[1] : entry);
      writer.end(index === entries.length - 1);
    });
    return writer.close('}', true);
  }

  #iterator(value, name) {
    const { entries, isKeyValue } = types.previewEntries(value);
    const writer = this.#writer;
    writer.open(`${name} { `, true);
    const items = isKeyValue ? entries.flatMap((key, index) => (index % 2 === 0 ? [[key, entries[index + 1]]] : [])) : entries;
    items.forEach((item, index) => {
      if (index > 0) writer.line();
      this.#value(item);
      writer.end(index === items.length - 1);
    });
    return writer.close('}', true);
  }

  #plain(value) {
    const writer = this.#writer;
    const name = nameOfObject(value);
    const head = name === '' ? '' : `${name} `;
    const properties = namesOf(value);
    if (this.#isTooDeep('Object')) return undefined;
    if (properties.length === 0) return writer.put(`${head}{}`);
    if (this.#isSorted) properties.sort(([one], [other]) => (String(one) < String(other) ? -1 : 1));
    writer.open(`${head}{`, true);
    properties.forEach(([key, descriptor], index) => {
      if (index > 0) writer.line();
      writer.key(formatKey(key));
      this.#property(descriptor);
      writer.end(index === properties.length - 1);
    });
    return writer.close('}', true);
  }

  /** Names are quoted, whatever they are. */
  #pairs(value, name, pairs) {
    const writer = this.#writer;
    if (pairs.length === 0) return writer.put(`${name} {}`);
    this.#path.push(value);
    writer.open(`${name} {`, true);
    pairs.forEach(([key, item], index) => {
      if (index > 0) writer.line();
      writer.key(quoted(key), true);
      this.#property({ value: item });
      writer.end(index === pairs.length - 1);
    });
    this.#path.pop();
    return writer.close('}', true);
  }

  #property(descriptor) {
    if (typeof descriptor.value === 'string' && this.#writer.isColored) this.#writer.putRaw('\u001b[0m\u001b[32m');
    if ('value' in descriptor) return this.#value(descriptor.value);
    return this.#writer.put(descriptor.set === undefined ? '[Getter]' : descriptor.get === undefined ? '[Setter]' : '[Getter/Setter]', 'function');
  }
}

const tagOf = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag).get;
const bytesOf = (...parts) => new Uint8Array(...parts);

/** Whether a list that begins with the value begins on a new line. */
function startsLine(value, isThere) {
  if (!isThere || value === null || (typeof value !== 'object' && typeof value !== 'function')) return false;
  const kind = types.kind(value);
  return kind !== 'regexp' && kind !== 'string' && kind !== 'number' && kind !== 'boolean';
}

function quoted(string) {
  return JSON.stringify(string).replace(/\\u[0-9a-f]{4}/g, (escape) => `\\u${escape.slice(2).toUpperCase()}`);
}

function formatKey(key) {
  if (typeof key === 'symbol') return `[${key.toString()}]`;
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : quoted(key);
}

function inspect(value, options) {
  if (arguments.length === 0) return '';
  return new Printer(options ?? {}).format(value);
}

function table(data, properties, options) {
  if (data === null || typeof data !== 'object') return '';
  if (!Array.isArray(properties)) [properties, options] = [undefined, properties];
  const show = (value) => {
    if (typeof value === 'string') return value;
    return typeof value === 'function' ? '' : inspect(value, { colors: options?.colors, compact: true, depth: 1 });
  };
  return `${require('internal/console/table').render(data, properties, undefined, { index: ' ', iteration: ' ', formatValue: show, isByAppearance: true })}\n`;
}

inspect.custom = kCustom;
inspect.table = table;

module.exports = { inspect };
