// `Bun.plugin`: plugins for the program itself. In: plugins. Out: module hooks for `import`, which
// may be asynchronous, and for `require`, which may not; the sources that plugins return. Absent:
// plugins of builds (plugins.js).
'use strict';

const { invalidArgType } = require('internal/bun/environment');
const { checkConstraints, checkResolution } = require('internal/bundler/plugins');
const hooks = require('internal/modules/hooks');
const { toUrl, toPath } = require('internal/modules/file_url');

const SCRIPTS = ['js', 'jsx', 'ts', 'tsx'];
const LOADERS = { __proto__: null, mjs: 'js', cjs: 'js', mts: 'ts', cts: 'ts', yml: 'yaml', txt: 'text', node: 'napi' };
const KNOWN = [...SCRIPTS, 'json', 'jsonc', 'json5', 'toml', 'yaml', 'xml', 'md', 'text', 'file', 'napi', 'wasm', 'css', 'html'];

/** Callbacks, in the order of registration. */
const resolves = [];
const loads = [];
/** Callbacks of `module()` by specifier. */
const modules = new Map();
let isRegistered = false;

/** Modules of plugins: namespace and path by URL. */
const places = new Map();

function plugin(options) {
  if (typeof options !== 'object' || options === null) throw invalidArgType('plugin needs at least an options object');
  const { name, setup } = options;
  if (typeof setup !== 'function') throw invalidArgType('plugin needs a setup() function');
  const pending = setup.call(options, builderOf(typeof name === 'string' ? name : 'plugin'));
  return typeof pending?.then === 'function' ? pending.then(() => undefined) : undefined;
}

function clearAll() {
  resolves.length = 0;
  loads.length = 0;
  modules.clear();
}

function builderOf(name) {
  const add = (list, kind) => (constraints, callback) => {
    if (typeof callback !== 'function') throw invalidArgType(`plugin \`${name}\`: ${kind}() expects a function`);
    list.push({ name, kind, callback, ...checkConstraints(kind, name, constraints) });
    registerHooks();
    return builder;
  };
  const builder = {
    target: 'bun',
    config: {},
    onResolve: add(resolves, 'onResolve'),
    onLoad: add(loads, 'onLoad'),
    module(specifier, callback) {
      if (typeof specifier !== 'string' || specifier === '') throw invalidArgType('module() expects a specifier');
      if (typeof callback !== 'function') throw invalidArgType(`plugin \`${name}\`: module() expects a function`);
      modules.set(specifier, { name, kind: 'module', callback });
      registerHooks();
      return builder;
    },
    onStart() { return builder; },
    onEnd() { return builder; },
    onBeforeParse() { throw new TypeError(`plugin \`${name}\`: onBeforeParse is not supported, expected onLoad`); },
  };
  return builder;
}

function registerHooks() {
  if (isRegistered) return;
  isRegistered = true;
  require('module').registerHooks({ resolve: resolveSync, load: loadSync });
  if (hooks.asyncHooks === undefined) hooks.setAsyncHooks({ resolve, load, arePlugins: true });
}

// --- resolution

/** What the callbacks say of a specifier, one after the other. */
function* resolution(specifier, parentURL) {
  if (modules.has(specifier)) return place('module', specifier);
  const parent = places.get(parentURL) ?? { namespace: 'file', path: parentURL === undefined ? '' : toPath(parentURL) ?? parentURL };
  const directory = parent.path.startsWith('/') ? require('path').dirname(parent.path) : process.cwd();
  for (const { name, callback, filter, namespace } of resolves) {
    const isOwn = namespace === undefined || namespace === parent.namespace || specifier.startsWith(`${namespace}:`);
    if (!isOwn || !filter.test(specifier)) continue;
    const found = yield { name, kind: 'onResolve', value: callback({ path: specifier, importer: parent.path, namespace: parent.namespace, resolveDir: directory, kind: 'import-statement' }) };
    if (found === undefined || found === null) continue;
    const { path, namespace: own = 'file' } = checkResolution(found);
    if (own !== 'file') return place(own, path);
    return path.startsWith('/') ? toUrl(path) : { specifier: path };
  }
  // Packages and builtins can be imported from modules that are no files.
  const prefix = /^([a-zA-Z][\w+-]+):(.+)$/.exec(specifier);
  if (prefix !== null && loads.some(({ namespace }) => namespace === prefix[1])) return place(prefix[1], prefix[2]);
  return undefined;
}

function place(namespace, path) {
  const url = `${namespace}:${path}`;
  places.set(url, { namespace, path });
  return url;
}

/** The parent for the default resolution: a file, if a plugin made the module. */
function fileParent(parentURL) {
  const parent = places.get(parentURL);
  if (parent === undefined) return parentURL;
  return toUrl(parent.path.startsWith('/') ? parent.path : `${process.cwd()}/noop.js`);
}

function resolveSync(specifier, context, next) {
  const found = runSync(resolution(specifier, context.parentURL));
  if (typeof found === 'string') return { url: found, shortCircuit: true };
  return next(found?.specifier ?? specifier, { parentURL: fileParent(context.parentURL) });
}

async function resolve(specifier, context) {
  const found = await runAsync(resolution(specifier, context.parentURL));
  if (typeof found === 'string') return { url: found };
  const { importerOf, formatOf } = require('internal/esm/sync_hooks');
  const esm = require('internal/esm');
  const importer = importerOf(fileParent(context.parentURL));
  const resolved = esm.resolve(found?.specifier ?? specifier, importer);
  const { type = esm.implicitType(resolved, importer) } = context.importAttributes;
  const importAttributes = type === undefined ? context.importAttributes : { ...context.importAttributes, type };
  return { url: esm.urlOf(resolved), format: formatOf(resolved), importAttributes };
}

// --- contents

/** What the callbacks say of a module. */
function* contents(url) {
  const { namespace, path } = places.get(url) ?? { namespace: 'file', path: toPath(url) };
  if (path === undefined) return undefined;
  if (namespace === 'module' && modules.has(path)) {
    const { name, callback } = modules.get(path);
    return sourceOf(yield { name, kind: 'module', value: callback() }, path, name);
  }
  const loader = loaderOf(path);
  for (const { name, callback, filter, namespace: own = 'file' } of loads) {
    if (own !== namespace || !filter.test(path)) continue;
    const defer = () => Promise.resolve();
    const found = yield { name, kind: 'onLoad', value: callback({ path, namespace, loader, defer }) };
    if (found !== undefined && found !== null) return sourceOf(found, path, name);
  }
  if (namespace !== 'file') throw new Error(`no plugin loads \`${url}\`, expected an onLoad of its namespace`);
  return undefined;
}

function loaderOf(path) {
  const end = path.slice(path.lastIndexOf('.') + 1);
  return LOADERS[end] ?? (KNOWN.includes(end) ? end : 'file');
}

/** What a callback returned, as format and source of a module hook. */
function sourceOf(found, path, plugin) {
  if (typeof found !== 'object' || found === null) throw new TypeError(`plugin \`${plugin}\` returned ${typeof found}, expected an object with "contents" and "loader"`);
  const { loader = loaderOf(path) } = found;
  if (loader === 'object') {
    if (typeof found.exports !== 'object' || found.exports === null) throw new TypeError(`plugin \`${plugin}\` returned no "exports", expected an object`);
    return { format: 'object', source: found.exports };
  }
  if (!KNOWN.includes(loader)) throw new TypeError(`plugin \`${plugin}\` returned the loader ${JSON.stringify(loader)}, which does not exist`);
  const text = textOf(found.contents, plugin);
  if (loader === 'js') return { format: undefined, source: text };
  if (SCRIPTS.includes(loader)) return { format: undefined, source: new Bun.Transpiler({ loader }).transformSync(text) };
  const value = valueOf(loader, text, path);
  const isTable = typeof value === 'object' && value !== null && !Array.isArray(value);
  return { format: 'object', source: isTable ? { ...value, default: value } : { default: value } };
}

function textOf(source, plugin) {
  if (typeof source === 'string') return source;
  const bytes = require('internal/bun/bytes').toUint8Array(source);
  if (bytes === undefined) throw new TypeError(`plugin \`${plugin}\` returned no "contents", expected a string or bytes`);
  return new (require('web/encoding').TextDecoder)().decode(bytes);
}

function valueOf(loader, text, path) {
  switch (loader) {
    case 'json': return JSON.parse(text);
    case 'jsonc': return Bun.JSONC.parse(text);
    case 'toml': return Bun.TOML.parse(text);
    case 'yaml': return Bun.YAML.parse(text);
    case 'json5': case 'xml': case 'md': return require('internal/data_formats').parsers[loader](text);
    case 'file': return path;
    default: return text;
  }
}

function loadSync(url, context, next) {
  const found = runSync(contents(url));
  return found === undefined ? next(url, context) : { ...found, shortCircuit: true };
}

async function load(url, { format }) {
  const found = await runAsync(contents(url));
  if (found !== undefined) return found;
  if (format === 'builtin') return { format };
  // A file as it is: without a source it is loaded as without hooks.
  return url.startsWith('data:') ? { format: undefined, source: require('internal/esm/data_url').sourceOf(url) } : { format: 'file' };
}

// --- callbacks

/** Runs the callbacks for `require`, which cannot wait. */
function runSync(steps) {
  let step = steps.next();
  while (!step.done) {
    const { name, kind, value } = step.value;
    if (typeof value?.then === 'function') throw new TypeError(`plugin \`${name}\`, ${kind}: the callback is asynchronous, which require() cannot wait for; use import()`);
    step = steps.next(value);
  }
  return step.value;
}

async function runAsync(steps) {
  let step = steps.next();
  while (!step.done) step = steps.next(await step.value.value);
  return step.value;
}

module.exports = { plugin: Object.assign(plugin, { clearAll }) };
