// Finding files by patterns. In: patterns, a directory, what to leave out. Out: paths relative to
// the directory, or Dirents. What is to be looked at is written once, as a generator that asks for
// directories and files; two drivers answer. Links are followed where a pattern names them, not
// where it has `*` or `**`. Absent: patterns themselves, which are in glob_pattern.js.
'use strict';

const { nextTick } = internalBinding('queues');
const { binding, makeCallback } = require('internal/fs/utils');
const { Dirent, direntsOf, statsOfWords } = require('internal/fs/stats');
const { GLOBSTAR, matchParts, matchesPart, namesIn, parse, simplify } = require('internal/fs/glob_pattern');
const { codes } = require('internal/errors');
const { validateObject, validateString, validateStringArray } = require('internal/validators');
const { basename, dirname, join, relative, resolve } = require('path');

const LINK = 3;
const FOLDER = 2;

class Search {
  #patterns;
  #cwd;
  #withFileTypes;
  #leavesOut;
  #found = new Set();
  #queue = [];
  #seen = new Set();
  #folders = new Map();

  constructor(pattern, options = {}) {
    validateObject(options, 'options');
    const { exclude, cwd, withFileTypes } = options;
    this.#cwd = cwd == null ? '.' : pathOf(cwd);
    this.#withFileTypes = Boolean(withFileTypes);
    this.#leavesOut = exclude == null ? () => false : excluder(exclude, this.#cwd, this.#withFileTypes);
    const patterns = typeof pattern === 'object' ? (validateStringArray(pattern, 'patterns'), pattern) : [pattern];
    if (typeof pattern !== 'object') validateString(pattern, 'patterns');
    this.#patterns = patterns.flatMap((each) => parse(each));
  }

  /** Steps: ['list', path], ['look', path], ['found', result]. */
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

  /** To look at later: what the parts from `at` on match in the directory `path`. */
  #add(parts, at, path) {
    const key = `${this.#patterns.indexOf(parts)} ${at} ${path}`;
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    this.#queue.push({ parts, at, path });
  }

  * #find(path, entry) {
    path ||= '.';
    if (this.#found.has(path) || this.#leavesOut(path, entry)) return;
    this.#found.add(path);
    if (!this.#withFileTypes) {
      yield ['found', path];
      return;
    }
    entry ??= yield ['look', resolve(this.#cwd, path)];
    const full = join(this.#cwd, path);
    yield ['found', new Dirent(basename(full), path[0] === '/' ? dirname(path) : dirname(full), entry.type)];
  }

  * #step(parts, at, path) {
    const part = parts[at];
    const isLast = at === parts.length - 1;
    if (part === '') {
      if (!isLast) this.#add(parts, at + 1, path);
      else if ((yield* this.#list(path)) !== null) yield* this.#find(path);
    } else if (part === '.') {
      if (isLast) yield* this.#find(path);
      else this.#add(parts, at + 1, path);
    } else if (part === '..') {
      const above = join(path, '..');
      if (isLast) yield* this.#find(above);
      else this.#add(parts, at + 1, above);
    } else if (part === GLOBSTAR) {
      yield* this.#cross(parts, at, path, isLast);
    } else if (typeof part === 'string') {
      const child = join(path, part);
      const entry = yield ['look', resolve(this.#cwd, child)];
      if (entry === undefined || this.#leavesOut(child, entry)) return;
      if (isLast) yield* this.#find(child, entry);
      else if (entry.type === FOLDER || (entry.type === LINK && parts[at - 1] !== GLOBSTAR)) this.#add(parts, at + 1, child);
    } else {
      yield* this.#match(parts, at, path, isLast);
    }
  }

  /** Names that an expression matches. */
  * #match(parts, at, path, isLast) {
    for (const entry of (yield* this.#list(path)) ?? []) {
      if (!parts[at].test(entry.name)) continue;
      const child = join(path, entry.name);
      if (this.#leavesOut(child, entry)) continue;
      if (isLast) yield* this.#find(child, entry);
      else if (entry.type === FOLDER || (entry.type === LINK && parts[at + 1] === '..')) this.#add(parts, at + 1, child);
    }
  }

  /** `**`: the directory itself, and all directories below. */
  * #cross(parts, at, path, isLast) {
    const entries = yield* this.#list(path);
    if (entries === null) return;
    if (isLast) yield* this.#find(path);
    else this.#add(parts, at + 1, path);
    for (const entry of entries) {
      if (entry.name[0] === '.') continue;
      const child = join(path, entry.name);
      if (this.#leavesOut(child, entry)) continue;
      if (isLast) yield* this.#find(child, entry);
      if (entry.type === FOLDER) this.#add(parts, at, child);
      else if (entry.type === LINK && !isLast && crossesLink(parts, at, entry.name)) this.#add(parts, at + 1, child);
    }
  }

  /** Entries of a directory; null where it is none. */
  * #list(path) {
    let entries = this.#folders.get(path);
    if (entries === undefined) {
      entries = yield ['list', resolve(this.#cwd, path)];
      this.#folders.set(path, entries);
    }
    return entries;
  }
}

/**
 * As Node has it: behind `**` one link is followed where the next part names it, and by patterns
 * that begin with a dot.
 */
function crossesLink(parts, at, name) {
  const next = parts[at + 1];
  return parts[0] === '.' || (next !== GLOBSTAR && next !== '' && matchesPart(next, name));
}

function pathOf(cwd) {
  const path = typeof cwd === 'object' && cwd?.href !== undefined ? require('url').fileURLToPath(cwd) : cwd;
  if (typeof path !== 'string') validateString(path, 'paths[0]');
  return path;
}

/** Whether a path is to be left out, by a function that gets names, or by patterns. */
function excluder(exclude, cwd, withFileTypes) {
  if (typeof exclude === 'function') {
    return (path, entry) => {
      const name = basename(path);
      if (withFileTypes) {
        const full = join(cwd, path);
        return exclude(new Dirent(name, path[0] === '/' ? dirname(path) : dirname(full), entry?.type ?? FOLDER));
      }
      return exclude(name) || (path !== name && exclude(path));
    };
  }
  if (!Array.isArray(exclude)) throw new codes.ERR_INVALID_ARG_TYPE('options.exclude', ['function', 'string[]'], exclude);
  validateStringArray(exclude, 'options.exclude');
  // What matches all in a directory matches the directory.
  const alternatives = exclude.flatMap((each) => parse(each).flatMap(simplify)).flatMap((parts) => (
    parts.length > 1 && parts[parts.length - 1] === GLOBSTAR ? [parts, parts.slice(0, -1)] : [parts]));
  return (path) => {
    const full = resolve(cwd, path);
    const own = path[0] === '/' ? relative(resolve(cwd), full) : path;
    return alternatives.some((parts) => matchParts(parts, namesIn(parts[0] === '' ? full : own), false));
  };
}

// --- who answers

const entriesOf = (raw) => direntsOf(raw, '').map((dirent) => ({ name: dirent.name, type: typeOf(dirent) }));

function typeOf(dirent) {
  return dirent.isDirectory() ? FOLDER : dirent.isSymbolicLink() ? LINK : dirent.isFile() ? 1 : otherType(dirent);
}

function otherType(dirent) {
  return dirent.isFIFO() ? 4 : dirent.isSocket() ? 5 : dirent.isCharacterDevice() ? 6 : dirent.isBlockDevice() ? 7 : 0;
}

const lookedAt = () => ({ type: typeOf(statsOfWords(false)) });

function answerNow([name, path]) {
  try {
    if (name === 'list') return entriesOf(binding.readdir(path, true, false));
    return binding.stat(path, true, false, true) ? lookedAt() : undefined;
  } catch {
    return name === 'list' ? null : undefined;
  }
}

function answerLater([name, path]) {
  return new Promise((done) => {
    if (name === 'list') binding.readdir(path, true, false, (error, raw) => done(error ? null : entriesOf(raw)));
    else binding.stat(path, true, false, true, (error, isThere) => done(error || !isThere ? undefined : lookedAt()));
  });
}

/** What steps find, asked for now. */
function* now(work) {
  for (let step = work.next(); !step.done;) {
    if (step.value[0] === 'found') {
      yield step.value[1];
      step = work.next();
    } else {
      step = work.next(answerNow(step.value));
    }
  }
}

function globSync(pattern, options) {
  return [...now(new Search(pattern, options).run())];
}

async function* globAsync(pattern, options) {
  yield* later(new Search(pattern, options).run());
}

/** The same, asked for one after the other while the program goes on. */
async function* later(work) {
  for (let step = work.next(); !step.done;) {
    if (step.value[0] === 'found') {
      yield step.value[1];
      step = work.next();
    } else {
      step = work.next(await answerLater(step.value));
    }
  }
}

function glob(pattern, options, callback) {
  if (typeof options === 'function') {
    callback = options;
    options = undefined;
  }
  callback = makeCallback(callback);
  Array.fromAsync(globAsync(pattern, options)).then((found) => nextTick(callback, null, found), (error) => nextTick(callback, error));
}

module.exports = { FOLDER, LINK, glob, globAsync, globSync, later, now };
