// `Bun.YAML.stringify`. In: a value, and how far to indent. Out: YAML, in one line or with a line
// for each member; what stands in several places is written once, with an anchor, as bun names
// those. Absent: a function that replaces, reading (internal/text_formats).
'use strict';

const INDENT_MAX = 10;
/** What follows `- ` stands below itself. */
const BELOW_DASH = '  ';

function stringify(value, replacer, space) {
  if (replacer !== undefined && replacer !== null) throw new Error('YAML.stringify does not support the replacer argument');
  const root = new Reader().read(value);
  if (root === undefined) return undefined;
  name(root, 'root', new Map());
  const indent = indentOf(space);
  return indent === '' ? flow(root, new Set()) : new Block(indent).root(root);
}

function indentOf(space) {
  const given = space instanceof Number || space instanceof String ? space.valueOf() : space;
  if (typeof given === 'string') return given.slice(0, INDENT_MAX);
  return typeof given === 'number' && given >= 1 ? ' '.repeat(Math.min(given, INDENT_MAX)) : '';
}

// --- what is to be written

/** Makes nodes of values: each object is read once, however often it is met. */
class Reader {
  #nodes = new Map();

  /**
   * { text }, or { items } and { entries } with `uses`; undefined for what has no place in YAML.
   */
  read(given) {
    const value = given instanceof Number || given instanceof String || given instanceof Boolean ? given.valueOf() : given;
    switch (typeof value) {
      case 'undefined': case 'function': case 'symbol': return undefined;
      case 'bigint': throw new Error('YAML.stringify cannot serialize BigInt');
      case 'string': return { text: scalar(value) };
      case 'number': return { text: numeral(value) };
      case 'boolean': return { text: `${value}` };
    }
    if (value === null) return { text: 'null' };
    const known = this.#nodes.get(value);
    if (known !== undefined) {
      known.uses++;
      return known;
    }
    const node = { uses: 1, anchor: undefined, items: undefined, entries: undefined };
    this.#nodes.set(value, node);
    if (Array.isArray(value)) node.items = Array.from(value, (item) => this.read(item)).filter((item) => item !== undefined);
    else node.entries = Object.keys(value).map((key) => [key, this.read(value[key])]).filter(([, member]) => member !== undefined);
    return node;
  }
}

/** Gives nodes that are met again a name each, in the order in which they are written. */
function name(node, wanted, taken, isNumbered = false) {
  if (node.text !== undefined || node.anchor !== undefined || node.isVisited) return;
  node.isVisited = true;
  if (node.uses > 1) {
    const count = taken.get(wanted) ?? 0;
    taken.set(wanted, count + 1);
    node.anchor = isNumbered || count > 0 ? `${wanted}${count}` : wanted;
  }
  for (const item of node.items ?? []) name(item, 'item', taken, true);
  for (const [key, member] of node.entries ?? []) {
    if (/^[\w-]+$/.test(key)) name(member, key, taken);
    else name(member, 'value', taken, true);
  }
}

// --- how it is written

/** All in one line. */
function flow(node, written) {
  if (node.text !== undefined) return node.text;
  if (written.has(node)) return `*${node.anchor}`;
  written.add(node);
  const text = node.items !== undefined
    ? `[${node.items.map((item) => flow(item, written)).join(',')}]`
    : `{${node.entries.map(([key, member]) => `${scalar(key)}: ${flow(member, written)}`).join(',')}}`;
  return node.anchor === undefined ? text : `&${node.anchor} ${text}`;
}

/**
 * A line for each member, behind so many steps of the indent and, behind those, as many dashes as
 * lists around it have left room for.
 */
class Block {
  #indent;
  #written = new Set();

  constructor(indent) { this.#indent = indent; }

  root(node) {
    const text = this.#whole(node, 0, 0);
    return node.anchor === undefined ? text : `&${node.anchor}\n${text}`;
  }

  #line(steps, dashes) { return `\n${this.#indent.repeat(steps)}${BELOW_DASH.repeat(dashes)}`; }

  /** The first line without its beginning. */
  #whole(node, steps, dashes) {
    if (node.text !== undefined) return node.text;
    if (this.#written.has(node)) return `*${node.anchor}`;
    this.#written.add(node);
    const { items, entries } = node;
    if ((items ?? entries).length === 0) return emptyOf(node);
    const lines = items !== undefined
      ? items.map((item) => `- ${this.#anchored(item, steps, dashes + 1)}`)
      : entries.map(([key, member]) => `${scalar(key)}:${this.#member(member, steps + 1, dashes)}`);
    return lines.join(this.#line(steps, dashes));
  }

  #member(node, steps, dashes) {
    if (this.#isShort(node)) return ` ${this.#whole(node, steps, dashes)}`;
    return `${this.#line(steps, dashes)}${this.#anchored(node, steps, dashes)}`;
  }

  #isShort(node) { return node.text !== undefined || (node.anchor === undefined && (node.items ?? node.entries).length === 0); }

  #anchored(node, steps, dashes) {
    const isFirst = node.anchor !== undefined && !this.#written.has(node);
    return `${isFirst ? `&${node.anchor}${this.#line(steps, dashes)}` : ''}${this.#whole(node, steps, dashes)}`;
  }
}

const emptyOf = (node) => (node.items === undefined ? '{}' : '[]');

// --- scalars

function numeral(value) {
  if (Number.isNaN(value)) return '.nan';
  if (!Number.isFinite(value)) return value > 0 ? '.inf' : '-.inf';
  return Object.is(value, -0) ? '-0' : `${value}`;
}

/**
 * What would be something else without quotes: marks of YAML, words for values in any of its
 * versions, numbers and what is nearly one.
 */
const MARKED = /^(?:[-?:&*!|>%@<]|\.\.\.)|[#,[\]{}'"`]|: |:$|^ | $|^$|[\0-\x1F\x7F-\xA0\u2028\u2029\uFEFF]/;
const WORD = /^(?:~|null|Null|NULL|[yYnN]|(?:true|True|TRUE|false|False|FALSE|yes|Yes|YES|no|No|NO|on|On|ON|off|Off|OFF)|\.(?:nan|NaN|NAN)|[-+]?\.(?:inf|Inf|INF))$/;
const NUMBER = /^[-+]*(?:(?:\d+\.?\d*|\.\d*)(?:(?:e[-+]?|[-+]e?)[\d.]*[-+]?)?|0x[\da-f]+|0o\d+)$/i;

const ESCAPES = {
  '\0': '\\0', '\x07': '\\a', '\b': '\\b', '\t': '\\t', '\n': '\\n', '\v': '\\v', '\f': '\\f', '\r': '\\r', '\x1B': '\\e', '"': '\\"', '\\': '\\\\',
  '\x85': '\\N', '\xA0': '\\_', '\u2028': '\\L', '\u2029': '\\P',
};

function scalar(text) {
  if (!MARKED.test(text) && !WORD.test(text) && !NUMBER.test(text)) return text;
  // eslint-disable-next-line no-control-regex
  const escaped = text.replace(/[\0-\x1F\x7F-\xA0\u2028\u2029"\\]/g, (letter) => ESCAPES[letter] ?? `\\x${letter.charCodeAt(0).toString(16).padStart(2, '0')}`);
  return `"${escaped}"`;
}

module.exports = { stringify };
