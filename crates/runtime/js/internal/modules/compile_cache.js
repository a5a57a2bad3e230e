// Compile cache of `node:module`. In: a directory that the program wishes. Out: the directory of
// the bytecode cache, which is always enabled (crates/runtime/src/bytecode_cache.rs). Absent:
// directories of the program's choice; the cache is keyed by the contents of files.
'use strict';

const compileCacheStatus = Object.freeze({ __proto__: null, FAILED: 0, ENABLED: 1, ALREADY_ENABLED: 2, DISABLED: 3 });
const constants = Object.freeze({ __proto__: null, compileCacheStatus });

function getCompileCacheDir() { return internalBinding('loader').bytecodeCacheDir(); }

function enableCompileCache(options = undefined) {
  const { validateString } = require('internal/validators');
  const directory = typeof options === 'object' && options !== null ? options.directory : options;
  if (directory !== undefined) validateString(directory, 'cacheDir');
  const cacheDir = getCompileCacheDir();
  return cacheDir === undefined ? { status: compileCacheStatus.DISABLED } : { status: compileCacheStatus.ALREADY_ENABLED, directory: cacheDir };
}

/** Nothing to do: the cache is written at exit or when the program is idle. */
function flushCompileCache() {}

module.exports = { constants, enableCompileCache, flushCompileCache, getCompileCacheDir };
