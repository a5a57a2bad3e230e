// Entry point: runs the main program, as Node's lib/internal/main/*.js. In: a file name or source
// text of the command line. Out: the program has been started; the event loop continues it.
'use strict';

const loader = internalBinding('loader');
const { FILE, FORMATS } = require('internal/modules/resolution_result');

/**
 * Loads the modules of `--require`, `--import` and `--loader`, then calls `then`; synchronously
 * unless one of them awaits.
 */
function preload(then) {
  const preloads = loader.preloads();
  return preloads.length > 0 ? require('internal/modules/preloads').run(preloads, then) : then();
}

/**
 * Runs a file, resolved as Node's main module: its own name, with an extension, or a directory's
 * index.
 */
function runFile(name) {
  require('internal/modules/main_module').script = [loader.currentDir(), name];
  return preload(() => {
    const Module = require('module');
    // A preloaded module may have replaced `Module.runMain`.
    return Module.runMain === Module.plainRunMain ? startFile(name) : Module.runMain(name);
  });
}

/** `--check`: parses a file without running it. */
function checkFile(name) {
  return preload(() => {
    const [kind, path, format] = findFile(name);
    if (kind !== FILE) throw notFound(name);
    // undefined: the file is an ES module.
    if (FORMATS[format] !== 'module' && loader.compileFile(path, false) !== undefined) return;
    loader.parseModule(path, undefined, FORMATS[format] === 'module', false);
  });
}

function findFile(name) {
  const resolution = loader.resolveMain(name[0] === '/' ? name : `./${name}`);
  if (resolution[0] === FILE && resolution.length > 4) require('internal/modules/resolution_result').emitDeprecation(resolution);
  return resolution;
}

function notFound(name) {
  const error = new Error(`Cannot find module '${require('path').resolve(loader.currentDir(), name)}'`);
  error.code = 'MODULE_NOT_FOUND';
  error.requireStack = [];
  return error;
}

function startFile(name) {
  const Module = require('module');
  require('internal/modules/main_module').script = [loader.currentDir(), name];
  if (name.endsWith('.html')) return require('internal/dev_server/command').start(name);
  const resolution = findFile(name);
  if (resolution[1] === 'ERR_INPUT_TYPE_NOT_ALLOWED') throw require('internal/esm/failure')(resolution[1], resolution[2], Error);
  if (hasAsyncHooks()) return require('internal/esm').runMain(resolution[0] === FILE ? resolution[1] : require('path').resolve(loader.currentDir(), name));
  if (resolution[0] !== FILE) throw notFound(name);
  const format = FORMATS[resolution[2]];
  if (format === 'module' || format === 'wasm') return require('internal/esm').runMain(resolution[1]);
  return Module._load(resolution[1], null, true);
}

/** Asynchronous hooks apply to the main module, too; then it is imported. */
function hasAsyncHooks() { return require('internal/modules/main_module').isHooked && require('internal/modules/hooks').asyncHooks !== undefined; }

/** Runs the program of a worker, from the options that its parent sent. */
function runWorker() { return require('internal/main/worker_thread').start(); }

/**
 * `--eval` and standard input: CommonJS with the globals of a REPL, or an ES module if the syntax
 * is.
 */
function runSource(source, name, print, isModule) { return preload(() => startSource(source, name, print, isModule)); }

function startSource(source, name, print, isModule) {
  const directory = loader.currentDir();
  const path = `${directory}/[eval1]`;
  const format = isModule === undefined ? '' : isModule ? 'module' : 'commonjs';
  const { prepare, provide } = require('internal/modules/global_script');
  const script = prepare(source, name, path, format);
  if (script === undefined) {
    require('internal/modules/main_module').source = source;
    if (!print) return require('internal/esm').runSource(path);
    const { codes: { ERR_EVAL_ESM_CANNOT_PRINT } } = require('internal/errors');
    throw new ERR_EVAL_ESM_CANNOT_PRINT();
  }
  defineReplGlobals(directory, name);
  const { TranspilerRuntime } = require('internal/transpiler_runtime');
  const evaluate = (text) => loader.evaluate(text, name);
  provide(evaluate, script[1], new TranspilerRuntime(`${directory}/${name}`));
  const result = evaluate(script[0]);
  if (print) globalThis.console.log(result);
}

/** The globals of a REPL: CommonJS variables, and builtins by name. */
function defineReplGlobals(directory, name) {
  const Module = require('module');
  const module = new Module(name);
  module.filename = `${directory}/${name}`;
  module.paths = Module._nodeModulePaths(directory);
  const requireFunction = Module.makeRequire(module);
  for (const [key, value] of Object.entries({ module, exports: module.exports, require: requireFunction, __filename: name, __dirname: '.' })) {
    globalThis[key] = value;
  }
  const { load, publicNames } = require('internal/builtin_list');
  for (const builtin of publicNames()) {
    // As in Node, the module `crypto` stands for the global.
    if (builtin[0] === '_' || builtin.includes('/') || builtin.includes(':') || (builtin in globalThis && builtin !== 'crypto')) continue;
    require('internal/globals').lazy(globalThis, builtin, () => load(builtin), false);
  }
}

// The program begins.
require.keepIntrinsics();

module.exports = { checkFile, preload, runFile, startFile, runSource, runWorker };
