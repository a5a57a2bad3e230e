// Module registry of a page in development: modules as functions, by id. In: entries that the
// server renders (crates/bundler/src/dev). Out: evaluated modules. The objects through which
// modules see each other's exports outlive a module, so that a new version of it reaches all
// importers. Absent: updates (hot.js).

/** By id: `[kind, tables, factory]`. */
const factories = new Map();
/** By id: the current instance of a module. */
const instances = new Map();
/** By id: the object that importers read. */
const namespaces = new Map();
/** Modules of other servers by URL. */
const externals = new Map();

/** React Fast Refresh, if the project has it. */
let refresh;

function define(entries) {
  for (const [id, entry] of Object.entries(entries)) factories.set(id, entry);
}

class Instance {
  own = {};
  state = 'new';
  error;
  promise;
  generator;
  hot;
  /** All exports are components: React replaces them in place. */
  isRefreshBoundary = false;

  constructor(id, [kind, tables, factory]) {
    this.id = id;
    this.kind = kind;
    this.tables = tables;
    this.factory = factory;
    this.hot = new Hot(this);
  }

  /** The `$r` object of docs/contributing/transpile.md. */
  get file() {
    const instance = this;
    return {
      set exports(own) { instance.own = own; },
      set readonly(value) { throw new TypeError('Assignment to constant variable.'); },
      named(value) { return Object.defineProperty(value, 'name', { value: 'default', configurable: true }); },
      import: (specifier) => importDynamic(instance, specifier),
      source: (specifier) => importDynamic(instance, specifier),
      defer: (specifier) => importDynamic(instance, specifier),
      meta: { url: new URL(`/${this.id}`, location.href).href, hot: this.hot },
      helpers,
    };
  }
}

function namespaceOf(target) {
  if (target === null) return {};
  if (typeof target === 'object') return externals.get(target.url) ?? {};
  let namespace = namespaces.get(target);
  if (namespace === undefined) namespaces.set(target, namespace = Object.create(null, { [Symbol.toStringTag]: { value: 'Module' } }));
  return namespace;
}

/** Creates the bindings of a module, and of all that it imports by statements. */
function instantiate(id, created) {
  if (instances.has(id)) return;
  const entry = factories.get(id);
  if (entry === undefined) throw new Error(`module ${id} is not part of the page`);
  const instance = new Instance(id, entry);
  instances.set(id, instance);
  created.push(instance);
  if (instance.kind === 'data') return evaluateData(instance);
  const { requests, args } = instance.tables;
  for (const target of requests) if (typeof target === 'string') instantiate(target, created);
  if (instance.kind !== 'esm') return;
  instance.generator = instance.factory(instance.file, ...args.map((request) => namespaceOf(requests[request])));
  instance.step = instance.generator.next();
}

function evaluateData(instance) {
  instance.state = 'done';
  const value = instance.value = instance.factory();
  fill(instance.id, value, { default: () => value });
}

/** Sets what importers read: members of a value, then getters. */
function fill(id, value, getters) {
  const namespace = namespaceOf(id);
  for (const name of Object.keys(namespace)) delete namespace[name];
  const isObject = value !== null && (typeof value === 'object' || typeof value === 'function');
  const define = (name, get) => Object.defineProperty(namespace, name, { get, enumerable: true, configurable: true });
  if (isObject) for (const name of Object.keys(value)) define(name, () => value[name]);
  for (const [name, get] of Object.entries(getters)) define(name, get);
}

/** Names of an ES module: its own, those that it re-exports, those of `export *`. */
function linkExports(instance) {
  if (instance.kind !== 'esm') return;
  const { requests, indirect } = instance.tables;
  const getters = {};
  for (const name of starNames(instance, new Set())) getters[name] = () => readStar(instance, name, new Set());
  for (const [name, request, imported] of indirect) {
    const target = namespaceOf(requests[request]);
    getters[name] = imported === null ? () => target : () => target[imported];
  }
  for (const name of Object.keys(instance.own)) getters[name] = () => instance.own[name];
  fill(instance.id, undefined, getters);
}

function starNames(instance, seen) {
  if (instance === undefined || instance.kind !== 'esm' || seen.has(instance)) return [];
  seen.add(instance);
  const names = new Set();
  for (const request of instance.tables.stars) {
    const target = instance.tables.requests[request];
    const other = instances.get(target);
    const own = other?.kind === 'esm' ?
      [...Object.keys(other.own), ...other.tables.indirect.map(([name]) => name), ...starNames(other, seen)] :
      Object.keys(namespaceOf(target));
    for (const name of own) if (name !== 'default') names.add(name);
  }
  return names;
}

function readStar(instance, name, seen) {
  seen.add(instance);
  for (const request of instance.tables.stars) {
    const target = instance.tables.requests[request];
    const other = instances.get(target);
    if (other?.kind !== 'esm') {
      if (name in namespaceOf(target)) return namespaceOf(target)[name];
    } else if (Object.hasOwn(other.own, name)) {
      return other.own[name];
    } else if (other.tables.indirect.some(([known]) => known === name)) {
      return namespaceOf(target)[name];
    } else if (!seen.has(other)) {
      const value = readStar(other, name, seen);
      if (value !== undefined) return value;
    }
  }
  return undefined;
}

/** Evaluates a module after all that it imports. Returns a promise if something awaits. */
function evaluate(id) {
  const instance = instances.get(id);
  if (instance === undefined || instance.state === 'done' || instance.state === 'evaluating') return instance?.promise;
  if (instance.state === 'failed') throw instance.error;
  instance.state = 'evaluating';
  const waiting = [];
  try {
    if (instance.kind === 'esm') {
      for (const target of instance.tables.requests) {
        const promise = typeof target === 'string' ? evaluate(target) : undefined;
        if (promise !== undefined) waiting.push(promise);
      }
    }
    if (waiting.length === 0 && !instance.tables.async) return run(instance);
  } catch (error) {
    throw failed(instance, error);
  }
  instance.promise = Promise.all(waiting).then(() => run(instance)).catch((error) => { throw failed(instance, error); });
  return instance.promise;
}

function failed(instance, error) {
  instance.state = 'failed';
  instance.error = error;
  return error;
}

/** Runs the code of a module. */
function run(instance) {
  const restore = registerComponents(instance);
  try {
    if (instance.kind === 'cjs') {
      runCommonJs(instance);
    } else {
      if (instance.tables.stars.length > 0) linkExports(instance);
      const step = instance.generator.next();
      if (instance.tables.async) return step.then(() => finish(instance));
    }
    finish(instance);
    return undefined;
  } finally {
    restore();
  }
}

function finish(instance) {
  instance.state = 'done';
  instance.promise = undefined;
  if (instance.tables.stars?.length > 0) linkExports(instance);
  if (refresh !== undefined) instance.isRefreshBoundary = hasComponentsOnly(instance);
}

function runCommonJs(instance) {
  const { id, tables, factory } = instance;
  const module = instance.module = { exports: {}, id, filename: `/${id}`, loaded: false, children: [], paths: [] };
  const require = (specifier) => requireModule(instance, specifier);
  require.resolve = (specifier) => tables.deps[specifier] ?? specifier;
  require.cache = {};
  instance.state = 'done';
  const code = tables.own ? factory(instance.file) : factory;
  code.call(module.exports, module.exports, require, module, module.filename, module.filename.replace(/\/[^/]*$/, '') || '/');
  module.loaded = true;
  linkCommonJs(instance);
}

/** The default import of CommonJS is `exports.default` if it was an ES module, else all. */
function linkCommonJs(instance) {
  const { exports } = instance.module;
  fill(instance.id, exports, { default: () => (exports?.__esModule && Object.hasOwn(exports, 'default') ? exports.default : exports) });
}

function requireModule(instance, specifier) {
  const target = instance.tables.deps[specifier];
  if (typeof target !== 'string') throw Object.assign(new Error(`Cannot find module '${specifier}'`), { code: 'MODULE_NOT_FOUND' });
  load(target);
  const other = instances.get(target);
  if (other.kind === 'data') return other.value;
  if (other.kind === 'cjs') return other.module.exports;
  return Object.create(namespaceOf(target), { __esModule: { value: true } });
}

async function importDynamic(instance, specifier) {
  const target = instance.tables.deps[specifier];
  if (typeof target !== 'string') return import(target?.url ?? specifier);
  await fetchExternals();
  await load(target);
  return namespaceOf(target);
}

/** Makes a module and evaluates it. */
function load(id) {
  const created = [];
  instantiate(id, created);
  for (const instance of created) linkExports(instance);
  return evaluate(id);
}

/** Modules of other servers are fetched before those that import them are made. */
async function fetchExternals() {
  const urls = new Set();
  for (const [, tables] of factories.values()) {
    for (const target of tables.requests ?? []) {
      if (target !== null && typeof target === 'object' && !externals.has(target.url)) urls.add(target.url);
    }
  }
  await Promise.all(Array.from(urls, async (url) => { externals.set(url, await import(url)); }));
}

/** Modules whose import statements or calls name a module. */
function importersOf(id) {
  const importers = [];
  for (const instance of instances.values()) {
    const { requests = [], deps = {} } = instance.tables;
    if (requests.includes(id) || Object.values(deps).includes(id)) importers.push(instance);
  }
  return importers;
}
