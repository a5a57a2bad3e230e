// Plugins of Rollup and Vite as one plugin of Bun. In: objects with hooks (`resolveId`, `load`,
// `transform`, `buildStart`, `buildEnd`). Out: a plugin of Bun: the first `resolveId` and `load`
// that answer count, then every `transform` runs. Absent: hooks of the output
// (internal/bundler/rollup_output) and of Vite's server.
'use strict';

const { invalidArgType } = require('internal/bun/environment');

const { EmittedFiles, OutputHooks } = require('internal/bundler/rollup_output');
const { kOnOutput } = require('internal/bundler/plugins');

const HOOKS = ['resolveId', 'load', 'transform', 'buildStart', 'buildEnd', 'renderChunk', 'generateBundle', 'writeBundle', 'closeBundle'];
/** Hooks of Rollup that nothing calls. */
const UNCALLED = [
  'moduleParsed', 'resolveDynamicImport', 'shouldTransformCachedModule', 'watchChange', 'closeWatcher', 'outputOptions', 'renderStart', 'renderError',
  'augmentChunkHash', 'renderDynamicImport', 'resolveFileUrl', 'resolveImportMeta', 'banner', 'footer', 'intro', 'outro', 'transformIndexHtml',
];
/** The namespace of modules whose id is no path. */
const NAMESPACE = 'rollup';
/** Loaders of what a plugin returns: what the extension says. */
const LANGUAGES = ['js', 'jsx', 'ts', 'tsx', 'css'];
const ORDER = { __proto__: null, pre: 0, post: 2 };

const isRollup = (plugin) => typeof plugin.setup !== 'function' && HOOKS.some((hook) => plugin[hook] !== undefined);

function checkPlugin(plugin) {
  if (plugin === undefined || plugin === null || plugin === false) return;
  if (typeof plugin !== 'object' && typeof plugin !== 'function') throw invalidArgType(`plugins must be objects, got ${typeof plugin}`);
  if (isRollup(plugin)) return;
  if (typeof plugin.name !== 'string' || plugin.name === '') throw invalidArgType('a plugin must have a "name"');
  if (typeof plugin.setup !== 'function') throw invalidArgType(`plugin \`${plugin.name}\` must have a function "setup"`);
}

/** The list with all plugins of Rollup as one, at the place of the first. */
function combine(plugins, readSource) {
  const others = plugins.filter(isRollup);
  if (others.length === 0) return plugins;
  const chain = new PluginChain(others.filter(({ apply }) => apply !== 'serve'), readSource);
  return plugins.flatMap((plugin) => {
    if (!isRollup(plugin)) return [plugin];
    return plugin === others[0] ? [{ name: 'rollup', setup: (build) => chain.setUp(build) }] : [];
  });
}

/** One hook of a plugin. */
class Hook {
  constructor(plugin, name, emitted) {
    const hook = plugin[name];
    const isObject = typeof hook === 'object' && hook !== null;
    this.plugin = plugin.name ?? 'rollup-plugin';
    this.handler = isObject ? hook.handler : hook;
    this.filter = isObject ? hook.filter : undefined;
    this.order = (isObject ? ORDER[hook.order] : undefined) ?? ORDER[plugin.enforce] ?? 1;
    this.context = contextOf(this.plugin, emitted);
  }

  /** Errors name the plugin. */
  async call(...args) {
    try {
      return await this.handler.apply(this.context, args);
    } catch (error) {
      throw named(error, this.plugin);
    }
  }

  acceptsId(id) { return accepts(this.filter?.id, id); }
  acceptsCode(code) { return accepts(this.filter?.code, code); }
}

/** A filter: a string, a RegExp, a list of them, or include and exclude. */
function accepts(filter, text) {
  if (filter === undefined) return true;
  const isPattern = typeof filter === 'string' || Array.isArray(filter) || filter instanceof RegExp;
  const { include = [], exclude = [] } = isPattern ? { include: filter } : filter;
  const matches = (patterns) => [patterns].flat().some((pattern) => (pattern instanceof RegExp ? pattern.test(text) : text.includes(pattern)));
  return ([include].flat().length === 0 || matches(include)) && !matches(exclude);
}

class PluginChain {
  /** Ids by the path of their module. */
  #ids = new Map();
  #plugins;
  #readSource;
  #emitted = new EmittedFiles();

  constructor(plugins, readSource) {
    this.#plugins = plugins;
    for (const plugin of plugins) warnOfUncalled(plugin);
    this.#readSource = readSource;
  }

  #hooks(name) {
    const hooks = this.#plugins.filter((plugin) => plugin[name] !== undefined && plugin[name] !== null).map((plugin) => new Hook(plugin, name, this.#emitted));
    return hooks.filter(({ handler }) => typeof handler === 'function').sort((left, right) => left.order - right.order);
  }

  async setUp(build) {
    const mode = process.env.NODE_ENV ?? 'development';
    for (const hook of this.#hooks('config')) await hook.call({}, { command: 'build', mode });
    for (const hook of this.#hooks('options')) await hook.call({});
    const settings = settingsOf(mode, this.#plugins);
    for (const hook of this.#hooks('configResolved')) await hook.call(settings);
    for (const hook of this.#hooks('buildStart')) build.onStart(() => hook.call({}));
    for (const hook of this.#hooks('buildEnd')) {
      build.onEnd(({ success, logs }) => hook.call(success ? undefined : new AggregateError(logs, 'Bundle failed')));
    }
    build[kOnOutput](new OutputHooks((name) => this.#hooks(name), this.#emitted));
    const [resolvers, loaders, transforms] = [this.#hooks('resolveId'), this.#hooks('load'), this.#hooks('transform')];
    if (resolvers.length > 0) build.onResolve({ filter: /.*/ }, (args) => this.#resolve(resolvers, args));
    if (loaders.length + transforms.length === 0) return;
    build.onLoad({ filter: /.*/ }, (args) => this.#load(loaders, transforms, args));
    build.onLoad({ filter: /.*/, namespace: NAMESPACE }, (args) => this.#load(loaders, transforms, args));
  }

  async #resolve(resolvers, { path, importer, kind, namespace }) {
    const from = namespace === NAMESPACE ? this.#ids.get(importer) ?? importer : importer;
    for (const hook of resolvers) {
      if (!hook.acceptsId(path)) continue;
      const found = await hook.call(path, from === '' ? undefined : from, { isEntry: kind === 'entry-point-build', attributes: {}, custom: {} });
      if (found !== undefined && found !== null) return this.#resolutionOf(found, path, hook.plugin);
    }
    return undefined;
  }

  /** Rollup's resolution as Bun's. An id that is no path gets a namespace of its own. */
  #resolutionOf(found, specifier, plugin) {
    if (found === false) return { path: specifier, external: true };
    const { id, external, moduleSideEffects } = typeof found === 'string' ? { id: found } : found;
    if (typeof id !== 'string') throw named(invalidArgType('it returned no "id", expected a string'), plugin);
    if (external) return { path: id, external: true };
    const sideEffects = typeof moduleSideEffects === 'boolean' ? moduleSideEffects : undefined;
    // `?raw` and the like are a part of the id, and no part of a file's name.
    if (id.startsWith('/') && !id.includes('?')) return { path: id, sideEffects };
    // Rollup marks ids that are not for others with a NUL byte.
    const path = id.replaceAll('\0', '');
    this.#ids.set(path, id);
    return { path, namespace: NAMESPACE, sideEffects };
  }

  async #load(loaders, transforms, { path, namespace, loader }) {
    const id = namespace === NAMESPACE ? this.#ids.get(path) ?? path : path;
    let code;
    for (const hook of loaders) {
      if (code === undefined && hook.acceptsId(id)) code = codeOf(await hook.call(id, {}), hook.plugin);
    }
    const isLoaded = code !== undefined;
    const wanted = transforms.filter((hook) => hook.acceptsId(id));
    // Files that are no text are for plugins that load them.
    if (!isLoaded && (wanted.length === 0 || ['napi', 'wasm'].includes(loader))) return undefined;
    code ??= await this.#readSource(path.replace(/[?#].*$/, ''));
    let isChanged = false;
    for (const hook of wanted) {
      const changed = hook.acceptsCode(code) ? codeOf(await hook.call(code, id, {}), hook.plugin) : undefined;
      isChanged ||= changed !== undefined;
      code = changed ?? code;
    }
    if (!isLoaded && !isChanged) return undefined;
    // Files that are no module for the bundler are code now.
    return { contents: code, loader: LANGUAGES.includes(loader) ? loader : 'js' };
  }
}

function warnOfUncalled(plugin) {
  const names = UNCALLED.filter((name) => plugin[name] !== undefined && plugin[name] !== null);
  if (names.length > 0) console.warn(`warning: plugin \`${plugin.name ?? 'rollup-plugin'}\`: ${names.join(', ')} ${names.length === 1 ? 'is' : 'are'} never called`);
}

/** The settings that Vite would have resolved. */
function settingsOf(mode, plugins) {
  const warn = (message) => console.warn(`warning: ${message}`);
  return {
    root: process.cwd(), base: '/', command: 'build', mode, isProduction: mode === 'production', plugins, define: {},
    env: { MODE: mode, DEV: mode !== 'production', PROD: mode === 'production', SSR: false, BASE_URL: '/' },
    build: { sourcemap: false, ssr: false, watch: null, rollupOptions: {} },
    css: {}, esbuild: {}, experimental: {}, optimizeDeps: {}, resolve: { alias: [] }, server: {}, ssr: {},
    logger: { hasWarned: false, info() {}, warn, warnOnce: warn, error: warn, clearScreen() {}, hasErrorLogged: () => false },
  };
}

function codeOf(result, plugin) {
  if (result === undefined || result === null) return undefined;
  const code = typeof result === 'string' ? result : result.code;
  if (typeof code !== 'string') throw named(invalidArgType(`it returned ${typeof result}, expected a string or an object with "code"`), plugin);
  return code;
}

function named(error, plugin) {
  const own = typeof error === 'object' && error !== null ? error : new Error(String(error));
  own.plugin = plugin;
  return own;
}

/** `this` of the hooks. */
function contextOf(name, emitted) {
  const textOf = (message) => (typeof message === 'object' && message !== null ? message.message : String(message));
  return {
    meta: { rollupVersion: '4.0.0', watchMode: false },
    error(message) { throw message instanceof Error ? message : new Error(textOf(message)); },
    warn(message) { console.warn(`warning: plugin \`${name}\`: ${textOf(typeof message === 'function' ? message() : message)}`); },
    info() {},
    debug() {},
    addWatchFile() {},
    getWatchFiles: () => [],
    parse() { throw new Error('this.parse is not supported, expected a parser of the plugin'); },
    emitFile: (file) => emitted.emit(file),
    getFileName: (reference) => emitted.nameOf(reference),
    setAssetSource: (reference, source) => emitted.setSource(reference, source),
    async resolve(specifier, importer) {
      try {
        return { id: await Bun.resolve(specifier, importer === undefined ? process.cwd() : require('path').dirname(importer)), external: false };
      } catch {
        return null;
      }
    },
  };
}

module.exports = { checkPlugin, combine };
