// `process.env`: the environment as an object. In: the variables that the program was started with.
// Out: the object, whose values are texts always, and for children the variables as they stand. The
// native half is asked once; from then on this is the truth.

'use strict';

const { ERR_INVALID_OBJECT_DEFINE_PROPERTY } = require('internal/errors').codes;

/**
 * The proxy's target, which `inspect` shows; what it inherits a program may ask for, and is no
 * variable.
 */
const variables = Object.create({});
const flat = internalBinding('process').environment();
for (let index = 0; index < flat.length; index += 2) {
  put(flat[index], flat[index + 1]);
}

const binding = internalBinding('process');
/** Whether other threads have the same variables: then Rust keeps them. */
let isShared = binding.isEnvironmentShared();

/** From now on a worker has these, too. */
function share() {
  if (isShared) return;
  binding.shareEnvironment(entries());
  isShared = true;
}

const names = () => (isShared ? binding.sharedNames() : Object.keys(variables));

/** A variable's text, or what objects inherit. */
function find(name) {
  if (!isShared) return variables[name];
  return binding.sharedVariable(name) ?? Object.prototype[name];
}

const has = (name) => (isShared ? binding.sharedVariable(name) !== undefined : Object.hasOwn(variables, name));

/** Names may be any, `__proto__` too. */
function put(name, value) {
  if (name === '__proto__') Object.defineProperty(variables, name, { value, writable: true, enumerable: true, configurable: true });
  else variables[name] = value;
}

/** A variable's text; only what has no sensible one is refused. */
function toText(value) {
  if (typeof value === 'symbol') {
    throw new TypeError('Cannot convert a Symbol value to a string');
  }
  return `${value}`;
}

/** It is of the process: a worker with variables of its own leaves it alone. */
function setTimeZone(zone) {
  if (isShared || !binding.start().isWorker) binding.setTimeZone(zone);
}

let isWarned = false;

/** Node warns of values that are made texts, where it is asked to. */
function warnOfConversion(value) {
  const type = typeof value;
  if (isWarned || type === 'string' || type === 'number' || type === 'boolean') {
    return;
  }
  if (require('internal/options').getOptionValue('--pending-deprecation')) {
    isWarned = true;
    require('process').emitWarning(
      'Assigning any value other than a string, number, or boolean to a process.env property is deprecated. ' +
        'Please make sure to convert the value to a string before setting process.env with it.',
      'DeprecationWarning',
      'DEP0104',
    );
  }
}

function set(name, value) {
  warnOfConversion(value);
  const text = toText(value);
  if (name !== '' && !name.includes('\0')) {
    if (isShared) binding.setSharedVariable(name, text);
    else put(name, text);
    if (name === 'TZ') setTimeZone(text);
  }
}

const handler = {
  get: (target, name) => (typeof name === 'symbol' ? undefined : find(name)),
  set(target, name, value) {
    if (typeof name === 'symbol') {
      throw new TypeError('Cannot convert a Symbol value to a string');
    }
    set(name, value);
    return true;
  },
  has: (target, name) => typeof name === 'string' && has(name),
  deleteProperty(target, name) {
    if (typeof name === 'string') {
      if (isShared) binding.setSharedVariable(name, undefined);
      else delete variables[name];
      if (name === 'TZ') setTimeZone(undefined);
    }
    return true;
  },
  ownKeys: names,
  getOwnPropertyDescriptor(target, name) {
    if (typeof name !== 'string' || !has(name)) {
      return undefined;
    }
    return { value: find(name), writable: true, enumerable: true, configurable: true };
  },
  defineProperty(target, name, descriptor) {
    define(name, descriptor);
    return true;
  },
};

/** Nothing but an ordinary property can be defined. */
function define(name, descriptor) {
  if ('get' in descriptor || 'set' in descriptor) {
    throw new ERR_INVALID_OBJECT_DEFINE_PROPERTY("'process.env' does not accept an accessor(getter/setter) descriptor");
  }
  if (!('value' in descriptor)) {
    throw new ERR_INVALID_OBJECT_DEFINE_PROPERTY("'process.env' only accepts a configurable, writable, and enumerable data descriptor");
  }
  if (!descriptor.configurable || !descriptor.writable || !descriptor.enumerable) {
    throw new ERR_INVALID_OBJECT_DEFINE_PROPERTY("'process.env' only accepts a configurable, writable, and enumerable data descriptor");
  }
  if (typeof name === 'symbol') {
    throw new TypeError('Cannot convert a Symbol value to a string');
  }
  set(name, descriptor.value);
}

const env = new Proxy(variables, handler);

/** Name and value by turns, for a child or a worker: of an object, or ours. */
function entries(given = null) {
  if (given !== null) return Object.entries(given).flatMap(([name, value]) => [name, `${value}`]);
  return names().flatMap((name) => [name, find(name)]);
}

/** `NAME=value` texts, for a child. */
function pairs() {
  return names().map((name) => `${name}=${find(name)}`);
}

/** A variable without a look through the proxy. */
function read(name) {
  return has(name) ? find(name) : undefined;
}

module.exports = { env, entries, pairs, read, share };
