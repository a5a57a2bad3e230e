// Hot reloading (`--hot`): when a loaded file changes, the program's modules are loaded again in
// the same process. In: files as they are loaded. Out: a new evaluation of the entry point. The
// global object stays, and so do servers: `Bun.serve` with the same id or address replaces the
// handlers of the one that runs. Packages are not loaded again. Absent: restarting the process
// (`--watch`).
'use strict';

const { FileWatcher } = require('internal/dev_server/file_watcher');
const { toPath } = require('internal/modules/file_url');

/** Whether the current code has thrown: then any change may mend it. */
let hasFailed = false;
let isScheduled = false;
const watcher = new FileWatcher(onChange, { isRef: true });

function isOwn(path) { return path !== undefined && path[0] === '/' && !path.includes('/node_modules/'); }

function watch(path) {
  if (isOwn(path)) watcher.watch([require('path').dirname(path)]);
}

/** Calls `watch` with every module that is loaded from now on. */
function observe() {
  const { records } = require('internal/esm');
  const { set } = records;
  records.set = function (key, record) {
    watch(toPath(record.url));
    return set.call(this, key, record);
  };
  const Module = require('module');
  Module._cache = new Proxy(Module._cache, {
    set(cache, path, module) {
      watch(path);
      cache[path] = module;
      return true;
    },
  });
}

function isLoaded(path) {
  const { records } = require('internal/esm');
  if (require('module')._cache[path] !== undefined) return true;
  for (const record of records.values()) if (toPath(record.url) === path) return true;
  return false;
}

function onChange(path) {
  if (isScheduled || (!hasFailed && !isLoaded(path))) return;
  isScheduled = true;
  // A save may have changed several files.
  setImmediate(() => {
    isScheduled = false;
    reload();
  });
}

function reload() {
  const { records } = require('internal/esm');
  const { _cache: cache } = require('module');
  for (const [key, record] of Array.from(records)) if (isOwn(toPath(record.url))) records.delete(key);
  for (const path of Object.keys(cache)) if (isOwn(path)) delete cache[path];
  hasFailed = false;
  require('internal/serve/serve').keepServers();
  const [, name] = require('internal/modules/main_module').script;
  try {
    require('internal/main').startFile(name);
  } catch (error) {
    report(error);
  }
}

function report(error) {
  hasFailed = true;
  globalThis.console.error(error);
}

observe();
require('internal/serve/serve').keepServers();
// An error in one version of the program is not the end.
require('process').setUncaughtExceptionCaptureCallback(report);
