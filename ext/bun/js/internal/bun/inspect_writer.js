// Output of `Bun.inspect`: indentation, line breaks and colors. In: tokens and positions where a
// line may break. Out: a string whose lines have about 80 columns where a list allows it. Colors,
// functions and class names do not count.
'use strict';

const COLUMNS = 80;
const COLORS = { __proto__: null, number: 33, string: 32, symbol: 35, regexp: 31, faint: 2 };

class InspectWriter {
  #output = '';
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

  output() { return this.#output; }
  isFull() { return this.#isLoose || this.#column > COLUMNS; }

  put(token, kind) {
    if (kind !== undefined && kind !== 'function') this.#column += token.length;
    this.#write(token, kind);
  }

  /** Lists of numbers are in one line of any length. */
  putNumber(token) { this.#write(token, 'number'); }

  #write(token, kind) {
    if (!this.isColored || kind === undefined) this.#output += token;
    else if (kind === 'function') this.#output += `\u001b[36m${token}\u001b[0m`;
    else if (kind === 'string') this.#output += `\u001b[0m\u001b[32m${token}\u001b[0m\u001b[0m`;
    else this.#output += `\u001b[0m\u001b[${kind === 'symbol' && token[0] === 'S' ? 34 : COLORS[kind]}m${token}\u001b[0m`;
  }

  /** Output of another formatter, unchanged. */
  putRaw(string) { this.#output += string; }

  line() {
    if (this.#isCompact) return this.#space();
    this.#output += `\n${'  '.repeat(this.#indent)}`;
    this.#column = 2 * this.#indent;
    return undefined;
  }

  #space() {
    this.#output += ' ';
    this.#column++;
  }

  open(token, onLine) {
    this.#output += token;
    this.#column += token.length;
    this.#indent++;
    if (onLine) this.line();
    else this.#space();
  }

  close(token, onLine) {
    this.#indent--;
    // After a list that was too long, counting starts anew.
    if (!onLine && this.isFull()) this.#column = 2 * this.#indent;
    if (onLine) this.line();
    else this.#space();
    this.#output += token;
    this.#column += token.length;
  }

  #faint(token) {
    this.#column += token.length;
    this.#output += this.isColored ? `\u001b[0m\u001b[2m${token}\u001b[0m` : token;
  }

  /** Writes a comma between elements. Returns whether it broke the line. */
  comma(mustBreak = false) {
    this.#faint(',');
    const breaks = !this.#isCompact && (mustBreak || this.isFull());
    if (breaks) this.line();
    else this.#space();
    return breaks;
  }

  /** `isQuoted`: it has the colour of a string. */
  key(token, isQuoted = false) {
    this.#column += token.length + 2;
    const shown = isQuoted ? `\u001b[32m${token}\u001b[0m` : token;
    this.#output += this.isColored ? `\u001b[0m${shown}\u001b[2m:\u001b[0m ` : `${token}: `;
  }

  colon() {
    this.#output += ': ';
    this.#column += 2;
  }

  /** Writes the comma after a part that has a line of its own. */
  end(isLast) {
    if (!this.#isCompact || !isLast) this.#faint(',');
  }
}

module.exports = { InspectWriter };
