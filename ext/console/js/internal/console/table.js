// `console.table`. In: a list, an object, a Map, a Set or one of their iterators, and the wanted
// columns. Out: the table as a string: a row for each entry, a column for each property of any
// entry.
'use strict';

const types = require('internal/util/types');
const { inspect } = require('internal/util/inspect');
const { getStringWidth } = require('internal/util/inspect/width');

const INDEX = '(index)';
const ITERATION = '(iteration index)';
const KEY = 'Key';
const VALUES = 'Values';

function nodeFormat(options) {
  const formatValue = (value) => {
    const isLarge = value !== null && typeof value === 'object' && !Array.isArray(value) && Object.keys(value).length > 2;
    return inspect(value, { depth: isLarge ? -1 : 0, maxArrayLength: 3, breakLength: Infinity, ...options });
  };
  return { index: INDEX, iteration: ITERATION, formatValue };
}

/**
 * @param format how values are formatted, the heads of the first column, whether columns are in the
 *   order in which they appear; Node's by default
 */
function render(data, properties, options, format = nodeFormat(options)) {
  if (properties !== undefined) require('internal/validators').validateArray(properties, 'properties');
  const { formatValue } = format;
  const kind = types.kind(data);
  const entriesOfIterable = getEntries(data, kind);
  if (entriesOfIterable !== undefined) {
    const [entries, isKeyValue] = entriesOfIterable;
    const indexes = entries.map((_, i) => formatValue(i));
    if (isKeyValue) {
      const cells = [indexes, entries.map(([key]) => formatValue(key)), entries.map(([, value]) => formatValue(value))];
      return renderTable([format.iteration, KEY, VALUES], cells);
    }
    return renderTable([format.iteration, VALUES], [indexes, entries.map(formatValue)]);
  }
  return renderObject(data, properties, format);
}

/** Returns the entries of an iterable, and whether they are key-value pairs. */
function getEntries(data, kind) {
  switch (kind) {
    case 'map': return [[...Map.prototype.entries.call(data)], true];
    case 'set': return [[...Set.prototype.values.call(data)], false];
    case 'mapiterator':
    case 'setiterator': {
      const { entries, isKeyValue } = types.previewEntries(data);
      if (!isKeyValue || kind === 'setiterator') return [entries, false];
      return [entries.flatMap((key, i) => i % 2 === 0 ? [[key, entries[i + 1]]] : []), true];
    }
    default: return undefined;
  }
}

function renderObject(data, properties, { index, formatValue, isByAppearance = false }) {
  const rows = Object.keys(data);
  const columns = new Map();
  const primitives = [];
  let hasPrimitives = false;
  rows.forEach((row, i) => {
    const item = data[row];
    const isPrimitive = item === null || (typeof item !== 'function' && typeof item !== 'object');
    if (isPrimitive && properties === undefined) {
      hasPrimitives = true;
      primitives[i] = formatValue(item);
      return;
    }
    for (const key of properties ?? Object.keys(item)) {
      if (!columns.has(key)) columns.set(key, []);
      columns.get(key)[i] = !isPrimitive && Object.hasOwn(item, key) ? formatValue(item[key]) : '';
    }
  });
  const sorted = isByAppearance ? columns : inPropertyOrder(columns);
  const heads = [index, ...sorted.keys()];
  const cells = [rows, ...sorted.values()];
  if (hasPrimitives) {
    heads.push(VALUES);
    cells.push(primitives);
  }
  return renderTable(heads, cells);
}

/** Columns in the order of object properties: integer keys first. */
function inPropertyOrder(columns) {
  const object = { __proto__: null };
  for (const [key, cells] of columns) object[key] = cells;
  return new Map(Object.entries(object));
}

function renderTable(heads, columns) {
  const count = Math.max(...columns.map((column) => column.length));
  const rows = Array.from({ length: count }, (_, i) => columns.map((column) => column[i] === undefined ? '' : column[i]));
  const widths = heads.map((head, i) => Math.max(getStringWidth(head), ...rows.map((row) => getStringWidth(row[i]))) + 2);
  const line = (left, middle, right) => `${left}${widths.map((width) => '\u2500'.repeat(width)).join(middle)}${right}`;
  const row = (cells) => `\u2502${cells.map((cell, i) => ` ${cell}${' '.repeat(widths[i] - getStringWidth(cell) - 1)}`).join('\u2502')}\u2502`;
  return [
    line('\u250c', '\u252c', '\u2510'),
    row(heads),
    line('\u251c', '\u253c', '\u2524'),
    ...rows.map(row),
    line('\u2514', '\u2534', '\u2518'),
  ].join('\n');
}

module.exports = { render };
