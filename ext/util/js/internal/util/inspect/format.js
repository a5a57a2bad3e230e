// `util.format`: strings with placeholders. In: a format string, values. Out: a string; values
// without a placeholder are appended, separated by spaces. Placeholders as in Node: %s %d %i %f %j
// %o %O %c %%.
'use strict';

const types = require('internal/util/types');
const { inspect, inspectDefaultOptions, stylizeNoColor } = require('internal/util/inspect');
const { builtins } = require('internal/util/inspect/names');
const { formatBigInt, formatNumber } = require('internal/util/inspect/primitives');

function format(...args) {
  return formatAll(undefined, args);
}

function formatWithOptions(options, ...args) {
  const { kValidateObjectAllowObjects, validateObject } = require('internal/validators');
  validateObject(options, 'inspectOptions', kValidateObjectAllowObjects);
  return formatAll(options, args);
}

function formatAll(options, args) {
  const first = args[0];
  let text = '';
  let next = 0;
  let gap = '';
  if (typeof first === 'string') {
    if (args.length === 1) return first;
    let written = 0;
    for (let i = first.indexOf('%'); i !== -1 && i < first.length - 1; i = first.indexOf('%', i)) {
      i++;
      const placeholder = first[i];
      if (placeholder === '%') {
        text += first.slice(written, i);
        written = i + 1;
      } else if (next + 1 !== args.length) {
        const part = formatPlaceholder(placeholder, args[next + 1], options);
        if (part === undefined) continue;
        next++;
        text += first.slice(written, i - 1) + part;
        written = i + 1;
      } else {
        continue;
      }
      i++;
    }
    if (written !== 0) {
      next++;
      gap = ' ';
      text += first.slice(written);
    }
  }
  for (; next < args.length; next++) {
    const value = args[next];
    text += gap + (typeof value === 'string' ? value : inspect(value, options));
    gap = ' ';
  }
  return text;
}

/** The value's string for the character after `%`; undefined where that is no placeholder. */
function formatPlaceholder(placeholder, value, options) {
  switch (placeholder) {
    case 's': return formatAsString(value, options);
    case 'j': return stringify(value);
    case 'd': return formatAsNumber(value, Number, options);
    case 'O': return inspect(value, options);
    case 'o': return inspect(value, { ...options, showHidden: true, showProxy: true, depth: 4 });
    case 'i': return formatAsNumber(value, parseInt, options);
    case 'f': return typeof value === 'symbol' ? 'NaN' : formatNumber(stylizeNoColor, parseFloat(value), isSeparated(options));
    case 'c': return '';
    default: return undefined;
  }
}

function isSeparated(options) {
  return options?.numericSeparator ?? inspectDefaultOptions.numericSeparator;
}

function formatAsNumber(value, convert, options) {
  if (typeof value === 'bigint') return formatBigInt(stylizeNoColor, value, isSeparated(options));
  return typeof value === 'symbol' ? 'NaN' : formatNumber(stylizeNoColor, convert(value), isSeparated(options));
}

function formatAsString(value, options) {
  if (typeof value === 'number' || typeof value === 'bigint') return formatAsNumber(value, Number, options);
  if (typeof value !== 'object' || value === null || !hasBuiltInToString(value)) return String(value);
  return inspect(value, { ...options, depth: 0, colors: false, compact: 3 });
}

/** Whether `String(value)` uses a builtin method, and none of the program's. */
function hasBuiltInToString(value) {
  const proxy = types.proxyDetails(value);
  if (proxy !== undefined) return proxy[0] === null || hasBuiltInToString(proxy[0]);
  if (typeof value[Symbol.toPrimitive] === 'function' && !Object.hasOwn(Date.prototype, Symbol.toPrimitive)) return false;
  if (typeof value[Symbol.toPrimitive] === 'function' && value[Symbol.toPrimitive] !== Date.prototype[Symbol.toPrimitive]) return false;
  if (typeof value.toString !== 'function') return true;
  if (Object.hasOwn(value, 'toString')) return false;
  let owner = value;
  do {
    owner = Object.getPrototypeOf(owner);
  } while (!Object.hasOwn(owner, 'toString'));
  const constructor = Object.getOwnPropertyDescriptor(owner, 'constructor')?.value;
  return typeof constructor === 'function' && builtins.has(constructor.name);
}

function stringify(value) {
  try {
    return `${JSON.stringify(value)}`;
  } catch (error) {
    if (error instanceof TypeError && /cyclic|circular/.test(error.message)) return '[Circular]';
    throw error;
  }
}

module.exports = { format, formatWithOptions };
