// `fs.glob`, as Node's lib/internal/fs/glob.js. In: patterns, a directory, what to exclude. Out:
// paths relative to the directory, or Dirents. The search is written once, as a generator that
// yields steps (readdir, lstat, match); two drivers execute them, synchronously or asynchronously.
// Links are followed where a pattern names them, not for `*` and `**`. Absent: the patterns
// (glob_pattern.js).
'use strict';

const { nextTick } = internalBinding('queues');
const { binding, makeCallback } = require('internal/fs/utils');
const { Dirent, getDirents, getStatsFromBinding } = require('internal/fs/stats');
const { GLOBSTAR, matchParts, matchesPart, splitPath, parse, simplify } = require('internal/fs/glob_pattern');
const { codes } = require('internal/errors');
const { validateObject, validateString, validateStringArray } = require('internal/validators');
const { basename, dirname, join, relative, resolve } = require('path');

const {
  UV_DIRENT_BLOCK, UV_DIRENT_CHAR, UV_DIRENT_DIR, UV_DIRENT_FIFO, UV_DIRENT_FILE, UV_DIRENT_LINK, UV_DIRENT_SOCKET, UV_DIRENT_UNKNOWN,
} = binding.dirent;


class Glob {
  #patterns;
  #cwd;
  #withFileTypes;
  #isExcluded;
  #results = new Set();
  #queue = [];
  #visited = new Set();
  #readdirCache = new Map();

  constructor(pattern, options = {}) {
    validateObject(options, 'options');
    const { exclude, cwd, withFileTypes } = options;
    this.#cwd = cwd == null ? '.' : toCwdString(cwd);
    this.#withFileTypes = Boolean(withFileTypes);
    this.#isExcluded = exclude == null ? () => false : createExclude(exclude, this.#cwd, this.#withFileTypes);
    const patterns = typeof pattern === 'object' ? (validateStringArray(pattern, 'patterns'), pattern) : [pattern];
    if (typeof pattern !== 'object') validateString(pattern, 'patterns');
    this.#patterns = patterns.flatMap((each) => parse(each));
  }

  /** Yields steps: ['readdir', path], ['lstat', path], ['match', result]. */
  * run() {
    for (const parts of this.#patterns) {
      if (parts.every((part) => part === '' || part === '.' || part === '..')) continue;
      this.#add(parts, 0, parts[0] === '' ? '/' : '');
    }
    for (let next = 0; next < this.#queue.length; next++) {
      const { parts, at, path } = this.#queue[next];
      this.#queue[next] = undefined;
      yield* this.#step(parts, at, path);
    }
  }

  /** Queues a search: what the parts from `at` on match in the directory `path`. */
  #add(parts, at, path) {
    const key = `${this.#patterns.indexOf(parts)} ${at} ${path}`;
    if (this.#visited.has(key)) return;
    this.#visited.add(key);
    this.#queue.push({ parts, at, path });
  }

  * #addResult(path, entry) {
    path ||= '.';
    if (this.#results.has(path) || this.#isExcluded(path, entry)) return;
    this.#results.add(path);
    if (!this.#withFileTypes) {
      yield ['match', path];
      return;
    }
    entry ??= yield ['lstat', resolve(this.#cwd, path)];
    const full = join(this.#cwd, path);
    yield ['match', new Dirent(basename(full), path[0] === '/' ? dirname(path) : dirname(full), entry.type)];
  }

  * #step(parts, at, path) {
    const part = parts[at];
    const isLast = at === parts.length - 1;
    if (part === '') {
      if (!isLast) this.#add(parts, at + 1, path);
      else if ((yield* this.#readdir(path)) !== null) yield* this.#addResult(path);
    } else if (part === '.') {
      if (isLast) yield* this.#addResult(path);
      else this.#add(parts, at + 1, path);
    } else if (part === '..') {
      const above = join(path, '..');
      if (isLast) yield* this.#addResult(above);
      else this.#add(parts, at + 1, above);
    } else if (part === GLOBSTAR) {
      yield* this.#matchGlobstar(parts, at, path, isLast);
    } else if (typeof part === 'string') {
      const child = join(path, part);
      const entry = yield ['lstat', resolve(this.#cwd, child)];
      if (entry === undefined || this.#isExcluded(child, entry)) return;
      if (isLast) yield* this.#addResult(child, entry);
      else if (entry.type === UV_DIRENT_DIR || (entry.type === UV_DIRENT_LINK && parts[at - 1] !== GLOBSTAR)) this.#add(parts, at + 1, child);
    } else {
      yield* this.#match(parts, at, path, isLast);
    }
  }

  /** A part with wildcards: the names that match it. */
  * #match(parts, at, path, isLast) {
    for (const entry of (yield* this.#readdir(path)) ?? []) {
      if (!parts[at].test(entry.name)) continue;
      const child = join(path, entry.name);
      if (this.#isExcluded(child, entry)) continue;
      if (isLast) yield* this.#addResult(child, entry);
      else if (entry.type === UV_DIRENT_DIR || (entry.type === UV_DIRENT_LINK && parts[at + 1] === '..')) this.#add(parts, at + 1, child);
    }
  }

  /** `**`: the directory itself and all its subdirectories. */
  * #matchGlobstar(parts, at, path, isLast) {
    const entries = yield* this.#readdir(path);
    if (entries === null) return;
    if (!isLast) this.#add(parts, at + 1, path);
    else if (!this.#isExcluded(path, undefined, true)) yield* this.#addResult(path);
    for (const entry of entries) {
      if (entry.name[0] === '.') continue;
      const child = join(path, entry.name);
      if (this.#isExcluded(child, entry, true)) continue;
      if (isLast) yield* this.#addResult(child, entry);
      if (entry.type === UV_DIRENT_DIR) this.#add(parts, at, child);
      else if (entry.type === UV_DIRENT_LINK && !isLast && followsLinkAfterGlobstar(parts, at, entry.name)) this.#add(parts, at + 1, child);
    }
  }

  /** Entries of a directory; null if it is not a directory. */
  * #readdir(path) {
    let entries = this.#readdirCache.get(path);
    if (entries === undefined) {
      entries = yield ['readdir', resolve(this.#cwd, path)];
      this.#readdirCache.set(path, entries);
    }
    return entries;
  }
}

/**
 * As in Node: after `**` a link is followed if the next part matches its name, or the pattern
 * begins with `.`.
 */
function followsLinkAfterGlobstar(parts, at, name) {
  const next = parts[at + 1];
  return parts[0] === '.' || (next !== GLOBSTAR && next !== '' && matchesPart(next, name));
}

function toCwdString(cwd) {
  const path = typeof cwd === 'object' && cwd?.href !== undefined ? require('url').fileURLToPath(cwd) : cwd;
  if (typeof path !== 'string') validateString(path, 'paths[0]');
  return path;
}

/**
 * Predicate for the `exclude` option: a function that gets names, or patterns. Its last argument is
 * true where `**` has matched, as in Node: a pattern for everything in a directory then matches the
 * directory too.
 */
function createExclude(exclude, cwd, withFileTypes) {
  if (typeof exclude === 'function') {
    return (path, entry) => {
      const name = basename(path);
      if (withFileTypes) {
        const full = join(cwd, path);
        return exclude(new Dirent(name, path[0] === '/' ? dirname(path) : dirname(full), entry?.type ?? UV_DIRENT_DIR));
      }
      return exclude(name) || (path !== name && exclude(path));
    };
  }
  if (!Array.isArray(exclude)) throw new codes.ERR_INVALID_ARG_TYPE('options.exclude', ['function', 'string[]'], exclude);
  validateStringArray(exclude, 'options.exclude');
  const alternatives = exclude.flatMap((each) => parse(each).flatMap(simplify));
  const withDirectories = alternatives.flatMap((parts) => (
    parts.length > 1 && parts[parts.length - 1] === GLOBSTAR ? [parts, parts.slice(0, -1)] : [parts]));
  return (path, entry, isOfGlobstar) => {
    const full = resolve(cwd, path);
    const relativePath = path[0] === '/' ? relative(resolve(cwd), full) : path;
    return (isOfGlobstar ? withDirectories : alternatives).some((parts) => matchParts(parts, splitPath(parts[0] === '' ? full : relativePath), false));
  };
}

// --- drivers

const toEntries = (raw) => getDirents(raw, '').map((dirent) => ({ name: dirent.name, type: typeOf(dirent) }));

function typeOf(dirent) {
  return dirent.isDirectory() ? UV_DIRENT_DIR : dirent.isSymbolicLink() ? UV_DIRENT_LINK : dirent.isFile() ? UV_DIRENT_FILE : otherType(dirent);
}

function otherType(dirent) {
  if (dirent.isFIFO()) return UV_DIRENT_FIFO;
  if (dirent.isSocket()) return UV_DIRENT_SOCKET;
  if (dirent.isCharacterDevice()) return UV_DIRENT_CHAR;
  return dirent.isBlockDevice() ? UV_DIRENT_BLOCK : UV_DIRENT_UNKNOWN;
}

const lstatType = () => ({ type: typeOf(getStatsFromBinding(false)) });

function runStepSync([name, path]) {
  try {
    if (name === 'readdir') return toEntries(binding.readdir(path, true, false));
    return binding.stat(path, true, false, true) ? lstatType() : undefined;
  } catch {
    return name === 'readdir' ? null : undefined;
  }
}

function runStep([name, path]) {
  return new Promise((done) => {
    if (name === 'readdir') binding.readdir(path, true, false, (error, raw) => done(error ? null : toEntries(raw)));
    else binding.stat(path, true, false, true, (error, exists) => done(error || !exists ? undefined : lstatType()));
  });
}

/** Executes steps synchronously; yields the matches. */
function* runSync(steps) {
  for (let step = steps.next(); !step.done;) {
    if (step.value[0] === 'match') {
      yield step.value[1];
      step = steps.next();
    } else {
      step = steps.next(runStepSync(step.value));
    }
  }
}

function globSync(pattern, options) {
  return [...runSync(new Glob(pattern, options).run())];
}

async function* globAsync(pattern, options) {
  yield* runAsync(new Glob(pattern, options).run());
}

/** Executes steps asynchronously, one after the other. */
async function* runAsync(steps) {
  for (let step = steps.next(); !step.done;) {
    if (step.value[0] === 'match') {
      yield step.value[1];
      step = steps.next();
    } else {
      step = steps.next(await runStep(step.value));
    }
  }
}

function glob(pattern, options, callback) {
  if (typeof options === 'function') {
    callback = options;
    options = undefined;
  }
  callback = makeCallback(callback);
  Array.fromAsync(globAsync(pattern, options)).then((matches) => nextTick(callback, null, matches), (error) => nextTick(callback, error));
}

module.exports = { glob, globAsync, globSync, runAsync, runSync };
