// `Bun.wrapAnsi` and `Bun.sliceAnsi`: lines and columns of text with escape sequences. In: a text,
// columns. Out: a text whose styles (SGR) and links (OSC 8) are closed and opened again at each
// edge. Widths are those of `Bun.stringWidth`.
'use strict';

const { stringWidth } = require('internal/bun/strings');

const ESCAPE = /\x1b\[[\d;:]*[\x20-\x2f]*[\x40-\x7e]|\x9b[\d;:]*[\x40-\x7e]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?|\x1b[\x20-\x7e]/y;
const STYLE = /^(?:\x1b\[|\x9b)([\d;:]*)m$/;
const LINK = /^\x1b\]8;[^;]*;([^\x07\x1b]*)/;
const LINK_END = '\x1b]8;;\x07';

let segmenter;

/** { text, width, isEscape } of each grapheme cluster and each escape sequence. */
function tokensOf(text, options) {
  const tokens = [];
  segmenter ??= new Intl.Segmenter();
  for (let at = 0; at < text.length;) {
    ESCAPE.lastIndex = at;
    const found = ESCAPE.exec(text);
    if (found !== null) {
      tokens.push({ text: found[0], width: 0, isEscape: true });
      at = ESCAPE.lastIndex;
      continue;
    }
    const next = nextEscape(text, at);
    for (const { segment } of segmenter.segment(text.slice(at, next))) {
      tokens.push({ text: segment, width: stringWidth(segment, options), isEscape: false });
    }
    at = next;
  }
  return tokens;
}

/** Where the next sequence begins; a lone escape character is a character. */
function nextEscape(text, from) {
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] !== '\x1b' && text[at] !== '\x9b') continue;
    ESCAPE.lastIndex = at;
    if (ESCAPE.test(text)) return at;
  }
  return text.length;
}

// --- styles

/** Codes that end a style, by the codes that begin it. */
function endOf(code) {
  if (code === 1 || code === 2) return 22;
  if (code >= 3 && code <= 5) return code + 20;
  if (code === 6) return 25;
  if (code >= 7 && code <= 9) return code + 20;
  if (code === 21) return 24;
  if ((code >= 30 && code <= 38) || (code >= 90 && code <= 97)) return 39;
  if ((code >= 40 && code <= 48) || (code >= 100 && code <= 107)) return 49;
  if (code === 53) return 55;
  return code === 58 ? 59 : undefined;
}

/** The styles and the link that are open. */
class State {
  /** The code that ends each style: the sequence that begins it. */
  #styles = new Map();
  #link;

  add(sequence) {
    const style = STYLE.exec(sequence);
    if (style !== null) this.#addStyles(style[1].split(';'));
    const link = LINK.exec(sequence);
    if (link !== null) this.#link = link[1] === '' ? undefined : sequence;
  }

  #addStyles(parameters) {
    for (let index = 0; index < parameters.length; index++) {
      const code = Number.parseInt(parameters[index], 10) || 0;
      // 38, 48 and 58 have a color: `5;n` or `2;r;g;b`, or all in one parameter.
      const isColor = code === 38 || code === 48 || code === 58;
      const count = isColor ? { 5: 2, 2: 4 }[parameters[index + 1]] ?? 0 : 0;
      const text = parameters.slice(index, index + count + 1).join(';');
      index += count;
      this.#change(code, text);
    }
  }

  #change(code, text) {
    const end = endOf(code);
    if (code === 0) this.#styles.clear();
    else if (end === undefined) this.#end(code);
    else {
      // Bold and faint end together.
      const key = end === 22 ? `${end}.${code}` : end;
      this.#styles.delete(key);
      this.#styles.set(key, { end, begin: `\x1b[${text}m` });
    }
  }

  #end(code) {
    for (const [key, { end }] of this.#styles) if (end === code) this.#styles.delete(key);
  }

  begin() {
    return [...this.#styles.values()].map(({ begin }) => begin).join('') + (this.#link ?? '');
  }

  end() {
    const ends = new Set([...this.#styles.values()].map(({ end }) => end).reverse());
    return (this.#link === undefined ? '' : LINK_END) + [...ends].map((end) => `\x1b[${end}m`).join('');
  }
}

// --- wrapping

function wrapAnsi(input, columns, options) {
  const text = `${input}`.replaceAll('\r\n', '\n');
  const width = Math.trunc(Number(columns));
  if (!(width > 0)) return text;
  const { hard = false, wordWrap = true, trim = true } = options ?? {};
  const wrapper = new Wrapper(width, { hard, wordWrap, trim });
  const rows = text.split('\n').flatMap((line) => wrapper.rows(tokensOf(line, options)));
  return closeAtEdges(rows);
}

/** Rows of tokens as text: what is open at the end of a row is closed there, and opened again. */
function closeAtEdges(rows) {
  const state = new State();
  return rows.map((row, index) => {
    const begin = state.begin();
    for (const { text, isEscape } of row) if (isEscape) state.add(text);
    return begin + row.map(({ text }) => text).join('') + (index === rows.length - 1 ? '' : state.end());
  }).join('\n');
}

const widthOf = (tokens) => tokens.reduce((sum, { width }) => sum + width, 0);
const isSpace = ({ text }) => text === ' ';

/** Breaks lines as the npm package `wrap-ansi` does. */
class Wrapper {
  #columns;
  #options;
  #rows;

  constructor(columns, options) {
    this.#columns = columns;
    this.#options = options;
  }

  rows(line) {
    this.#rows = [[]];
    const { trim } = this.#options;
    if (trim && line.every((token) => token.isEscape || token.text.trim() === '')) return [line.filter(({ isEscape }) => isEscape)];
    wordsOf(line).forEach((word, index) => {
      if (trim) this.#rows.push(trimmedStart(this.#rows.pop()));
      if (index > 0) this.#addSpace();
      this.#addWord(word);
    });
    return trim ? this.#rows.map(trimmedEnd) : this.#rows;
  }

  get #row() { return this.#rows.at(-1); }

  #addSpace() {
    const { trim, wordWrap } = this.#options;
    if (widthOf(this.#row) >= this.#columns && (!wordWrap || !trim)) this.#rows.push([]);
    if (widthOf(this.#row) > 0 || !trim) this.#row.push({ text: ' ', width: 1, isEscape: false });
  }

  #addWord(word) {
    const { hard, wordWrap } = this.#options;
    const [length, taken] = [widthOf(word), widthOf(this.#row)];
    const room = this.#columns - taken;
    if (length <= room || length === 0) {
      this.#row.push(...word);
    } else if (hard && wordWrap) {
      if (length > this.#columns) this.#breakWhereFewer(word, length, room);
      else this.#rows.push([...word]);
    } else if (!wordWrap) {
      this.#breakWord(word);
    } else {
      if (taken > 0) this.#rows.push([]);
      this.#row.push(...word);
    }
  }

  /** Begins a word that is longer than a row on a new row, if that makes fewer of them. */
  #breakWhereFewer(word, length, room) {
    const here = 1 + Math.floor((length - room - 1) / this.#columns);
    if (Math.floor((length - 1) / this.#columns) < here) this.#rows.push([]);
    this.#breakWord(word);
  }

  #breakWord(word) {
    let taken = widthOf(this.#row);
    // Escape sequences stand before what they are for, also at the begin of a row.
    let escapes = [];
    for (const token of word) {
      if (token.isEscape) {
        escapes.push(token);
        continue;
      }
      if (taken >= this.#columns || taken + token.width > this.#columns) {
        this.#rows.push([]);
        taken = 0;
      }
      this.#row.push(...escapes, token);
      taken += token.width;
      escapes = [];
    }
    this.#row.push(...escapes);
  }
}

/** Tokens between spaces. */
function wordsOf(tokens) {
  const words = [[]];
  for (const token of tokens) {
    if (isSpace(token)) words.push([]);
    else words.at(-1).push(token);
  }
  return words;
}

function trimmedStart(row) {
  const first = row.findIndex(({ text, isEscape }) => !isEscape && text.trim() !== '');
  return row.filter(({ isEscape }, index) => isEscape || (first !== -1 && index >= first));
}

/** Without the spaces at the end, also where something without width follows them. */
function trimmedEnd(row) {
  const last = row.findLastIndex((token) => token.width > 0 && !isSpace(token));
  return row.filter((token, index) => index <= last || !isSpace(token));
}

// --- slicing

function sliceAnsi(input, start, end, options, ambiguousIsNarrow) {
  const { ellipsis = '', ...widths } = sliceOptions(options, ambiguousIsNarrow);
  const tokens = tokensOf(`${input}`, widths);
  const total = widthOf(tokens);
  const from = column(start, 0, total);
  const to = column(end, total, total);
  if (from >= to) return '';
  const room = stringWidth(ellipsis, widths);
  const [cutStart, cutEnd] = [from > 0 && room > 0, to < total && room > 0];
  const innerFrom = cutStart ? from + room : from;
  const innerTo = cutEnd ? to - room : to;
  if (innerFrom >= innerTo && (cutStart || cutEnd)) return ellipsis;
  return part(tokens, innerFrom, innerTo, [cutStart ? ellipsis : '', cutEnd ? ellipsis : '']);
}

/** The fourth argument is an ellipsis, a flag, or an object. */
function sliceOptions(options, ambiguousIsNarrow) {
  if (typeof options === 'string') return { ellipsis: options, ambiguousIsNarrow };
  if (typeof options === 'boolean') return { ambiguousIsNarrow: options };
  return { ...(options ?? { ambiguousIsNarrow }) };
}

/** A negative column counts from the end. */
function column(value, absent, total) {
  if (value === undefined) return absent;
  const number = Math.trunc(Number(value)) || 0;
  return Math.min(Math.max(number < 0 ? total + number : number, 0), total);
}

/** Clusters that begin within the columns. */
function part(tokens, from, to, [before, after]) {
  const state = new State();
  let text = '';
  let at = 0;
  let isInside = false;
  for (const token of tokens) {
    if (token.isEscape) {
      // Beyond the end nothing is opened any more.
      if (at >= to) break;
      state.add(token.text);
      if (isInside) text += token.text;
      continue;
    }
    if (at >= from && at < to) {
      if (!isInside) text = state.begin() + before;
      isInside = true;
      text += token.text;
    }
    at += token.width;
  }
  return isInside ? text + after + state.end() : '';
}

module.exports = { sliceAnsi, wrapAnsi };
