// Names and properties that `Bun.inspect` shows. In: objects, functions. Out: names; pairs of key
// and property descriptor. Own properties come first, then those of the prototypes below
// `Object.prototype`.
'use strict';

const { getOwnPropertyDescriptor, getPrototypeOf } = Object;

/** Pairs of key and descriptor. */
function namesOf(object) {
  const descriptors = new Map();
  for (let at = object; at !== null && !isRoot(at); at = getPrototypeOf(at)) {
    for (const key of Reflect.ownKeys(at)) {
      if (key === 'constructor' || key === Symbol.toStringTag || key === '__proto__' || descriptors.has(key)) continue;
      descriptors.set(key, getOwnPropertyDescriptor(at, key));
    }
  }
  const pairs = [...descriptors];
  return [...pairs.filter(([key]) => typeof key === 'string'), ...pairs.filter(([key]) => typeof key === 'symbol')];
}

/** Whether it is the `Object.prototype` of any realm. */
function isRoot(object) {
  return object === Object.prototype || (getPrototypeOf(object) === null && Object.hasOwn(object, '__lookupGetter__'));
}

/** The constructor's name or `Symbol.toStringTag`; empty for plain objects. */
function nameOfObject(object) {
  const prototype = getPrototypeOf(object);
  if (prototype === null) return '[Object: null prototype]';
  const constructor = getOwnPropertyDescriptor(prototype, 'constructor')?.value ?? inherited(prototype);
  const name = typeof constructor === 'function' ? getOwnPropertyDescriptor(constructor, 'name')?.value : undefined;
  if (typeof name === 'string' && name !== '' && name !== 'Object') return name;
  const tag = object[Symbol.toStringTag];
  return typeof tag === 'string' ? tag : '';
}

function inherited(prototype) {
  for (let at = getPrototypeOf(prototype); at !== null; at = getPrototypeOf(at)) {
    const constructor = getOwnPropertyDescriptor(at, 'constructor')?.value;
    if (constructor !== undefined) return constructor;
  }
  return undefined;
}

const TAGS = { __proto__: null, AsyncFunction: 'AsyncFunction', GeneratorFunction: 'GeneratorFunction', AsyncGeneratorFunction: 'AsyncGeneratorFunction' };

function isClass(value) { return /^class\b/.test(Function.prototype.toString.call(value)); }

function nameOfFunction(value) {
  const nameValue = getOwnPropertyDescriptor(value, 'name')?.value;
  const name = typeof nameValue === 'string' ? nameValue.replace(/^(?:bound )+/, '') : '';
  if (isClass(value)) {
    const parent = getPrototypeOf(value);
    const above = typeof parent === 'function' && isClass(parent) ? parent.name : '';
    return `[class ${name || '(anonymous)'}${above === '' ? '' : ` extends ${above}`}]`;
  }
  const kind = TAGS[value[Symbol.toStringTag]] ?? 'Function';
  return name === '' ? `[${kind}]` : `[${kind}: ${name}]`;
}

module.exports = { nameOfFunction, nameOfObject, namesOf };
