// Formats of other builtin objects: dates, regular expressions, buffers, promises, weak
// collections, boxed primitives, module namespaces; and getters. In: the view of inspect.js. Out:
// base, braces, contents, or the complete string.
'use strict';

const types = require('internal/util/types');
const names = require('internal/util/inspect/names');
const { formatNumber, formatPrimitive } = require('internal/util/inspect/primitives');
const shape = require('internal/util/inspect/shape');

function choose(view, kind, formatting) {
  const { value, ctx } = view;
  view.keys = names.keysOf(value, ctx.showHidden);
  view.braces = ['{', '}'];
  switch (kind) {
    case 'arguments': return chooseArguments(view, formatting);
    case 'regexp': return chooseRegExp(view, formatting);
    case 'date': return chooseDate(view, formatting);
    case 'buffer': return chooseBuffer(view, formatting);
    case 'dataview': return chooseWith(view, 'DataView', () => formatView.bind(null, formatting));
    case 'promise': return chooseWith(view, 'Promise', () => formatPromise.bind(null, formatting));
    case 'weakset': return chooseWith(view, 'WeakSet', () => formatUnknown);
    case 'weakmap': return chooseWith(view, 'WeakMap', () => formatUnknown);
    case 'namespace': return chooseWith(view, 'Module', () => formatNamespace.bind(null, formatting));
    default: return BOXES[kind] === undefined ? choosePlain(view, formatting) : chooseBoxed(view, kind, formatting);
  }
}

/** Sets the prefix before the brace, and the contents. */
function chooseWith(view, name, contents) {
  view.braces[0] = `${names.prefix(view.constructor, view.tag, name)}{`;
  view.contents = contents();
  return undefined;
}

/**
 * Fields of a DataView, read by its prototype's getters, which throw if its buffer is detached.
 */
function formatView(formatting, { ctx, value }, depth) {
  const read = (name, fallback) => {
    try {
      return value[name];
    } catch {
      return fallback;
    }
  };
  const show = (name, fallback) =>
    `${ctx.stylize(`[${name}]`, 'string')}: ${formatField(ctx, read(name, fallback), depth, formatting)}`;
  return [show('byteLength', 0), show('byteOffset'), show('buffer')];
}

function formatField(ctx, value, depth, formatting) {
  ctx.indentationLvl += 2;
  const text = formatting.formatValue(ctx, value, depth);
  ctx.indentationLvl -= 2;
  return text;
}

/** Generators, and objects without the prototype of their kind. */
function choosePlain(view, formatting) {
  view.braces[0] = `${names.prefix(view.constructor, view.tag, 'Object')}{`;
  return formatting.hasNoProperties(view) ? `${view.braces[0]}}` : undefined;
}

function chooseArguments(view, formatting) {
  const name = view.constructor === 'Object' ? 'Arguments' : 'Object';
  view.braces[0] = name === 'Arguments' ? '[Arguments] {' : `${names.prefix(view.constructor, view.tag, name)}{`;
  return formatting.hasNoProperties(view) ? `${view.braces[0]}}` : undefined;
}

function chooseRegExp(view, formatting) {
  const { value, ctx, constructor, tag, depth } = view;
  view.base = RegExp.prototype.toString.call(constructor !== null ? value : new RegExp(value));
  const prefix = names.prefix(constructor, tag, 'RegExp');
  if (prefix !== 'RegExp ') view.base = `${prefix}${view.base}`;
  view.base = ctx.stylize(view.base, 'regexp');
  return formatting.hasNoProperties(view) || (depth > ctx.depth && ctx.depth !== null) ? view.base : undefined;
}

function chooseDate(view, formatting) {
  const { value, ctx, constructor, tag } = view;
  const isValid = !Number.isNaN(Date.prototype.getTime.call(value));
  view.base = (isValid ? Date.prototype.toISOString : Date.prototype.toString).call(value);
  const prefix = names.prefix(constructor, tag, 'Date');
  if (prefix !== 'Date ') view.base = `${prefix}${view.base}`;
  return formatting.hasNoProperties(view) ? ctx.stylize(view.base, 'date') : undefined;
}

function chooseBuffer(view, formatting) {
  const { value, ctx, constructor, tag, isInner } = view;
  const name = types.isSharedArrayBuffer(value) ? 'SharedArrayBuffer' : 'ArrayBuffer';
  const prefix = names.prefix(constructor, tag, name);
  if (isInner && formatting.hasNoProperties(view)) return `${prefix}{ [byteLength]: ${formatNumber(ctx.stylize, value.byteLength, false)} }`;
  view.braces[0] = `${prefix}{`;
  view.contents = (_, depth) => {
    const length = `${ctx.stylize('[byteLength]', 'string')}: ${formatting.formatValue(ctx, value.byteLength, depth)}`;
    return isInner ? [length] : [formatBytes(view), length];
  };
  return undefined;
}

function formatBytes({ ctx, value }) {
  let bytes;
  try {
    bytes = new Uint8Array(value);
  } catch {
    return ctx.stylize('(detached)', 'special');
  }
  const shown = Math.min(Math.max(0, ctx.maxArrayLength), bytes.length);
  let text = Array.from(bytes.subarray(0, shown), (byte) => byte.toString(16).padStart(2, '0')).join(' ');
  const left = bytes.length - shown;
  if (left > 0) text += ` ... ${left} more byte${left > 1 ? 's' : ''}`;
  return `${ctx.stylize('[Uint8Contents]', 'special')}: <${text}>`;
}

function formatPromise(formatting, { ctx, value }, depth) {
  const details = types.promiseDetails(value);
  if (details === undefined) return [ctx.stylize('<state unknown>', 'special')];
  const [state, result] = details;
  if (state === 0) return [ctx.stylize('<pending>', 'special')];
  ctx.indentationLvl += 2;
  const text = formatting.formatValue(ctx, result, depth);
  ctx.indentationLvl -= 2;
  return [state === 2 ? `${ctx.stylize('<rejected>', 'special')} ${text}` : text];
}

function formatUnknown({ ctx }) {
  return [ctx.stylize('<items unknown>', 'special')];
}

function formatNamespace(formatting, view, depth) {
  const { ctx, value, keys } = view;
  const output = keys.map((key) => {
    try {
      return formatting.formatProperty(ctx, value, depth, key, shape.PLAIN);
    } catch {
      // The binding is uninitialized.
      const text = formatting.formatProperty(ctx, { [key]: '' }, depth, key, shape.PLAIN);
      return text.slice(0, text.lastIndexOf(' ') + 1) + ctx.stylize('<uninitialized>', 'special');
    }
  });
  view.keys = [];
  keys.length = 0;
  return output;
}

const BOXES = {
  __proto__: null, number: ['Number', Number.prototype], string: ['String', String.prototype], boolean: ['Boolean', Boolean.prototype],
  bigint: ['BigInt', BigInt.prototype], symbol: ['Symbol', Symbol.prototype],
};

function chooseBoxed(view, kind, formatting) {
  const { value, ctx, constructor, tag } = view;
  const [type, prototype] = BOXES[kind];
  const primitive = prototype.valueOf.call(value);
  // The characters are own properties, too.
  if (kind === 'string') view.keys.splice(0, primitive.length);
  let base = `[${type}`;
  if (type !== constructor) base += constructor === null ? ' (null prototype)' : ` (${constructor})`;
  base += `: ${formatPrimitive(formatting.stylizeNoColor, primitive, ctx)}]`;
  if (tag !== '' && tag !== constructor) base += ` [${tag}]`;
  if (view.keys.length === 0 && ctx.stylize !== formatting.stylizeNoColor) base = ctx.stylize(base, kind);
  view.base = base;
  return formatting.hasNoProperties(view) ? base : undefined;
}

function formatGetter(ctx, descriptor, original, depth, formatting) {
  const label = descriptor.set !== undefined ? 'Getter/Setter' : 'Getter';
  const { getters } = ctx;
  const shouldCall = getters === true || (getters === 'get' && descriptor.set === undefined) || (getters === 'set' && descriptor.set !== undefined);
  const style = (text) => ctx.stylize(text, 'special');
  if (!shouldCall) return style(`[${label}]`);
  const level = ctx.indentationLvl;
  try {
    const value = Reflect.apply(descriptor.get, original, []);
    ctx.indentationLvl += 2;
    let text;
    if (value === null) text = `${style(`[${label}:`)} ${ctx.stylize('null', 'null')}${style(']')}`;
    else if (typeof value === 'object') text = `${style(`[${label}]`)} ${formatting.formatValue(ctx, value, depth)}`;
    else text = `${style(`[${label}:`)} ${formatPrimitive(ctx.stylize, value, ctx)}${style(']')}`;
    ctx.indentationLvl -= 2;
    return text;
  } catch (error) {
    ctx.indentationLvl = level + 2;
    const text = `${style(`[${label}:`)} <Inspection threw (${formatting.formatValue(ctx, error, depth)})>${style(']')}`;
    ctx.indentationLvl = level;
    return text;
  }
}

module.exports = { choose, formatGetter };
