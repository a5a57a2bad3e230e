// `Bun.FileSystemRouter`: routes from the names of files, in the style of Next.js. In: a directory.
// Out: which file a path leads to, with parameters and query. Absent: other styles.
'use strict';

const fs = require('fs');
const path = require('path');
const { invalidArgType } = require('internal/bun/environment');

const EXTENSIONS_DEFAULT = ['.tsx', '.jsx', '.ts', '.mjs', '.cjs', '.js'];
/** The order in which routes are tried. */
const KINDS = ['exact', 'dynamic', 'catch-all', 'optional-catch-all'];
/** Directories below the first one. */
const DEPTH_MAX = 64;

const kMake = Symbol('kMake');

class MatchedRoute {
  #route;
  #values;
  #pathname;
  #search;
  #router;
  #query;

  constructor(key, { route, values, pathname, search, router }) {
    if (key !== kMake) throw new TypeError('Illegal constructor');
    this.#route = route;
    this.#values = values;
    this.#pathname = pathname;
    this.#search = search;
    this.#router = router;
  }

  get filePath() { return this.#route.file; }
  get kind() { return this.#route.kind; }
  get name() { return this.#route.name; }
  get params() { return this.#values; }
  get pathname() { return this.#pathname; }

  /** The query, and the parameters, which come first. */
  get query() {
    if (this.#query !== undefined) return this.#query;
    const query = { ...this.#values };
    for (const [name, value] of new URLSearchParams(this.#search)) {
      if (Object.hasOwn(this.#values, name)) continue;
      query[name] = Object.hasOwn(query, name) ? [].concat(query[name], value) : value;
    }
    return this.#query = query;
  }

  get src() { return this.#router.sourceOf(this.#route.file); }
  get scriptSrc() { return this.src; }
}

class FileSystemRouter {
  #dir;
  #origin;
  #assetPrefix;
  #extensions;
  #routes;

  constructor(options) {
    if (typeof options !== 'object' || options === null) throw invalidArgType('Expected object');
    if (options.style !== undefined && options.style !== 'nextjs') throw invalidArgType("Only 'nextjs' style is currently implemented");
    if (options.dir === undefined) throw invalidArgType('FileSystemRouterOptions.dir is required');
    this.#dir = path.resolve(checkString(options, 'dir'));
    this.#origin = checkString(options, 'origin');
    this.#assetPrefix = checkString(options, 'assetPrefix');
    this.#extensions = checkExtensions(options.fileExtensions);
    this.reload();
  }

  get style() { return 'nextjs'; }
  get origin() { return this.#origin || null; }
  get assetPrefix() { return this.#assetPrefix || null; }
  get routes() { return Object.fromEntries(this.#routes.map(({ name, file }) => [name, file])); }

  /** Reads the directory again. */
  reload() {
    if (!fs.statSync(this.#dir, { throwIfNoEntry: false })?.isDirectory()) throw new Error(`Unable to find directory: ${this.#dir}`);
    const routes = scan(this.#dir, '', this.#extensions, 0).map(({ name, file }) => ({ name, file, ...parseName(name) }));
    this.#routes = routes.sort(compareRoutes);
    return this;
  }

  /** `target`: a path, a URL, a Request or a Response. */
  match(target) {
    const text = textOf(target);
    const at = text.indexOf('?');
    const [encoded, search] = at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at)];
    const decoded = decode(encoded);
    const segments = decoded.split('/').filter((segment, index, all) => index > 0 && (segment !== '' || index < all.length - 1));
    if (decoded !== '' && decoded[0] !== '/') return null;
    for (const route of this.#routes) {
      const values = matchRoute(route, segments);
      if (values !== undefined) return new MatchedRoute(kMake, { route, values, pathname: (decoded + search) || '/', search, router: this.#source });
    }
    return null;
  }

  #source = {
    sourceOf: (file) => {
      const relative = path.relative(this.#dir, file);
      // As in Bun: the prefix belongs to the origin.
      if (!this.#origin) return relative;
      const prefix = this.#assetPrefix ?? '';
      const absolute = `${prefix[0] === '/' ? '' : '/'}${prefix}${prefix === '' || prefix.endsWith('/') ? '' : '/'}${relative}`;
      return `${this.#origin.replace(/\/$/, '')}${absolute}`;
    },
  };
}

for (const Class of [MatchedRoute, FileSystemRouter]) {
  Object.defineProperty(Class.prototype, Symbol.toStringTag, { __proto__: null, value: Class.name, configurable: true });
}

function checkString(options, name) {
  const value = options[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') throw invalidArgType(`FileSystemRouterOptions.${name} must be a string`);
  return value;
}

function checkExtensions(value) {
  if (value === undefined || value === null) return EXTENSIONS_DEFAULT;
  if (!Array.isArray(value)) throw invalidArgType('FileSystemRouterOptions.fileExtensions must be an array of strings');
  return value.map((one) => (`${one}`[0] === '.' ? `${one}` : `.${one}`));
}

/** Names of routes with their files. A link that leads upwards ends at the limit of the depth. */
function scan(dir, prefix, extensions, depth) {
  if (depth > DEPTH_MAX) return [];
  const found = [];
  for (const entry of fs.readdirSync(dir)) {
    const file = path.join(dir, entry);
    const stat = fs.statSync(file, { throwIfNoEntry: false });
    if (stat?.isDirectory()) {
      if (entry !== 'node_modules' && entry[0] !== '.') found.push(...scan(file, `${prefix}/${entry}`, extensions, depth + 1));
      continue;
    }
    const extension = extensions.find((one) => entry.endsWith(one) && entry.length > one.length);
    if (extension === undefined || !stat?.isFile()) continue;
    const base = entry.slice(0, -extension.length);
    found.push({ name: base === 'index' ? prefix || '/' : `${prefix}/${base}`, file });
  }
  return found;
}

/** The kind of a route and its segments: strings, or `{ parameter, kind }`. */
function parseName(name) {
  let kind = 'exact';
  const segments = name.split('/').filter((segment) => segment !== '').map((segment) => {
    const [, optional, all, single] = /^(?:\[\[\.\.\.([^\]]+)\]\]|\[\.\.\.([^\]]+)\]|\[([^\]]+)\])$/.exec(segment) ?? [];
    const parameter = optional ?? all ?? single;
    if (parameter === undefined) return segment;
    const own = optional !== undefined ? 'optional-catch-all' : all !== undefined ? 'catch-all' : 'dynamic';
    if (KINDS.indexOf(own) > KINDS.indexOf(kind)) kind = own;
    return { parameter, kind: own };
  });
  return { kind, segments };
}

/** Exact routes first; then those whose fixed segments are more. */
function compareRoutes(one, other) {
  const fixed = ({ segments }) => segments.filter((segment) => typeof segment === 'string').length;
  return KINDS.indexOf(one.kind) - KINDS.indexOf(other.kind) || fixed(other) - fixed(one) || (one.name < other.name ? -1 : 1);
}

/** The parameters of a route that matches. */
function matchRoute(route, segments) {
  const values = {};
  for (const [index, segment] of route.segments.entries()) {
    if (typeof segment === 'string') {
      if (segments[index] !== segment) return undefined;
    } else if (segment.kind === 'dynamic') {
      if (segments[index] === undefined || segments[index] === '') return undefined;
      values[segment.parameter] = segments[index];
    } else {
      const rest = segments.slice(index);
      if (rest.length === 0) return segment.kind === 'optional-catch-all' ? values : undefined;
      values[segment.parameter] = rest.join('/');
      return values;
    }
  }
  return segments.length === route.segments.length ? values : undefined;
}

/** Path and query. */
function textOf(target) {
  const text = typeof target === 'string' ? target : typeof target?.url === 'string' ? target.url : undefined;
  if (text === undefined) throw invalidArgType('Expected string, Request or Response');
  const scheme = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i.exec(text);
  return scheme === null ? text : text.slice(scheme[0].length);
}

function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

module.exports = { FileSystemRouter };
