// Values as bun shows them (`Bun.inspect`). In: any value, and how. Out: a text: objects a property
// a line, lists in lines of 80 columns. What says itself how it looks
// (`nodejs.util.inspect.custom`: URLs, blobs, events) looks as in Node, and so do errors, whose
// stacks are those of this program; bun adds an excerpt of the source. Absent: `console`, which
// prints as Node does.
'use strict';

const types = require('internal/util/types');
const { inspect: inspectAsNode } = require('internal/util/inspect');
const { namesOf, nameOfObject, nameOfFunction } = require('internal/bun/inspect_names');
const { Paper } = require('internal/bun/inspect_writer');

const kCustom = Symbol.for('nodejs.util.inspect.custom');
const DEPTH = 8;
/** Elements of a list that are shown. */
const ELEMENTS_MAX = 100;
/** Lists of more begin on a line of their own. */
const SHORT_LIST = 10;
const CLASSES = { __proto__: null, map: 'Map', set: 'Set', weakmap: 'WeakMap', weakset: 'WeakSet' };
const STATES = ['pending', 'resolved', 'rejected'];

class Printer {
  #paper;
  #depth;
  #isSorted;
  /** What is being shown around this. */
  #path = [];

  constructor({ depth = DEPTH, colors = false, sorted = false, compact = false }) {
    this.#depth = depth === null || depth < 0 ? Infinity : Number(depth);
    this.#paper = new Paper(Boolean(colors), Boolean(compact), Boolean(sorted));
    this.#isSorted = Boolean(sorted);
  }

  text(value) {
    this.#value(value);
    return this.#paper.text();
  }

  #value(value) {
    const paper = this.#paper;
    switch (typeof value) {
      case 'string': return paper.put(quoted(value), 'string');
      case 'number': return paper.put(Object.is(value, -0) ? '-0' : `${value}`, 'number');
      case 'bigint': return paper.put(`${value}n`, 'number');
      case 'boolean': return paper.put(`${value}`, 'number');
      case 'undefined': return paper.put('undefined', 'faint');
      case 'symbol': return paper.put(value.toString(), 'symbol');
      default: return value === null ? paper.put('null', 'number') : this.#object(value);
    }
  }

  #object(value) {
    if (types.isProxy(value)) value = types.proxyDetails(value)[0] ?? value;
    if (this.#path.includes(value)) return this.#paper.put('[Circular]', 'function');
    const custom = value[kCustom];
    if (typeof custom === 'function') return this.#custom(value, custom);
    if (typeof value === 'function') return this.#paper.put(nameOfFunction(value), 'function');
    this.#path.push(value);
    this.#kind(value, types.kind(value));
    return this.#path.pop();
  }

  #custom(value, custom) {
    const depth = this.#depth - this.#path.length;
    const options = { depth, colors: this.#paper.isColored, stylize: (text) => `${text}` };
    const shown = Reflect.apply(custom, value, [depth, options, inspect]);
    if (typeof shown === 'string') this.#paper.putText(shown);
    else if (shown !== value) this.#value(shown);
  }

  #kind(value, kind) {
    const paper = this.#paper;
    if (Array.isArray(value) || kind === 'arguments') return this.#list(value);
    switch (kind) {
      case 'date': return paper.put(Number.isNaN(Number(value)) ? 'Invalid Date' : value.toISOString(), 'symbol');
      case 'regexp': return paper.put(String(value), 'regexp');
      case 'error': return paper.putText(inspectAsNode(value, { colors: paper.isColored }));
      case 'number': case 'boolean': return paper.put(`[${kind === 'number' ? 'Number' : 'Boolean'}: ${value.valueOf()}]`, 'number');
      case 'string': return this.#value(String(value));
      case 'promise': return paper.put(`Promise { <${STATES[types.promiseDetails(value)?.[0] ?? 0]}> }`);
      case 'map': return this.#entries('Map', [...Map.prototype.entries.call(value)], true);
      case 'set': return this.#entries('Set', [...Set.prototype.values.call(value)], false);
      case 'weakmap': case 'weakset': return paper.put(`${CLASSES[kind]} {}`);
      case 'generator': return paper.put('{}');
      case 'typedarray': return this.#numbers(value, tagOf.call(value), value.length);
      case 'dataview': return this.#numbers(bytesOf(value.buffer, value.byteOffset, value.byteLength), 'DataView', value.byteLength);
      case 'buffer': return this.#numbers(bytesOf(value), Object.prototype.toString.call(value).slice(8, -1), value.byteLength);
      case 'mapiterator': return this.#iterator(value, 'MapIterator');
      case 'setiterator': return this.#iterator(value, 'SetIterator');
      default: return this.#plain(value);
    }
  }

  /** Whether what is to come lies too deep; then that there is something is all that is shown. */
  #isTooDeep(name) {
    if (this.#path.length - 1 <= this.#depth) return false;
    this.#paper.put(`[${name} ...]`, 'function');
    return true;
  }

  // --- lists

  #list(list) {
    const paper = this.#paper;
    if (list.length === 0) return paper.put('[]');
    if (this.#isTooDeep('Array')) return undefined;
    const isLong = list.length > SHORT_LIST || startsLine(list[0], 0 in list);
    const isOpen = isLong || paper.isFull();
    paper.open('[', isOpen);
    let hasBroken = isOpen;
    let isFirst = true;
    const next = () => {
      if (!isFirst) hasBroken = paper.comma() || hasBroken;
      isFirst = false;
    };
    this.#elements(list, next);
    for (const key of Object.keys(list)) {
      if (/^(?:0|[1-9]\d*)$/.test(key)) continue;
      next();
      paper.key(keyText(key));
      this.#value(list[key]);
    }
    return paper.close(']', hasBroken);
  }

  #elements(list, next) {
    const paper = this.#paper;
    let shown = 0;
    for (let index = 0; index < list.length;) {
      if (shown === ELEMENTS_MAX) {
        paper.comma(true);
        return paper.put(`... ${list.length - index} more items`, 'faint');
      }
      next();
      if (index in list) {
        this.#value(list[index++]);
        shown++;
        continue;
      }
      const begin = index;
      while (index < list.length && !(index in list)) index++;
      paper.put(index - begin === 1 ? 'empty item' : `${index - begin} x empty items`, 'faint');
    }
    return undefined;
  }

  #numbers(list, name, length) {
    const paper = this.#paper;
    const isBig = typeof list[0] === 'bigint';
    if (list.length === 0) return paper.put(`${name}(0) []`);
    paper.put(`${name}(${length}) [ `);
    for (let index = 0; index < list.length; index++) {
      if (index > 0) paper.put(', ');
      paper.putNumber(isBig ? `${list[index]}n` : `${list[index]}`);
    }
    return paper.put(' ]');
  }

  // --- what has a line for each part

  #entries(name, entries, isMap) {
    const paper = this.#paper;
    if (entries.length === 0) return paper.put(`${name} {}`);
    if (this.#isTooDeep(name)) return undefined;
    paper.open(`${name}(${entries.length}) {`, true);
    entries.forEach((entry, index) => {
      if (index > 0) paper.line();
      if (isMap) {
        this.#value(entry[0]);
        paper.colon();
      }
      this.#value(isMap ? entry[1] : entry);
      paper.end(index === entries.length - 1);
    });
    return paper.close('}', true);
  }

  #iterator(value, name) {
    const { entries, isKeyValue } = types.previewEntries(value);
    const paper = this.#paper;
    paper.open(`${name} { `, true);
    const items = isKeyValue ? entries.flatMap((key, index) => (index % 2 === 0 ? [[key, entries[index + 1]]] : [])) : entries;
    items.forEach((item, index) => {
      if (index > 0) paper.line();
      this.#value(item);
      paper.end(index === items.length - 1);
    });
    return paper.close('}', true);
  }

  #plain(value) {
    const paper = this.#paper;
    const name = nameOfObject(value);
    const head = name === '' ? '' : `${name} `;
    const properties = namesOf(value);
    if (this.#isTooDeep('Object')) return undefined;
    if (properties.length === 0) return paper.put(`${head}{}`);
    if (this.#isSorted) properties.sort(([one], [other]) => (String(one) < String(other) ? -1 : 1));
    paper.open(`${head}{`, true);
    properties.forEach(([key, own], index) => {
      if (index > 0) paper.line();
      paper.key(keyText(key));
      this.#property(own);
      paper.end(index === properties.length - 1);
    });
    return paper.close('}', true);
  }

  #property(own) {
    if (typeof own.value === 'string' && this.#paper.isColored) this.#paper.putText('\u001b[0m\u001b[32m');
    if ('value' in own) return this.#value(own.value);
    return this.#paper.put(own.set === undefined ? '[Getter]' : own.get === undefined ? '[Setter]' : '[Getter/Setter]', 'function');
  }
}

const tagOf = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag).get;
const bytesOf = (...parts) => new Uint8Array(...parts);

/** Whether a list that begins with it begins a line. */
function startsLine(value, isThere) {
  if (!isThere || value === null || (typeof value !== 'object' && typeof value !== 'function')) return false;
  const kind = types.kind(value);
  return kind !== 'regexp' && kind !== 'string' && kind !== 'number' && kind !== 'boolean';
}

function quoted(text) {
  return JSON.stringify(text).replace(/\\u[0-9a-f]{4}/g, (escape) => `\\u${escape.slice(2).toUpperCase()}`);
}

function keyText(key) {
  if (typeof key === 'symbol') return `[${key.toString()}]`;
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : quoted(key);
}

function inspect(value, options) {
  if (arguments.length === 0) return '';
  return new Printer(options ?? {}).text(value);
}

function table(data, properties, options) {
  if (data === null || typeof data !== 'object') return '';
  if (!Array.isArray(properties)) [properties, options] = [undefined, properties];
  const show = (value) => {
    if (typeof value === 'string') return value;
    return typeof value === 'function' ? '' : inspect(value, { colors: options?.colors, compact: true, depth: 1 });
  };
  return `${require('internal/console/table').render(data, properties, undefined, { index: ' ', iteration: ' ', show })}\n`;
}

inspect.custom = kCustom;
inspect.table = table;

module.exports = { inspect };
