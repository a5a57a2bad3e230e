// Reads a string as a date, as V8 does. In: text. Out: milliseconds since 1970, or NaN. First as an
// ISO 8601 date, whose form may end in other text; then word by word: numbers are a day, a month, a
// year or a time, by what stands beside them, and words are names of months and time zones.
'use strict';

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
// Hours from UTC.
const ZONES = { __proto__: null, ut: 0, utc: 0, z: 0, gmt: 0, cst: -6, cdt: -5, est: -5, edt: -4, mst: -7, mdt: -6, pst: -8, pdt: -7 };
const HALVES = { __proto__: null, am: 0, pm: 12 };
/** Digits of a number that count; the others are passed over. */
const DIGITS_MAX = 9;
const MS_PER_MINUTE = 60_000;
const WHITESPACE = /^[\s\u180e]$/;

const isBetween = (value, low, high) => value >= low && value <= high;
const isDay = (value) => isBetween(value, 1, 31);
const isMonth = (value) => isBetween(value, 1, 12);
const isSixty = (value) => isBetween(value, 0, 59);

/** Thrown where the text is no date. */
const NO_DATE = { __proto__: null };

/** The next token of a text. `kind`: `number`, `word`, `space`, `end`, `other`, or a sign. */
function tokenAt(text, start) {
  if (start >= text.length) return { kind: 'end', end: start };
  const char = text[start];
  let end = start + 1;
  if (isDigit(char)) {
    while (isDigit(text[end])) end++;
    const significant = text.slice(start, end).replace(/^0+/, '').slice(0, DIGITS_MAX);
    return { kind: 'number', end, value: Number(significant), length: end - start };
  }
  if (':-+.)'.includes(char)) return { kind: char, end };
  if (isWordCharacter(char)) {
    while (end < text.length && isWordCharacter(text[end])) end++;
    return wordToken(text.slice(start, end), end);
  }
  if (WHITESPACE.test(char)) {
    while (end < text.length && WHITESPACE.test(text[end])) end++;
    return { kind: 'space', end };
  }
  return { kind: 'other', end: char === '(' ? afterParentheses(text, start) : end };
}

const isDigit = (char) => char >= '0' && char <= '9';
/** Everything from `A` on is part of a word. */
const isWordCharacter = (char) => char >= 'A' && !WHITESPACE.test(char);

function afterParentheses(text, start) {
  let depth = 0;
  let at = start;
  do {
    if (text[at] === '(') depth++;
    else if (text[at] === ')') depth--;
    at++;
  } while (depth > 0 && at < text.length);
  return at;
}

/** Months may be written out; of the other words the whole counts. */
function wordToken(word, end) {
  const prefix = word.slice(0, 3).toLowerCase();
  const month = MONTHS.indexOf(prefix);
  if (month >= 0) return { kind: 'word', end, month: month + 1 };
  if (word.length > 3) return { kind: 'word', end };
  return { kind: 'word', end, zone: ZONES[prefix], half: HALVES[prefix], isT: prefix === 't' };
}

class DateReader {
  #text;
  #peeked;
  /** Numbers of the date, in their order; at most three. */
  #date = [];
  #namedMonth;
  #isIso = false;
  /** Hour, minute, second, millisecond. */
  #time = [];
  #half;
  #zoneSign;
  #zoneHour;
  #zoneMinute;

  constructor(text) {
    this.#text = text;
    this.#peeked = tokenAt(text, 0);
  }

  /** The fields of the date. */
  read() {
    const isWhole = this.#readIso();
    if (!isWhole) this.#readWords();
    return this.#fields();
  }

  #next() {
    const token = this.#peeked;
    this.#peeked = tokenAt(this.#text, token.end);
    return token;
  }

  #isNext(kind) { return this.#peeked.kind === kind; }

  #skip(kind) {
    const isNext = this.#isNext(kind);
    if (isNext) this.#next();
    return isNext;
  }

  /** The next number if it has this many digits and the test holds. */
  #fixed(length, test) {
    const { kind, length: found, value } = this.#peeked;
    return kind === 'number' && found === length && test(value) ? this.#next().value : undefined;
  }

  /** As `#fixed`, where nothing else may stand. */
  #required(length, test) {
    const value = this.#fixed(length, test);
    if (value === undefined) throw NO_DATE;
    return value;
  }

  /**
   * `YYYY-MM-DDTHH:mm:ss.sssZ` and its shorter forms. Out: whether that was all. If not, the parts
   * that were read remain; after a `T` the rest must be a time.
   */
  #readIso() {
    if (!this.#readIsoDate()) return false;
    if (this.#peeked.isT) this.#readIsoTime();
    else if (!this.#isNext('end')) return false;
    // A date alone is in UTC, with a time it is local.
    if (this.#time.length === 0) this.#setZone(1, 0, 0);
    this.#isIso = true;
    return true;
  }

  #readIsoDate() {
    if (this.#isNext('-') || this.#isNext('+')) return this.#readExpandedYear() && this.#readIsoMonth();
    const year = this.#fixed(4, () => true);
    if (year === undefined) return false;
    this.#date.push(year);
    return this.#readIsoMonth();
  }

  /**
   * A sign and six digits. Another number after a sign is left to `#readWords`, without its sign;
   * the year -0 is passed over.
   */
  #readExpandedYear() {
    const sign = this.#next().kind === '-' ? -1 : 1;
    const year = this.#fixed(6, () => true);
    if (year === undefined || (sign < 0 && year === 0)) return false;
    this.#date.push(sign * year);
    return true;
  }

  /** Out: whether what follows may be a time. */
  #readIsoMonth() {
    for (const test of [isMonth, isDay]) {
      if (!this.#skip('-')) return true;
      const value = this.#fixed(2, test);
      if (value === undefined) return false;
      this.#date.push(value);
    }
    return true;
  }

  #readIsoTime() {
    this.#next();
    const hour = this.#required(2, (value) => value <= 24);
    const isWithin = (value) => isSixty(value) && (hour < 24 || value === 0);
    this.#time.push(hour);
    this.#expect(':');
    this.#time.push(this.#required(2, isWithin));
    if (this.#skip(':')) {
      this.#time.push(this.#required(2, isWithin));
      if (this.#skip('.')) this.#time.push(this.#milliseconds((value) => hour < 24 || value === 0));
    }
    if (this.#peeked.zone === 0 && this.#text.slice(this.#peeked.end - 1, this.#peeked.end).toLowerCase() === 'z') {
      this.#next();
      this.#setZone(1, 0, 0);
    } else if (this.#isNext('+') || this.#isNext('-')) {
      this.#readIsoZone(this.#next().kind === '-' ? -1 : 1);
    }
    if (!this.#isNext('end')) throw NO_DATE;
  }

  #readIsoZone(sign) {
    const isHour = (value) => value <= 23;
    const joined = this.#fixed(4, (value) => isHour(Math.trunc(value / 100)) && isSixty(value % 100));
    if (joined !== undefined) {
      this.#setZone(sign, Math.trunc(joined / 100), joined % 100);
      return;
    }
    const hour = this.#required(2, isHour);
    this.#expect(':');
    this.#setZone(sign, hour, this.#required(2, isSixty));
  }

  #expect(kind) {
    if (!this.#skip(kind)) throw NO_DATE;
  }

  #milliseconds(test = () => true) {
    if (!this.#isNext('number')) throw NO_DATE;
    const { value, length } = this.#next();
    if (!test(value)) throw NO_DATE;
    const digits = Math.min(length, DIGITS_MAX);
    return Math.trunc(value * 10 ** (3 - digits));
  }

  #setZone(sign, hour, minute) {
    this.#zoneSign = sign;
    this.#zoneHour = hour;
    this.#zoneMinute = minute;
  }

  #readWords() {
    let hasNumber = this.#date.length > 0;
    while (!this.#isNext('end')) {
      const token = this.#next();
      const isSign = token.kind === '-' || token.kind === '+';
      if (token.kind === 'number') {
        hasNumber = true;
        this.#addNumber(token.value);
      } else if (token.kind === 'word') {
        this.#addWord(token, hasNumber);
      } else if (isSign && (this.#isUtc() || this.#time.length > 0)) {
        hasNumber = true;
        this.#addOffset(token.kind === '-' ? -1 : 1);
      } else if ((isSign || token.kind === ')') && hasNumber) {
        throw NO_DATE;
      }
    }
  }

  #isUtc() { return this.#zoneHour === 0 && this.#zoneMinute === 0; }

  /** Whether a number can be the next part of a time that has begun. */
  #continuesTime(value) {
    const { length } = this.#time;
    return ((length === 1 || length === 2) && isSixty(value)) || (length === 3 && isBetween(value, 0, 999));
  }

  #addTime(value) {
    if (this.#time.length === 4) throw NO_DATE;
    this.#time.push(value);
  }

  /** The last part of a time; a fifth one is passed over. */
  #endTime(value) {
    this.#time.push(value);
    while (this.#time.length < 4) this.#time.push(0);
  }

  #addNumber(value) {
    if (this.#skip(':')) {
      this.#addHour(value);
    } else if (this.#isNext('.') && this.#continuesTime(value)) {
      this.#next();
      this.#addTime(value);
      this.#endTime(this.#milliseconds());
    } else {
      this.#skip('.');
      this.#addPlainNumber(value);
    }
  }

  /** A number before a colon; two colons have a zero between them. */
  #addHour(value) {
    if (this.#skip(':')) {
      if (this.#time.length > 0) throw NO_DATE;
      this.#time.push(value, 0);
      return;
    }
    this.#addTime(value);
    this.#skip('.');
  }

  #addPlainNumber(value) {
    if (this.#zoneHour !== undefined && this.#zoneMinute === undefined && isSixty(value)) {
      this.#zoneMinute = value;
    } else if (this.#continuesTime(value)) {
      this.#endTime(value);
      const { kind, zone, end } = this.#peeked;
      const isZ = zone === 0 && /z/i.test(this.#text[end - 1]);
      if (!isZ && !['end', 'space', '+', '-'].includes(kind)) throw NO_DATE;
    } else {
      if (this.#date.length === 3) throw NO_DATE;
      this.#date.push(value);
      this.#skip('-');
    }
  }

  #addWord({ month, zone, half }, hasNumber) {
    if (half !== undefined && this.#time.length > 0) {
      this.#half = half;
    } else if (month !== undefined) {
      this.#namedMonth = month;
      this.#skip('-');
    } else if (zone !== undefined && hasNumber) {
      this.#setZone(zone < 0 ? -1 : 1, Math.abs(zone), 0);
    } else if (hasNumber || this.#isNext('number')) {
      // Other words stand before the first number only, apart from it.
      throw NO_DATE;
    }
  }

  /** The offset from UTC after a sign: `+1`, `+01`, `+0130`, `+01:30`. */
  #addOffset(sign) {
    const { value: number, length } = this.#isNext('number') ? this.#next() : { value: 0, length: 0 };
    this.#zoneSign = sign;
    if (this.#isNext(':')) {
      this.#zoneHour = number;
      this.#zoneMinute = undefined;
    } else if (length === 1 || length === 2) {
      this.#setZone(sign, number, 0);
    } else if (length === 3 || length === 4) {
      this.#setZone(sign, Math.trunc(number / 100), number % 100);
    } else {
      throw NO_DATE;
    }
  }

  #fields() {
    const { year, month, day } = this.#dateFields();
    const [hour, minute, second, millisecond] = this.#timeFields();
    const offset = this.#zoneSign === undefined ? undefined : this.#zoneSign * ((this.#zoneHour ?? 0) * 60 + (this.#zoneMinute ?? 0));
    return { year, month, day, hour, minute, second, millisecond, offset };
  }

  #dateFields() {
    if (this.#date.length === 0) throw NO_DATE;
    const [first, second = 1, third = 1] = this.#date;
    let fields = { month: first, day: second, year: third };
    if (this.#namedMonth !== undefined) {
      const [day, year] = isDay(first) ? [first, second] : [second, first];
      fields = { month: this.#namedMonth, day, year };
    } else if (this.#isIso || !isDay(first)) {
      fields = { year: first, month: second, day: third };
    }
    if (!this.#isIso && isBetween(fields.year, 0, 99)) fields.year += fields.year < 50 ? 2000 : 1900;
    if (!isMonth(fields.month) || !isDay(fields.day)) throw NO_DATE;
    return fields;
  }

  #timeFields() {
    let [hour = 0, minute = 0, second = 0, millisecond = 0] = this.#time;
    if (this.#half !== undefined) {
      if (!isBetween(hour, 0, 12)) throw NO_DATE;
      hour = hour % 12 + this.#half;
    }
    const isMidnight = hour === 24 && minute === 0 && second === 0 && millisecond === 0;
    const isTime = isBetween(hour, 0, 23) && isSixty(minute) && isSixty(second) && isBetween(millisecond, 0, 999);
    if (!isTime && !isMidnight) throw NO_DATE;
    return [hour, minute, second, millisecond];
  }
}

/** Milliseconds since 1970. `NativeDate`: the engine's, for its time zone. */
function timeOf(NativeDate, { year, month, day, hour, minute, second, millisecond, offset }) {
  const isAmbiguous = year >= 0 && year < 100;
  if (offset === undefined && !isAmbiguous) return new NativeDate(year, month - 1, day, hour, minute, second, millisecond).getTime();
  // The constructor takes such years for those of the 20th century. Noon is in every day.
  const date = new NativeDate(2000, 0, 1, 12);
  if (offset === undefined) {
    date.setFullYear(year, month - 1, day);
    return date.setHours(hour, minute, second, millisecond);
  }
  // 400 years always have the same days: the offset may lead back into the range of dates.
  const cycles = Math.trunc((year - 2000) / 400);
  date.setUTCFullYear(year - cycles * 400, month - 1, day);
  const time = date.setUTCHours(hour, minute, second, millisecond);
  return new NativeDate(time + cycles * 146_097 * 1440 * MS_PER_MINUTE - offset * MS_PER_MINUTE).getTime();
}

function parse(text, NativeDate) {
  try {
    return timeOf(NativeDate, new DateReader(text).read());
  } catch (error) {
    if (error === NO_DATE) return NaN;
    throw error;
  }
}

module.exports = { parse };
