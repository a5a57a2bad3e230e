// Layout of `util.inspect`'s output (Node's `reduceToSingleString`, `groupArrayElements`): one
// line, a line per entry, or columns. In: the formatted entries. Out: a string. Limits are Node's
// (lib/internal/util/inspect.js).
'use strict';

// Kinds of entries: properties, an item of an array, an array's items and properties.
const PLAIN = 0;
const ARRAY_ITEM = 1;
const ARRAY = 2;

/** Arrays with more items are grouped in columns. */
const COLUMNS_FROM = 6;
const COLUMNS_MAX = 15;
/** Approximate ratio of a character's height to its width. */
const CHARACTER_RATIO = 2.5;

function removeColors(text) {
  return text.replace(/\u001b\[\d\d?m/g, '');
}

function reduceToSingleString(ctx, output, base, braces, kind, depth, value) {
  const start = base === '' ? braces[0] : `${base} ${braces[0]}`;
  if (ctx.compact === true) return joinCompact(ctx, output, base, braces);
  if (typeof ctx.compact === 'number' && ctx.compact >= 1) {
    const count = output.length;
    if (kind === ARRAY && count > COLUMNS_FROM) output = groupArrayElements(ctx, output, value);
    if (ctx.currentDepth - depth < ctx.compact && count === output.length) {
      const used = output.length + ctx.indentationLvl + braces[0].length + base.length + 10;
      if (isBelowBreakLength(ctx, output, used, base)) {
        const line = output.join(', ');
        if (!line.includes('\n')) return `${start} ${line} ${braces[1]}`;
      }
    }
  }
  const indentation = `\n${' '.repeat(ctx.indentationLvl)}`;
  return `${start}${indentation}  ${concatenate(output, `,${indentation}  `)}${indentation}${braces[1]}`;
}

/** As `join`, without copying long strings: the engine makes ropes. */
function concatenate(parts, separator) {
  let text = '';
  for (let i = 0; i < parts.length; i++) text += i === 0 ? parts[i] : separator + parts[i];
  return text;
}

/** The form with `compact: true`: the first entry is on the line of the brace. */
function joinCompact(ctx, output, base, braces) {
  if (isBelowBreakLength(ctx, output, 0, base)) return `${braces[0]}${base === '' ? '' : ` ${base}`} ${output.join(', ')} ${braces[1]}`;
  const indentation = `\n${' '.repeat(ctx.indentationLvl)}`;
  const gap = base === '' && braces[0].length === 1 ? ' ' : `${base === '' ? '' : ` ${base}`}\n${indentation.slice(1)}  `;
  return `${braces[0]}${gap}${output.join(`,${indentation}  `)} ${braces[1]}`;
}

function isBelowBreakLength(ctx, output, start, base) {
  let total = output.length + start;
  if (total + output.length > ctx.breakLength) return false;
  for (const part of output) {
    total += ctx.colors ? removeColors(part).length : part.length;
    if (total > ctx.breakLength) return false;
  }
  return base === '' || !base.includes('\n');
}

/** Groups items in columns as wide as their longest item; unchanged where columns do not fit. */
function groupArrayElements(ctx, output, value) {
  let total = 0;
  let longest = 0;
  let count = output.length;
  // The last entry is the number of further items.
  if (ctx.maxArrayLength < output.length) count--;
  const gap = 2;
  const widths = new Array(count);
  const { getStringWidth } = require('internal/util/inspect/width');
  for (let i = 0; i < count; i++) {
    const width = getStringWidth(output[i], ctx.colors);
    widths[i] = width;
    total += width + gap;
    if (longest < width) longest = width;
  }
  const column = longest + gap;
  if (column * 3 + ctx.indentationLvl >= ctx.breakLength || (total / column <= 5 && longest > 6)) return output;
  const bias = Math.sqrt(column - total / output.length);
  const biased = Math.max(column - 3 - bias, 1);
  const columns = Math.min(
    Math.round(Math.sqrt(CHARACTER_RATIO * biased * count) / biased),
    Math.floor((ctx.breakLength - ctx.indentationLvl) / column),
    ctx.compact * 4,
    COLUMNS_MAX,
  );
  if (columns <= 1) return output;
  return fillColumns({ output, value, widths, columns, count, gap });
}

function fillColumns({ output, value, widths, columns, count, gap }) {
  const columnWidths = [];
  for (let i = 0; i < columns; i++) {
    let widest = 0;
    for (let j = i; j < output.length; j += columns) if (widths[j] > widest) widest = widths[j];
    columnWidths.push(widest + gap);
  }
  const isNumeric = value === undefined || output.every((_, i) => typeof value[i] === 'number' || typeof value[i] === 'bigint');
  const rows = [];
  for (let i = 0; i < count; i += columns) {
    const end = Math.min(i + columns, count);
    let row = '';
    let j = i;
    for (; j < end - 1; j++) {
      const width = columnWidths[j - i] + output[j].length - widths[j];
      row += isNumeric ? `${output[j]}, `.padStart(width, ' ') : `${output[j]}, `.padEnd(width, ' ');
    }
    row += isNumeric ? output[j].padStart(columnWidths[j - i] + output[j].length - widths[j] - gap, ' ') : output[j];
    rows.push(row);
  }
  if (count < output.length) rows.push(output[count]);
  return rows;
}

/** Sorts properties; the items of an array are not sorted. */
function sort(output, sorted, kind, keyCount) {
  const compare = sorted === true ? undefined : sorted;
  if (kind === PLAIN) return output.sort(compare);
  if (keyCount <= 1) return output;
  const first = output.length - keyCount;
  return [...output.slice(0, first), ...output.slice(first).sort(compare)];
}

/** The output for an object whose nesting overflows the stack. */
function handleMaxCallStackSize(ctx, error, name, level) {
  // Little stack is left: no unnecessary calls.
  if (!Object.prototype.isPrototypeOf.call(RangeError.prototype, error) || !error.message.startsWith('Maximum call stack size exceeded')) throw error;
  ctx.seen.pop();
  ctx.indentationLvl = level;
  return ctx.stylize(`[${name}: Inspection interrupted prematurely. Maximum call stack size exceeded.]`, 'special');
}

module.exports = { ARRAY, ARRAY_ITEM, PLAIN, reduceToSingleString, removeColors, sort, handleMaxCallStackSize };
