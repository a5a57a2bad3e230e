// Tables on a console. In: a list, an object, a Map, a Set or one of their iterators, and which
// columns are wanted. Out: the table as text: a row for each entry, a column for each property of
// any.
'use strict';

const types = require('internal/util/types');
const { inspect } = require('internal/util/inspect');
const { getStringWidth } = require('internal/util/inspect/width');

const INDEX = '(index)';
const ITERATION = '(iteration index)';
const KEY = 'Key';
const VALUES = 'Values';

function asNode(options) {
  const show = (value) => {
    const isLarge = value !== null && typeof value === 'object' && !Array.isArray(value) && Object.keys(value).length > 2;
    return inspect(value, { depth: isLarge ? -1 : 0, maxArrayLength: 3, breakLength: Infinity, ...options });
  };
  return { index: INDEX, iteration: ITERATION, show };
}

/**
 * @param face how values look and what stands over the first column, where that is not Node's way
 */
function render(data, properties, options, face = asNode(options)) {
  if (properties !== undefined) require('internal/validators').validateArray(properties, 'properties');
  const { show } = face;
  const kind = types.kind(data);
  const iterated = iterate(data, kind);
  if (iterated !== undefined) {
    const [entries, isKeyValue] = iterated;
    const places = entries.map((_, i) => show(i));
    if (isKeyValue) return draw([face.iteration, KEY, VALUES], [places, entries.map(([key]) => show(key)), entries.map(([, value]) => show(value))]);
    return draw([face.iteration, VALUES], [places, entries.map(show)]);
  }
  return renderObject(data, properties, face);
}

/** The entries of what is iterated, and whether they are pairs. */
function iterate(data, kind) {
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

function renderObject(data, properties, { index, show }) {
  const rows = Object.keys(data);
  const columns = new Map();
  const primitives = [];
  let hasPrimitives = false;
  rows.forEach((row, i) => {
    const item = data[row];
    const isPrimitive = item === null || (typeof item !== 'function' && typeof item !== 'object');
    if (isPrimitive && properties === undefined) {
      hasPrimitives = true;
      primitives[i] = show(item);
      return;
    }
    for (const key of properties ?? Object.keys(item)) {
      if (!columns.has(key)) columns.set(key, []);
      columns.get(key)[i] = !isPrimitive && Object.hasOwn(item, key) ? show(item[key]) : '';
    }
  });
  const sorted = inOrder(columns);
  const heads = [index, ...sorted.keys()];
  const cells = [rows, ...sorted.values()];
  if (hasPrimitives) {
    heads.push(VALUES);
    cells.push(primitives);
  }
  return draw(heads, cells);
}

/** Columns in the order of an object's properties: whole numbers first. */
function inOrder(columns) {
  const object = { __proto__: null };
  for (const [key, cells] of columns) object[key] = cells;
  return new Map(Object.entries(object));
}

function draw(heads, columns) {
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
