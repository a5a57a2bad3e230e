// `Bun.Glob`: glob patterns with Bun's rules. In `match`, `*` also matches names that begin with a
// dot; a leading `!` negates, and a backslash escapes a character. In: a pattern. Out: whether a
// path matches; the matching paths below a directory.
'use strict';

const { runAsync, runSync } = require('internal/fs/glob');
const { GLOBSTAR, matchParts, matchesPart } = require('internal/fs/glob_pattern');
const { compile } = require('internal/path/glob');
const { invalidArgType } = require('internal/bun/environment');

const { UV_DIRENT_DIR, UV_DIRENT_FILE, UV_DIRENT_LINK } = require('internal/fs/utils').constants;

class Glob {
  #pattern;
  /** The compiled alternatives for `match`, created on first use. */
  #alternatives;

  constructor(pattern) {
    if (typeof pattern !== 'string') throw invalidArgType('pattern must be a string');
    this.#pattern = pattern;
  }

  match(path) {
    if (typeof path !== 'string') throw invalidArgType('str must be a string');
    const [, negations, pattern] = /^((?:!(?!\())*)(.*)$/s.exec(this.#pattern);
    this.#alternatives ??= compile(pattern, false, true, true);
    const names = path.split('/');
    return this.#alternatives.some((parts) => matchParts(parts, names, true)) !== (negations.length % 2 === 1);
  }

  /** Matching paths below a directory. */
  scan(options) { return runAsync(new Scan(this.#pattern, options).run()); }
  * scanSync(options) { yield* runSync(new Scan(this.#pattern, options).run()); }
}
Object.defineProperty(Glob.prototype, Symbol.toStringTag, { __proto__: null, configurable: true, value: 'Glob' });

class Scan {
  #patterns;
  #cwd;
  #options;
  #yielded = new Set();

  constructor(pattern, options = {}) {
    if (typeof options === 'string') options = { cwd: options };
    if (typeof options !== 'object' || options === null) throw invalidArgType('GlobScanOptions must be an object');
    const { cwd = require('process').cwd(), dot = false, onlyFiles = true } = options;
    if (typeof cwd !== 'string') throw invalidArgType('GlobScanOptions.cwd must be a string');
    this.#cwd = cwd;
    this.#options = { ...options, onlyFiles };
    this.#patterns = compile(pattern, false, Boolean(dot), true);
  }

  /** Yields the steps that internal/fs/glob.js executes, synchronously or not. */
  * run() {
    if ((yield ['readdir', this.#cwd]) === null) {
      // Throws the error of the directory.
      require('internal/fs/sync').openSync(this.#cwd, require('internal/fs/utils').constants.O_DIRECTORY);
    }
    for (const parts of this.#patterns) {
      if (parts[0] === '' && parts.length > 1) yield* this.#step('/', parts, 1, []);
      else yield* this.#step('', parts, 0, []);
    }
  }

  #resolve(path) { return require('path').resolve(this.#cwd, path); }

  /** @param links real paths of the followed symbolic links, to end on cycles */
  * #step(prefix, parts, at, links) {
    const part = parts[at];
    const isLast = at === parts.length - 1;
    if (part === GLOBSTAR) return yield* this.#globstar(prefix, parts, at, links);
    if (part instanceof RegExp) {
      for (const { name, type } of (yield ['readdir', this.#resolve(prefix)]) ?? []) {
        if (!matchesPart(part, name)) continue;
        if (isLast) yield* this.#yieldMatch(prefix + name, type);
        else if (type === UV_DIRENT_DIR || (type === UV_DIRENT_LINK && this.#options.followSymlinks)) {
          yield* this.#step(`${prefix}${name}/`, parts, at + 1, links);
        }
      }
      return undefined;
    }
    if (part === '' || part === '.' || part === '..') {
      if (!isLast) return yield* this.#step(part === '' ? prefix : `${prefix}${part}/`, parts, at + 1, links);
      return yield* this.#yieldMatch(prefix + part, UV_DIRENT_DIR);
    }
    const entry = yield ['lstat', this.#resolve(prefix + part)];
    if (entry === undefined) return undefined;
    if (isLast) return yield* this.#yieldMatch(prefix + part, entry.type);
    if (entry.type === UV_DIRENT_DIR || entry.type === UV_DIRENT_LINK) yield* this.#step(`${prefix}${part}/`, parts, at + 1, links);
    return undefined;
  }

  /** `**`: this directory and all below it. */
  * #globstar(prefix, parts, at, links) {
    const isLast = at === parts.length - 1;
    if (!isLast) yield* this.#step(prefix, parts, at + 1, links);
    for (const { name, type } of (yield ['readdir', this.#resolve(prefix)]) ?? []) {
      if (name[0] === '.' && !this.#options.dot) continue;
      if (isLast) yield* this.#yieldMatch(prefix + name, type);
      const nextLinks = type === UV_DIRENT_LINK ? this.#follow(prefix + name, links) : links;
      if (type === UV_DIRENT_DIR || (type === UV_DIRENT_LINK && nextLinks !== undefined)) yield* this.#step(`${prefix}${name}/`, parts, at, nextLinks);
    }
  }

  /** The links with this one added; undefined: it is not followed. */
  #follow(path, links) {
    if (!this.#options.followSymlinks) return undefined;
    try {
      const realPath = require('fs').realpathSync(this.#resolve(path));
      return links.includes(realPath) || `${this.#resolve(path)}/`.startsWith(`${realPath}/`) ? undefined : [...links, realPath];
    } catch {
      return undefined;
    }
  }

  * #yieldMatch(path, type) {
    const { onlyFiles, absolute, followSymlinks, throwErrorOnBrokenSymlink } = this.#options;
    if (type === UV_DIRENT_LINK && followSymlinks) type = this.#targetType(path, Boolean(throwErrorOnBrokenSymlink)) ?? UV_DIRENT_LINK;
    if ((onlyFiles && type !== UV_DIRENT_FILE) || path === '' || this.#yielded.has(path)) return;
    this.#yielded.add(path);
    yield ['match', absolute ? this.#resolve(path) : path];
  }

  #targetType(path, throwIfNoEntry) {
    const stats = require('fs').statSync(this.#resolve(path), { throwIfNoEntry });
    return stats === undefined ? undefined : stats.isFile() ? UV_DIRENT_FILE : stats.isDirectory() ? UV_DIRENT_DIR : undefined;
  }
}

module.exports = { Glob };
