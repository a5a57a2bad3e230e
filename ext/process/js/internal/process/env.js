// `process.env`: the environment variables as an object. In: the variables that the program was
// started with, read from the binding once. Out: the object, whose values are always strings; the
// environment for children and workers.

'use strict';

const { ERR_INVALID_OBJECT_DEFINE_PROPERTY } = require('internal/errors').codes;

/**
 * The proxy's target, which `inspect` shows. Inherited properties are readable, but no variables.
 */
const variables = Object.create({});
const flat = internalBinding('process').environment();
for (let index = 0; index < flat.length; index += 2) {
  put(flat[index], flat[index + 1]);
}

const binding = internalBinding('process');
/** Whether other threads share the variables (`SHARE_ENV`): then they are stored in Rust. */
let isShared = binding.isEnvironmentShared();

/** Moves the variables to storage that workers share. */
function share() {
  if (isShared) return;
  binding.shareEnvironment(entries());
  isShared = true;
}

const names = () => (isShared ? binding.sharedNames() : Object.keys(variables));

/** A variable's value, or an inherited property. */
function find(name) {
  if (!isShared) return variables[name];
  return binding.sharedVariable(name) ?? Object.prototype[name];
}

const has = (name) => (isShared ? binding.sharedVariable(name) !== undefined : Object.hasOwn(variables, name));

/** Any name is allowed, also `__proto__`. */
function put(name, value) {
  if (name === '__proto__') Object.defineProperty(variables, name, { value, writable: true, enumerable: true, configurable: true });
  else variables[name] = value;
}

/** A value as a string; symbols throw. */
function toStringValue(value) {
  if (typeof value === 'symbol') {
    throw new TypeError('Cannot convert a Symbol value to a string');
  }
  return `${value}`;
}

/** The time zone belongs to the process: a worker with its own environment does not change it. */
function setTimeZone(zone) {
  if (isShared || !binding.start().isWorker) binding.setTimeZone(zone);
}

let isWarned = false;

/** DEP0104: a warning with --pending-deprecation. */
function warnAboutConversion(value) {
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
  warnAboutConversion(value);
  const string = toStringValue(value);
  if (name !== '' && !name.includes('\0')) {
    if (isShared) binding.setSharedVariable(name, string);
    else put(name, string);
    if (name === 'TZ') setTimeZone(string);
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

/** Only plain data properties can be defined. */
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

/** Names and values in turn, for a child or a worker: of an object, or of `process.env`. */
function entries(object = null) {
  if (object !== null) return Object.entries(object).flatMap(([name, value]) => [name, `${value}`]);
  return names().flatMap((name) => [name, find(name)]);
}

/** `NAME=value` strings, for a child. */
function pairs() {
  return names().map((name) => `${name}=${find(name)}`);
}

/** A variable's value, without the proxy. */
function read(name) {
  return has(name) ? find(name) : undefined;
}

module.exports = { env, entries, pairs, read, share };
