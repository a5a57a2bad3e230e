// `fs.rm`: recursive removal. In: a path and options. Out: nothing. The binding removes the tree
// (src/remove.rs); this file validates options and retries after a delay. Absent: unlink and rmdir.
'use strict';

const { codes } = require('internal/errors');
const { validateBoolean, validateInt32, validateObject, validateUint32 } = require('internal/validators');
const { binding, getValidatedPath, makeCallback } = require('internal/fs/utils');
const { getStatsFromBinding } = require('internal/fs/stats');

const DEFAULTS = Object.freeze({ __proto__: null, recursive: false, force: false, retryDelay: 100, maxRetries: 0 });

/** Errors that a retry may resolve. */
const RETRYABLE = new Set(['EBUSY', 'EMFILE', 'ENFILE', 'ENOTEMPTY', 'EPERM']);

function validateRmOptions(options) {
  if (options === undefined) return DEFAULTS;
  validateObject(options, 'options');
  options = { ...DEFAULTS, ...options };
  validateBoolean(options.force, 'options.force');
  validateBoolean(options.recursive, 'options.recursive');
  validateInt32(options.retryDelay, 'options.retryDelay', 0);
  validateUint32(options.maxRetries, 'options.maxRetries');
  return options;
}

function validateRmdirOptions(options) {
  if (options === undefined) return;
  validateObject(options, 'options');
  if (options.recursive !== undefined) {
    throw new codes.ERR_INVALID_ARG_VALUE('options.recursive', options.recursive, 'is no longer supported');
  }
}

function eisdirError(path) {
  return new codes.ERR_FS_EISDIR({ code: 'EISDIR', message: 'is a directory', path, syscall: 'rm', errno: 21 });
}

/**
 * Whether the file is missing, which `force` permits. Throws if it is a directory and not allowed.
 */
function isMissing(path, { force, recursive }) {
  if (!binding.stat(path, true, false, force)) return true;
  if (!recursive && getStatsFromBinding(false).isDirectory()) throw eisdirError(path);
  return false;
}

function rmSync(path, options) {
  path = getValidatedPath(path);
  options = validateRmOptions(options);
  if (isMissing(path, options)) return;
  for (let tries = 0; ; tries++) {
    try {
      binding.remove(path);
      return;
    } catch (error) {
      if (tries >= options.maxRetries || !RETRYABLE.has(error.code) || !options.recursive) throw error;
      sleep((tries + 1) * options.retryDelay);
    }
  }
}

function sleep(ms) {
  if (ms > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

function rm(path, options, callback) {
  if (typeof options === 'function') {
    callback = options;
    options = undefined;
  }
  path = getValidatedPath(path);
  options = validateRmOptions(options);
  callback = makeCallback(callback);
  binding.stat(path, true, false, options.force, (error, exists) => {
    if (error) return callback(error);
    if (!exists) return callback(null);
    if (!options.recursive && getStatsFromBinding(false).isDirectory()) return callback(eisdirError(path));
    removeWithRetries(path, options, 0, callback);
  });
}

function removeWithRetries(path, options, tries, callback) {
  binding.remove(path, (error) => {
    if (!error) return callback(null);
    if (tries >= options.maxRetries || !RETRYABLE.has(error.code) || !options.recursive) return callback(error);
    setTimeout(removeWithRetries, (tries + 1) * options.retryDelay, path, options, tries + 1, callback);
  });
}

module.exports = { rm, rmSync, validateRmOptions, validateRmdirOptions };
