// Patterns of paths in bun's form (`Bun.Glob`): `*` takes names that begin with a dot as well when
// a text is matched, a `!` in front turns the answer round, a backslash takes a letter as it is.
// In: a pattern. Out: whether a path fits; the paths that do, as they are found.
'use strict';

const { FOLDER, LINK, later, now } = require('internal/fs/glob');
const { GLOBSTAR, matchParts, matchesPart } = require('internal/fs/glob_pattern');
const { compile } = require('internal/path/glob');
const { invalidArgType } = require('internal/bun/environment');

const FILE = 1;

class Glob {
  #pattern;
  /** Of a text's match, made when the first is asked for. */
  #choices;

  constructor(pattern) {
    if (typeof pattern !== 'string') throw invalidArgType('pattern must be a string');
    this.#pattern = pattern;
  }

  match(path) {
    if (typeof path !== 'string') throw invalidArgType('str must be a string');
    const [, negations, pattern] = /^((?:!(?!\())*)(.*)$/s.exec(this.#pattern);
    this.#choices ??= compile(pattern, false, true, true);
    const names = path.split('/');
    return this.#choices.some((parts) => matchParts(parts, names, true)) !== (negations.length % 2 === 1);
  }

  /** The paths of files below a folder. */
  scan(options) { return later(new Scan(this.#pattern, options).run()); }
  * scanSync(options) { yield* now(new Scan(this.#pattern, options).run()); }
}
Object.defineProperty(Glob.prototype, Symbol.toStringTag, { __proto__: null, configurable: true, value: 'Glob' });

class Scan {
  #patterns;
  #cwd;
  #options;
  #found = new Set();

  constructor(pattern, options = {}) {
    if (typeof options === 'string') options = { cwd: options };
    if (typeof options !== 'object' || options === null) throw invalidArgType('GlobScanOptions must be an object');
    const { cwd = require('process').cwd(), dot = false, onlyFiles = true } = options;
    if (typeof cwd !== 'string') throw invalidArgType('GlobScanOptions.cwd must be a string');
    this.#cwd = cwd;
    this.#options = { ...options, onlyFiles };
    this.#patterns = compile(pattern, false, Boolean(dot), true);
  }

  /** Steps as those of internal/fs/glob.js. */
  * run() {
    if ((yield ['list', this.#cwd]) === null) {
      // It says why.
      require('internal/fs/sync').openSync(this.#cwd, require('internal/fs/utils').constants.O_DIRECTORY);
    }
    for (const parts of this.#patterns) {
      if (parts[0] === '' && parts.length > 1) yield* this.#step('/', parts, 1, []);
      else yield* this.#step('', parts, 0, []);
    }
  }

  #place(path) { return require('path').resolve(this.#cwd, path); }

  /** @param links what links that were followed led to, so that none is followed in a circle */
  * #step(prefix, parts, at, links) {
    const part = parts[at];
    const isLast = at === parts.length - 1;
    if (part === GLOBSTAR) return yield* this.#cross(prefix, parts, at, links);
    if (part instanceof RegExp) {
      for (const { name, type } of (yield ['list', this.#place(prefix)]) ?? []) {
        if (!matchesPart(part, name)) continue;
        if (isLast) yield* this.#consider(prefix + name, type);
        else if (type === FOLDER || (type === LINK && this.#options.followSymlinks)) {
          yield* this.#step(`${prefix}${name}/`, parts, at + 1, links);
        }
      }
      return undefined;
    }
    if (part === '' || part === '.' || part === '..') {
      if (!isLast) return yield* this.#step(part === '' ? prefix : `${prefix}${part}/`, parts, at + 1, links);
      return yield* this.#consider(prefix + part, FOLDER);
    }
    const entry = yield ['look', this.#place(prefix + part)];
    if (entry === undefined) return undefined;
    if (isLast) return yield* this.#consider(prefix + part, entry.type);
    if (entry.type === FOLDER || entry.type === LINK) yield* this.#step(`${prefix}${part}/`, parts, at + 1, links);
    return undefined;
  }

  /** `**`: here, and in all folders below. */
  * #cross(prefix, parts, at, links) {
    const isLast = at === parts.length - 1;
    if (!isLast) yield* this.#step(prefix, parts, at + 1, links);
    for (const { name, type } of (yield ['list', this.#place(prefix)]) ?? []) {
      if (name[0] === '.' && !this.#options.dot) continue;
      if (isLast) yield* this.#consider(prefix + name, type);
      const beyond = type === LINK ? this.#follow(prefix + name, links) : links;
      if (type === FOLDER || (type === LINK && beyond !== undefined)) yield* this.#step(`${prefix}${name}/`, parts, at, beyond);
    }
  }

  /** The links with this one, where it is to be followed. */
  #follow(path, links) {
    if (!this.#options.followSymlinks) return undefined;
    try {
      const real = require('fs').realpathSync(this.#place(path));
      return links.includes(real) || `${this.#place(path)}/`.startsWith(`${real}/`) ? undefined : [...links, real];
    } catch {
      return undefined;
    }
  }

  * #consider(path, type) {
    const { onlyFiles, absolute, followSymlinks, throwErrorOnBrokenSymlink } = this.#options;
    if (type === LINK && followSymlinks) type = this.#target(path, Boolean(throwErrorOnBrokenSymlink)) ?? LINK;
    if ((onlyFiles && type !== FILE) || path === '' || this.#found.has(path)) return;
    this.#found.add(path);
    yield ['found', absolute ? this.#place(path) : path];
  }

  #target(path, mustBeThere) {
    const stats = require('fs').statSync(this.#place(path), { throwIfNoEntry: mustBeThere });
    return stats === undefined ? undefined : stats.isFile() ? FILE : stats.isDirectory() ? FOLDER : undefined;
  }
}

module.exports = { Glob };
