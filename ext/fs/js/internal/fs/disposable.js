// Disposable temporary directories (`fs.mkdtempDisposable`), removed when their scope ends. In: a
// prefix. Out: the path, and a function that removes it. Absent: removal if the process is killed.
'use strict';

const { SymbolAsyncDispose, SymbolDispose } = require('internal/util');

/** The absolute path: the current directory may change before the removal. */
function resolve(path) {
  const { resolve: absolute } = require('path');
  return absolute(typeof path === 'string' ? path : path.toString());
}

function mkdtempDisposableSync(prefix, options) {
  const path = require('internal/fs/sync').mkdtempSync(prefix, options);
  const full = resolve(path);
  const remove = () => require('internal/fs/rm').rmSync(full, { maxRetries: 0, recursive: true, force: true, retryDelay: 0 });
  return { path, remove, [SymbolDispose]() { remove(); } };
}

async function mkdtempDisposable(prefix, options) {
  const { exports: promises } = require('internal/fs/promises');
  const path = await promises.mkdtemp(prefix, options);
  const full = resolve(path);
  const remove = async () => { await promises.rm(full, { maxRetries: 0, recursive: true, force: true, retryDelay: 0 }); };
  return { __proto__: null, path, remove, async [SymbolAsyncDispose]() { await remove(); } };
}

module.exports = { mkdtempDisposable, mkdtempDisposableSync };
