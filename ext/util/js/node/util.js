// `node:util`. Its parts are loaded on first use: inspection, comparison, parseArgs, parseEnv,
// styleText, MIME types. Absent: traces of setTraceSigInt, which the engine cannot provide.
'use strict';

const { nodeError } = require('internal/errors');
const shared = require('internal/util');
const { validateAbortSignal, validateFunction, validateInteger, validateNumber, validateObject, validateString } = require('internal/validators');

// --- callbacks and promises

function callbackifyOnRejected(reason, callback) {
  if (!reason) {
    const error = nodeError('ERR_FALSY_VALUE_REJECTION', callbackifyOnRejected, reason);
    return callback(error);
  }
  return callback(reason);
}

/** Wraps a function that returns a promise as one with a callback. */
function callbackify(original) {
  validateFunction(original, 'original');
  function callbackified(...args) {
    const callback = args.pop();
    validateFunction(callback, 'last argument');
    const bound = require('internal/async_context').bind(callback.bind(this));
    const { nextTick } = require('process');
    Reflect.apply(original, this, args).then(
      (value) => nextTick(bound, null, value),
      (reason) => nextTick(callbackifyOnRejected, reason, bound),
    );
  }
  const descriptors = Object.getOwnPropertyDescriptors(original);
  if (typeof descriptors.length.value === 'number') descriptors.length.value++;
  if (typeof descriptors.name.value === 'string') descriptors.name.value += 'Callbackified';
  for (const key of Reflect.ownKeys(descriptors)) Object.defineProperty(callbackified, key, { __proto__: null, ...descriptors[key] });
  return callbackified;
}

/** Resolves when the signal is aborted; does not retain the resource. */
async function aborted(signal, resource) {
  if (signal === undefined) throw nodeError('ERR_INVALID_ARG_TYPE', aborted, 'signal', 'AbortSignal', signal);
  validateAbortSignal(signal, 'signal');
  validateObject(resource, 'resource', 7 & ~1);
  if (signal.aborted) return undefined;
  const weak = new WeakRef(resource);
  return new Promise((resolve) => {
    const listener = () => {
      if (weak.deref() !== undefined) resolve();
    };
    signal.addEventListener('abort', listener, { __proto__: null, once: true });
  });
}

// --- objects

function inherits(constructor, parent) {
  if (constructor === undefined || constructor === null) throw nodeError('ERR_INVALID_ARG_TYPE', inherits, 'ctor', 'Function', constructor);
  if (parent === undefined || parent === null) throw nodeError('ERR_INVALID_ARG_TYPE', inherits, 'superCtor', 'Function', parent);
  if (parent.prototype === undefined) throw nodeError('ERR_INVALID_ARG_TYPE', inherits, 'superCtor.prototype', 'Object', parent.prototype);
  Object.defineProperty(constructor, 'super_', { __proto__: null, value: parent, writable: true, configurable: true });
  Object.setPrototypeOf(constructor.prototype, parent.prototype);
}

function _extend(target, source) {
  if (source === null || typeof source !== 'object') return target;
  for (const key of Object.keys(source).reverse()) target[key] = source[key];
  return target;
}

// --- system errors

function checkErrorNumber(number, above) {
  validateNumber(number, 'err');
  if (number >= 0 || !Number.isSafeInteger(number)) throw nodeError('ERR_OUT_OF_RANGE', above, 'err', 'a negative integer', number);
}

function getSystemErrorName(number) {
  checkErrorNumber(number, getSystemErrorName);
  return shared.getSystemErrorName(number);
}

function getSystemErrorMessage(number) {
  checkErrorNumber(number, getSystemErrorMessage);
  return shared.getSystemErrorMessage(number) ?? `Unknown system error ${number}`;
}

function getSystemErrorMap() {
  return new Map(shared.getSystemErrorMap());
}

function _errnoException(...args) {
  checkErrorNumber(args[0], _errnoException);
  return require('internal/errors').ErrnoException(...args);
}

function _exceptionWithHostPort(...args) {
  checkErrorNumber(args[0], _exceptionWithHostPort);
  return require('internal/errors').ExceptionWithHostPort(...args);
}

// --- strings

function toUSVString(input) {
  return String(input).toWellFormed();
}

function isDeepStrictEqual(a, b, skipPrototype) {
  return require('internal/util/comparisons').isDeepStrictEqual(a, b, skipPrototype);
}

/** No-op: there are no such traces. */
function setTraceSigInt(enable) {
  require('internal/validators').validateBoolean(enable, 'enable');
  if (enable) throw nodeError('ERR_FEATURE_UNAVAILABLE_ON_PLATFORM', setTraceSigInt, 'util.setTraceSigInt');
}

const CALL_SITES_MAX = 200;

/** The caller's call sites. */
function getCallSites(frameCount = 10, options) {
  if (options === undefined) {
    if (typeof frameCount === 'object') {
      options = frameCount;
      validateObject(options, 'options');
      frameCount = 10;
    } else {
      options = {};
    }
  } else {
    validateObject(options, 'options');
  }
  if (options.sourceMap !== undefined) require('internal/validators').validateBoolean(options.sourceMap, 'options.sourceMap');
  validateInteger(frameCount, 'frameCount', 1, CALL_SITES_MAX);
  const isGenerated = options.sourceMap === false || require('internal/options').isDenied('--enable-source-maps');
  const sites = require('internal/stack').callSites(1, frameCount);
  return sites.map((site) => {
    const file = site.getFileName() ?? '';
    const written = [site.getLineNumber() ?? 0, site.getColumnNumber() ?? 0];
    const [lineNumber, column] = isGenerated && written[0] > 0 ? internalBinding('source_positions').generated(file, ...written) : written;
    return {
      __proto__: null, functionName: site.getFunctionName() ?? '', scriptId: '0', scriptName: file, lineNumber, columnNumber: column, column,
    };
  });
}

function parseEnv(content) {
  validateString(content, 'content');
  return require('internal/util/parse_env').parseEnv(content);
}

/** A function of another module, which is loaded when it is called. */
function later(file, name, length) {
  let loaded;
  const fn = { [name](...args) { return (loaded ??= require(file)[name])(...args); } }[name];
  Object.defineProperty(fn, 'length', { __proto__: null, value: length, configurable: true });
  return fn;
}

const debuglog = later('internal/util/debuglog', 'debuglog', 2);

module.exports = {
  _errnoException,
  _exceptionWithHostPort,
  _extend: shared.deprecate(_extend, 'The `util._extend` API is deprecated. Please use Object.assign() instead.', 'DEP0060'),
  callbackify,
  convertProcessSignalToExitCode: shared.convertProcessSignalToExitCode,
  debug: debuglog,
  debuglog,
  deprecate: shared.deprecate,
  format: later('internal/util/inspect/format', 'format', 0),
  styleText: later('internal/util/style_text', 'styleText', 3),
  formatWithOptions: later('internal/util/inspect/format', 'formatWithOptions', 1),
  getCallSites,
  getSystemErrorMap,
  getSystemErrorName,
  getSystemErrorMessage,
  inherits,
};

function lazyKey(key, load, settable = true) {
  Object.defineProperty(module.exports, key, {
    __proto__: null,
    enumerable: true,
    configurable: true,
    get() {
      const value = load();
      Object.defineProperty(module.exports, key, { __proto__: null, value, writable: true, enumerable: true, configurable: true });
      return value;
    },
    set: settable ? (value) => {
      Object.defineProperty(module.exports, key, { __proto__: null, value, writable: true, enumerable: true, configurable: true });
    } : undefined,
  });
}

lazyKey('inspect', () => require('internal/util/inspect').inspect);
Object.assign(module.exports, {
  isArray: shared.deprecate(Array.isArray, 'The `util.isArray` API is deprecated. Please use `Array.isArray()` instead.', 'DEP0044'),
  isDeepStrictEqual,
  promisify: shared.promisify,
  stripVTControlCharacters: later('internal/util/inspect/width', 'stripVTControlCharacters', 1),
  toUSVString,
});
lazyKey('transferableAbortSignal', () => require('web/transferable_abort_signal').transferableAbortSignal);
lazyKey('transferableAbortController', () => require('web/transferable_abort_signal').transferableAbortController);
module.exports.aborted = aborted;
lazyKey('types', () => require('internal/util/types'));
module.exports.parseEnv = parseEnv;
module.exports.parseArgs = later('internal/util/parse_args', 'parseArgs', 0);
for (const name of ['TextDecoder', 'TextEncoder']) lazyKey(name, () => require('web/encoding')[name]);
for (const name of ['MIMEType', 'MIMEParams']) lazyKey(name, () => require('internal/util/mime_type')[name]);
module.exports.diff = later('internal/util/diff', 'diff', 2);
module.exports.setTraceSigInt = setTraceSigInt;
