// Names and properties that `Bun.inspect` shows. In: objects, functions. Out: names; keys with
// their property descriptors. Own properties come first, then those of the prototypes below
// `Object.prototype`.
'use strict';

const { getOwnPropertyDescriptor, getPrototypeOf } = Object;

/** Keys with their property descriptors. */
function namesOf(object) {
  const descriptors = new Map();
  for (let current = object; current !== null && !isObjectPrototype(current); current = getPrototypeOf(current)) {
    for (const key of Reflect.ownKeys(current)) {
      if (key === 'constructor' || key === Symbol.toStringTag || key === '__proto__' || descriptors.has(key)) continue;
      descriptors.set(key, getOwnPropertyDescriptor(current, key));
    }
  }
  const entries = [...descriptors];
  return [...entries.filter(([key]) => typeof key === 'string'), ...entries.filter(([key]) => typeof key === 'symbol')];
}

/** Whether it is the `Object.prototype` of any realm. */
function isObjectPrototype(object) {
  return object === Object.prototype || (getPrototypeOf(object) === null && Object.hasOwn(object, '__lookupGetter__'));
}

/** The constructor's name or `Symbol.toStringTag`; empty for plain objects. */
function nameOfObject(object) {
  const prototype = getPrototypeOf(object);
  if (prototype === null) return '[Object: null prototype]';
  const constructor = getOwnPropertyDescriptor(prototype, 'constructor')?.value ?? inheritedConstructor(prototype);
  const name = typeof constructor === 'function' ? getOwnPropertyDescriptor(constructor, 'name')?.value : undefined;
  if (typeof name === 'string' && name !== '' && name !== 'Object') return name;
  const tag = object[Symbol.toStringTag];
  return typeof tag === 'string' ? tag : '';
}

function inheritedConstructor(prototype) {
  for (let current = getPrototypeOf(prototype); current !== null; current = getPrototypeOf(current)) {
    const constructor = getOwnPropertyDescriptor(current, 'constructor')?.value;
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
    const parentName = typeof parent === 'function' && isClass(parent) ? parent.name : '';
    return `[class ${name || '(anonymous)'}${parentName === '' ? '' : ` extends ${parentName}`}]`;
  }
  const kind = TAGS[value[Symbol.toStringTag]] ?? 'Function';
  return name === '' ? `[${kind}]` : `[${kind}: ${name}]`;
}

module.exports = { nameOfFunction, nameOfObject, namesOf };
