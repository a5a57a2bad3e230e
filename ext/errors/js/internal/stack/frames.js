// What the frames of a stack say. In: the engine's text, `name@file:line:column` a line. Out: call
// sites as V8 has them, with places in the source. Absent: names of classes before those of
// methods.
'use strict';

const { current } = require('internal/stack/given');

/** Frames of this file are nobody's business. */
const OWN = 'node:internal/stack';

/** `JSON.parse` and `JSON.stringify`, which programs take for the engine's own. */
const OF_JSON = /^(parse|stringify)@node:internal\/globals:/;

const GLOBALS = '@node:internal/globals:';

/** Where the loop runs microtasks. */
const CHECKPOINT = 'runMicrotasks@[native code]';

/** What runs ticks, by Node's name; programs see nothing below it in Node either. */
const TICKS = 'process.processTicksAndRejections@node:';

/** A CommonJS file's own code: the name of the function around it, see crates/transpile. */
const FILE_CODE = /^\$r_*file$/;

/** Whose methods the engine's own functions are; it tells their names alone. */
const OWNERS = {
  __proto__: null,
  parse: 'JSON', stringify: 'JSON', replace: 'String', replaceAll: 'String', fromEntries: 'Object',
  every: 'Array', filter: 'Array', find: 'Array', findIndex: 'Array', findLast: 'Array', findLastIndex: 'Array', flatMap: 'Array',
  forEach: 'Array', from: 'Array', map: 'Array', reduce: 'Array', reduceRight: 'Array', some: 'Array', sort: 'Array', toSorted: 'Array',
};

class CallSite {
  #name; #file; #line; #column; #isConstructor; #isFile;

  constructor({ name, file, line, column }, isConstructor) {
    this.#isFile = name !== null && FILE_CODE.test(name);
    this.#name = this.#isFile ? null : name;
    this.#file = file;
    this.#line = line;
    this.#column = column;
    this.#isConstructor = isConstructor;
  }

  getThis() { return undefined; }
  getTypeName() { return this.#name === null && !this.#isFile ? null : 'Object'; }
  getFunction() { return undefined; }
  getFunctionName() { return this.#name; }
  getMethodName() { return null; }
  getFileName() { return this.#file; }
  getLineNumber() { return this.#line; }
  getColumnNumber() { return this.#column; }
  getEvalOrigin() { return undefined; }
  getScriptNameOrSourceURL() { return this.#file; }
  getScriptHash() { return ''; }
  getEnclosingLineNumber() { return this.#line; }
  getEnclosingColumnNumber() { return this.#column; }
  getPosition() { return 0; }
  getPromiseIndex() { return null; }
  isToplevel() { return !this.#isConstructor; }
  isEval() { return false; }
  isNative() { return this.#file === null; }
  isConstructor() { return this.#isConstructor; }
  isAsync() { return false; }
  isPromiseAll() { return false; }

  toString() {
    const word = this.#isConstructor ? 'new ' : '';
    if (this.#file === null) {
      const owner = OWNERS[this.#name];
      return `${word}${owner === undefined || word !== '' ? '' : `${owner}.`}${this.#name ?? '<anonymous>'} (<anonymous>)`;
    }
    const place = this.#line === null ? this.#file : `${this.#file}:${this.#line}:${this.#column ?? 1}`;
    if (this.#name !== null || this.#isConstructor) return `${word}${this.#name ?? '<anonymous>'} (${place})`;
    return this.#isFile ? `Object.<anonymous> (${place})` : place;
  }
}

// What the engine calls code outside of functions.
const UNNAMED = new Set(['', 'global code', 'module code', 'eval code', 'anonymous']);

/**
 * What calls functions for others, and the code of 'eval', which stands below it: V8 shows neither.
 */
const HIDDEN = new Set([
  '@[native code]', 'anonymous@[native code]', 'call@[native code]', 'apply@[native code]', 'construct@[native code]', 'eval code@',
]);

let positions;

/** The engine says where the name ends that is called, V8 where it begins, or `new`. */
function placeInGiven(found, given) {
  const index = found.line - given.line;
  const line = given.text.split(/\r?\n/)[index];
  if (line === undefined) return;
  const called = line[found.column - 1] === '(' ? /(?:\bnew +[\w$.]+|[\w$]+)$/.exec(line.slice(0, found.column - 1)) : null;
  if (called !== null) {
    found.column = called.index + 1;
    found.isNew = called[0].startsWith('new ');
  }
  if (index === 0) found.column += given.column - 1;
}

/**
 * A line of the engine's stack. `isNew`: it calls a constructor there. `isAsync`: the body of an
 * asynchronous function, if the line above may be one. `followsMaps`: of files that bring some,
 * where maps are followed.
 */
function parse(line, followsMaps) {
  const at = line.indexOf('@');
  const name = at === -1 ? line : line.slice(0, at);
  const place = at === -1 ? '' : line.slice(at + 1);
  const found = { name: UNNAMED.has(name) ? null : name, file: null, line: null, column: null, isNew: false, isAsync: false };
  if (place === '' || place === '[native code]') return found;
  const parts = /^(.*?):(\d+)(?::(\d+))?$/.exec(place);
  if (parts === null) {
    found.file = place;
    return found;
  }
  found.file = parts[1];
  found.line = +parts[2];
  found.column = parts[3] === undefined ? 1 : +parts[3];
  const given = current();
  if (found.file === given?.name) {
    placeInGiven(found, given);
  } else if (!found.file.startsWith('node:')) {
    positions ??= internalBinding('source_positions');
    const original = positions.original(found.file, found.line, found.column, followsMaps);
    if (original !== undefined) [found.file, found.line, found.column, found.isNew, found.isAsync] = original;
  }
  return found;
}

/** The engine makes two functions of an asynchronous one; the inner one may have no name. */
function withoutBodies(sites) {
  return sites.filter((site, index) => {
    const above = sites[index - 1];
    if (!site.isAsync || above === undefined || above.file !== site.file || (above.name !== null && above.name !== site.name)) return true;
    above.name = site.name;
    above.isNew ||= site.isNew;
    return false;
  });
}

/** The frames of a stack; `skipped`: the functions that made the error, the last called first. */
function frames(text, skipped, limit, followsMaps = true) {
  // What our own files call is theirs: `Reflect.apply`.
  const lines = text === '' ? [] : text.split('\n');
  // What stands below a microtask has not called it.
  const end = lines.indexOf(CHECKPOINT);
  if (end !== -1) lines.length = end;
  const ticks = lines.findIndex((line) => line.startsWith(TICKS));
  if (ticks !== -1) lines.length = ticks + 1;
  const all = lines
    .filter((line, index) => !HIDDEN.has(line) && (!line.endsWith('@[native code]') || !lines[index + 1]?.includes('@node:')))
    .map((line) => line.includes(GLOBALS) ? line.replace(OF_JSON, '$1@[native code]\n').split('\n', 1)[0] : line);
  let from = 0;
  while (from < all.length && all[from].includes(OWN)) from++;
  for (const name of skipped) {
    if (from < all.length && name !== '' && all[from].startsWith(`${name}@`)) from++;
  }
  // Whether a function was called as a constructor, its caller says.
  const found = withoutBodies(all.slice(from, from + 2 * limit + 1).map((line) => parse(line, followsMaps)));
  return found.slice(0, limit).map((site, index) => new CallSite(site, found[index + 1]?.isNew === true));
}

module.exports = { frames, CallSite };
