// Plugins of a build: their callbacks, and the answers to the build's requests. In: plugin objects;
// requests with the filters that matched. Out: resolutions and contents, or failures that name the
// plugin. Absent: testing filters, which the bundler does on its own threads.
'use strict';

const { invalidArgType } = require('internal/bun/environment');
const binding = internalBinding('bundler');
const { isLoader } = binding;

/** After this time, in milliseconds, a callback that has not answered is reported. */
const SLOW_MS = 10_000;
/** Where the adapter of Rollup's plugins puts its hooks of the output. */
const kOnOutput = Symbol('onOutput');
/** Calls of `build.resolve` within each other, from plugins that ask for each other. */
const RESOLVE_DEPTH_MAX = 32;
/** A namespace comes before the colon of a path. */
const NAMESPACE = /^[\w@/-]*$/;

class BuildPlugins {
  /** Callbacks by kind, each with its plugin's name. */
  starts = [];
  ends = [];
  disposals = [];
  resolves = [];
  loads = [];
  /** Calls without an answer: kind, plugin, subject, request, the promise of `defer()`. */
  #calls = new Set();
  /** Files in memory by their absolute path. */
  files = new Map();
  /** Hooks of Rollup's plugins. */
  output;
  #config;
  /** Resolves without plugins. */
  #resolver;
  #resolving = 0;

  constructor(config) { this.#config = config; }

  /** Runs `setup` of all plugins in order. Out: a promise if one of them returned one. */
  setUp(plugins) {
    const all = require('internal/bundler/rollup_plugin').combine(plugins, (path) => this.#readSource(path));
    return this.#setUp(all);
  }

  #setUp(plugins) {
    for (const [index, plugin] of plugins.entries()) {
      const pending = plugin.setup(this.#builderOf(plugin.name));
      if (typeof pending?.then === 'function') return pending.then(() => this.#setUp(plugins.slice(index + 1)));
    }
    return undefined;
  }

  async #readSource(path) {
    const source = this.files.get(path);
    if (typeof source === 'string') return source;
    return new (require('web/encoding').TextDecoder)().decode(source ?? await require('fs/promises').readFile(path));
  }

  #builderOf(plugin) {
    const builder = {
      config: this.#config,
      get initialOptions() { return require('internal/bundler/options').toEsbuild(builder.config); },
      onStart: (callback) => this.#add(builder, this.starts, 'onStart', plugin, callback),
      onEnd: (callback) => this.#add(builder, this.ends, 'onEnd', plugin, callback),
      onDispose: (callback) => this.#add(builder, this.disposals, 'onDispose', plugin, callback),
      resolve: (specifier, options) => this.#resolveFor(plugin, specifier, options),
      [kOnOutput]: (output) => { this.output = output; },
      onResolve: (constraints, callback) => this.#add(builder, this.resolves, 'onResolve', plugin, callback, constraints),
      onLoad: (constraints, callback) => this.#add(builder, this.loads, 'onLoad', plugin, callback, constraints),
      onBeforeParse: () => {
        throw new TypeError(`plugin \`${plugin}\`: onBeforeParse is not supported, expected onLoad`);
      },
      module: (specifier, callback) => {
        if (typeof specifier !== 'string' || specifier === '') throw invalidArgType('module() expects a specifier');
        const namespace = `module-${plugin}`;
        const filter = new RegExp(`^${escapePattern(specifier)}$`);
        builder.onResolve({ filter }, () => ({ path: specifier, namespace }));
        return builder.onLoad({ filter, namespace }, callback);
      },
    };
    return builder;
  }

  #add(builder, list, kind, plugin, callback, constraints) {
    if (typeof callback !== 'function') throw invalidArgType(`plugin \`${plugin}\`: ${kind}() expects a function`);
    list.push({ kind, plugin, callback, ...(constraints === undefined ? {} : checkConstraints(kind, plugin, constraints)) });
    return builder;
  }

  /** Filters for the binding. */
  filters() {
    const parts = ({ filter, namespace }) => [filter.source, filter.flags.replace(/[gydv]/g, ''), namespace];
    const of = (list) => list.map((one) => parts(one).filter((part) => part !== undefined));
    return { onResolve: of(this.resolves), onLoad: of(this.loads) };
  }

  async start() {
    await Promise.all(this.starts.map(async ({ plugin, callback }) => {
      try {
        await callback();
      } catch (error) {
        throw failure(plugin, 'onStart', error);
      }
    }));
  }

  /** Runs all callbacks. Out: what failed. */
  async end(result) {
    const run = async ({ plugin, callback }) => {
      try {
        await callback(result);
        return undefined;
      } catch (error) {
        return failure(plugin, 'onEnd', error).message;
      }
    };
    return (await Promise.all(this.ends.map(run))).filter((message) => message !== undefined);
  }

  /** After the build, whether it failed or not. What fails is reported. */
  async dispose() {
    for (const { plugin, callback } of this.disposals) {
      try {
        await callback();
      } catch (error) {
        console.warn(`warning: ${failure(plugin, 'onDispose', error).message}`);
      }
    }
  }

  /** `build.resolve`, as in esbuild: other plugins, then the bundler. */
  async #resolveFor(plugin, path, options) {
    if (typeof path !== 'string') throw invalidArgType('build.resolve() expects a specifier');
    const { importer = '', namespace = 'file', resolveDir = require('path').dirname(importer), kind = 'import-statement', pluginData } = options ?? {};
    const result = { errors: [], warnings: [], path: '', external: false, sideEffects: true, namespace: '', suffix: '', pluginData: undefined };
    const unresolved = (text) => ({ ...result, errors: [{ text, pluginName: plugin, location: null, notes: [], detail: undefined }] });
    if (this.#resolving >= RESOLVE_DEPTH_MAX) return unresolved(`build.resolve() of "${path}" never ends: plugins ask for each other`);
    this.#resolving += 1;
    try {
      for (const other of this.resolves) {
        const isMatch = other.plugin !== plugin && (other.namespace ?? namespace) === namespace && new RegExp(other.filter.source, other.filter.flags.replace(/[gy]/g, '')).test(path);
        const found = isMatch ? await other.callback({ path, importer, namespace, resolveDir, kind, pluginData }) : undefined;
        if (found?.path === undefined) continue;
        const answer = checkResolution(found);
        return { ...result, path: answer.path, external: Boolean(answer.external), namespace: answer.namespace ?? 'file', sideEffects: answer.sideEffects ?? true };
      }
    } finally {
      this.#resolving -= 1;
    }
    this.#resolver ??= binding.resolver(JSON.stringify(require('internal/bundler/options').normalize({ entrypoints: [], ...this.#config })));
    const found = this.#resolver(path, require('path').resolve(resolveDir), kind === 'require-call' || kind === 'require-resolve');
    if (found === undefined) return unresolved(`Could not resolve "${path}"`);
    const [file, external, sideEffects] = found;
    return { ...result, path: file, external, sideEffects, namespace: external ? '' : 'file' };
  }

  /** Answers by the first callback that returns something. */
  async resolve(handle, request, filters, args) {
    for (const index of filters) {
      const { plugin, callback } = this.resolves[index];
      try {
        const found = await this.#call({ kind: 'onResolve', plugin, subject: args.path, request }, () => callback({ ...args }));
        // As in bun: what has no path is no answer.
        if (typeof found?.path === 'undefined') continue;
        const { path, namespace, external, sideEffects } = checkResolution(found);
        return handle.resolved(request, path, namespace ?? 'file', Boolean(external), sideEffects);
      } catch (error) {
        return handle.failed(request, error?.plugin ?? plugin, describeError(error));
      }
    }
    return handle.resolved(request, undefined);
  }

  async load(handle, request, filters, { path, namespace, loader }) {
    for (const index of filters) {
      const { plugin, callback } = this.loads[index];
      const call = { kind: 'onLoad', plugin, subject: path, request, deferred: undefined, handle };
      try {
        const found = await this.#call(call, () => callback({ path, namespace, loader, defer: () => this.#defer(call) }));
        if (found === undefined || found === null) continue;
        const { contents, loader: own } = checkContents(found, loader);
        return handle.loaded(request, contents, own, watchedFiles(found));
      } catch (error) {
        return handle.failed(request, error?.plugin ?? plugin, describeError(error));
      }
    }
    return handle.loaded(request, undefined);
  }

  /** Runs a callback; while it is pending it is listed. */
  async #call(call, run) {
    this.#calls.add(call);
    const timer = setTimeout(() => reportSlow(call), SLOW_MS);
    timer.unref();
    try {
      return await run();
    } finally {
      clearTimeout(timer);
      this.#calls.delete(call);
    }
  }

  #defer(call) {
    if (call.deferred !== undefined) throw new TypeError("Can't call .defer() more than once within an onLoad plugin");
    call.deferred = Promise.withResolvers();
    this.idle(call.handle);
    return call.deferred.promise;
  }

  /** The build waits for answers: deferred callbacks go on. Out: whether it waits for others. */
  idle(handle) {
    if (!handle.isIdle() || this.#calls.size === 0) return false;
    const waiting = [...this.#calls].filter(({ deferred }) => deferred === undefined || deferred.isDone);
    if (waiting.length > 0) return true;
    for (const { deferred } of this.#calls) {
      deferred.isDone = true;
      deferred.resolve();
    }
    return false;
  }

  /** Nothing else is left to run: what is pending will never be answered. */
  giveUp(handle) {
    for (const { plugin, request } of this.#calls) handle.failed(request, plugin, 'the promise that it returned is never settled');
    this.#calls.clear();
  }
}

const escapePattern = (text) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

function reportSlow({ kind, plugin, subject }) {
  console.warn(`warning: plugin \`${plugin}\` has been in ${kind} of \`${subject}\` for ${SLOW_MS / 1000} s`);
}

function checkConstraints(kind, plugin, constraints) {
  const { filter, namespace } = constraints ?? {};
  if (!(filter instanceof RegExp)) throw invalidArgType(`plugin \`${plugin}\`: ${kind}() expects a RegExp as "filter"`);
  if (namespace !== undefined && typeof namespace !== 'string') throw invalidArgType(`plugin \`${plugin}\`: ${kind}() expects a string as "namespace"`);
  if (namespace !== undefined && !NAMESPACE.test(namespace)) {
    throw invalidArgType(`plugin \`${plugin}\`: namespace "${namespace}" has other characters than ASCII letters, digits, "_", "-", "@" and "/"`);
  }
  return { filter, namespace: namespace === '' ? undefined : namespace };
}

function checkResolution(found) {
  if (typeof found !== 'object') throw invalidArgType(`it returned ${typeof found}, expected an object with "path"`);
  const { path, namespace, external } = found;
  if (typeof path !== 'string' || path === '') throw invalidArgType('it returned no "path", expected a string');
  if (namespace !== undefined && typeof namespace !== 'string') throw invalidArgType('it returned a "namespace" that is not a string');
  if (external !== undefined && typeof external !== 'boolean') throw invalidArgType('it returned an "external" that is not a boolean');
  return found;
}

function checkContents(found, usual) {
  if (typeof found !== 'object') throw invalidArgType(`it returned ${typeof found}, expected an object with "contents" and "loader"`);
  // As in esbuild: contents of a file that would be copied are code.
  const { loader = usual === 'file' ? 'js' : usual, errors } = found;
  if (Array.isArray(errors) && errors.length > 0) throw new Error(String(errors[0].text ?? errors[0]));
  if (loader === 'object') return { contents: codeOfObject(found.exports), loader: 'js' };
  if (typeof loader !== 'string' || !isLoader(loader)) throw invalidArgType(`it returned the loader ${JSON.stringify(loader)}, which does not exist`);
  const { contents } = found;
  if (typeof contents === 'string') return { contents, loader };
  const bytes = require('internal/bun/bytes').toUint8Array(contents);
  if (bytes === undefined) throw invalidArgType('it returned no "contents", expected a string or bytes');
  return { contents: bytes, loader };
}

/** Files that a development server watches, too: absolute paths with NUL between them. */
function watchedFiles({ watchFiles = [] }) {
  if (!Array.isArray(watchFiles) || !watchFiles.every((path) => typeof path === 'string')) throw invalidArgType('it returned "watchFiles" that are no list of strings');
  return watchFiles.map((path) => require('path').resolve(path)).join('\0');
}

/** A module with the values of an object. */
function codeOfObject(exports) {
  if (typeof exports !== 'object' || exports === null) throw invalidArgType('it returned no "exports", expected an object');
  const lines = Object.entries(exports).map(([name, value], index) => {
    const text = JSON.stringify(value);
    if (text === undefined) throw invalidArgType(`"exports" has "${name}", a ${typeof value}, which cannot be in a bundle`);
    return `const value${index} = ${text};\nexport { value${index} as ${JSON.stringify(name)} };`;
  });
  if (!('default' in exports)) lines.push(`export default ${JSON.stringify(exports)};`);
  return lines.join('\n');
}

function describeError(error) {
  if (typeof error !== 'object' || error === null) return `it threw ${String(error)}`;
  return error.message ? String(error.message) : String(error);
}

function failure(plugin, kind, error) {
  return new Error(`plugin \`${plugin}\`, ${kind}: ${describeError(error)}`, { cause: error });
}

module.exports = { BuildPlugins, kOnOutput, checkConstraints, checkContents, checkResolution, escapePattern };
