// `module.SourceMap` and `findSourceMap`. In: a map's JSON, or a file that names its map. Out: the
// original position of a generated one. Absent: stack traces, which Rust maps
// (crates/runtime/src/source_positions/maps.rs).
'use strict';

const { validateObject } = require('internal/validators');

const BASE64_CHARS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const VALUES = new Map([...BASE64_CHARS].map((char, value) => [char, value]));
const DIGIT_BITS = 5;
const MORE = 1 << DIGIT_BITS;
/** What "minus zero" stands for. */
const LEAST = -(2 ** 31);

/** The numbers of a segment: base 64, five bits per character, the sign in the lowest bit. */
function numbersOf(segment) {
  const numbers = [];
  let value = 0;
  let shift = 0;
  for (const char of segment) {
    const digit = VALUES.get(char) ?? 0;
    value += (digit & (MORE - 1)) * 2 ** shift;
    shift += DIGIT_BITS;
    if (digit & MORE) continue;
    const size = Math.floor(value / 2);
    numbers.push(value % 2 === 0 ? size : size === 0 ? LEAST : -size);
    value = shift = 0;
  }
  return numbers;
}

/** [line, column, source, its line, its column, name] of each segment, lines and columns from 0. */
function entriesOf({ sources = [], names = [], mappings = '' }, line, column) {
  const entries = [];
  const at = { source: 0, line: 0, column: 0, name: 0 };
  let first = column;
  for (const row of mappings.split(';')) {
    let generated = first;
    for (const segment of row.split(',')) {
      const [step, source, ofLine, ofColumn, name] = numbersOf(segment);
      if (step === undefined) continue;
      generated += step;
      if (source === undefined) {
        entries.push([line, generated]);
        continue;
      }
      at.source += source;
      at.line += ofLine;
      at.column += ofColumn;
      if (name !== undefined) at.name += name;
      entries.push([line, generated, sources[at.source], at.line, at.column, name === undefined ? undefined : names[at.name]]);
    }
    line += 1;
    first = 0;
  }
  return entries;
}

function parse(payload) {
  const parts = payload.sections ?? [{ map: payload, offset: { line: 0, column: 0 } }];
  const entries = parts.flatMap(({ map, offset }) => entriesOf(map, offset.line, offset.column));
  // A map may step back within a line.
  return entries.sort(compare);
}

function compare(left, right) { return left[0] - right[0] || left[1] - right[1]; }

class SourceMap {
  #payload;
  #lineLengths;
  #entries;

  constructor(payload, { lineLengths } = {}) {
    validateObject(payload, 'payload');
    this.#payload = structuredClone(payload);
    this.#lineLengths = lineLengths === undefined ? undefined : [...lineLengths];
    this.#entries = parse(payload);
  }

  get payload() { return structuredClone(this.#payload); }

  get lineLengths() { return this.#lineLengths === undefined ? undefined : [...this.#lineLengths]; }

  /** The last entry that is not after the position, which counts from 0. */
  findEntry(line, column) {
    let low = 0;
    let high = this.#entries.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compare(this.#entries[middle], [line, column]) > 0) high = middle;
      else low = middle + 1;
    }
    if (low === 0) return {};
    const [generatedLine, generatedColumn, originalSource, originalLine, originalColumn, name] = this.#entries[low - 1];
    return { generatedLine, generatedColumn, originalSource, originalLine, originalColumn, name };
  }

  /** The position counts from 1. */
  findOrigin(line, column) {
    const found = this.findEntry(line - 1, column - 1);
    if (found.originalSource === undefined) return {};
    return {
      name: found.name,
      fileName: found.originalSource,
      lineNumber: found.originalLine + line - found.generatedLine,
      columnNumber: found.originalColumn + column - found.generatedColumn,
    };
  }
}

/** By path. A file is looked at once: what was loaded stays what it was. */
const found = new Map();

/** The map that a file names, where maps are followed. */
function findSourceMap(path) {
  const { validateString } = require('internal/validators');
  validateString(path, 'path');
  if (!internalBinding('source_positions').areSourceMapsEnabled()) return undefined;
  if (!found.has(path)) found.set(path, read(path));
  return found.get(path);
}

function read(path) {
  const { readFileSync } = require('fs');
  const { pathToFileURL, fileURLToPath } = require('url');
  try {
    const file = path.startsWith('file:') ? fileURLToPath(path) : path;
    const text = readFileSync(file, 'utf8');
    const address = addressIn(text);
    const payload = address === undefined ? undefined : payloadOf(address, pathToFileURL(file).href);
    if (payload === undefined) return undefined;
    const lineLengths = text.replace(/\n$/, '').split('\n').map((line) => line.length);
    return new SourceMap(payload, { lineLengths });
  } catch {
    return undefined;
  }
}

/** The map at an address, with the URLs of its sources; undefined: it is not there, or is none. */
function payloadOf(address, fileUrl) {
  try {
    const base = new URL(address, fileUrl);
    const json = base.protocol === 'data:' ? textOfData(base) : require('fs').readFileSync(base, 'utf8');
    return withUrls(JSON.parse(json.replace(/^\)\]\}'.*\n/, '')), base.protocol === 'data:' ? fileUrl : base);
  } catch {
    return undefined;
  }
}

function addressIn(text) {
  let address;
  for (const [, given] of text.matchAll(/\/[/*]#\s+sourceMappingURL=(\S+)/g)) address = given;
  return address;
}

function textOfData({ pathname }) {
  const comma = pathname.indexOf(',');
  const body = pathname.slice(comma + 1);
  return pathname.slice(0, comma).endsWith(';base64') ? Buffer.from(body, 'base64').toString() : decodeURIComponent(body);
}

/** Sources by addresses of their own. */
function withUrls(payload, base) {
  const root = payload.sourceRoot ? `${payload.sourceRoot.replace(/\/$/, '')}/` : '';
  const { sources } = payload;
  if (!Array.isArray(sources)) return payload;
  return { ...payload, sources: sources.map((source) => new URL(`${root}${source}`, base).href), sourceRoot: '' };
}

module.exports = { SourceMap, findSourceMap, payloadOf };
