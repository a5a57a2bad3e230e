// Transferable objects: ArrayBuffers, and platform objects with a method `[kTransfer]`. In: a
// transfer list. Out: the receiver's object for each; or a DataCloneError, and nothing is
// transferred. Absent: cloning (web/structured_clone.js).
'use strict';

const { codes: { ERR_INVALID_ARG_TYPE } } = require('internal/errors');
const { kClone } = require('internal/messaging/symbols');
const untransferable = require('internal/messaging/untransferable');

/** Method that returns the receiver's object and detaches this one. */
const kTransfer = Symbol('messaging_transfer_symbol');
/** Method that throws if the object cannot be transferred now. */
const kCheckTransfer = Symbol('kCheckTransfer');
/**
 * Method that returns what another thread gets, { kind, ports } or { fd }, and detaches the object.
 */
const kTransferToThread = Symbol('kTransferToThread');

const uncloneable = new WeakSet();
let hasUncloneable = false;
const { apply } = Reflect;
const { isArray } = Array;
const { get: isDetached } = Object.getOwnPropertyDescriptor(ArrayBuffer.prototype, 'detached');
const { get: bufferLength } = Object.getOwnPropertyDescriptor(ArrayBuffer.prototype, 'byteLength');

function dataCloneError(message) {
  const { DOMException } = require('web/dom_exception');
  return new DOMException(message, 'DataCloneError');
}

const isObject = (value) => value !== null && (typeof value === 'object' || typeof value === 'function');

function isArrayBuffer(value) {
  try {
    apply(bufferLength, value, []);
    return true;
  } catch {
    return false;
  }
}

/** The argument of `postMessage`: a transfer list, or options with one. */
function parseTransferList(value) {
  if (value === undefined || value === null) return [];
  if (!isObject(value)) throw invalidTransferList('Optional transferList argument must be an iterable');
  if (typeof value[Symbol.iterator] === 'function') return iterableToArray(value, 'Optional transferList argument must be an iterable');
  return iterableToArray(value.transfer, 'Optional options.transfer argument must be an iterable');
}

/** The transfer list in the options of `structuredClone`. */
function parseCloneOptions(value) {
  const prefix = "Failed to execute 'structuredClone'";
  if (value === undefined || value === null) return [];
  if (!isObject(value)) throw invalidTransferList(`${prefix}: Options cannot be converted to a dictionary`);
  const list = iterableToArray(value.transfer, `${prefix}: transfer in Options can not be converted to sequence.`);
  if (!list.every(isObject)) throw invalidTransferList('Value is not an object');
  return list;
}

function iterableToArray(list, message) {
  if (list === undefined) return [];
  if (isArray(list)) return [...list];
  if (!isObject(list) || typeof list[Symbol.iterator] !== 'function') throw invalidTransferList(message);
  const iterator = list[Symbol.iterator]();
  if (!isObject(iterator)) throw invalidTransferList(message);
  const { next } = iterator;
  if (typeof next !== 'function') throw invalidTransferList(message);
  const items = [];
  for (let step = apply(next, iterator, []); !step.done; step = apply(next, iterator, [])) items.push(step.value);
  return items;
}

/** ERR_INVALID_ARG_TYPE with another message. */
function invalidTransferList(message) {
  const error = new ERR_INVALID_ARG_TYPE('transferList', 'iterable', undefined);
  Object.defineProperty(error, 'message', { __proto__: null, value: message, writable: true, configurable: true });
  return error;
}

/** Whether an object can be transferred and not cloned. */
const isTransferable = (value) => typeof value[kTransfer] === 'function';

function validateTransferList(list, source) {
  const visited = new Set();
  for (const item of list) {
    const isPlatformObject = isObject(item) && isTransferable(item);
    if (!isPlatformObject && !isArrayBuffer(item)) throw dataCloneError('Found invalid value in transferList.');
    if (untransferable.has(item)) throw dataCloneError('An object marked as untransferable was found in transferList.');
    if (visited.has(item)) throw dataCloneError(`Transfer list contains duplicate ${isPlatformObject ? item.constructor.name : 'ArrayBuffer'}`);
    visited.add(item);
    if (item === source) throw dataCloneError('Transfer list contains source port');
    if (isPlatformObject) item[kCheckTransfer]?.();
    else if (apply(isDetached, item, [])) throw dataCloneError('Cannot transfer object of unsupported type.');
  }
}

/** Repeats the checks whose result can have changed. */
function revalidate(item) {
  if (isTransferable(item)) item[kCheckTransfer]?.();
  else if (apply(isDetached, item, [])) throw dataCloneError('Cannot transfer object of unsupported type.');
}

function markUncloneable(object) {
  hasUncloneable = true;
  uncloneable.add(object);
}

/** Whether a program has marked an object as uncloneable. */
const isMarkedUncloneable = (object) => hasUncloneable && uncloneable.has(object);

function throwUncloneable() {
  throw dataCloneError('Cannot clone object of unsupported type.');
}

/**
 * Transfers all objects of a validated list: pairs of an object and the receiver's one. A failed
 * deserialization is an error at the receiver.
 */
function transferAll(list) {
  let error;
  const transferred = list.map((item) => {
    // The transfer of one may detach another, as a transform stream does with its sides.
    revalidate(item);
    if (!isTransferable(item)) return [item, item.transfer()];
    const value = item[kTransfer]();
    if (value === null || typeof value !== 'object' || !('deserializeInfo' in value)) return [item, value];
    try {
      return [item, deserializeObject(value)];
    } catch (thrown) {
      error = thrown;
      return [item, undefined];
    }
  });
  return { transferred, error };
}

/** Deserializes `{ data, deserializeInfo }`, as Node does; programs may replace the method. */
function deserializeObject({ data, deserializeInfo }) {
  const separator = `${deserializeInfo}`.lastIndexOf(':');
  const [file, name] = [deserializeInfo.slice(0, separator), deserializeInfo.slice(separator + 1)];
  if (!internalBinding('builtins').has(file) && !internalBinding('builtins').has(`node/${file}`)) throw new Error(`Missing internal module '${file}'`);
  if (file === 'internal/fs/promises' && name === 'FileHandle') return require('internal/fs/file_handle').deserialize(data);
  throw new Error(`Unknown deserialize spec ${deserializeInfo}`);
}

module.exports = {
  dataCloneError, isArrayBuffer, isMarkedUncloneable, isTransferable, kCheckTransfer, kClone, kTransfer, kTransferToThread, markUncloneable, parseCloneOptions,
  parseTransferList, revalidate, throwUncloneable, transferAll, untransferable, validateTransferList,
};
