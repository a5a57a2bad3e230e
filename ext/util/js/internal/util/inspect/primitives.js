// Format of primitive values. In: a value and a stylize function. Out: a string as in Node: quotes
// chosen by the content, control characters and lone surrogates escaped, -0 distinguished from 0,
// numeric separators if requested.
'use strict';

// Characters to escape: control characters, the quote, the backslash, lone surrogates. Pairs of
// surrogates match too, and are not escaped. Without lookahead and lookbehind: the engine does not
// JIT-compile expressions that have them.
const ESCAPED_ALL = /[\u0000-\u001f'\\\u007f-\u009f]|[\ud800-\udbff][\udc00-\udfff]|[\ud800-\udfff]/g;
const ESCAPED_UNQUOTED_ALL = new RegExp(ESCAPED_ALL.source.replace("'", ''), 'g');
/** Fast path: a string without these needs no escapes. */
const MAY_NEED_ESCAPE = /[\u0000-\u001f'\\\u007f-\u009f\ud800-\udfff]/;
const SHORT = { '\b': '\\b', '\t': '\\t', '\n': '\\n', '\f': '\\f', '\r': '\\r', "'": "\\'", '\\': '\\\\' };
/** Shorter strings are never broken into lines. */
const LINE_MIN = 16;

function escape(char) {
  const short = SHORT[char];
  if (short !== undefined) return short;
  if (char.length > 1) return char;
  const code = char.charCodeAt(0);
  if (code < 256) return `\\x${code.toString(16).toUpperCase().padStart(2, '0')}`;
  return `\\u${code.toString(16)}`;
}

/** Quotes a string, with the quotes that need no escapes if possible. */
function quote(text) {
  if (!MAY_NEED_ESCAPE.test(text)) return `'${text}'`;
  let quotes = "'";
  if (text.includes("'")) {
    if (!text.includes('"')) quotes = '"';
    else if (!text.includes('`') && !text.includes('${')) quotes = '`';
  }
  return `${quotes}${text.replace(quotes === "'" ? ESCAPED_ALL : ESCAPED_UNQUOTED_ALL, escape)}${quotes}`;
}

function formatPrimitive(stylize, value, ctx) {
  switch (typeof value) {
    case 'string': return formatString(stylize, value, ctx);
    case 'number': return formatNumber(stylize, value, ctx.numericSeparator);
    case 'bigint': return formatBigInt(stylize, value, ctx.numericSeparator);
    case 'boolean': return stylize(`${value}`, 'boolean');
    case 'undefined': return stylize('undefined', 'undefined');
    default: return stylize(Symbol.prototype.toString.call(value), 'symbol');
  }
}

function formatString(stylize, value, ctx) {
  let rest = '';
  if (value.length > ctx.maxStringLength) {
    const left = value.length - ctx.maxStringLength;
    value = value.slice(0, ctx.maxStringLength);
    rest = `... ${left} more character${left > 1 ? 's' : ''}`;
  }
  if (ctx.compact !== true && value.length > LINE_MIN && value.length > ctx.breakLength - ctx.indentationLvl - 4) {
    const lines = value.split(/(?<=\n)/).map((line) => stylize(quote(line), 'string'));
    return lines.join(` +\n${' '.repeat(ctx.indentationLvl + 2)}`) + rest;
  }
  return stylize(quote(value), 'string') + rest;
}

function separate(digits) {
  return digits.replace(/\B(?=(\d{3})+$)/g, '_');
}

function formatNumber(stylize, number, separated) {
  if (!separated) return stylize(Object.is(number, -0) ? '-0' : `${number}`, 'number');
  const whole = Math.trunc(number);
  const text = String(whole);
  if (whole === number) {
    return stylize(!Number.isFinite(number) || text.includes('e') ? text : separate(text), 'number');
  }
  if (Number.isNaN(number)) return stylize(text, 'number');
  const all = String(number);
  if (all.includes('e')) return stylize(all, 'number');
  const point = all.indexOf('.');
  const start = separate(all.slice(0, point));
  return stylize(`${start}.${all.slice(point + 1).replace(/(\d{3})(?=\d)/g, '$1_')}`, 'number');
}

function formatBigInt(stylize, value, separated) {
  return stylize(`${separated ? separate(String(value)) : value}n`, 'bigint');
}

module.exports = { escape, formatBigInt, formatNumber, formatPrimitive, quote, ESCAPED_ALL };
