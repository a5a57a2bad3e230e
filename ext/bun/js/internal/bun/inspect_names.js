// What `Bun.inspect` calls things, and which properties it shows. In: objects. Out: names; pairs of
// a key and what is known of it. An object's own properties come first, then those of its classes,
// up to those that the language has for all.
'use strict';

const { getOwnPropertyDescriptor, getPrototypeOf } = Object;

/** Pairs of key and descriptor. */
function namesOf(object) {
  const found = new Map();
  for (let at = object; at !== null && !isRoot(at); at = getPrototypeOf(at)) {
    for (const key of Reflect.ownKeys(at)) {
      if (key === 'constructor' || key === Symbol.toStringTag || key === '__proto__' || found.has(key)) continue;
      found.set(key, getOwnPropertyDescriptor(at, key));
    }
  }
  const pairs = [...found];
  return [...pairs.filter(([key]) => typeof key === 'string'), ...pairs.filter(([key]) => typeof key === 'symbol')];
}

/** `Object.prototype`, of whichever context. */
function isRoot(object) {
  return object === Object.prototype || (getPrototypeOf(object) === null && Object.hasOwn(object, '__lookupGetter__'));
}

/** The class, or what the object says it is; nothing for plain objects. */
function nameOfObject(object) {
  const prototype = getPrototypeOf(object);
  if (prototype === null) return '[Object: null prototype]';
  const own = getOwnPropertyDescriptor(prototype, 'constructor')?.value ?? inherited(prototype);
  const name = typeof own === 'function' ? getOwnPropertyDescriptor(own, 'name')?.value : undefined;
  if (typeof name === 'string' && name !== '' && name !== 'Object') return name;
  const tag = object[Symbol.toStringTag];
  return typeof tag === 'string' ? tag : '';
}

function inherited(prototype) {
  for (let at = getPrototypeOf(prototype); at !== null; at = getPrototypeOf(at)) {
    const own = getOwnPropertyDescriptor(at, 'constructor')?.value;
    if (own !== undefined) return own;
  }
  return undefined;
}

const TAGS = { __proto__: null, AsyncFunction: 'AsyncFunction', GeneratorFunction: 'GeneratorFunction', AsyncGeneratorFunction: 'AsyncGeneratorFunction' };

function isClass(value) { return /^class\b/.test(Function.prototype.toString.call(value)); }

function nameOfFunction(value) {
  const own = getOwnPropertyDescriptor(value, 'name')?.value;
  const name = typeof own === 'string' ? own.replace(/^(?:bound )+/, '') : '';
  if (isClass(value)) {
    const parent = getPrototypeOf(value);
    const above = typeof parent === 'function' && isClass(parent) ? parent.name : '';
    return `[class ${name || '(anonymous)'}${above === '' ? '' : ` extends ${above}`}]`;
  }
  const kind = TAGS[value[Symbol.toStringTag]] ?? 'Function';
  return name === '' ? `[${kind}]` : `[${kind}: ${name}]`;
}

module.exports = { nameOfFunction, nameOfObject, namesOf };
