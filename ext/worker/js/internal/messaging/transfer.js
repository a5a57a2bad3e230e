// What goes from one owner to another rather than being copied. In: a transfer list. Out: what the
// receiver is to have in place of each; or an error of the web's, and nothing has moved. Kinds are
// buffers, and objects of ours that have a method `[kTransfer]`. Absent: copying
// (web/structured_clone).
'use strict';

const { codes: { ERR_INVALID_ARG_TYPE } } = require('internal/errors');
const { kClone } = require('internal/messaging/symbols');
const untransferable = require('internal/messaging/untransferable');

/** Gives what the receiver gets, and leaves the object empty. */
const kTransfer = Symbol('messaging_transfer_symbol');
/** Throws where the object cannot go now. */
const kCheckTransfer = Symbol('kCheckTransfer');
/**
 * Gives what another thread gets: a kind and its native ports, or a descriptor; and leaves the
 * object empty.
 */
const kSend = Symbol('kSend');

const uncloneable = new WeakSet();
let hasUncloneable = false;
const { apply } = Reflect;
const { isArray } = Array;
const { get: isDetached } = Object.getOwnPropertyDescriptor(ArrayBuffer.prototype, 'detached');
const { get: bufferLength } = Object.getOwnPropertyDescriptor(ArrayBuffer.prototype, 'byteLength');

function refuse(message) {
  const { DOMException } = require('web/dom_exception');
  return new DOMException(message, 'DataCloneError');
}

const isObject = (value) => value !== null && (typeof value === 'object' || typeof value === 'function');

function isBuffer(value) {
  try {
    apply(bufferLength, value, []);
    return true;
  } catch {
    return false;
  }
}

/** The list that `postMessage` takes, itself or in an object of options. */
function readList(given) {
  if (given === undefined || given === null) return [];
  if (!isObject(given)) throw invalid('Optional transferList argument must be an iterable');
  if (typeof given[Symbol.iterator] === 'function') return iterate(given, 'Optional transferList argument must be an iterable');
  return iterate(given.transfer, 'Optional options.transfer argument must be an iterable');
}

/** The list in the options of `structuredClone`. */
function readOptions(given) {
  const prefix = "Failed to execute 'structuredClone'";
  if (given === undefined || given === null) return [];
  if (!isObject(given)) throw invalid(`${prefix}: Options cannot be converted to a dictionary`);
  const list = iterate(given.transfer, `${prefix}: transfer in Options can not be converted to sequence.`);
  if (!list.every(isObject)) throw invalid('Value is not an object');
  return list;
}

function iterate(list, otherwise) {
  if (list === undefined) return [];
  if (isArray(list)) return [...list];
  if (!isObject(list) || typeof list[Symbol.iterator] !== 'function') throw invalid(otherwise);
  const iterator = list[Symbol.iterator]();
  if (!isObject(iterator)) throw invalid(otherwise);
  const { next } = iterator;
  if (typeof next !== 'function') throw invalid(otherwise);
  const items = [];
  for (let step = apply(next, iterator, []); !step.done; step = apply(next, iterator, [])) items.push(step.value);
  return items;
}

/** With a text of its own. */
function invalid(text) {
  const error = new ERR_INVALID_ARG_TYPE('transferList', 'iterable', undefined);
  Object.defineProperty(error, 'message', { __proto__: null, value: text, writable: true, configurable: true });
  return error;
}

/** Whether it may only go, not be copied. */
const isTransferOnly = (value) => typeof value[kTransfer] === 'function';

function check(list, source) {
  const seen = new Set();
  for (const item of list) {
    const isOwn = isObject(item) && isTransferOnly(item);
    if (!isOwn && !isBuffer(item)) throw refuse('Found invalid value in transferList.');
    if (untransferable.has(item)) throw refuse('An object marked as untransferable was found in transferList.');
    if (seen.has(item)) throw refuse(`Transfer list contains duplicate ${isOwn ? item.constructor.name : 'ArrayBuffer'}`);
    seen.add(item);
    if (item === source) throw refuse('Transfer list contains source port');
    if (isOwn) item[kCheckTransfer]?.();
    else if (apply(isDetached, item, [])) throw refuse('Cannot transfer object of unsupported type.');
  }
}

/** What can have changed since. */
function checkAgain(item) {
  if (isTransferOnly(item)) item[kCheckTransfer]?.();
  else if (apply(isDetached, item, [])) throw refuse('Cannot transfer object of unsupported type.');
}

function markUncloneable(object) {
  hasUncloneable = true;
  uncloneable.add(object);
}

/** Whether an object was marked as uncloneable. */
const isMarked = (object) => hasUncloneable && uncloneable.has(object);

function refuseMarked() {
  throw refuse('Cannot clone object of unsupported type.');
}

/**
 * Moves all of a list that was checked: pairs of what it was and what it is now. What cannot come
 * to be again is the receiver's error.
 */
function move(list) {
  let error;
  const moved = list.map((item) => {
    // One may have taken another along, as a transform stream takes its ends.
    checkAgain(item);
    if (!isTransferOnly(item)) return [item, item.transfer()];
    const given = item[kTransfer]();
    if (given === null || typeof given !== 'object' || !('deserializeInfo' in given)) return [item, given];
    try {
      return [item, revive(given)];
    } catch (thrown) {
      error = thrown;
      return [item, undefined];
    }
  });
  return { moved, error };
}

/**
 * An object of what one of ours says that it consists of: `{ data, deserializeInfo }`, where
 * programs may put another method in place.
 */
function revive({ data, deserializeInfo }) {
  const place = `${deserializeInfo}`.lastIndexOf(':');
  const [file, name] = [deserializeInfo.slice(0, place), deserializeInfo.slice(place + 1)];
  if (!internalBinding('builtins').has(file) && !internalBinding('builtins').has(`node/${file}`)) throw new Error(`Missing internal module '${file}'`);
  if (file === 'internal/fs/promises' && name === 'FileHandle') return require('internal/fs/file_handle').deserialize(data);
  throw new Error(`Unknown deserialize spec ${deserializeInfo}`);
}

module.exports = {
  check, checkAgain, isBuffer, isMarked, isTransferOnly, kCheckTransfer, kClone, kSend, kTransfer, markUncloneable, move, readList, readOptions, refuse,
  refuseMarked, untransferable,
};
