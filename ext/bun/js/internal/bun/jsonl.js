// `Bun.JSONL`: JSON values, one after another, each followed by a line break. In: text, or bytes of
// UTF-8. Out: the values, and how much was read. A value may contain line breaks. What may be
// continued by a later chunk is not an error.
'use strict';

const { Buffer } = require('buffer');

/** All values before the first error; an error without a value before it is thrown. */
function parse(input) {
  if (input === undefined) throw new TypeError('JSONL.parse requires a string argument');
  const { values, error } = parseChunk(input);
  if (error !== null && values.length === 0) throw error;
  return values;
}

/** { values, read, done, error }. Offsets count bytes where the input is bytes. */
function parseChunk(input, start = 0, end = Infinity) {
  if (input === undefined) throw new TypeError('JSONL.parseChunk requires a string argument');
  const source = sourceOf(input);
  const last = clamp(end, 0, source.text.length);
  const first = clamp(start, 0, last);
  return new Reader(source, first, last).read();
}

function clamp(offset, least, most) {
  const number = Math.trunc(Number(offset));
  return Number.isNaN(number) ? least : Math.min(Math.max(number, least), most);
}

/** `text` has a character for each offset; `slice` decodes a part. */
function sourceOf(input) {
  const bytes = typeof input === 'string' ? undefined : require('internal/bun/bytes').toUint8Array(input);
  if (bytes === undefined) return textSource(`${input}`);
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return { text: buffer.latin1Slice(), slice: (from, to) => buffer.utf8Slice(from, to), isBytes: true };
}

function textSource(text) {
  return { text, slice: (from, to) => text.slice(from, to), isBytes: false };
}

const BLANK = /[ \t\r\n]*/y;
const BLANK_IN_LINE = /[ \t\r]*/y;
/** To the end of a string: its characters and escapes. */
const STRING = /"(?:[^"\\]|\\[^])*"/y;
const WORD = /[^\s,:{}[\]"]*/y;

class Reader {
  #source;
  #at;
  #end;

  constructor(source, start, end) {
    this.#source = source;
    this.#at = start;
    this.#end = end;
  }

  read() {
    const values = [];
    let read = this.#at;
    // A byte order mark.
    if (read === 0 && this.#source.isBytes && this.#source.text.startsWith('\xef\xbb\xbf')) this.#at = 3;
    for (;;) {
      this.#skip(BLANK);
      if (this.#at >= this.#end) return { values, read, done: true, error: null };
      const from = this.#at;
      const to = this.#line(from, values) ?? this.#value(from, values);
      if (typeof to !== 'number') return { values, read, done: false, error: to };
      read = this.#at = to;
      this.#skip(BLANK_IN_LINE);
      if (this.#at < this.#end && this.#source.text[this.#at] !== '\n') {
        return { values, read, done: false, error: this.#error(this.#at, 'expected a line break after the value') };
      }
    }
  }

  /** The usual case, a value on a line of its own: its end; undefined: it is not. */
  #line(from, values) {
    const { text, slice } = this.#source;
    const found = text.indexOf('\n', from);
    let to = found === -1 || found > this.#end ? this.#end : found;
    while (to > from && ' \t\r'.includes(text[to - 1])) to--;
    try {
      values.push(JSON.parse(slice(from, to)));
      return to;
    } catch {
      return undefined;
    }
  }

  /** The end of a value; null: it is not complete; or the error. */
  #value(from, values) {
    const to = this.#endOfValue(from);
    if (to === undefined) return null;
    try {
      values.push(JSON.parse(this.#source.slice(from, to)));
      return to;
    } catch (error) {
      // At the end of the input the next chunk may mend anything but a string, as in Bun.
      const isOpen = to === this.#end && this.#source.text[from] !== '"';
      return isOpen ? null : this.#error(from, error.message);
    }
  }

  /** Where brackets are closed, without a look at what is between them. */
  #endOfValue(from) {
    const { text } = this.#source;
    let depth = 0;
    for (let at = from; at < this.#end;) {
      const character = text[at];
      if (character === '"') {
        at = this.#match(STRING, at);
        if (at === undefined) return undefined;
      } else if (character === '{' || character === '[') {
        depth++;
        at++;
      } else if (character === '}' || character === ']') {
        depth--;
        at++;
      } else {
        at = Math.max(at + 1, this.#match(WORD, at));
      }
      if (depth <= 0) return Math.min(at, this.#end);
    }
    return undefined;
  }

  /** Where a match ends; undefined: none, or beyond the end. */
  #match(pattern, at) {
    pattern.lastIndex = at;
    if (!pattern.test(this.#source.text)) return undefined;
    return pattern.lastIndex > this.#end && pattern === STRING ? undefined : pattern.lastIndex;
  }

  #skip(pattern) {
    pattern.lastIndex = this.#at;
    pattern.test(this.#source.text);
    this.#at = Math.min(pattern.lastIndex, this.#end);
  }

  #error(at, reason) {
    const line = this.#source.text.slice(0, at).split('\n').length;
    return new SyntaxError(`Failed to parse JSONL: line ${line}: ${reason}`);
  }
}

module.exports = { JSONL: { parse, parseChunk } };
