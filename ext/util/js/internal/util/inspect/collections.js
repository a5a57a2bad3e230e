// Formats of collections: sparse arrays, typed arrays, Map, Set, their iterators. In: the view of
// inspect.js. Out: braces, and a list of strings, one per entry, at most `maxArrayLength`.
'use strict';

const types = require('internal/util/types');
const names = require('internal/util/inspect/names');
const { formatBigInt, formatNumber } = require('internal/util/inspect/primitives');
const shape = require('internal/util/inspect/shape');

/** The value is no collection. */
const NONE = Symbol('none');
const sizeOfMap = Object.getOwnPropertyDescriptor(Map.prototype, 'size').get;
const sizeOfSet = Object.getOwnPropertyDescriptor(Set.prototype, 'size').get;
const TypedArrayPrototype = Object.getPrototypeOf(Uint8Array.prototype);
const tagOfTypedArray = Object.getOwnPropertyDescriptor(TypedArrayPrototype, Symbol.toStringTag).get;

function choose(view, kind, formatting) {
  switch (kind) {
    case 'map': return chooseSized(view, 'Map', sizeOfMap, formatMap, formatting);
    case 'set': return chooseSized(view, 'Set', sizeOfSet, formatSet, formatting);
    case 'typedarray': return chooseTypedArray(view, formatting);
    case 'mapiterator': return chooseIterator(view, 'Map', formatting);
    case 'setiterator': return chooseIterator(view, 'Set', formatting);
    default: return NONE;
  }
}

function chooseSized(view, name, sizeOf, format, formatting) {
  const { value, constructor, tag, ctx } = view;
  const size = sizeOf.call(value);
  const prefix = names.prefix(constructor, tag, name, `(${size})`);
  view.keys = names.keysOf(value, ctx.showHidden);
  if (size === 0 && formatting.hasNoProperties(view)) return `${prefix}{}`;
  view.braces = [`${prefix}{`, '}'];
  view.contents = (_, depth) => format(view, depth, size, formatting);
  return undefined;
}

function chooseTypedArray(view, formatting) {
  const { value, constructor, tag, ctx } = view;
  view.keys = names.namedKeysOf(value, ctx.showHidden);
  const name = tagOfTypedArray.call(value);
  // Without a prototype, `length` has to be read by the class's getter.
  const items = constructor === null ? new globalThis[name](value) : value;
  const size = Object.getOwnPropertyDescriptor(TypedArrayPrototype, 'length').get.call(value);
  const fallback = constructor === null ? name : '';
  view.braces = [`${names.prefix(constructor, tag, fallback, `(${size})`)}[`, ']'];
  if (size === 0 && view.keys.length === 0 && !ctx.showHidden) return `${view.braces[0]}]`;
  view.kind = shape.ARRAY;
  view.contents = (_, depth) => formatTypedArray(view, items, size, depth, formatting);
  return undefined;
}

function chooseIterator(view, name, formatting) {
  const { value, tag, ctx } = view;
  view.keys = names.keysOf(value, ctx.showHidden);
  const label = `${name} Iterator`;
  view.braces = [`[${tag === label ? label : tag === '' ? label : `${tag}] [${label}`}] {`, '}'];
  view.contents = (_, depth) => formatIterator(view, depth, formatting);
  return undefined;
}

function limit(ctx, length) {
  return Math.min(Math.max(0, ctx.maxArrayLength), length);
}

function formatSet({ ctx, value }, depth, size, formatting) {
  const shown = limit(ctx, size);
  const output = [];
  ctx.indentationLvl += 2;
  for (const each of Set.prototype.values.call(value)) {
    if (output.length >= shown) break;
    output.push(formatting.formatValue(ctx, each, depth));
  }
  if (size > shown) output.push(formatting.remainingText(size - shown));
  ctx.indentationLvl -= 2;
  return output;
}

function formatMap({ ctx, value }, depth, size, formatting) {
  const shown = limit(ctx, size);
  const output = [];
  ctx.indentationLvl += 2;
  for (const [key, each] of Map.prototype.entries.call(value)) {
    if (output.length >= shown) break;
    output.push(`${formatting.formatValue(ctx, key, depth)} => ${formatting.formatValue(ctx, each, depth)}`);
  }
  if (size > shown) output.push(formatting.remainingText(size - shown));
  ctx.indentationLvl -= 2;
  return output;
}

const HIDDEN_OF_TYPED_ARRAYS = ['BYTES_PER_ELEMENT', 'length', 'byteLength', 'byteOffset', 'buffer'];

function formatTypedArray({ ctx, value }, items, size, depth, formatting) {
  const shown = limit(ctx, size);
  const output = new Array(shown);
  const format = items.length > 0 && typeof items[0] === 'number' ? formatNumber : formatBigInt;
  for (let i = 0; i < shown; i++) output[i] = format(ctx.stylize, items[i], ctx.numericSeparator);
  if (size > shown) output[shown] = formatting.remainingText(size - shown);
  if (ctx.showHidden) {
    ctx.indentationLvl += 2;
    for (const key of HIDDEN_OF_TYPED_ARRAYS) output.push(`${ctx.stylize(`[${key}]`, 'string')}: ${formatting.formatValue(ctx, value[key], depth, true)}`);
    ctx.indentationLvl -= 2;
  }
  return output;
}

function formatIterator(view, depth, formatting) {
  const { ctx } = view;
  const { entries, isKeyValue } = types.previewEntries(view.value);
  if (isKeyValue) view.braces[0] = view.braces[0].replace(/ Iterator\] {$/, ' Entries] {');
  const count = isKeyValue ? entries.length / 2 : entries.length;
  const shown = limit(ctx, count);
  const output = [];
  ctx.indentationLvl += 2;
  for (let i = 0; i < shown; i++) {
    if (!isKeyValue) {
      output.push(formatting.formatValue(ctx, entries[i], depth));
      continue;
    }
    const pair = [formatting.formatValue(ctx, entries[2 * i], depth), formatting.formatValue(ctx, entries[2 * i + 1], depth)];
    output.push(shape.reduceToSingleString(ctx, pair, '', ['[', ']'], shape.ARRAY, depth));
  }
  ctx.indentationLvl -= 2;
  if (count > shown) output.push(formatting.remainingText(count - shown));
  return output;
}

/** Formats a sparse array from its item `i` on; `output` has the items before. */
function formatSparse(ctx, value, depth, shown, output, i, formatting) {
  const keys = Object.keys(value);
  let index = i;
  for (; i < keys.length && output.length < shown; i++) {
    const key = keys[i];
    if (!names.isIndex(key)) break;
    if (`${index}` !== key) {
      output.push(emptyItems(ctx, key - index));
      index = Number(key);
      if (output.length === shown) break;
    }
    output.push(formatting.formatProperty(ctx, value, depth, key, shape.ARRAY_ITEM));
    index++;
  }
  const left = value.length - index;
  if (output.length !== shown) {
    if (left > 0) output.push(emptyItems(ctx, left));
  } else if (left > 0) {
    output.push(formatting.remainingText(left));
  }
  return output;
}

function emptyItems(ctx, count) {
  return ctx.stylize(`<${count} empty item${count > 1 ? 's' : ''}>`, 'undefined');
}

module.exports = { NONE, choose, formatSparse };
