// `Bun.YAML.stringify`. In: a value, the indentation. Out: YAML in flow style, or in block style
// where an indentation is set. An object that occurs several times is written once, with an anchor
// named as in Bun. Absent: the replacer; parsing (internal/data_formats).
'use strict';

const INDENT_MAX = 10;
/** Indentation of lines after `- `. */
const DASH_INDENT = '  ';

function stringify(value, replacer, space) {
  if (replacer !== undefined && replacer !== null) throw new Error('YAML.stringify does not support the replacer argument');
  const root = new NodeBuilder().build(value);
  if (root === undefined) return undefined;
  assignAnchors(root, 'root', new Map());
  const indent = indentOf(space);
  return indent === '' ? flow(root, new Set()) : new BlockWriter(indent).root(root);
}

function indentOf(space) {
  const value = space instanceof Number || space instanceof String ? space.valueOf() : space;
  if (typeof value === 'string') return value.slice(0, INDENT_MAX);
  return typeof value === 'number' && value >= 1 ? ' '.repeat(Math.min(value, INDENT_MAX)) : '';
}

// --- nodes

/** Builds nodes of values. An object that occurs several times has one node. */
class NodeBuilder {
  #nodes = new Map();

  /** { text }, or { items, entries, uses }; undefined for values that YAML cannot represent. */
  build(input) {
    const value = input instanceof Number || input instanceof String || input instanceof Boolean ? input.valueOf() : input;
    switch (typeof value) {
      case 'undefined': case 'function': case 'symbol': return undefined;
      case 'bigint': throw new Error('YAML.stringify cannot serialize BigInt');
      case 'string': return { text: scalar(value) };
      case 'number': return { text: formatNumber(value) };
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
    if (Array.isArray(value)) node.items = Array.from(value, (item) => this.build(item)).filter((item) => item !== undefined);
    else node.entries = Object.keys(value).map((key) => [key, this.build(value[key])]).filter(([, member]) => member !== undefined);
    return node;
  }
}

/** Assigns anchors to nodes with several uses, in the order of the output. */
function assignAnchors(node, name, counts, isNumbered = false) {
  if (node.text !== undefined || node.anchor !== undefined || node.isVisited) return;
  node.isVisited = true;
  if (node.uses > 1) {
    const count = counts.get(name) ?? 0;
    counts.set(name, count + 1);
    node.anchor = isNumbered || count > 0 ? `${name}${count}` : name;
  }
  for (const item of node.items ?? []) assignAnchors(item, 'item', counts, true);
  for (const [key, member] of node.entries ?? []) {
    if (/^[\w-]+$/.test(key)) assignAnchors(member, key, counts);
    else assignAnchors(member, 'value', counts, true);
  }
}

// --- output

/** Flow style: one line. */
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
 * Block style: a line for each member. A line is indented by the nesting of mappings (`steps`) and
 * of sequences (`dashes`).
 */
class BlockWriter {
  #indent;
  #written = new Set();

  constructor(indent) { this.#indent = indent; }

  root(node) {
    const text = this.#lines(node, 0, 0);
    return node.anchor === undefined ? text : `&${node.anchor}\n${text}`;
  }

  #line(steps, dashes) { return `\n${this.#indent.repeat(steps)}${DASH_INDENT.repeat(dashes)}`; }

  /** A node's lines; the first one without indentation. */
  #lines(node, steps, dashes) {
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
    if (this.#isShort(node)) return ` ${this.#lines(node, steps, dashes)}`;
    return `${this.#line(steps, dashes)}${this.#anchored(node, steps, dashes)}`;
  }

  #isShort(node) { return node.text !== undefined || (node.anchor === undefined && (node.items ?? node.entries).length === 0); }

  #anchored(node, steps, dashes) {
    const isFirst = node.anchor !== undefined && !this.#written.has(node);
    return `${isFirst ? `&${node.anchor}${this.#line(steps, dashes)}` : ''}${this.#lines(node, steps, dashes)}`;
  }
}

const emptyOf = (node) => (node.items === undefined ? '{}' : '[]');

// --- scalars

function formatNumber(value) {
  if (Number.isNaN(value)) return '.nan';
  if (!Number.isFinite(value)) return value > 0 ? '.inf' : '-.inf';
  return Object.is(value, -0) ? '-0' : `${value}`;
}

/**
 * Strings that need quotes: YAML indicators, keywords of any YAML version, numbers and what
 * resembles numbers.
 */
const INDICATOR = /^(?:[-?:&*!|>%@<]|\.\.\.)|[#,[\]{}'"`]|: |:$|^ | $|^$|[\0-\x1F\x7F-\xA0\u2028\u2029\uFEFF]/;
const KEYWORD = /^(?:~|null|Null|NULL|[yYnN]|(?:true|True|TRUE|false|False|FALSE|yes|Yes|YES|no|No|NO|on|On|ON|off|Off|OFF)|\.(?:nan|NaN|NAN)|[-+]?\.(?:inf|Inf|INF))$/;
const NUMBER = /^[-+]*(?:(?:\d+\.?\d*|\.\d*)(?:(?:e[-+]?|[-+]e?)[\d.]*[-+]?)?|0x[\da-f]+|0o\d+)$/i;

const ESCAPES = {
  '\0': '\\0', '\x07': '\\a', '\b': '\\b', '\t': '\\t', '\n': '\\n', '\v': '\\v', '\f': '\\f', '\r': '\\r', '\x1B': '\\e', '"': '\\"', '\\': '\\\\',
  '\x85': '\\N', '\xA0': '\\_', '\u2028': '\\L', '\u2029': '\\P',
};

function scalar(text) {
  if (!INDICATOR.test(text) && !KEYWORD.test(text) && !NUMBER.test(text)) return text;
  // eslint-disable-next-line no-control-regex
  const escaped = text.replace(/[\0-\x1F\x7F-\xA0\u2028\u2029"\\]/g, (character) => ESCAPES[character] ?? `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`);
  return `"${escaped}"`;
}

module.exports = { indentOf, stringify };
