// `node:module`'s face of code that is kept between starts. In: where a program wants it kept. Out:
// where it is kept anyway (crates/runtime/src/bytecode_cache.rs). Absent: directories of the
// program's own, for what is kept is found by what stands in the files.
'use strict';

const compileCacheStatus = Object.freeze({ __proto__: null, FAILED: 0, ENABLED: 1, ALREADY_ENABLED: 2, DISABLED: 3 });
const constants = Object.freeze({ __proto__: null, compileCacheStatus });

function getCompileCacheDir() { return internalBinding('loader').bytecodeCacheDir(); }

function enableCompileCache(options = undefined) {
  const { validateString } = require('internal/validators');
  const directory = typeof options === 'object' && options !== null ? options.directory : options;
  if (directory !== undefined) validateString(directory, 'cacheDir');
  const kept = getCompileCacheDir();
  return kept === undefined ? { status: compileCacheStatus.DISABLED } : { status: compileCacheStatus.ALREADY_ENABLED, directory: kept };
}

/** It is written when the program ends or rests. */
function flushCompileCache() {}

module.exports = { constants, enableCompileCache, flushCompileCache, getCompileCacheDir };
