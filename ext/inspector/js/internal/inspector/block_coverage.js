// Block coverage of what the program loads from a moment on, in V8's form. In: sources. Out: the
// same with counters; `Profiler.ScriptCoverage[]` of the DevTools Protocol. Absent: what was loaded
// before, code of `eval` and `new Function`; where the counters are (crates/transpile).
'use strict';

const binding = internalBinding('block_coverage');

const { defineProperty } = Object;

/** Counters, and what `await` and `yield` call. */
function makeCounters(length) {
  const counters = new Float64Array(length);
  defineProperty(counters, 'after', {
    __proto__: null,
    value(index, value) {
      counters[index]++;
      return value;
    },
  });
  return counters;
}

/** Those who count: sessions, the process. */
const users = new Set();

function start(user) {
  if (users.size === 0) binding.start(makeCounters);
  users.add(user);
}

function stop(user) {
  if (users.delete(user) && users.size === 0) binding.stop();
}

function isActive() { return users.size > 0; }

/**
 * Counts a source that is not a file's. @param isModule undefined: the syntax decides. Out: the
 * source.
 */
function countText(name, source, isModule = undefined) {
  return isActive() ? binding.count(name, source, isModule)?.[0] ?? source : source;
}

/**
 * Counts a script that runs in contexts of its own. Out: the source, and a function that makes its
 * counters known in a context, where `evaluate` evaluates.
 */
function countScript(name, source, isModule = false) {
  const [counted, variable, counters] = binding.count(name, source, isModule) ?? [source];
  if (variable === undefined) return [source, undefined];
  const provided = new WeakSet([globalThis]);
  const provide = (global, evaluate) => {
    if (provided.has(global)) return;
    provided.add(global);
    evaluate(`let ${variable};(array)=>{${variable}=array}`, 'internal:coverage', 1)(counters);
  };
  return [counted, provide];
}

const urlOf = (name) => (name.startsWith('/') ? require('url').pathToFileURL(name).href : name);

/**
 * Counts since the last call. @param options { callCount, detailed }: counts or 1, blocks or
 * functions only
 */
function take({ callCount = true, detailed = true } = {}) {
  const taken = binding.take();
  const result = [];
  for (let at = 0; at < taken.length; at += 3) {
    result.push({ scriptId: `${taken[at] + 1}`, url: urlOf(taken[at + 1]), functions: functionsOf(taken[at + 2], callCount, detailed) });
  }
  return result;
}

function functionsOf(parts, callCount, detailed) {
  const functions = [];
  for (let at = 0; at < parts.length; at += 3) {
    const [functionName, isBlockCoverage, numbers] = [parts[at], parts[at + 1] && detailed, parts[at + 2]];
    const ranges = [];
    for (let index = 0; index < (detailed ? numbers.length : 3); index += 3) {
      const count = callCount ? numbers[index + 2] : Math.min(numbers[index + 2], 1);
      ranges.push({ startOffset: numbers[index], endOffset: numbers[index + 1], count });
    }
    functions.push({ functionName, ranges, isBlockCoverage });
  }
  return functions;
}

/** Node's `source-map-cache`: by URL, of the scripts that name a source map. */
function sourceMapCache() {
  const maps = binding.sourceMaps();
  const cache = {};
  for (let at = 0; at < maps.length; at += 3) {
    const url = urlOf(maps[at]);
    const data = url.startsWith('file:') ? require('internal/source_map').payloadOf(maps[at + 1], url) : undefined;
    cache[url] = { lineLengths: maps[at + 2], data: data ?? null, url: maps[at + 1] };
  }
  return cache;
}

module.exports = { start, stop, isActive, countText, countScript, take, sourceMapCache };
