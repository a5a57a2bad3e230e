// `util.inspect`: human-readable strings of values. In: any value, options. Out: a string,
// formatted as in Node. This file has the options, the entry point for each value, and the choice
// of an object's format; the formats of each kind are in inspect/. As in Node, the only code of the
// value that runs is custom inspection, `constructor` and Symbol.toStringTag.
'use strict';

const types = require('internal/util/types');
const externals = require('internal/util/externals');
const { formatPrimitive } = require('internal/util/inspect/primitives');
const names = require('internal/util/inspect/names');
const shape = require('internal/util/inspect/shape');
const collections = lazy(() => require('internal/util/inspect/collections'));
const errors = lazy(() => require('internal/util/inspect/errors'));
const objects = lazy(() => require('internal/util/inspect/objects'));
const width = lazy(() => require('internal/util/inspect/width'));

function lazy(load) {
  let loaded;
  return () => loaded ??= load();
}

const customInspectSymbol = Symbol.for('nodejs.util.inspect.custom');
const { PLAIN, ARRAY_ITEM, ARRAY } = shape;

const inspectDefaultOptions = Object.seal({
  showHidden: false,
  depth: 2,
  colors: false,
  customInspect: true,
  showProxy: false,
  maxArrayLength: 100,
  maxStringLength: 10000,
  breakLength: 80,
  compact: 3,
  sorted: false,
  getters: false,
  numericSeparator: false,
});

/** If the output at one level of indentation is longer (128 MiB), nested objects are left out. */
const BUDGET_MAX = 2 ** 27;

/** Context of primitives without options: the fast path. Inherits the default options. */
const plain = { __proto__: inspectDefaultOptions, indentationLvl: 0 };

function inspect(value, options) {
  const isPrimitive = typeof value !== 'object' && typeof value !== 'function';
  if (isPrimitive && options === undefined && arguments.length < 3 && !plain.colors && plain.maxStringLength !== null) return formatPrimitive(stylizeNoColor, value, plain);
  const ctx = {
    budget: {},
    indentationLvl: 0,
    seen: [],
    currentDepth: 0,
    stylize: stylizeNoColor,
    userOptions: undefined,
    circular: undefined,
    // One by one: the engine is slow at spreading a sealed object.
    showHidden: inspectDefaultOptions.showHidden,
    depth: inspectDefaultOptions.depth,
    colors: inspectDefaultOptions.colors,
    customInspect: inspectDefaultOptions.customInspect,
    showProxy: inspectDefaultOptions.showProxy,
    maxArrayLength: inspectDefaultOptions.maxArrayLength,
    maxStringLength: inspectDefaultOptions.maxStringLength,
    breakLength: inspectDefaultOptions.breakLength,
    compact: inspectDefaultOptions.compact,
    sorted: inspectDefaultOptions.sorted,
    getters: inspectDefaultOptions.getters,
    numericSeparator: inspectDefaultOptions.numericSeparator,
  };
  if (arguments.length > 1) {
    // Legacy arguments: showHidden, depth, colors.
    if (arguments.length > 2) {
      if (arguments[2] !== undefined) ctx.depth = arguments[2];
      if (arguments.length > 3 && arguments[3] !== undefined) ctx.colors = arguments[3];
    }
    if (typeof options === 'boolean') ctx.showHidden = options;
    else if (options) setOptions(ctx, options);
  }
  if (ctx.colors) ctx.stylize = stylizeWithColor;
  if (ctx.maxArrayLength === null) ctx.maxArrayLength = Infinity;
  if (ctx.maxStringLength === null) ctx.maxStringLength = Infinity;
  return formatValue(ctx, value, 0);
}

function setOptions(ctx, options) {
  for (const key of Object.keys(options)) {
    if (Object.hasOwn(inspectDefaultOptions, key) || key === 'stylize') ctx[key] = options[key];
    else if (ctx.userOptions === undefined) ctx.userOptions = options;
  }
}

inspect.custom = customInspectSymbol;

Object.defineProperty(inspect, 'defaultOptions', {
  __proto__: null,
  get() {
    return inspectDefaultOptions;
  },
  set(options) {
    require('internal/validators').validateObject(options, 'options');
    return Object.assign(inspectDefaultOptions, options);
  },
});

const table = lazy(() => require('internal/util/inspect/colors'));
for (const name of ['colors', 'styles']) {
  Object.defineProperty(inspect, name, {
    __proto__: null,
    get: () => table()[name],
    set(value) { Object.defineProperty(inspect, name, { __proto__: null, value, writable: true, enumerable: true, configurable: true }); },
    enumerable: true,
    configurable: true,
  });
}

function stylizeNoColor(text) {
  return text;
}

function stylizeWithColor(text, kind) {
  const style = inspect.styles[kind];
  if (style === undefined) return text;
  const color = inspect.colors[style];
  if (color !== undefined) return `\u001b[${color[0]}m${text}\u001b[${color[1]}m`;
  return typeof style === 'function' ? style(text) : text;
}

/**
 * Formats any value. `isInner`: omit the bytes of a buffer, which its typed array shows already.
 */
function formatValue(ctx, value, depth, isInner) {
  if (typeof value !== 'object' && typeof value !== 'function') return formatPrimitive(ctx.stylize, value, ctx);
  if (value === null) return ctx.stylize('null', 'null');
  const context = value;
  let kind = types.kindOfAny(value);
  const isProxied = kind === 'proxy';
  if (isProxied) {
    const proxy = types.proxyDetails(value);
    if (proxy[0] === null) return ctx.stylize('<Revoked Proxy>', 'special');
    if (ctx.showProxy) return formatProxy(ctx, proxy, depth);
    value = innermostTarget(proxy);
    if (value === null) return ctx.stylize('<Revoked Proxy>', 'special');
    kind = types.kindOfAny(value);
  }
  if (ctx.customInspect) {
    const custom = value[customInspectSymbol];
    if (typeof custom === 'function' && custom !== inspect && !isPrototype(value)) {
      return formatCustom(ctx, custom, context, isProxied, depth);
    }
  }
  if (ctx.seen.includes(value)) return formatCircular(ctx, value);
  return formatObject(ctx, value, depth, kind, isInner);
}

/** The target of nested proxies. */
function innermostTarget(proxy) {
  let [target] = proxy;
  for (let next = proxy; next !== undefined; next = target === null ? undefined : types.proxyDetails(target)) [target] = next;
  return target;
}

function isPrototype(value) {
  const { constructor } = value;
  return Boolean(constructor) && constructor.prototype === value;
}

function formatProxy(ctx, proxy, depth) {
  if (depth > ctx.depth && ctx.depth !== null) return ctx.stylize('Proxy [Array]', 'special');
  depth += 1;
  ctx.indentationLvl += 2;
  const parts = [formatValue(ctx, proxy[0], depth), formatValue(ctx, proxy[1], depth)];
  ctx.indentationLvl -= 2;
  return shape.reduceToSingleString(ctx, parts, '', ['Proxy [', ']'], ARRAY, depth);
}

/** Custom inspection: a string, or a value to format instead. */
function formatCustom(ctx, custom, context, isProxied, depth) {
  const remainingDepth = ctx.depth === null ? null : ctx.depth - depth;
  const isForeign = isProxied || !names.isInstance(context, Object);
  const result = Reflect.apply(custom, context, [remainingDepth, getUserOptions(ctx, isForeign), inspect]);
  if (result === context) return formatObjectOnce(ctx, context, depth);
  if (typeof result !== 'object') return `${result}`.replaceAll('\n', `\n${' '.repeat(ctx.indentationLvl)}`);
  return formatValue(ctx, result, depth);
}

function formatObjectOnce(ctx, value, depth) {
  if (ctx.seen.includes(value)) return formatCircular(ctx, value);
  const proxy = types.proxyDetails(value);
  if (proxy !== undefined) value = innermostTarget(proxy);
  return formatObject(ctx, value, depth, types.kindOfAny(value));
}

function getUserOptions(ctx, isForeign) {
  const options = { stylize: ctx.stylize };
  for (const key of Object.keys(inspectDefaultOptions)) options[key] = ctx[key];
  Object.assign(options, ctx.userOptions);
  if (!isForeign) return options;
  // Objects of this realm are not passed to another one: it could reach our Function through them.
  Object.setPrototypeOf(options, null);
  for (const key of Object.keys(options)) {
    const value = options[key];
    if ((typeof value === 'object' || typeof value === 'function') && value !== null) delete options[key];
  }
  options.stylize = Object.setPrototypeOf((value, flavour) => {
    let text;
    try {
      text = `${ctx.stylize(value, flavour)}`;
    } catch {
      // The value is returned without style.
    }
    return typeof text === 'string' ? text : value;
  }, null);
  return options;
}

function formatCircular(ctx, value) {
  ctx.circular ??= new Map();
  let index = ctx.circular.get(value);
  if (index === undefined) {
    index = ctx.circular.size + 1;
    ctx.circular.set(value, index);
  }
  return ctx.stylize(`[Circular *${index}]`, 'special');
}

/** Formats an object: its braces, contents and properties, on one line or on several. */
function formatObject(ctx, value, depth, kind, isInner) {
  const inherited = ctx.showHidden && (depth <= ctx.depth || ctx.depth === null) ? [] : undefined;
  const constructor = names.constructorName(value, ctx, depth, inherited, formatting);
  const protoProps = inherited !== undefined && inherited.length > 0 ? inherited : undefined;
  const view = { ctx, value, depth, isInner, constructor, tag: names.tagOf(ctx, value, constructor), protoProps, keys: undefined, kind: PLAIN,
    base: '', braces: undefined, contents: undefined };
  const complete = choose(view, kind);
  if (complete !== undefined) return complete;
  if (depth > ctx.depth && ctx.depth !== null) {
    const name = names.prefix(constructor, view.tag, names.engineName(value)).slice(0, -1);
    return ctx.stylize(constructor !== null ? `[${name}]` : name, 'special');
  }
  return formatContents(view, depth + 1);
}

function formatContents(view, depth) {
  const { ctx, value, keys, kind, protoProps } = view;
  let { base } = view;
  ctx.seen.push(value);
  ctx.currentDepth = depth;
  const level = ctx.indentationLvl;
  let output;
  try {
    output = view.contents === undefined ? [] : view.contents(view, depth);
    for (let i = 0; i < keys.length; i++) output.push(formatProperty(ctx, value, depth, keys[i], kind));
    if (protoProps !== undefined) output.push(...protoProps);
  } catch (error) {
    const name = names.prefix(view.constructor, view.tag, 'Object').slice(0, -1);
    return shape.handleMaxCallStackSize(ctx, error, name, level);
  }
  const index = ctx.circular?.get(value);
  if (index !== undefined) {
    const reference = ctx.stylize(`<ref *${index}>`, 'special');
    if (ctx.compact !== true) base = base === '' ? reference : `${reference} ${base}`;
    else view.braces[0] = `${reference} ${view.braces[0]}`;
  }
  ctx.seen.pop();
  if (ctx.sorted) output = shape.sort(output, ctx.sorted, kind, keys.length);
  const text = shape.reduceToSingleString(ctx, output, base, view.braces, kind, depth, value);
  const length = (ctx.budget[ctx.indentationLvl] || 0) + text.length;
  ctx.budget[ctx.indentationLvl] = length;
  if (length > BUDGET_MAX) ctx.depth = -1;
  return text;
}

/**
 * Sets keys, braces, base and contents by the object's kind, or returns the complete string where
 * there are none.
 */
function choose(view, kind) {
  const { value } = view;
  if (Array.isArray(value) && (view.constructor === null || Symbol.iterator in value)) return chooseArray(view);
  if (typeof value !== 'function') {
    if (kind === 'error' || (kind === 'other' && isErrorPrototypeOf(value))) return errors().choose(view, formatting);
    if (kind === 'other') return chooseOther(view);
    if (view.constructor === null || Symbol.iterator in value) {
      const complete = collections().choose(view, kind, formatting);
      if (complete !== collections().NONE) return complete;
    }
    return objects().choose(view, kind, formatting);
  }
  view.keys = names.keysOf(value, view.ctx.showHidden);
  view.braces = ['{', '}'];
  view.base = names.functionBase(view.ctx, value, view.constructor, view.tag, formatting);
  if (hasNoProperties(view)) return view.ctx.stylize(view.base, 'special');
  return undefined;
}

function isErrorPrototypeOf(value) {
  return Object.prototype.isPrototypeOf.call(Error.prototype, value);
}

function chooseArray(view) {
  const { value, constructor, tag, ctx } = view;
  const prefix = constructor !== 'Array' || tag !== '' ? names.prefix(constructor, tag, 'Array', `(${value.length})`) : '';
  view.keys = names.namedKeysOf(value, ctx.showHidden);
  view.braces = [`${prefix}[`, ']'];
  if (value.length === 0 && hasNoProperties(view)) return `${view.braces[0]}]`;
  view.kind = ARRAY;
  view.contents = formatArray;
  return undefined;
}

function chooseOther(view) {
  const { value, depth, constructor, tag, ctx } = view;
  const address = externals.addressOf(value);
  if (address !== undefined) return ctx.stylize(`[External: ${address}]`, 'special');
  view.keys = names.keysOf(value, ctx.showHidden);
  view.braces = ['{', '}'];
  const isTooDeep = depth > ctx.depth && ctx.depth !== null;
  if (constructor === 'URL' && !isTooDeep && isUrl(value)) {
    view.base = Object.getOwnPropertyDescriptor(globalThis.URL.prototype, 'href').get.call(value);
    if (hasNoProperties(view)) return view.base;
  } else if (constructor === 'Object') {
    if (tag !== '') view.braces[0] = `${names.prefix(constructor, tag, 'Object')}{`;
  } else {
    view.braces[0] = `${names.prefix(constructor, tag, 'Object')}{`;
  }
  return hasNoProperties(view) ? `${view.braces[0]}}` : undefined;
}

function isUrl(value) {
  const { URL } = globalThis;
  return typeof URL === 'function' && value instanceof URL;
}

/** Whether there are no properties to show. */
function hasNoProperties(view) {
  return view.keys.length === 0 && view.protoProps === undefined;
}

function remainingText(count) {
  return `... ${count} more item${count > 1 ? 's' : ''}`;
}

function formatArray(view, depth) {
  const { ctx, value } = view;
  const { length } = value;
  const shown = Math.min(Math.max(0, ctx.maxArrayLength), length);
  const output = [];
  for (let i = 0; i < shown; i++) {
    if (!Object.hasOwn(value, i)) return collections().formatSparse(ctx, value, depth, shown, output, i, formatting);
    output.push(formatProperty(ctx, value, depth, i, ARRAY_ITEM));
  }
  if (length > shown) output.push(remainingText(length - shown));
  return output;
}

/** `name: value`, or the value alone for an item of an array. */
function formatProperty(ctx, value, depth, key, kind, descriptor, original = value) {
  const desc = descriptor ?? Object.getOwnPropertyDescriptor(value, key) ??
    { value: value[key], configurable: true, enumerable: true };
  let text;
  let gap = ' ';
  if (desc.value !== undefined) {
    const indent = ctx.compact !== true || kind !== PLAIN ? 2 : 3;
    ctx.indentationLvl += indent;
    text = formatValue(ctx, desc.value, depth);
    if (indent === 3 && width().isWiderThan(text, ctx.breakLength, ctx.colors)) {
      gap = `\n${' '.repeat(ctx.indentationLvl)}`;
    }
    ctx.indentationLvl -= indent;
  } else if (desc.get !== undefined) {
    text = objects().formatGetter(ctx, desc, original, depth, formatting);
  } else if (desc.set !== undefined) {
    text = ctx.stylize('[Setter]', 'special');
  } else {
    text = ctx.stylize('undefined', 'undefined');
  }
  if (kind === ARRAY_ITEM) return text;
  return `${names.propertyName(ctx, key, desc)}:${gap}${text}`;
}

/** Functions that the files in inspect/ call. */
const formatting = { formatValue, formatProperty, inspect, hasNoProperties, remainingText, stylizeNoColor };

module.exports = { inspect, inspectDefaultOptions, stylizeNoColor, formatValue };

for (const [file, keys] of [
  ['format', ['format', 'formatWithOptions']],
  ['width', ['getStringWidth', 'stripVTControlCharacters', 'isZeroWidthCodePoint']],
]) {
  for (const key of keys) {
    Object.defineProperty(module.exports, key, {
      __proto__: null, enumerable: true, configurable: true, get: () => require(`internal/util/inspect/${file}`)[key],
    });
  }
}
Object.defineProperty(module.exports, 'identicalSequenceRange', {
  __proto__: null, enumerable: true, configurable: true, get: () => errors().identicalSequenceRange,
});
