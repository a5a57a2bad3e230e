// CommonJS loader and `node:module`. In: a file or source text. Out: its exports. Programs replace
// parts of it (`Module._load`, `_resolveFilename`, `_extensions`, `prototype.require`, `_compile`),
// so it consists of these parts under Node's names. Resolution and reading are native; ES modules
// are in js/internal/esm.js.
'use strict';

const loader = internalBinding('loader');
const main = require('internal/modules/main_module');
const paths = require('internal/modules/paths');

const { FILE, BUILTIN, ERROR, FORMATS, emitDeprecation } = require('internal/modules/resolution_result');

// Loaded on first use: most programs do not need it.
const codes = () => require('internal/errors').codes;

const isEsm = Symbol('esm');
const kUrl = Symbol('url');

function validateString(value, name) {
  if (typeof value !== 'string') require('internal/validators').validateString(value, name);
}

/** Paths and relative specifiers are excluded first, without loading the list. */
function isBuiltin(specifier) {
  return !(typeof specifier === 'string' && (paths.isAbsolute(specifier) || specifier[0] === '.')) && require('internal/builtin_list').isBuiltin(specifier);
}

function Module(id = '', parent = undefined) {
  this.id = id;
  this.path = paths.dirname(id);
  // Independent of setters that programs define on Object.prototype.
  Object.defineProperty(this, 'exports', { __proto__: null, value: {}, writable: true, enumerable: true, configurable: true });
  this.filename = null;
  this.loaded = false;
  this.children = [];
  if (parents === undefined) {
    Object.defineProperty(this, 'parent', {
      __proto__: null, configurable: true, enumerable: false, writable: true, value: parent,
    });
  } else {
    parents.set(this, parent);
  }
  parent?.children?.push(this);
}

/** The map of internal/modules/parent_deprecation, under `--pending-deprecation`. */
let parents;

const parentOf = (module) => (parents === undefined ? module.parent : parents.get(module));

Module._cache = { __proto__: null };
Module._pathCache = { __proto__: null };
Module._extensions = { __proto__: null };
// Computed on first access.
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

// --- resolution

Module._nodeModulePaths = paths.nodeModules;

Module._initPaths = function _initPaths() {
  const { env } = require('process');
  const { delimiter, resolve, dirname } = require('path');
  const home = env.HOME;
  const resolution = [resolve(dirname(require('process').execPath), '..', 'lib', 'node')];
  if (home) resolution.unshift(resolve(home, '.node_modules'), resolve(home, '.node_libraries'));
  if (env.NODE_PATH) resolution.unshift(...env.NODE_PATH.split(delimiter).filter(Boolean));
  globalPaths = resolution;
};

Module._resolveLookupPaths = function _resolveLookupPaths(request, parent) {
  if (isBuiltin(request)) return null;
  if (request[0] !== '.' || (request.length > 1 && request[1] !== '.' && request[1] !== '/')) {
    const own = parent?.paths;
    return own?.length ? own.concat(Module.globalPaths) : Module.globalPaths.slice();
  }
  return [parent?.filename ? paths.dirname(parent.filename) : '.'];
};

// Extensions of the native resolver; programs may add others.
const DEFAULT_EXTENSIONS = new Set(['.js', '.json', '.node']);

function findByExtension(path) {
  for (const extension in Module._extensions) {
    if (!DEFAULT_EXTENSIONS.has(extension) && loader.kind(path + extension) === 1) return loader.realpath(path + extension);
  }
  return undefined;
}

const hasDefaultExtensions = () => Object.keys(Module._extensions).every((extension) => DEFAULT_EXTENSIONS.has(extension));

/** A path without a trailing slash or dot, which can name a file. */
const MAY_BE_FILE = /^\.{0,2}\/.*[^/.]$/s;

/**
 * The native resolver found a directory. A file of that name with an extension of the program comes
 * first.
 */
function findFileBeforeDirectory(request, parent, resolution) {
  if (!MAY_BE_FILE.test(request) || hasDefaultExtensions()) return undefined;
  const path = require('path').resolve(parent?.filename ? paths.dirname(parent.filename) : loader.currentDir(), request);
  return resolution.startsWith(`${loader.realpath(path)}/`) ? findByExtension(path) : undefined;
}

/** Tries directories in turn, as `require.resolve` with `paths` and changed `module.paths` do. */
Module._findPath = function _findPath(request, directories, isMain) {
  if (paths.isAbsolute(request)) directories = [''];
  for (const directory of directories ?? []) {
    const target = directory === '' ? request : `${directory}/${request}`;
    const resolution = loader.resolve(paths.isAbsolute(target) ? target : `./${target}`, loader.currentDir(), loader.importer.DIRECTORY, false);
    if (resolution[0] === FILE) return resolution[1];
    const other = findByExtension(target);
    if (other !== undefined) return other;
  }
  return false;
};

function absolute(path) { return paths.isAbsolute(path) ? path : `${loader.currentDir()}/${path}`; }

function resolutionError(resolution, request, parent) {
  const message = { specifier: request, referrer: parent?.filename ?? '', importKind: 'require-call' };
  return require('internal/esm/bun_messages').asResolveMessage(makeResolutionError(resolution, request, parent), message);
}

function makeResolutionError(resolution, request, parent) {
  if (resolution[1].startsWith('ERR_')) return require('internal/esm/failure').unresolved(resolution[1], resolution[2]);
  const error = new Error(resolution[2]);
  error.code = resolution[1];
  if (resolution[1] === 'MODULE_NOT_FOUND') {
    // The target of `exports` does not exist.
    if (resolution[3] !== undefined) {
      error.message = `Cannot find module '${resolution[3]}'`;
      return error;
    }
    if (resolution[4] !== undefined) return Object.assign(error, { path: resolution[4], requestPath: request });
    const stack = [];
    for (let at = parent; at; at = parentOf(at)) stack.push(at.filename || at.id);
    if (stack.length > 0) error.message = `Cannot find module '${request}'\nRequire stack:\n- ${stack.join('\n- ')}`;
    else error.message = `Cannot find module '${request}'`;
    error.requireStack = stack;
  }
  return error;
}

/** A bare specifier is resolved in node_modules. */
function isBare(request) { return request[0] !== '.' && request[0] !== '/'; }

/** Whether the program changed `module.paths`. */
function hasChangedPaths(parent) {
  const own = parent?.paths;
  if (!Array.isArray(own) || !parent.filename) return own !== undefined;
  const defaultPaths = paths.nodeModules(paths.dirname(parent.filename));
  return own.length !== defaultPaths.length || own.some((path, index) => path !== defaultPaths[index]);
}

/** Files that are CommonJS by extension or package.json; their syntax does not change that. */
const commonJsFiles = new Set();
const COMMONJS = FORMATS.indexOf('commonjs');

/** Files that are ES modules by package.json. */
const moduleFiles = new Set();
const MODULE = FORMATS.indexOf('module');

Module._resolveFilename = function _resolveFilename(request, parent, isMain, options) {
  if (isBuiltin(request)) return request;
  if (options?.paths !== undefined) return resolveFrom(request, parent, options.paths);
  const importer = parent?.filename ?? loader.currentDir();
  const directories = isBare(request) && hasChangedPaths(parent) ? Module._resolveLookupPaths(request, parent).map(absolute) : undefined;
  const resolution = loader.resolve(request, importer, parent?.filename ? loader.importer.FILE : loader.importer.DIRECTORY, false, undefined, directories);
  switch (resolution[0]) {
    case FILE:
      if (resolution[2] === COMMONJS) commonJsFiles.add(resolution[1]);
      else if (resolution[2] === MODULE && resolution[1].endsWith('.js')) moduleFiles.add(resolution[1]);
      if (resolution.length > 4) emitDeprecation(resolution);
      return resolutionOf(resolution, directories, findFileBeforeDirectory(request, parent, resolution[1]));
    case BUILTIN:
      return resolution[1];
    default: {
      const isRelative = /^\.{0,2}\//.test(request) || request === '.' || request === '..';
      if (isRelative) {
        const directory = parent?.filename ? paths.dirname(parent.filename) : loader.currentDir();
        const path = paths.isAbsolute(request) ? request : `${directory}/${request}`;
        const other = findByExtension(path) ?? findByExtension(`${path}/index`);
        if (other !== undefined) return other;
      } else if (resolution[1] === 'MODULE_NOT_FOUND') {
        const other = Module._findPath(request, directories ?? Module.globalPaths, isMain);
        if (other) return other;
      }
      throw resolutionError(resolution, request, parent);
    }
  }
};

/** A path that was found from its directory only: neither by extensions nor paths of a program. */
let plainPath;

function resolutionOf(resolution, directories, other) {
  const isPlain = directories === undefined && other === undefined && resolution.length <= 4;
  plainPath = isPlain ? resolution[1] : undefined;
  return other ?? resolution[1];
}

/** As `_resolveFilename`. `key`: of relativeResolveCache. */
function resolveAgain(key, request, parent, isMain) {
  const isPlain = key !== undefined && keptFunctions !== undefined && hasDefaultExtensions() && !(isBare(request) && hasChangedPaths(parent));
  const known = isPlain ? keptFunctions.resolve(key) : undefined;
  if (known !== undefined) {
    if (known.isCertain) commonJsFiles.add(known.path);
    return known.path;
  }
  plainPath = undefined;
  const path = Module._resolveFilename(request, parent, isMain);
  if (isPlain && plainPath === path) keptFunctions.note(key, path);
  return path;
}

function resolveFrom(request, parent, directories) {
  if (!Array.isArray(directories)) throw new (codes().ERR_INVALID_ARG_VALUE)('options.paths', directories);
  for (const directory of directories) {
    validateString(directory, 'options.paths[]');
    const resolution = loader.resolve(request, absolute(directory), loader.importer.DIRECTORY, false);
    if (resolution[0] === FILE) return resolution[1];
  }
  throw resolutionError([ERROR, 'MODULE_NOT_FOUND', ''], request, parent);
}

// --- loading

// Filenames by directory and request: files of one directory require the same modules (Node's
// relativeResolveCache).
let relativeResolveCache = { __proto__: null };

// internal/modules/commonjs_hooks, once a program has registered hooks.
let hookedLoader;

Module._load = function _load(request, parent, isMain) {
  return hookedLoader !== undefined && hookedLoader.hasHooks() ? hookedLoader.load(request, parent, isMain) : loadUnhooked(request, parent, isMain);
};

function loadUnhooked(request, parent, isMain) {
  let key;
  if (parent && Module._resolveFilename === resolveFilename) {
    const exports = builtins.get(request);
    if (exports !== undefined && (request.startsWith('node:') || Module._cache[request] === undefined)) return exports;
    key = `${parent.path}\0${request}`;
    const known = Module._cache[relativeResolveCache[key]];
    if (known !== undefined) {
      if (parent.children !== undefined && !parent.children.includes(known)) parent.children.push(known);
      return known.loaded ? known.exports : unfinishedExports(known);
    }
  }
  if (request.startsWith('node:')) {
    const name = request.slice(5);
    if (!require('internal/builtin_list').isKnown(request)) throw new (codes().ERR_UNKNOWN_BUILTIN_MODULE)(request);
    return loadBuiltin(request, name);
  }
  const filename = resolveAgain(key, request, parent, isMain);
  const cached = Module._cache[filename];
  if (cached !== undefined) {
    if (parent?.children !== undefined && !parent.children.includes(cached)) parent.children.push(cached);
    if (key !== undefined) relativeResolveCache[key] = filename;
    return cached.loaded ? cached.exports : unfinishedExports(cached);
  }
  if (isBuiltin(filename)) {
    const name = filename.startsWith('node:') ? filename.slice(5) : filename;
    return key !== undefined && filename === request ? loadBuiltin(request, name) : builtin(name);
  }
  const module = new Module(filename, parent);
  if (isMain) {
    main.value = module;
    module.id = '.';
  }
  Module._cache[filename] = module;
  if (key !== undefined) relativeResolveCache[key] = filename;
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

/** internal/circular_exports, once there is a cycle. */
let circular;

/** The exports of a module in a cycle, before its evaluation has ended. */
function unfinishedExports(module) {
  const esm = module[isEsm];
  if (esm !== undefined) return require('internal/esm').requireUnfinished(esm, parentOf(module)?.filename);
  circular = require('internal/modules/circular_exports');
  circular.watch(module);
  return module.exports;
}

function builtin(name) { return require('internal/builtin_list').load(name); }

/**
 * Exports of builtins by request. A program may replace a builtin without `node:` by an entry of
 * `Module._cache`.
 */
const builtins = new Map();

function loadBuiltin(request, name) {
  const exports = builtin(name);
  builtins.set(request, exports);
  return exports;
}

Module.prototype.load = function load(filename) {
  this.filename = filename;
  this.paths ??= Module._nodeModulePaths(paths.dirname(filename));
  const extension = extensionOf(filename);
  Module._extensions[extension](this, filename);
  this.loaded = true;
  circular?.unwatch(this);
};

function extensionOf(filename) {
  const name = filename.slice(filename.lastIndexOf('/') + 1);
  for (let at = name.indexOf('.'); at !== -1; at = name.indexOf('.', at + 1)) {
    if (at === 0) continue;
    const extension = name.slice(at);
    // Loaders set some to null.
    if (Module._extensions[extension]) return extension;
  }
  return '.js';
}

Module.prototype.require = function require(id) {
  validateString(id, 'id');
  if (id === '') throw new (codes().ERR_INVALID_ARG_VALUE)('id', id, 'must be a non-empty string');
  const channel = main.tracing?.('module.require');
  if (channel === undefined) return Module._load(id, this, false);
  return channel.traceSync(Module._load, { __proto__: null, parentFilename: this.filename, id }, Module, id, this, false);
};

// --- evaluation

/** `content` comes from a loader of the program, or the program has patched the wrapper. */
Module.prototype._compile = function _compile(content, filename, format) {
  if (format === 'module') return compileModule(this, filename, countText(filename, content, true));
  if (isWrapperPatched) {
    const wrapped = `${Module.wrap(content.replace(/^#!.*/, ''))}`;
    return run(this, loader.evaluate(wrapped, filename), filename);
  }
  const text = countText(filename, content, undefined);
  const compiled = loader.compileText(filename, text);
  if (compiled === undefined) return compileModule(this, filename, text);
  return run(this, compiled, filename);
};
const plainCompile = Module.prototype._compile;

/** With counters, where coverage is collected. */
function countText(name, source, isModule) { return require('internal/inspector/block_coverage').countText(name, source, isModule); }

function compileModule(module, filename, content) {
  const esm = require('internal/esm');
  if (module === main.value && content === undefined) {
    // The entry point is an ES module by its syntax. It is imported, so that it may await.
    delete Module._cache[filename];
    main.value = undefined;
    esm.runMain(filename);
    return;
  }
  module.exports = esm.requireFile(module, filename, content, (record) => { module[isEsm] = record; });
}

/** Parameters of a file's function that does not use `$r` (docs/contributing/transpile.md). */
const PARAMETERS = 5;

function run(module, compiled, filename) {
  const { exports } = module;
  const code = compiled.length === PARAMETERS ? compiled : require('internal/transpiler_runtime').TranspilerRuntime.fileFunction(compiled, filename);
  return Reflect.apply(code, exports, [exports, makeRequire(module), module, filename, paths.dirname(filename)]);
}

function readText(filename) {
  const text = loader.read(filename);
  return text.charCodeAt(0) === 0xFEFF ? text.slice(1) : text;
}

/** Data files, as in bun; Node would run them as JavaScript. */
const DATA = /\.(?:html|json[5c]|toml|ya?ml|xml|md|markdown|css|svg|png|jpe?g|gif|webp|avif|ico|woff2?|[ot]tf|mp[34]|webm|ogg|wav|pdf)$/;

Module._extensions['.js'] = function (module, filename) {
  if (module._compile !== plainCompile || isWrapperPatched) {
    return module._compile(readText(filename), filename);
  }
  if (DATA.test(filename)) {
    const { kindOfData, readData } = require('internal/esm/synthetic');
    module.exports = readData(filename, kindOfData(filename));
    return undefined;
  }
  if (moduleFiles.has(filename)) return compileModule(module, filename, undefined);
  // undefined: it is an ES module.
  const compiled = compileFile(filename);
  if (compiled === undefined) return compileModule(module, filename, undefined);
  return run(module, compiled, filename);
};

/**
 * Functions of files that were loaded before; undefined: there is one program.
 * @type {import('internal/modules/kept_functions').KeptFunctions | undefined}
 */
let keptFunctions;

function compileFile(filename) {
  const isCertain = commonJsFiles.has(filename) && !/\.[cm]?tsx?$/.test(filename);
  const compile = () => loader.compileFile(filename, isCertain);
  try {
    return keptFunctions === undefined ? compile() : keptFunctions.find(filename, isCertain, compile);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const diagnosed = require('internal/esm/load_diagnostics').ofCommonJs(error, filename);
    throw require('internal/esm/bun_messages').asBuildMessage(diagnosed, filename);
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
  const requireFunction = function require(path) {
    return module.require(path);
  };
  requireFunction.resolve = function resolve(request, options) {
    validateString(request, 'request');
    if (hookedLoader === undefined || !hookedLoader.hasHooks()) return Module._resolveFilename(request, module, false, options);
    return hookedLoader.resolve(request, module, options);
  };
  requireFunction.resolve.paths = function paths(request) {
    validateString(request, 'request');
    return Module._resolveLookupPaths(request, module);
  };
  Object.defineProperty(requireFunction, 'main', { __proto__: null, value: main.value, writable: true, enumerable: true, configurable: true });
  requireFunction.extensions = Module._extensions;
  requireFunction.cache = Module._cache;
  return requireFunction;
}

function createRequire(filename) {
  const url = require('internal/modules/file_url');
  const path = url.toPath(filename);
  if (path === undefined) {
    throw new (codes().ERR_INVALID_ARG_VALUE)('filename', filename, 'must be a file URL object, file URL string, or absolute path string');
  }
  const isDirectory = path.endsWith('/');
  const file = isDirectory ? `${path}noop.js` : path;
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
/** The parent module of preloaded modules. */
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
// An accessor, as in Node: `util.inspect(module)` then shows a plain object.
Object.defineProperty(Module.prototype, 'constructor', { __proto__: null, get: () => Module, configurable: false, enumerable: false });

/** Members that internal/source_map_support loads on first access. */
const LAZY = [
  'syncBuiltinESMExports', 'register', 'registerHooks', 'findPackageJSON', 'setSourceMapsSupport', 'getSourceMapsSupport', 'SourceMap', 'findSourceMap',
  'constants', 'enableCompileCache', 'flushCompileCache', 'getCompileCacheDir',
];
for (const name of LAZY) {
  require('internal/globals').lazy(Module, name, () => require('internal/source_map_support')[name], true);
}

module.exports = Module;

/**
 * Forgets the files of a program, for the next one in this global object. Its `_cache` is empty.
 * @returns {boolean} false: the program has changed how modules are loaded
 */
function reset() {
  if (hookedLoader !== undefined || isWrapperPatched || parents !== undefined) return false;
  relativeResolveCache = { __proto__: null };
  globalPaths = undefined;
  builtins.clear();
  commonJsFiles.clear();
  moduleFiles.clear();
  return true;
}
/** From now on files that are loaded again are not compiled again. */
function keepFunctions(structureOf) { keptFunctions ??= new (require('internal/modules/kept_functions').KeptFunctions)(structureOf); }
Object.defineProperty(Module, 'keepFunctions', { __proto__: null, value: keepFunctions, enumerable: false });
Object.defineProperty(Module, 'reset', { __proto__: null, value: reset, enumerable: false });
Object.defineProperty(Module, 'makeRequire', { __proto__: null, value: makeRequire, enumerable: false });
Object.defineProperty(Module, 'loadUnhooked', { __proto__: null, value: loadUnhooked, enumerable: false });
/** From now on modules are loaded through the hooks of the program. */
function enableHooks() {
  hookedLoader = require('internal/modules/commonjs_hooks');
  hookedLoader.connect({ commonJsFiles, extensionOf, kUrl, resolutionError, unfinishedExports });
}
Object.defineProperty(Module, 'enableHooks', { __proto__: null, value: enableHooks, enumerable: false });
Object.defineProperty(Module, 'setParents', { __proto__: null, value(map) { parents = map; }, enumerable: false });
Object.defineProperty(Module, 'parentOf', { __proto__: null, value: parentOf, enumerable: false });
