// The program itself. In: what the command line names. Out: it has begun; the loop does the rest.
'use strict';

const loader = internalBinding('loader');
const { FILE, FORMATS } = require('internal/modules/resolution_result');

/**
 * Loads what `--require`, `--import` and `--loader` name, then calls `then`: at once where nothing
 * of it awaits.
 */
function preload(then) {
  const words = loader.preloads();
  return words.length > 0 ? require('internal/modules/preloads').run(words, then) : then();
}

/**
 * A file, as Node finds its main module: by its own name, with an extension, or a directory's
 * index.
 */
function runFile(name) {
  require('internal/modules/main_module').script = [loader.currentDir(), name];
  return preload(() => {
    const Module = require('module');
    // What a preloaded file put in its place.
    return Module.runMain === Module.plainRunMain ? startFile(name) : Module.runMain(name);
  });
}

/** `--check`: whether it parses; nothing of it runs. */
function checkFile(name) {
  return preload(() => {
    const [kind, path, format] = findFile(name);
    if (kind !== FILE) throw notFound(name);
    // undefined: it is an ES module.
    if (FORMATS[format] !== 'module' && loader.compileFile(path, false) !== undefined) return;
    loader.parseModule(path, undefined, FORMATS[format] === 'module', false);
  });
}

function findFile(name) {
  const found = loader.resolveMain(name[0] === '/' ? name : `./${name}`);
  if (found[0] === FILE && found.length > 4) require('internal/modules/resolution_result').emitDeprecation(found);
  return found;
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
  const found = findFile(name);
  if (found[1] === 'ERR_INPUT_TYPE_NOT_ALLOWED') throw require('internal/esm/failure')(found[1], found[2], Error);
  if (isImported()) return require('internal/esm').runMain(found[0] === FILE ? found[1] : require('path').resolve(loader.currentDir(), name));
  if (found[0] !== FILE) throw notFound(name);
  const format = FORMATS[found[2]];
  if (format === 'module' || format === 'wasm') return require('internal/esm').runMain(found[1]);
  return Module._load(found[1], null, true);
}

/** Hooks that take their time are asked for the program, too, whatever it is. */
function isImported() { return require('internal/modules/main_module').isHooked && require('internal/modules/hooks').provider !== undefined; }

/** What the parcel of this thread says. */
function runWorker() { return require('internal/worker/child').start(); }

/**
 * `-e` and standard input: CommonJS with the names that a prompt has, or a module where the text is
 * one.
 */
function runText(source, name, print, isModule) { return preload(() => startText(source, name, print, isModule)); }

function startText(source, name, print, isModule) {
  const folder = loader.currentDir();
  const path = `${folder}/[eval1]`;
  const given = isModule === undefined ? '' : isModule ? 'module' : 'commonjs';
  const { prepare, provide } = require('internal/modules/global_script');
  const script = prepare(source, name, path, given);
  if (script === undefined) {
    require('internal/modules/main_module').text = source;
    if (!print) return require('internal/esm').runText(path);
    const { codes: { ERR_EVAL_ESM_CANNOT_PRINT } } = require('internal/errors');
    throw new ERR_EVAL_ESM_CANNOT_PRINT();
  }
  defineNames(folder, name);
  const { Own } = require('internal/transpiler_runtime');
  const evaluate = (text) => loader.evaluate(text, name);
  provide(evaluate, script[1], new Own(`${folder}/${name}`));
  const result = evaluate(script[0]);
  if (print) globalThis.console.log(result);
}

/** Builtins by their names, and what a CommonJS file has. */
function defineNames(folder, name) {
  const Module = require('module');
  const module = new Module(name);
  module.filename = `${folder}/${name}`;
  module.paths = Module._nodeModulePaths(folder);
  const own = Module.makeRequire(module);
  for (const [key, value] of Object.entries({ module, exports: module.exports, require: own, __filename: name, __dirname: '.' })) {
    globalThis[key] = value;
  }
  const { load, publicNames } = require('internal/builtin_list');
  for (const builtin of publicNames()) {
    if (builtin[0] === '_' || builtin.includes('/') || builtin.includes(':') || builtin in globalThis) continue;
    require('internal/globals').lazy(globalThis, builtin, () => load(builtin), false);
  }
}

module.exports = { checkFile, preload, runFile, startFile, runText, runWorker };
