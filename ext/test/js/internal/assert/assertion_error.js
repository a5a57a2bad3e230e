// AssertionError, with the diff of both values as its message. In: the values, the operator,
// optionally a message. Out: the error as in Node.
'use strict';

const { inspect } = require('internal/util/inspect');
const { validateObject, validateOneOf } = require('internal/validators');
const { isError } = require('internal/util');

const READABLE = {
  __proto__: null,
  deepStrictEqual: 'Expected values to be strictly deep-equal:',
  partialDeepStrictEqual: 'Expected values to be partially and strictly deep-equal:',
  strictEqual: 'Expected values to be strictly equal:',
  strictEqualObject: 'Expected "actual" to be reference-equal to "expected":',
  deepEqual: 'Expected values to be loosely deep-equal:',
  notDeepStrictEqual: 'Expected "actual" not to be strictly deep-equal to:',
  notStrictEqual: 'Expected "actual" to be strictly unequal to:',
  notStrictEqualObject: 'Expected "actual" not to be reference-equal to "expected":',
  notDeepEqual: 'Expected "actual" not to be loosely deep-equal to:',
  notIdentical: 'Values have same structure but are not reference-equal:',
  notDeepEqualUnequal: 'Expected values not to be loosely deep-equal:',
};

/** Shorter pairs are shown on one line, with `!==` between them. */
const PAIR_MAX = 12;
/**
 * Longer pairs of strings have no caret at the first difference; on a terminal its width counts.
 */
const POINTED_MAX = 80;
const LINES_MAX = 50;
const SHOWN_MAX = 512;
const SAME_SHOWN_MAX = 1024;
/** How many equal lines are shown before and after a difference. */
const AROUND = 5;

const DIFFS = ['simple', 'full'];

/** Colors where standard error has them, otherwise empty strings. */
function palette() {
  const process = internalBinding('builtins').has('node/process') ? require('process') : undefined;
  const env = process?.env ?? {};
  const isColored = env.NO_COLOR === undefined && env.NODE_DISABLE_COLORS === undefined &&
    (env.FORCE_COLOR !== undefined || Boolean(process?.stderr?.isTTY)) && (process?.stderr?.getColorDepth?.() ?? 1) > 2;
  const code = (number) => isColored ? `\u001b[${number}m` : '';
  return { hasColors: isColored, blue: code(34), green: code(32), red: code(31), gray: code(90), white: code(39) };
}

function inspectValue(value) {
  return inspect(value, {
    compact: false,
    customInspect: false,
    depth: 1000,
    maxArrayLength: Infinity,
    showHidden: false,
    showProxy: false,
    sorted: true,
    getters: true,
  });
}

function isObject(value) {
  return typeof value === 'object' && value !== null;
}

/** An error without its stack: two stacks are never equal. */
function copyError(source) {
  const copy = Object.assign({ __proto__: Object.getPrototypeOf(source) }, source);
  Object.defineProperty(copy, 'message', { __proto__: null, value: source.message });
  if (Object.hasOwn(source, 'cause')) {
    const cause = isError(source.cause) ? copyError(source.cause) : source.cause;
    Object.defineProperty(copy, 'cause', { __proto__: null, value: cause });
  }
  return copy;
}

function describeDifference(actual, expected, operator, message, diff) {
  if (operator === 'strictEqual' && ((isObject(actual) && isObject(expected)) ||
      (typeof actual === 'function' && typeof expected === 'function'))) {
    operator = 'strictEqualObject';
  }
  const colors = palette();
  const first = inspectValue(actual);
  const second = inspectValue(expected);
  const lines = [first.split('\n'), second.split('\n')];
  let header = `${colors.green}+ actual${colors.white} ${colors.red}- expected${colors.white}`;
  let body;
  let isSkipped = false;
  if (lines[0].length === 1 && lines[1].length === 1 && (!isObject(actual) || !isObject(expected))) {
    const pair = describePair(actual, first, expected, second, colors);
    body = pair.body;
    header = pair.header ?? header;
  } else if (first === second) {
    operator = 'notIdentical';
    header = '';
    isSkipped = lines[0].length > LINES_MAX && diff !== 'full';
    body = isSkipped ? `${lines[0].slice(0, LINES_MAX).join('\n')}\n...}` : first;
  } else {
    const { myersDiff } = require('internal/util/diff');
    const same = isObject(actual) ? isSameLine : undefined;
    if (operator === 'partialDeepStrictEqual') {
      header = `${colors.gray}${colors.hasColors ? '' : '+ '}actual${colors.white} ${colors.red}- expected${colors.white}`;
    }
    ({ body, isSkipped } = printLines(myersDiff(lines[0], lines[1], same).reverse(), operator, colors));
  }
  return `${message ?? READABLE[operator] ?? ''}\n${header}${isSkipped ? '\n... Skipped lines' : ''}\n${body}\n`;
}

/** Ignores a trailing comma: the last line of a list has none. */
function isSameLine(a, b) {
  return a === b || (a.length !== b.length && (a === `${b},` || `${a},` === b));
}

function describePair(actual, first, expected, second, colors) {
  const quotes = (value) => typeof value === 'string' ? 2 : 0;
  const length = first.length + second.length - quotes(actual) - quotes(expected);
  if (length <= PAIR_MAX && (actual !== 0 || expected !== 0)) return { body: `${first} !== ${second}`, header: '' };
  if (colors.hasColors && typeof actual === 'string' && typeof expected === 'string') return colorCharacters(first, second, colors);
  let body = `\n${colors.green}+${colors.white} ${first}\n${colors.red}- ${colors.white}${second}`;
  const { stderr } = require('process');
  if (first.length + second.length <= (stderr.isTTY ? stderr.columns : POINTED_MAX)) {
    let at = 0;
    while (at < first.length && first[at] === second[at]) at++;
    // No caret is needed within the first characters.
    if (at >= 3 && at < first.length) body += `\n${' '.repeat(at + 2)}^`;
  }
  return { body };
}

/** Both strings in one line, with colored characters. */
function colorCharacters(first, second, colors) {
  const { DELETE, INSERT, myersDiff } = require('internal/util/diff');
  let body = '';
  for (const [what, letter] of myersDiff(first, second).reverse()) {
    const color = what === INSERT ? colors.green : what === DELETE ? colors.red : colors.white;
    body += `${color}${letter}${colors.white}`;
  }
  return { body: `\n${body}`, header: `${colors.green}actual${colors.white} ${colors.red}expected${colors.white}` };
}

function printLines(diff, operator, colors) {
  const { INSERT, KEEP } = require('internal/util/diff');
  const plain = (line) => `${colors.white}  ${line}\n`;
  let body = '';
  let isSkipped = false;
  let kept = 0;
  diff.forEach(([what, line], i) => {
    if (what !== KEEP && kept > 0) {
      const hidden = kept - AROUND;
      if (hidden === 1 || hidden === 2) {
        for (let back = hidden; back > 0; back--) body += plain(diff[i - back][1]);
      } else if (hidden > 2) {
        body += `${colors.blue}...${colors.white}\n${plain(diff[i - 1][1])}`;
        isSkipped = true;
      }
      kept = 0;
    }
    if (what === KEEP) {
      if (kept < AROUND) body += plain(line);
      kept++;
    } else if (what === INSERT) {
      const isExtra = operator === 'partialDeepStrictEqual' && colors.hasColors;
      body += isExtra ? `${colors.gray}  ${line}${colors.white}\n` : `${colors.green}+${colors.white} ${line}\n`;
    } else {
      body += `${colors.red}-${colors.white} ${line}\n`;
    }
  });
  return { body: `\n${body.trimEnd()}`, isSkipped };
}

/** The message for values that should differ: one of them is shown. */
function describeSame(actual, operator, diff) {
  const isReference = operator === 'notStrictEqual' && (isObject(actual) || typeof actual === 'function');
  const base = isReference ? READABLE.notStrictEqualObject : READABLE[operator];
  const lines = inspectValue(actual).split('\n');
  if (lines.length > LINES_MAX && diff !== 'full') {
    const { blue, white } = palette();
    lines.length = LINES_MAX - 3;
    lines[LINES_MAX - 4] = `${blue}...${white}`;
  }
  if (lines.length === 1) return `${base}${lines[0].length > 5 ? '\n\n' : ' '}${lines[0]}`;
  return `${base}\n\n${lines.join('\n')}\n`;
}

function cut(text, length, diff) {
  return text.length > length && diff !== 'full' ? `${text.slice(0, length - 3)}...` : text;
}

function describeOther(actual, expected, operator, diff) {
  const first = inspectValue(actual);
  const second = inspectValue(expected);
  const known = READABLE[operator];
  if (operator === 'notDeepEqual' && first === second) return cut(`${known}\n\n${first}`, SAME_SHOWN_MAX, diff);
  const left = cut(first, SHOWN_MAX, diff);
  const right = cut(second, SHOWN_MAX, diff);
  if (operator === 'deepEqual') return `${known}\n\n${left}\n\nshould loosely deep-equal\n\n${right}`;
  const unequal = READABLE[`${operator}Unequal`];
  if (unequal !== undefined) return `${unequal}\n\n${left}\n\nshould not loosely deep-equal\n\n${right}`;
  return `${left} ${operator} ${right}`;
}

function describe(options, diff) {
  const { message, operator } = options;
  let { actual, expected } = options;
  const isDifference = operator === 'deepStrictEqual' || operator === 'strictEqual' || operator === 'partialDeepStrictEqual';
  if (message != null) {
    return isDifference ? describeDifference(actual, expected, operator, message, diff) : String(message);
  }
  if (isObject(actual) && isObject(expected) && isError(actual) && isError(expected) && 'stack' in actual && 'stack' in expected) {
    actual = options.actual = copyError(actual);
    expected = options.expected = copyError(expected);
  }
  if (isDifference) return describeDifference(actual, expected, operator, undefined, diff);
  if (operator === 'notDeepStrictEqual' || operator === 'notStrictEqual') return describeSame(actual, operator, diff);
  return describeOther(actual, expected, operator, diff);
}

/** Truncates a string; the message has all of it. */
function shorten(text) {
  const lines = text.split('\n', 11);
  if (lines.length > 10) return `${lines.slice(0, 10).join('\n')}\n...`;
  // The end of the message, as in Node.
  return text.length > SHOWN_MAX ? `${text.slice(SHOWN_MAX)}...` : text;
}

class AssertionError extends Error {
  constructor(options) {
    validateObject(options, 'options');
    options = { ...options };
    const { message, operator, stackStartFn, details, stackStartFunction, diff = 'simple' } = options;
    validateOneOf(diff, 'options.diff', DIFFS);
    const limit = Error.stackTraceLimit;
    const { isErrorStackTraceLimitWritable } = require('internal/errors');
    const isWritable = isErrorStackTraceLimitWritable();
    if (isWritable) Error.stackTraceLimit = 0;
    super(describe(options, diff));
    if (isWritable) Error.stackTraceLimit = limit;
    this.generatedMessage = !message || message === 'Failed';
    Object.defineProperty(this, 'name', {
      __proto__: null, value: 'AssertionError [ERR_ASSERTION]', enumerable: false, writable: true, configurable: true,
    });
    this.code = 'ERR_ASSERTION';
    if (details) {
      this.actual = undefined;
      this.expected = undefined;
      this.operator = undefined;
      details.forEach((detail, i) => {
        this[`message ${i}`] = detail.message;
        this[`actual ${i}`] = detail.actual;
        this[`expected ${i}`] = detail.expected;
        this[`operator ${i}`] = detail.operator;
        this[`stack trace ${i}`] = detail.stack;
      });
    } else {
      this.actual = options.actual;
      this.expected = options.expected;
      this.operator = operator;
    }
    Error.captureStackTrace(this, stackStartFn || stackStartFunction);
    // The read renders the stack while the name contains the code.
    void this.stack;
    this.name = 'AssertionError';
    this.diff = diff;
  }

  toString() {
    return `${this.name} [${this.code}]: ${this.message}`;
  }

  [inspect.custom](_, ctx) {
    const { actual, expected } = this;
    if (typeof actual === 'string') this.actual = shorten(actual);
    if (typeof expected === 'string') this.expected = shorten(expected);
    const shown = inspect(this, { ...ctx, customInspect: false, depth: 0 });
    this.actual = actual;
    this.expected = expected;
    return shown;
  }
}

module.exports = AssertionError;
