// CommonJS, and `node:module`. In: a file or a text. Out: what it exports. Programs replace parts
// of it (`Module._load`, `_resolveFilename`, `_extensions`, `prototype.require`, `_compile`), so
// these are the parts it is made of, under Node's names. Resolution and reading are native; ES
// modules are js/internal/esm.js.
'use strict';

const loader = internalBinding('loader');
const main = require('internal/modules/main_module');
const paths = require('internal/modules/paths');

const { FILE, BUILTIN, ERROR, FORMATS, emitDeprecation } = require('internal/modules/resolution_result');

// What most programs never need is loaded where it is needed.
const codes = () => require('internal/errors').codes;

function validateString(value, name) {
  if (typeof value !== 'string') require('internal/validators').validateString(value, name);
}

/** A path is none, nor is what begins with a dot; that is told without the list. */
function isBuiltin(specifier) {
  return !(typeof specifier === 'string' && (paths.isAbsolute(specifier) || specifier[0] === '.')) && require('internal/builtin_list').isBuiltin(specifier);
}

function Module(id = '', parent = undefined) {
  this.id = id;
  this.path = paths.dirname(id);
  // Whatever programs did to Object.prototype.
  Object.defineProperty(this, 'exports', { __proto__: null, value: {}, writable: true, enumerable: true, configurable: true });
  this.filename = null;
  this.loaded = false;
  this.children = [];
  // What is first asked for later: most modules never are.
  if (parents === undefined) {
    Object.defineProperty(this, 'parent', {
      __proto__: null, configurable: true, enumerable: false, writable: true, value: parent,
    });
  } else {
    parents.set(this, parent);
  }
  parent?.children?.push(this);
}

/** Of internal/module_parent, where programs are warned of `parent`. */
let parents;

const parentOf = (module) => (parents === undefined ? module.parent : parents.get(module));

Module._cache = { __proto__: null };
Module._pathCache = { __proto__: null };
Module._extensions = { __proto__: null };
// What few programs ever search.
let globalPaths;
Object.defineProperty(Module, 'globalPaths', {
  __proto__: null, configurable: true, enumerable: true,
  get() {
    if (globalPaths === undefined) Module._initPaths();
    return globalPaths;
  },
  set(value) { globalPaths = value; },
});
Module.Module = Module;

const WRAPPER = ['(function (exports, require, module, __filename, __dirname) { ', '\n});'];
let wrapper = WRAPPER;
let isWrapperPatched = false;
Module.wrap = function wrap(script) { return wrapper[0] + script + wrapper[1]; };
const plainWrap = Module.wrap;
Object.defineProperty(Module, 'wrap', {
  __proto__: null, configurable: true, enumerable: false,
  get() { return wrapOf; },
  set(value) { wrapOf = value; isWrapperPatched = true; },
});
let wrapOf = plainWrap;
Object.defineProperty(Module, 'wrapper', {
  __proto__: null, configurable: true, enumerable: false,
  get() { isWrapperPatched = true; return wrapper; },
  set(value) { wrapper = value; isWrapperPatched = true; },
});

// --- finding

Module._nodeModulePaths = paths.nodeModules;

Module._initPaths = function _initPaths() {
  const { env } = require('process');
  const { delimiter, resolve, dirname } = require('path');
  const home = env.HOME;
  const found = [resolve(dirname(require('process').execPath), '..', 'lib', 'node')];
  if (home) found.unshift(resolve(home, '.node_modules'), resolve(home, '.node_libraries'));
  if (env.NODE_PATH) found.unshift(...env.NODE_PATH.split(delimiter).filter(Boolean));
  globalPaths = found;
};

Module._resolveLookupPaths = function _resolveLookupPaths(request, parent) {
  if (isBuiltin(request)) return null;
  if (request[0] !== '.' || (request.length > 1 && request[1] !== '.' && request[1] !== '/')) {
    const own = parent?.paths;
    return own?.length ? own.concat(Module.globalPaths) : Module.globalPaths.slice();
  }
  return [parent?.filename ? paths.dirname(parent.filename) : '.'];
};

// Extensions that the program added; the native resolver does not know them.
const OWN_EXTENSIONS = new Set(['.js', '.json', '.node']);

function findByExtension(path) {
  for (const extension in Module._extensions) {
    if (!OWN_EXTENSIONS.has(extension) && loader.kind(path + extension) === 1) return loader.realpath(path + extension);
  }
  return undefined;
}

/** A path that names no directory outright. */
const MAY_BE_FILE = /^\.{0,2}\/.*[^/.]$/s;

/**
 * Where a directory was found, a file beside it with an extension of the program's own: files come
 * first.
 */
function findBesideDirectory(request, parent, found) {
  if (!MAY_BE_FILE.test(request) || Object.keys(Module._extensions).every((extension) => OWN_EXTENSIONS.has(extension))) return undefined;
  const path = require('path').resolve(parent?.filename ? paths.dirname(parent.filename) : loader.currentDir(), request);
  return found.startsWith(`${loader.realpath(path)}/`) ? findByExtension(path) : undefined;
}

/** Tries directories in turn, as `require.resolve` with `paths` and changed `module.paths` do. */
Module._findPath = function _findPath(request, folders, isMain) {
  if (paths.isAbsolute(request)) folders = [''];
  for (const folder of folders ?? []) {
    const target = folder === '' ? request : `${folder}/${request}`;
    const found = loader.resolve(paths.isAbsolute(target) ? target : `./${target}`, loader.currentDir(), loader.importer.DIRECTORY, false);
    if (found[0] === FILE) return found[1];
    const other = findByExtension(target);
    if (other !== undefined) return other;
  }
  return false;
};

function absolute(path) { return paths.isAbsolute(path) ? path : `${loader.currentDir()}/${path}`; }

function fail(found, request, parent) {
  if (found[1].startsWith('ERR_')) return require('internal/esm/failure').unresolved(found[1], found[2]);
  const error = new Error(found[2]);
  error.code = found[1];
  if (found[1] === 'MODULE_NOT_FOUND') {
    // Where `exports` lead.
    if (found[3] !== undefined) {
      error.message = `Cannot find module '${found[3]}'`;
      return error;
    }
    if (found[4] !== undefined) return Object.assign(error, { path: found[4], requestPath: request });
    const stack = [];
    for (let at = parent; at; at = parentOf(at)) stack.push(at.filename || at.id);
    if (stack.length > 0) error.message = `Cannot find module '${request}'\nRequire stack:\n- ${stack.join('\n- ')}`;
    else error.message = `Cannot find module '${request}'`;
    error.requireStack = stack;
  }
  return error;
}

/** What packages are looked for: no path, no address. */
function isBare(request) { return request[0] !== '.' && request[0] !== '/'; }

/** The program says itself where packages are looked for. */
function hasOwnPaths(parent) {
  const own = parent?.paths;
  if (!Array.isArray(own) || !parent.filename) return own !== undefined;
  const usual = paths.nodeModules(paths.dirname(parent.filename));
  return own.length !== usual.length || own.some((path, index) => path !== usual[index]);
}

/** Files that their names or packages call CommonJS: what stands in them does not change that. */
const saidToBeCommonJs = new Set();
const COMMONJS = FORMATS.indexOf('commonjs');

/** The same of modules. */
const saidToBeModules = new Set();
const MODULE = FORMATS.indexOf('module');

Module._resolveFilename = function _resolveFilename(request, parent, isMain, options) {
  if (isBuiltin(request)) return request;
  if (options?.paths !== undefined) return resolveFrom(request, parent, options.paths);
  const importer = parent?.filename ?? loader.currentDir();
  const folders = isBare(request) && hasOwnPaths(parent) ? Module._resolveLookupPaths(request, parent).map(absolute) : undefined;
  const found = loader.resolve(request, importer, parent?.filename ? loader.importer.FILE : loader.importer.DIRECTORY, false, undefined, folders);
  switch (found[0]) {
    case FILE:
      if (found[2] === COMMONJS) saidToBeCommonJs.add(found[1]);
      else if (found[2] === MODULE && found[1].endsWith('.js')) saidToBeModules.add(found[1]);
      if (found.length > 4) emitDeprecation(found);
      return findBesideDirectory(request, parent, found[1]) ?? found[1];
    case BUILTIN:
      return found[1];
    default: {
      const isRelative = /^\.{0,2}\//.test(request) || request === '.' || request === '..';
      if (isRelative) {
        const folder = parent?.filename ? paths.dirname(parent.filename) : loader.currentDir();
        const path = paths.isAbsolute(request) ? request : `${folder}/${request}`;
        const other = findByExtension(path) ?? findByExtension(`${path}/index`);
        if (other !== undefined) return other;
      } else if (found[1] === 'MODULE_NOT_FOUND') {
        const other = Module._findPath(request, folders ?? Module.globalPaths, isMain);
        if (other) return other;
      }
      throw fail(found, request, parent);
    }
  }
};

function resolveFrom(request, parent, folders) {
  if (!Array.isArray(folders)) throw new (codes().ERR_INVALID_ARG_VALUE)('options.paths', folders);
  for (const folder of folders) {
    validateString(folder, 'options.paths[]');
    const found = loader.resolve(request, absolute(folder), loader.importer.DIRECTORY, false);
    if (found[0] === FILE) return found[1];
  }
  throw fail([ERROR, 'MODULE_NOT_FOUND', ''], request, parent);
}

// --- loading

// Requests of one directory, resolved: a file asks for the same few things as its neighbours.
let resolvedBefore = { __proto__: null };

// internal/hooks, once a program has registered some.
let hooks;

Module._load = function _load(request, parent, isMain) {
  return hooks !== undefined && hooks.has() ? loadHooked(request, parent, isMain) : loadUnhooked(request, parent, isMain);
};

function loadUnhooked(request, parent, isMain) {
  let key;
  if (parent && Module._resolveFilename === resolveFilename) {
    const given = builtins.get(request);
    if (given !== undefined && (request.startsWith('node:') || Module._cache[request] === undefined)) return given;
    key = `${parent.path}\0${request}`;
    const known = Module._cache[resolvedBefore[key]];
    if (known !== undefined) {
      if (parent.children !== undefined && !parent.children.includes(known)) parent.children.push(known);
      return known.loaded ? known.exports : unfinished(known);
    }
  }
  if (request.startsWith('node:')) {
    const name = request.slice(5);
    if (!isBuiltin(request)) throw new (codes().ERR_UNKNOWN_BUILTIN_MODULE)(request);
    return giveBuiltin(request, name);
  }
  const filename = Module._resolveFilename(request, parent, isMain);
  const cached = Module._cache[filename];
  if (cached !== undefined) {
    if (parent?.children !== undefined && !parent.children.includes(cached)) parent.children.push(cached);
    if (key !== undefined) resolvedBefore[key] = filename;
    return cached.loaded ? cached.exports : unfinished(cached);
  }
  if (isBuiltin(filename)) {
    const name = filename.startsWith('node:') ? filename.slice(5) : filename;
    return key !== undefined && filename === request ? giveBuiltin(request, name) : builtin(name);
  }
  const module = new Module(filename, parent);
  if (isMain) {
    main.value = module;
    module.id = '.';
  }
  Module._cache[filename] = module;
  if (key !== undefined) resolvedBefore[key] = filename;
  let isThrown = true;
  try {
    module.load(filename);
    isThrown = false;
  } finally {
    if (isThrown) {
      delete Module._cache[filename];
      const siblings = parent?.children;
      if (Array.isArray(siblings) && siblings.includes(module)) siblings.splice(siblings.indexOf(module), 1);
    }
  }
  return module.exports;
}
const resolveFilename = Module._resolveFilename;

const CONDITIONS = Object.freeze(['require', 'node', 'module-sync', 'node-addons']);

/** What the program's hooks say that a request stands for. */
function resolveHooked(request, parent, isMain, options) {
  const parentURL = parent?.[kUrl] ?? (parent?.filename ? hooks.toUrl(parent.filename) : undefined);
  const about = { parentURL, conditions: CONDITIONS, importAttributes: {} };
  return hooks.resolve(request, about, (asked, _, conditions) => {
    const found = conditions === undefined || isBuiltin(asked)
      ? Module._resolveFilename(asked, parent, isMain, options)
      : resolveUnder(asked, parent, conditions);
    return isBuiltin(found)
      ? { __proto__: null, url: found.startsWith('node:') ? found : `node:${found}`, format: 'builtin' }
      : { __proto__: null, url: hooks.toUrl(found), format: formatOf(found) };
  });
}

/** Under conditions that a hook asks for. */
function resolveUnder(request, parent, conditions) {
  const from = parent?.filename ?? loader.currentDir();
  const found = loader.resolve(request, from, parent?.filename ? loader.importer.FILE : loader.importer.DIRECTORY, false, conditions);
  if (found[0] === FILE) return found[1];
  throw fail(found, request, parent);
}

function formatOf(filename) {
  if (saidToBeCommonJs.has(filename)) return 'commonjs';
  if (filename.endsWith('.json')) return 'json';
  return filename.endsWith('.mjs') ? 'module' : undefined;
}

/** A builtin's own name, without `node:` where it is known without. */
function builtinName(url) {
  const name = url.slice(5);
  return isBuiltin(name) ? name : url;
}

function loadHooked(request, parent, isMain) {
  const { url, format } = resolveHooked(request, parent, isMain);
  const filename = hooks.toPath(url) ?? url;
  const cached = url.startsWith('node:') ? undefined : Module._cache[filename];
  if (cached !== undefined) return cached.loaded ? cached.exports : unfinished(cached);
  const about = { format, usual: formatOf(filename) ?? format, conditions: CONDITIONS, importAttributes: {} };
  const loaded = hooks.load(url, about, false);
  if (loaded.isOwn && url.startsWith('node:')) return builtin(url.slice(5));
  const module = new Module(filename, parent);
  if (isMain) {
    main.value = module;
    module.id = '.';
  }
  if (url.startsWith('node:')) {
    fillHooked(module, filename, loaded);
    return module.exports;
  }
  Module._cache[filename] = module;
  try {
    fillHooked(module, filename, loaded);
    module.loaded = true;
  } catch (error) {
    delete Module._cache[filename];
    throw error;
  }
  return module.exports;
}

function fillHooked(module, filename, { format, source, isOwn }) {
  module.filename = filename;
  module.paths = Module._nodeModulePaths(paths.dirname(filename));
  if (isOwn) Module._extensions[extensionOf(filename)](module, filename);
  else if (format === 'json') module.exports = JSON.parse(source);
  else module._compile(source, filename, format);
}

/** internal/circular_exports, once there is a cycle. */
let circular;

/** What a module in a cycle exports so far. */
function unfinished(module) {
  const esm = module[isEsm];
  if (esm !== undefined) return require('internal/esm').requireUnfinished(esm, parentOf(module)?.filename);
  circular = require('internal/modules/circular_exports');
  circular.watch(module);
  return module.exports;
}
const isEsm = Symbol('esm');
const kUrl = Symbol('url');

function builtin(name) { return require('internal/builtin_list').load(name); }

/**
 * Builtins by the requests that they were given for. A program may put another module before one
 * that is named without `node:`.
 */
const builtins = new Map();

function giveBuiltin(request, name) {
  const found = builtin(name);
  builtins.set(request, found);
  return found;
}

Module.prototype.load = function load(filename) {
  this.filename = filename;
  this.paths ??= Module._nodeModulePaths(paths.dirname(filename));
  const extension = extensionOf(filename);
  Module._extensions[extension](this, filename);
  this.loaded = true;
  circular?.end(this);
};

function extensionOf(filename) {
  const name = filename.slice(filename.lastIndexOf('/') + 1);
  for (let at = name.indexOf('.'); at !== -1; at = name.indexOf('.', at + 1)) {
    if (at === 0) continue;
    const extension = name.slice(at);
    // Loaders put null there, to be asked for what they need and no more.
    if (Module._extensions[extension]) return extension;
  }
  return '.js';
}

Module.prototype.require = function require(id) {
  validateString(id, 'id');
  if (id === '') throw new (codes().ERR_INVALID_ARG_VALUE)('id', id, 'must be a non-empty string');
  const traces = main.tracing?.('module.require');
  if (traces === undefined) return Module._load(id, this, false);
  return traces.traceSync(Module._load, { __proto__: null, parentFilename: this.filename, id }, Module, id, this, false);
};

// --- running

/**
 * `content` was handed in by somebody: a loader of the program's, or ours after a patch of the
 * wrapper.
 */
Module.prototype._compile = function _compile(content, filename, format) {
  if (format === 'module') return compileModule(this, filename, content);
  if (isWrapperPatched) {
    const wrapped = `${Module.wrap(content.replace(/^#!.*/, ''))}`;
    return run(this, loader.evaluate(wrapped, filename), filename);
  }
  const compiled = loader.compileText(filename, content);
  if (compiled === undefined) return compileModule(this, filename, content);
  return run(this, compiled, filename);
};
const plainCompile = Module.prototype._compile;

function compileModule(module, filename, content) {
  const esm = require('internal/esm');
  if (module === main.value && content === undefined) {
    // It was not declared one, but the entry point is an ES module, and may await.
    delete Module._cache[filename];
    main.value = undefined;
    esm.runMain(filename);
    return;
  }
  module.exports = esm.requireFile(module, filename, content, (record) => { module[isEsm] = record; });
}

/** Of a function whose text asks for the file's own object: docs/contributing/transpile.md. */
const OWN_ARGUMENTS = 6;

function run(module, compiled, filename) {
  const { exports } = module;
  return Reflect.apply(compiled, exports, [
    exports, makeRequire(module), module, filename, paths.dirname(filename),
    compiled.length === OWN_ARGUMENTS ? new (require('internal/transpiler_runtime').Own)(filename) : undefined,
  ]);
}

function readText(filename) {
  const text = loader.read(filename);
  return text.charCodeAt(0) === 0xFEFF ? text.slice(1) : text;
}

/** What bun requires, too, and Node would take for a program. */
const DATA = /\.(?:jsonc|toml|ya?ml)$/;

Module._extensions['.js'] = function (module, filename) {
  if (module._compile !== plainCompile || isWrapperPatched) {
    return module._compile(readText(filename), filename);
  }
  if (DATA.test(filename)) {
    const { kindOfData, readData } = require('internal/esm/synthetic');
    module.exports = readData(filename, kindOfData(filename));
    return undefined;
  }
  if (saidToBeModules.has(filename)) return compileModule(module, filename, undefined);
  // undefined: it is an ES module.
  const compiled = compileFile(filename);
  if (compiled === undefined) return compileModule(module, filename, undefined);
  return run(module, compiled, filename);
};

function compileFile(filename) {
  try {
    return loader.compileFile(filename, saidToBeCommonJs.has(filename) && !/\.[cm]?tsx?$/.test(filename));
  } catch (error) {
    throw error instanceof SyntaxError ? require('internal/esm/load_diagnostics').ofCommonJs(error, filename) : error;
  }
}

Module._extensions['.json'] = function (module, filename) {
  try {
    module.exports = JSON.parse(readText(filename));
  } catch (error) {
    if (error.code === undefined) error.message = `${filename}: ${error.message}`;
    throw error;
  }
};

Module._extensions['.node'] = function (module, filename) {
  return require('process').dlopen(module, filename);
};

// --- `require`

function makeRequire(module) {
  const own = function require(path) {
    return module.require(path);
  };
  own.resolve = function resolve(request, options) {
    validateString(request, 'request');
    if (hooks === undefined || !hooks.has()) return Module._resolveFilename(request, module, false, options);
    const { url } = resolveHooked(request, module, false, options);
    return url.startsWith('node:') ? builtinName(url) : hooks.toPath(url) ?? url;
  };
  own.resolve.paths = function paths(request) {
    validateString(request, 'request');
    return Module._resolveLookupPaths(request, module);
  };
  Object.defineProperty(own, 'main', { __proto__: null, value: main.value, writable: true, enumerable: true, configurable: true });
  own.extensions = Module._extensions;
  own.cache = Module._cache;
  return own;
}

function createRequire(filename) {
  const url = require('internal/modules/file_url');
  const path = url.toPath(filename);
  if (path === undefined) {
    throw new (codes().ERR_INVALID_ARG_VALUE)('filename', filename, 'must be a file URL object, file URL string, or absolute path string');
  }
  const isFolder = path.endsWith('/');
  const file = isFolder ? `${path}noop.js` : path;
  const module = new Module(file);
  module.filename = file;
  module.paths = Module._nodeModulePaths(module.path);
  // Hooks get what the program passed.
  if (`${filename}`.startsWith('file:')) module[kUrl] = `${filename}`;
  return makeRequire(module);
}


Module.createRequire = createRequire;
Module.isBuiltin = isBuiltin;
require('internal/globals').lazy(Module, 'builtinModules', () => require('internal/builtin_list').publicNames(), true);
Module.runMain = function runMain(path = require('process').argv[1]) {
  return require('internal/main').startFile(path);
};
Object.defineProperty(Module, 'plainRunMain', { __proto__: null, value: Module.runMain, enumerable: false });
/** Who asks for what is loaded before the program. */
function preloader() {
  const parent = new Module('internal/preload', null);
  parent.paths = Module._nodeModulePaths(loader.currentDir());
  parent.filename = `${loader.currentDir()}/[preload]`;
  return parent;
}
Object.defineProperty(Module, 'preloader', { __proto__: null, value: preloader, enumerable: false });
Module._preloadModules = function _preloadModules(requests) {
  if (!Array.isArray(requests)) return;
  const parent = preloader();
  const { toPath } = require('internal/modules/file_url');
  for (const request of requests) parent.require(request.startsWith('file:') ? toPath(request) ?? request : request);
};
Module.prototype.constructor = Module;

const LATE = [
  'syncBuiltinESMExports', 'register', 'registerHooks', 'findPackageJSON', 'setSourceMapsSupport', 'getSourceMapsSupport', 'SourceMap', 'findSourceMap',
  'constants', 'enableCompileCache', 'flushCompileCache', 'getCompileCacheDir',
];
for (const name of LATE) {
  require('internal/globals').lazy(Module, name, () => require('internal/source_map_support')[name], true);
}

module.exports = Module;
Object.defineProperty(Module, 'makeRequire', { __proto__: null, value: makeRequire, enumerable: false });
Object.defineProperty(Module, 'loadUnhooked', { __proto__: null, value: loadUnhooked, enumerable: false });
/** Sets the function that is called from now on. */
Object.defineProperty(Module, 'setHooks', { __proto__: null, value(given) { hooks = given; }, enumerable: false });
Object.defineProperty(Module, 'setParents', { __proto__: null, value(given) { parents = given; }, enumerable: false });
Object.defineProperty(Module, 'parentOf', { __proto__: null, value: parentOf, enumerable: false });
