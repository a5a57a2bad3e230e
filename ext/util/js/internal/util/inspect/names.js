// Names in `util.inspect`'s output: the constructor of an object, the prefix of its brace, the
// heading of functions and classes, keys. In: a value. Out: strings, lists of keys.
'use strict';

const types = require('internal/util/types');
const { escape, quote, ESCAPED_ALL } = require('internal/util/inspect/primitives');

const { hasOwn, getOwnPropertyDescriptor, getPrototypeOf } = Object;
const PLAIN_NAME = /^[a-zA-Z_][a-zA-Z_0-9]*$/;
/** How many prototypes' properties are shown with `showHidden`. */
const PROTOTYPES_SHOWN = 3;

const builtins = new Set(Object.getOwnPropertyNames(globalThis).filter((name) => /^[A-Z][a-zA-Z0-9]+$/.test(name)));

const hasInstance = Function.prototype[Symbol.hasInstance];

/** `value instanceof constructor`, without Symbol.hasInstance. */
function isInstance(value, constructor) {
  try {
    return hasInstance.call(constructor, value);
  } catch {
    return false;
  }
}

/** Fast path: constructor names of common prototypes. */
const WELL_KNOWN = new Map([
  [Object.prototype, 'Object'], [Array.prototype, 'Array'], [Function.prototype, 'Function'], [Map.prototype, 'Map'], [Set.prototype, 'Set'],
  [ArrayBuffer.prototype, 'ArrayBuffer'], [Object.getPrototypeOf(Uint8Array.prototype), 'TypedArray'],
]);

/**
 * The constructor's name, null where no prototype has one. Pushes properties of prototypes to
 * `inherited`, if that is a list.
 */
function constructorName(value, ctx, depth, inherited, formatting) {
  let first;
  for (let object = value; object; ) {
    const known = object === value ? undefined : WELL_KNOWN.get(object);
    if (known !== undefined) {
      if (inherited !== undefined && first !== object) pushInherited(ctx, value, first, depth, inherited, formatting);
      return known;
    }
    const descriptor = getOwnPropertyDescriptor(object, 'constructor');
    const constructor = descriptor?.value;
    if (typeof constructor === 'function' && constructor.name !== '' && isInstance(value, constructor)) {
      if (inherited !== undefined && (first !== object || !builtins.has(constructor.name))) {
        pushInherited(ctx, value, first || value, depth, inherited, formatting);
      }
      return String(constructor.name);
    }
    object = getPrototypeOf(object);
    if (first === undefined) first = object;
  }
  if (first === null) return null;
  const name = engineName(value);
  if (depth > ctx.depth && ctx.depth !== null) return `${name} <Complex prototype>`;
  const inner = constructorName(first, ctx, depth + 1, inherited, formatting);
  if (inner !== null) return `${name} <${inner}>`;
  return `${name} <${formatting.inspect(first, { ...ctx, customInspect: false, depth: -1 })}>`;
}

const ENGINE_NAMES = {
  __proto__: null, map: 'Map', set: 'Set', weakmap: 'WeakMap', weakset: 'WeakSet', promise: 'Promise', date: 'Date', regexp: 'RegExp', error: 'Error',
  buffer: 'ArrayBuffer', dataview: 'DataView', number: 'Number', string: 'String', boolean: 'Boolean', symbol: 'Symbol', bigint: 'BigInt',
  weakref: 'WeakRef',
};

/** The name of the object's builtin class. */
function engineName(value) {
  if (typeof value === 'function') return 'Function';
  if (Array.isArray(value)) return 'Array';
  return ENGINE_NAMES[types.kind(value)] ?? 'Object';
}

/**
 * Pushes properties of up to three prototypes that are neither builtin, nor functions, nor
 * shadowed.
 */
function pushInherited(ctx, main, object, depth, output, formatting) {
  const seen = new Set();
  for (let level = 0; level < PROTOTYPES_SHOWN; level++) {
    if (level !== 0 || main === object) {
      object = getPrototypeOf(object);
      if (object === null) break;
      const { value } = getOwnPropertyDescriptor(object, 'constructor') ?? {};
      if (typeof value === 'function' && builtins.has(value.name)) break;
    }
    const keys = Reflect.ownKeys(object);
    ctx.seen.push(main);
    for (const key of keys) {
      if (key === 'constructor' || hasOwn(main, key) || (level !== 0 && seen.has(key))) continue;
      const descriptor = getOwnPropertyDescriptor(object, key);
      if (typeof descriptor.value === 'function') continue;
      const text = formatting.formatProperty(ctx, object, depth, key, 0, descriptor, main);
      output.push(ctx.colors ? `\u001b[2m${text}\u001b[22m` : text);
    }
    ctx.seen.pop();
    for (const key of keys) seen.add(key);
  }
}

/**
 * Symbol.toStringTag, unless it is shown as a property, or is a part of the constructor's name.
 */
function tagOf(ctx, value, constructor) {
  let tag;
  try {
    tag = value[Symbol.toStringTag];
  } catch {
    return '';
  }
  if (typeof tag !== 'string' || tag === '') return '';
  const isShown = ctx.showHidden ? hasOwn(value, Symbol.toStringTag) : Object.prototype.propertyIsEnumerable.call(value, Symbol.toStringTag);
  return isShown || (constructor !== null && constructor !== tag && isPartOf(tag, constructor)) ? '' : tag;
}

/** Whether `name` contains `tag`, followed by an upper-case character or the end. */
function isPartOf(tag, name) {
  for (let at = name.indexOf(tag); at !== -1; at = name.indexOf(tag, at + 1)) {
    const next = name[at + tag.length];
    if (next === undefined || (next >= 'A' && next <= 'Z')) return true;
  }
  return false;
}

/** The prefix of a brace: `Class(size) [tag] `. */
function prefix(constructor, tag, fallback, size = '') {
  if (constructor === null) {
    return tag !== '' && fallback !== tag ? `[${fallback}${size}: null prototype] [${tag}] ` : `[${fallback}${size}: null prototype] `;
  }
  return tag !== '' && constructor !== tag ? `${constructor}${size} [${tag}] ` : `${constructor}${size} `;
}

function keysOf(value, showHidden) {
  const symbols = Object.getOwnPropertySymbols(value);
  if (showHidden) {
    const keys = Object.getOwnPropertyNames(value);
    return symbols.length === 0 ? keys : [...keys, ...symbols];
  }
  let keys;
  try {
    keys = Object.keys(value);
  } catch {
    // A module namespace with uninitialized bindings.
    keys = Object.getOwnPropertyNames(value);
  }
  return symbols.length === 0 ? keys : [...keys, ...symbols.filter((key) => Object.prototype.propertyIsEnumerable.call(value, key))];
}

/** For longer lists the engine is queried first whether they have named properties at all. */
const SHORT_LIST_MAX = 64;

function namesOf(value, showHidden) {
  if (value.length > SHORT_LIST_MAX && types.hasItemsAlone(value)) return showHidden && Array.isArray(value) ? ['length'] : [];
  const all = showHidden ? Object.getOwnPropertyNames(value) : Object.keys(value);
  return all.slice(countIndices(all));
}

/** The keys of an array that are not indices. */
function namedKeysOf(value, showHidden) {
  const keys = namesOf(value, showHidden);
  const symbols = Object.getOwnPropertySymbols(value);
  if (symbols.length === 0) return keys;
  return [...keys, ...showHidden ? symbols : symbols.filter((key) => Object.prototype.propertyIsEnumerable.call(value, key))];
}

/** Binary search: indices come first among the keys. */
function countIndices(keys) {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isIndex(keys[middle])) low = middle + 1;
    else high = middle;
  }
  return low;
}

function isIndex(key) {
  return /^(?:0|[1-9]\d{0,9})$/.test(key) && Number(key) < 2 ** 32 - 1;
}

function propertyName(ctx, key, descriptor) {
  if (typeof key === 'symbol') {
    const text = ctx.stylize(Symbol.prototype.toString.call(key).replace(ESCAPED_ALL, escape), 'symbol');
    return descriptor.enumerable === false ? `[${text}]` : text;
  }
  let text;
  if (key === '__proto__') text = "['__proto__']";
  else text = PLAIN_NAME.test(key) ? ctx.stylize(key, 'name') : ctx.stylize(quote(key), 'string');
  return descriptor.enumerable === false ? `[${text}]` : text;
}

const CLASS = /^(\s+[^(]*?)\s*{/;
const COMMENTS = /(\/\/.*?\n)|(\/\*(.|\n)*?\*\/)/g;

/** `[Function: name] Class [tag]`, `[class Name extends Other]`. */
function functionBase(ctx, value, constructor, tag, formatting) {
  const source = Function.prototype.toString.call(value);
  if (source.startsWith('class') && source.endsWith('}')) {
    const inner = source.slice(5, -1);
    const brace = inner.indexOf('{');
    if (brace !== -1 && (!inner.slice(0, brace).includes('(') || CLASS.test(inner.replace(COMMENTS, '')))) {
      return classBase(value, constructor, tag);
    }
  }
  let type = 'Function';
  if (types.isGeneratorSource(source)) type = `Generator${type}`;
  if (types.isAsyncSource(source, value)) type = `Async${type}`;
  let base = `[${type}`;
  if (constructor === null) base += ' (null prototype)';
  const { name } = value;
  if (name === '') base += ' (anonymous)';
  else base += `: ${typeof name === 'string' ? name : formatting.formatValue(ctx, name)}`;
  base += ']';
  if (constructor !== type && constructor !== null) base += ` ${constructor}`;
  if (tag !== '' && constructor !== tag) base += ` [${tag}]`;
  return base;
}

function classBase(value, constructor, tag) {
  const name = (hasOwn(value, 'name') && value.name) || '(anonymous)';
  let base = `class ${name}`;
  if (constructor !== 'Function' && constructor !== null) base += ` [${constructor}]`;
  if (tag !== '' && constructor !== tag) base += ` [${tag}]`;
  if (constructor !== null) {
    const parent = getPrototypeOf(value).name;
    if (parent) base += ` extends ${parent}`;
  } else {
    base += ' extends [null prototype]';
  }
  return `[${base}]`;
}

module.exports = { builtins, constructorName, engineName, functionBase, isIndex, isInstance, keysOf, namedKeysOf, prefix, propertyName, tagOf };
