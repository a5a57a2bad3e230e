// V8's message for invalid JSON. In: the JSON text, which the engine's parser rejected. Out: the
// message and the offset, or undefined where no error is found or the text is very long. Absent:
// values.
'use strict';

/** How many characters are shown before and after the error, in a longer text. */
const CONTEXT = 10;

/** Values that programs passed instead of JSON, as strings. */
const STRINGIFIED_VALUES = ['[object Object]', 'NaN', 'Infinity', 'undefined'];

/** A longer text is not scanned again. */
const TEXT_UNITS_MAX = 1 << 24;

/** Characters of a string that need no escape. */
const PLAIN = /[^"\\\u0000-\u001f]*/y;

const LITERALS = { t: 'true', f: 'false', n: 'null' };

/** A syntax error. */
class JsonError {
  constructor(message, offset) {
    this.message = message;
    this.offset = offset;
  }
}

class Scanner {
  at = 0;

  constructor(text) { this.text = text; }

  /** Throws an error at the current offset. Without a reason: unexpected token. */
  fail(reason) {
    throw new JsonError(reason === undefined ? this.unexpected() : `${reason} JSON at position ${this.at} ${this.lineAndColumn()}`, this.at);
  }

  unexpected() {
    const { at, text } = this;
    if (at >= text.length) return 'Unexpected end of JSON input';
    const char = text[at];
    if (char === '"') return `Unexpected string in JSON at position ${at} ${this.lineAndColumn()}`;
    if (char === '-' || isDigit(char)) return `Unexpected number in JSON at position ${at} ${this.lineAndColumn()}`;
    if (STRINGIFIED_VALUES.includes(text)) return `"${text}" is not valid JSON`;
    return `Unexpected token '${char}', ${excerpt(text, at)} is not valid JSON`;
  }

  lineAndColumn() {
    const lines = this.text.slice(0, this.at).split(/\r\n|\r|\n/);
    return `(line ${lines.length} column ${lines.at(-1).length + 1})`;
  }

  /** Skips whitespace. Returns the next character; undefined at the end. */
  next() {
    while (' \t\n\r'.includes(this.text[this.at] ?? 'x')) this.at++;
    return this.text[this.at];
  }

  take(char) {
    if (this.next() !== char) return false;
    this.at++;
    return true;
  }

  expect(char, reason) {
    if (!this.take(char)) this.fail(reason);
  }

  /** Without recursion: a text may be deeply nested. */
  scan() {
    const brackets = [];
    do {
      if (this.begin(brackets)) while (brackets.length > 0 && this.end(brackets));
    } while (brackets.length > 0);
    if (this.next() !== undefined) this.fail('Unexpected non-whitespace character after');
  }

  /** Scans a value, or the start of an object or array. Whether the value is complete. */
  begin(brackets) {
    const char = this.next();
    if (char === '{') return this.open(brackets, '}', () => this.key("Expected property name or '}' in"));
    if (char === '[') return this.open(brackets, ']', () => {});
    if (char === '"') this.string();
    else if (char === '-' || isDigit(char)) this.number();
    else if (Object.hasOwn(LITERALS, char ?? '')) this.literal(LITERALS[char]);
    else this.fail();
    return true;
  }

  open(brackets, closing, first) {
    this.at++;
    if (this.take(closing)) return true;
    brackets.push(closing);
    first();
    return false;
  }

  /** Scans what follows a value. Whether it ends the enclosing object or array. */
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

  key(reason) {
    if (this.next() !== '"') this.fail(reason);
    this.string();
    this.expect(':', "Expected ':' after property name in");
  }

  literal(word) {
    for (const char of word) {
      if (this.text[this.at] !== char) this.fail();
      this.at++;
    }
  }

  number() {
    if (this.text[this.at] === '-') {
      this.at++;
      if (!isDigit(this.text[this.at])) this.fail('No number after minus sign in');
    }
    if (this.text[this.at] === '0') {
      this.at++;
      if (isDigit(this.text[this.at])) this.fail();
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

  digits(reason) {
    if (!isDigit(this.text[this.at])) this.fail(reason);
    while (isDigit(this.text[this.at])) this.at++;
  }

  string() {
    const { text } = this;
    for (this.at++; ; this.at++) {
      PLAIN.lastIndex = this.at;
      PLAIN.test(text);
      this.at = PLAIN.lastIndex;
      if (text[this.at] === '"') break;
      if (this.at >= text.length) this.fail('Unterminated string in');
      if (text[this.at] < ' ') this.fail('Bad control character in string literal in');
      if (text[this.at] === '\\') this.escape();
    }
    this.at++;
  }

  escape() {
    const char = this.text[++this.at];
    // V8's table of escapes has the first 256 characters.
    if (char === undefined || char > '\u00ff') this.fail();
    if (char === 'u') {
      for (let digit = 0; digit < 4; digit++) {
        this.at++;
        if (!/[\da-fA-F]/.test(this.text[this.at] ?? '')) this.fail('Bad Unicode escape in');
      }
    } else if (!'"\\/bfnrt'.includes(char)) {
      this.fail('Bad escaped character in');
    }
  }
}

function isDigit(char) { return char >= '0' && char <= '9'; }

/** The shown part of the text, in quotes. */
function excerpt(text, at) {
  if (text.length <= 2 * CONTEXT) return `"${text}"`;
  if (at < CONTEXT) return `"${text.slice(0, at + CONTEXT)}"...`;
  if (at < text.length - CONTEXT) return `..."${text.slice(at - CONTEXT, at + CONTEXT)}"...`;
  return `..."${text.slice(at - CONTEXT)}"`;
}

module.exports = function jsonError(text) {
  if (text.length > TEXT_UNITS_MAX) return undefined;
  try {
    new Scanner(text).scan();
  } catch (error) {
    if (error instanceof JsonError) return error;
    throw error;
  }
  return undefined;
};
