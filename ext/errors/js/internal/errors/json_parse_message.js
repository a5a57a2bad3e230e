// What V8 says of a text that is no JSON. In: the text. Out: the message and the place, or
// undefined where nothing is wrong with it or it is very long. Absent: values; the engine's parser
// makes them, and has found the text wrong.
'use strict';

/** Characters around the wrong one that are shown of a longer text. */
const CONTEXT = 10;

/** What programs parse that had no text to begin with. */
const NO_TEXTS = ['[object Object]', 'NaN', 'Infinity', 'undefined'];

/** Longer strings are not looked through again. */
const TEXT_UNITS_MAX = 1 << 24;

/** What stands in a string as it is. */
const PLAIN = /[^"\\\u0000-\u001f]*/y;

const LITERALS = { t: 'true', f: 'false', n: 'null' };

/** A message about a place. */
class Fault {
  constructor(message, at) {
    this.message = message;
    this.at = at;
  }
}

class Scanner {
  at = 0;

  constructor(text) { this.text = text; }

  /**
   * Throws a fault about the letter at hand: in these words, or in those for a letter that nothing
   * can begin with.
   */
  refuse(words) {
    throw new Fault(words === undefined ? this.unexpected() : `${words} JSON at position ${this.at} ${this.place()}`, this.at);
  }

  unexpected() {
    const { at, text } = this;
    if (at >= text.length) return 'Unexpected end of JSON input';
    const letter = text[at];
    if (letter === '"') return `Unexpected string in JSON at position ${at} ${this.place()}`;
    if (letter === '-' || isDigit(letter)) return `Unexpected number in JSON at position ${at} ${this.place()}`;
    if (NO_TEXTS.includes(text)) return `"${text}" is not valid JSON`;
    return `Unexpected token '${letter}', ${excerpt(text, at)} is not valid JSON`;
  }

  place() {
    const lines = this.text.slice(0, this.at).split(/\r\n|\r|\n/);
    return `(line ${lines.length} column ${lines.at(-1).length + 1})`;
  }

  /** The next letter behind blanks; undefined at the end. */
  next() {
    while (' \t\n\r'.includes(this.text[this.at] ?? 'x')) this.at++;
    return this.text[this.at];
  }

  take(letter) {
    if (this.next() !== letter) return false;
    this.at++;
    return true;
  }

  expect(letter, words) {
    if (!this.take(letter)) this.refuse(words);
  }

  /** Without calling itself: a text may be deep. */
  scan() {
    const brackets = [];
    do {
      if (this.begin(brackets)) while (brackets.length > 0 && this.end(brackets));
    } while (brackets.length > 0);
    if (this.next() !== undefined) this.refuse('Unexpected non-whitespace character after');
  }

  /** A value, or the beginning of one that holds others. Whether it is there as a whole. */
  begin(brackets) {
    const letter = this.next();
    if (letter === '{') return this.open(brackets, '}', () => this.key("Expected property name or '}' in"));
    if (letter === '[') return this.open(brackets, ']', () => {});
    if (letter === '"') this.string();
    else if (letter === '-' || isDigit(letter)) this.number();
    else if (Object.hasOwn(LITERALS, letter ?? '')) this.literal(LITERALS[letter]);
    else this.refuse();
    return true;
  }

  open(brackets, closing, first) {
    this.at++;
    if (this.take(closing)) return true;
    brackets.push(closing);
    first();
    return false;
  }

  /** What stands behind a value. Whether that ends what is around it. */
  end(brackets) {
    const closing = brackets.at(-1);
    if (this.take(',')) {
      if (closing === '}') this.key('Expected double-quoted property name in');
      return false;
    }
    this.expect(closing, closing === '}' ? "Expected ',' or '}' after property value in" : "Expected ',' or ']' after array element in");
    brackets.pop();
    return true;
  }

  key(words) {
    if (this.next() !== '"') this.refuse(words);
    this.string();
    this.expect(':', "Expected ':' after property name in");
  }

  literal(word) {
    for (const letter of word) {
      if (this.text[this.at] !== letter) this.refuse();
      this.at++;
    }
  }

  number() {
    if (this.text[this.at] === '-') {
      this.at++;
      if (!isDigit(this.text[this.at])) this.refuse('No number after minus sign in');
    }
    if (this.text[this.at] === '0') {
      this.at++;
      if (isDigit(this.text[this.at])) this.refuse();
    } else {
      this.digits();
    }
    if (this.text[this.at] === '.') {
      this.at++;
      this.digits('Unterminated fractional number in');
    }
    if (/[eE]/.test(this.text[this.at] ?? '')) {
      this.at++;
      if (/[-+]/.test(this.text[this.at] ?? '')) this.at++;
      this.digits('Exponent part is missing a number in');
    }
  }

  digits(words) {
    if (!isDigit(this.text[this.at])) this.refuse(words);
    while (isDigit(this.text[this.at])) this.at++;
  }

  string() {
    const { text } = this;
    for (this.at++; ; this.at++) {
      PLAIN.lastIndex = this.at;
      PLAIN.test(text);
      this.at = PLAIN.lastIndex;
      if (text[this.at] === '"') break;
      if (this.at >= text.length) this.refuse('Unterminated string in');
      if (text[this.at] < ' ') this.refuse('Bad control character in string literal in');
      if (text[this.at] === '\\') this.escape();
    }
    this.at++;
  }

  escape() {
    const letter = this.text[++this.at];
    // V8 has a table of what may be escaped, of the first 256 characters.
    if (letter === undefined || letter > '\u00ff') this.refuse();
    if (letter === 'u') {
      for (let digit = 0; digit < 4; digit++) {
        this.at++;
        if (!/[\da-fA-F]/.test(this.text[this.at] ?? '')) this.refuse('Bad Unicode escape in');
      }
    } else if (!'"\\/bfnrt'.includes(letter)) {
      this.refuse('Bad escaped character in');
    }
  }
}

function isDigit(letter) { return letter >= '0' && letter <= '9'; }

/** As much of a text as is shown, in quotes. */
function excerpt(text, at) {
  if (text.length <= 2 * CONTEXT) return `"${text}"`;
  if (at < CONTEXT) return `"${text.slice(0, at + CONTEXT)}"...`;
  if (at < text.length - CONTEXT) return `..."${text.slice(at - CONTEXT, at + CONTEXT)}"...`;
  return `..."${text.slice(at - CONTEXT)}"`;
}

module.exports = function words(text) {
  if (text.length > TEXT_UNITS_MAX) return undefined;
  try {
    new Scanner(text).scan();
  } catch (fault) {
    if (fault instanceof Fault) return fault;
    throw fault;
  }
  return undefined;
};
