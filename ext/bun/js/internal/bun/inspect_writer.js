// Where `Bun.inspect` writes. In: words, and where lines may end. Out: a text, indented, each line
// about as long as 80 columns where a list allows it. Colours do not count, and neither do
// functions and the names of classes.
'use strict';

const COLUMNS = 80;
const COLORS = { __proto__: null, number: 33, string: 32, symbol: 35, regexp: 31, faint: 2 };

class Paper {
  #text = '';
  #indent = 0;
  #column = 0;
  #isCompact;
  #isLoose;

  /** @param isLoose whether each element of a list has a line of its own */
  constructor(isColored, isCompact, isLoose) {
    this.isColored = isColored;
    this.#isLoose = isLoose && !isCompact;
    this.#isCompact = isCompact;
  }

  text() { return this.#text; }
  isFull() { return this.#isLoose || this.#column > COLUMNS; }

  put(word, kind) {
    if (kind !== undefined && kind !== 'function') this.#column += word.length;
    this.#write(word, kind);
  }

  /** Lists of numbers stand in a line of any length. */
  putNumber(word) { this.#write(word, 'number'); }

  #write(word, kind) {
    if (!this.isColored || kind === undefined) this.#text += word;
    else if (kind === 'function') this.#text += `\u001b[36m${word}\u001b[0m`;
    else if (kind === 'string') this.#text += `\u001b[0m\u001b[32m${word}\u001b[0m\u001b[0m`;
    else this.#text += `\u001b[0m\u001b[${kind === 'symbol' && word[0] === 'S' ? 34 : COLORS[kind]}m${word}\u001b[0m`;
  }

  /** What somebody else wrote. */
  putText(text) { this.#text += text; }

  line() {
    if (this.#isCompact) return this.#space();
    this.#text += `\n${'  '.repeat(this.#indent)}`;
    this.#column = 2 * this.#indent;
    return undefined;
  }

  #space() {
    this.#text += ' ';
    this.#column++;
  }

  open(word, onLine) {
    this.#text += word;
    this.#column += word.length;
    this.#indent++;
    if (onLine) this.line();
    else this.#space();
  }

  close(word, onLine) {
    this.#indent--;
    // A list that was too long counts no further.
    if (!onLine && this.isFull()) this.#column = 2 * this.#indent;
    if (onLine) this.line();
    else this.#space();
    this.#text += word;
    this.#column += word.length;
  }

  #faint(word) {
    this.#column += word.length;
    this.#text += this.isColored ? `\u001b[0m\u001b[2m${word}\u001b[0m` : word;
  }

  /** Between elements; whether a line ended there. */
  comma(mustBreak = false) {
    this.#faint(',');
    const breaks = !this.#isCompact && (mustBreak || this.isFull());
    if (breaks) this.line();
    else this.#space();
    return breaks;
  }

  key(word) {
    this.#column += word.length + 2;
    this.#text += this.isColored ? `\u001b[0m${word}\u001b[2m:\u001b[0m ` : `${word}: `;
  }

  colon() {
    this.#text += ': ';
    this.#column += 2;
  }

  /** Behind a part that has a line of its own. */
  end(isLast) {
    if (!this.#isCompact || !isLast) this.#faint(',');
  }
}

module.exports = { Paper };
