// The names of things: the class of an object by its prototypes, what stands before its brace, a
// function's or class's head, the keys that are shown and how each is written. In: a value. Out:
// strings, lists of keys.
'use strict';

const types = require('internal/util/types');
const { escape, quote, ESCAPED_ALL } = require('internal/util/inspect/primitives');

const { hasOwn, getOwnPropertyDescriptor, getPrototypeOf } = Object;
const PLAIN_NAME = /^[a-zA-Z_][a-zA-Z_0-9]*$/;
/** How many prototypes' properties are shown with the object's own, under `showHidden`. */
const PROTOTYPES_SHOWN = 3;

const builtins = new Set(Object.getOwnPropertyNames(globalThis).filter((name) => /^[A-Z][a-zA-Z0-9]+$/.test(name)));

const hasInstance = Function.prototype[Symbol.hasInstance];

/** `value instanceof constructor` by prototypes alone. */
function isInstance(value, constructor) {
  try {
    return hasInstance.call(constructor, value);
  } catch {
    return false;
  }
}

/** Prototypes that most objects have, whose names need no look at `constructor`. */
const WELL_KNOWN = new Map([
  [Object.prototype, 'Object'], [Array.prototype, 'Array'], [Function.prototype, 'Function'], [Map.prototype, 'Map'], [Set.prototype, 'Set'],
  [ArrayBuffer.prototype, 'ArrayBuffer'], [Object.getPrototypeOf(Uint8Array.prototype), 'TypedArray'],
]);

/**
 * The name of the class, null where no prototype says one; pushes properties of prototypes to
 * `inherited` if it is a list.
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

/** What the object was made as. */
function engineName(value) {
  if (typeof value === 'function') return 'Function';
  if (Array.isArray(value)) return 'Array';
  return ENGINE_NAMES[types.kind(value)] ?? 'Object';
}

/**
 * Properties of up to three prototypes that are neither built in, nor functions, nor hidden by
 * nearer ones.
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
 * Symbol.toStringTag, where it is not shown as a property anyway, nor a word of the class's name.
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
  return isShown || (constructor !== null && constructor !== tag && isWordOf(tag, constructor)) ? '' : tag;
}

/** Whether `tag` stands in `name` with an upper-case letter or the end behind it. */
function isWordOf(tag, name) {
  for (let at = name.indexOf(tag); at !== -1; at = name.indexOf(tag, at + 1)) {
    const next = name[at + tag.length];
    if (next === undefined || (next >= 'A' && next <= 'Z')) return true;
  }
  return false;
}

/** `Class(size) [tag] `, as it stands before a brace. */
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
    // A namespace whose variables have no value yet.
    keys = Object.getOwnPropertyNames(value);
  }
  return symbols.length === 0 ? keys : [...keys, ...symbols.filter((key) => Object.prototype.propertyIsEnumerable.call(value, key))];
}

/**
 * The keys of longer lists are not asked for where the engine says that there are none beside the
 * items.
 */
const ITEMS_FEW = 64;

function namesOf(value, showHidden) {
  if (value.length > ITEMS_FEW && types.hasItemsAlone(value)) return showHidden && Array.isArray(value) ? ['length'] : [];
  const all = showHidden ? Object.getOwnPropertyNames(value) : Object.keys(value);
  return all.slice(countIndices(all));
}

/** The keys of an array that are not places in it. */
function namedKeysOf(value, showHidden) {
  const keys = namesOf(value, showHidden);
  const symbols = Object.getOwnPropertySymbols(value);
  if (symbols.length === 0) return keys;
  return [...keys, ...showHidden ? symbols : symbols.filter((key) => Object.prototype.propertyIsEnumerable.call(value, key))];
}

/** Indices come first, in order; the first key that is none ends them. */
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
