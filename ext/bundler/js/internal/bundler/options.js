// Options of `Bun.build`. In: what the program passes. Out: plain values for the binding, with
// defaults; or a TypeError that names the option. Absent: plugins.
'use strict';

const { isLoader } = internalBinding('bundler');
const { invalidArgType } = require('internal/bun/environment');

const TARGETS = ['browser', 'bun', 'node'];
const FORMATS = ['esm', 'cjs', 'iife'];
const SOURCE_MAPS = ['none', 'linked', 'inline', 'external'];
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

function oneOf(name, value, allowed, usual) {
  if (value === undefined || value === null) return usual;
  if (allowed.includes(value)) return value;
  throw invalidArgType(`${name} must be one of ${allowed.map((one) => `"${one}"`).join(', ')}, got ${describe(value)}`);
}

const describe = (value) => (typeof value === 'string' ? `"${value}"` : typeof value);

function text(name, value) {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') throw invalidArgType(`${name} must be a string, got ${describe(value)}`);
  return value;
}

function wholeNumber(name, value) {
  if (value === undefined || value === null) return undefined;
  if (!Number.isSafeInteger(value) || value < 0) throw invalidArgType(`${name} must be a whole number, got ${describe(value)}`);
  return value;
}

function stringList(name, value) {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value) || value.some((one) => typeof one !== 'string')) throw invalidArgType(`${name} must be an array of strings`);
  return [...value];
}

function strings(name, value) {
  if (value === undefined || value === null) return {};
  if (typeof value !== 'object') throw invalidArgType(`${name} must be an object, got ${describe(value)}`);
  for (const [key, one] of Object.entries(value)) {
    if (typeof one !== 'string') throw invalidArgType(`${name} "${key}" must be a string, got ${describe(one)}`);
  }
  return { ...value };
}

function entrypoints(value) {
  if (!Array.isArray(value)) throw invalidArgType('entrypoints must be an array of strings');
  const { fileURLToPath, isURL } = require('internal/url');
  return value.map((entry) => {
    if (isURL(entry)) return fileURLToPath(entry);
    if (typeof entry !== 'string') throw invalidArgType('entrypoints must be an array of strings');
    return entry.startsWith('file://') ? fileURLToPath(entry) : entry;
  });
}

function minify(value) {
  if (value === undefined || value === null || typeof value === 'boolean') {
    const isOn = value === true;
    return { minifyWhitespace: isOn, minifySyntax: isOn, minifyIdentifiers: isOn, keepNames: false };
  }
  if (typeof value !== 'object') throw invalidArgType(`minify must be a boolean or an object, got ${describe(value)}`);
  return {
    minifyWhitespace: Boolean(value.whitespace), minifySyntax: Boolean(value.syntax),
    minifyIdentifiers: Boolean(value.identifiers), keepNames: Boolean(value.keepNames),
  };
}

function naming(value) {
  if (typeof value === 'string') return { entryNaming: value };
  if (value === undefined || value === null) return {};
  if (typeof value !== 'object') throw invalidArgType(`naming must be a string or an object, got ${describe(value)}`);
  return {
    entryNaming: text('naming.entry', value.entry),
    chunkNaming: text('naming.chunk', value.chunk),
    assetNaming: text('naming.asset', value.asset),
  };
}

function sourcemap(value) {
  if (typeof value === 'boolean') return value ? 'inline' : 'none';
  return oneOf('sourcemap', value, SOURCE_MAPS, 'none');
}

function loaders(value) {
  const all = strings('loader', value);
  for (const [extension, name] of Object.entries(all)) {
    if (!extension.startsWith('.')) throw invalidArgType(`loader: "${extension}" must begin with a dot`);
    if (!isLoader(name)) throw invalidArgType(`loader of "${extension}": there is no loader "${name}"`);
  }
  return all;
}

/** Members of `process.env` that `env` names, and NODE_ENV; `define` comes last. */
function defines({ env, define }) {
  const all = { __proto__: null };
  const prefix = envPrefix(env);
  for (const [name, value] of Object.entries(process.env)) {
    if (prefix !== undefined && name.startsWith(prefix) && NAME.test(name)) all[`process.env.${name}`] = JSON.stringify(value);
  }
  all['process.env.NODE_ENV'] = JSON.stringify(process.env.NODE_ENV ?? 'development');
  return Object.assign(all, strings('define', define));
}

function envPrefix(env) {
  if (env === undefined || env === null || env === 'disable' || env === false) return undefined;
  if (env === 'inline' || env === true) return '';
  if (typeof env === 'string' && env.endsWith('*')) return env.slice(0, -1);
  throw invalidArgType('env must be "inline", "disable", or a prefix that ends with "*"');
}

function jsx(value) {
  if (value === undefined || value === null) return {};
  if (typeof value !== 'object') throw invalidArgType(`jsx must be an object, got ${describe(value)}`);
  return {
    jsxRuntime: oneOf('jsx.runtime', value.runtime, ['automatic', 'classic'], undefined),
    jsxFactory: text('jsx.factory', value.factory),
    jsxFragment: text('jsx.fragment', value.fragment),
    jsxImportSource: text('jsx.importSource', value.importSource),
    jsxDevelopment: typeof value.development === 'boolean' ? value.development : undefined,
  };
}

/** How an executable is made; undefined: none is. */
function compile(value) {
  if (value === undefined || value === null || value === false) return {};
  const { outfile, execArgv, autoloadDotenv, autoloadBunfig, assets, executablePath, target } = typeof value === 'object' ? value : { target: value === true ? undefined : value };
  const own = `bun-linux-${process.arch}`;
  if (target !== undefined && text('compile.target', target).replace(/-(?:baseline|modern|v\d.*)$/, '') !== own) {
    throw invalidArgType(`compile.target must be "${own}", got ${describe(target)}`);
  }
  return { outfile: text('compile.outfile', outfile), compile: { execArgv: stringList('compile.execArgv', execArgv), autoloadDotenv, autoloadBunfig, assets: stringList('compile.assets', assets), executablePath: text('compile.executablePath', executablePath) } };
}

/** Options that would change nothing are refused. */
function checkSupported({ bytecode }) {
  if (bytecode) throw invalidArgType('bytecode is not supported: the engine has no bytecode that outlives its version, expected an executable without it');
}

/** Options for the binding. */
function normalize(config) {
  checkSupported(config);
  // An executable runs here; only pages are compiled for browsers.
  const target = oneOf('target', config.target, TARGETS, config.compile ? 'bun' : 'browser');
  return {
    currentDir: process.cwd(),
    entrypoints: entrypoints(config.entrypoints),
    outdir: text('outdir', config.outdir),
    root: text('root', config.root),
    target,
    format: oneOf('format', config.format, FORMATS, 'esm'),
    splitting: Boolean(config.splitting),
    external: stringList('external', config.external),
    packages: oneOf('packages', config.packages, ['bundle', 'external'], 'bundle'),
    publicPath: text('publicPath', config.publicPath),
    define: defines(config),
    drop: stringList('drop', config.drop),
    features: stringList('features', config.features),
    conditions: typeof config.conditions === 'string' ? [config.conditions] : stringList('conditions', config.conditions),
    loader: loaders(config.loader),
    sourcemap: sourcemap(config.sourcemap),
    banner: text('banner', config.banner),
    footer: text('footer', config.footer),
    minChunkSize: wholeNumber('minChunkSize', config.minChunkSize),
    allowUnresolved: config.allowUnresolved === undefined ? undefined : stringList('allowUnresolved', config.allowUnresolved),
    reactFastRefresh: Boolean(config.reactFastRefresh),
    metafile: Boolean(config.metafile),
    metafileMarkdown: typeof config.metafile?.markdown === 'string',
    emitDCEAnnotations: typeof config.emitDCEAnnotations === 'boolean' ? config.emitDCEAnnotations : undefined,
    ...compile(config.compile),
    ...minify(config.minify),
    ...naming(config.naming),
    ...jsx(config.jsx),
  };
}

/** Files in memory: path, content, path, ... */
async function memoryFiles(files) {
  if (files === undefined || files === null) return [];
  if (typeof files !== 'object') throw invalidArgType(`files must be an object, got ${describe(files)}`);
  const { isBlob } = require('internal/blob');
  const { toUint8Array } = require('internal/bun/bytes');
  const list = [];
  for (const [path, content] of Object.entries(files)) {
    const value = isBlob(content) ? new Uint8Array(await content.arrayBuffer()) : content;
    const bytes = typeof value === 'string' ? value : toUint8Array(value);
    if (bytes === undefined) throw invalidArgType(`files: "${path}" must be a string, a Blob, an ArrayBuffer or a typed array`);
    list.push(path, bytes);
  }
  return list;
}

/** The options as plugins of esbuild read them. */
function toEsbuild(config) {
  const options = normalize(config);
  const { resolve } = require('path');
  const isMinified = config.minify === true;
  const given = (value) => (isMinified || !value ? undefined : true);
  return {
    bundle: true,
    entryPoints: options.entrypoints.map((entry) => resolve(entry)),
    outdir: options.outdir === undefined ? undefined : resolve(options.outdir),
    external: options.external,
    format: options.format,
    platform: options.target === 'bun' ? 'node' : options.target,
    define: config.define ?? {},
    loader: options.loader,
    minify: isMinified,
    minifyIdentifiers: given(options.minifyIdentifiers),
    minifySyntax: given(options.minifySyntax),
    minifyWhitespace: given(options.minifyWhitespace),
    sourcemap: options.sourcemap === 'none' ? undefined : options.sourcemap,
    splitting: options.splitting,
    conditions: options.conditions,
    banner: options.banner === undefined ? undefined : { js: options.banner },
    footer: options.footer === undefined ? undefined : { js: options.footer },
  };
}

module.exports = { memoryFiles, normalize, toEsbuild };
