// Differences of two strings: lines of an edit script (Myers), words that differ within a line. In:
// strings. Out: the text of a failure: `Expected: ...` and `Received: ...` if both are one line,
// lines with `-` and `+` otherwise. Absent: how values become text (pretty.js).
'use strict';

const { bold, dim, green, hasColors, inverse, red } = require('internal/expect/colors');

/** Edits after which two strings count as unrelated: the search takes memory of its square. */
const EDITS_MAX = 800;
/** Equal lines around a difference, once a diff is longer than a screen. */
const CONTEXT_LINES = 5;
const WHOLE_LINES_MAX = 120;
/** A failure message is read by a person. */
const OUTPUT_LINES_MAX = 2000;
/** Characters of a line that are shown, and equal ones of them before the first difference. */
const LINE_MAX = 10_000;
const EQUAL_BEFORE = 200;
/** Longer lines are not compared by words. */
const WORDS_TEXT_MAX = 4000;

const EQUAL = ' ';
const REMOVED = '-';
const ADDED = '+';

/** An edit script: pairs of a sign and an element of `a` (equal, removed) or `b` (added). */
function edits(a, b) {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let endA = a.length;
  let endB = b.length;
  while (endA > start && endB > start && a[endA - 1] === b[endB - 1]) { endA--; endB--; }
  const script = [];
  for (let index = 0; index < start; index++) script.push([EQUAL, a[index]]);
  script.push(...middle(a.slice(start, endA), b.slice(start, endB)));
  for (let index = endA; index < a.length; index++) script.push([EQUAL, a[index]]);
  return script;
}

function middle(a, b) {
  const whole = () => [...a.map((line) => [REMOVED, line]), ...b.map((line) => [ADDED, line])];
  if (a.length === 0 || b.length === 0) return whole();
  const trace = search(a, b);
  return trace === undefined ? whole() : backtrack(a, b, trace);
}

/** Myers' greedy search: the furthest points after each number of edits; undefined: too many. */
function search(a, b) {
  const limit = Math.min(a.length + b.length, EDITS_MAX);
  const furthest = new Int32Array(2 * limit + 3);
  const origin = limit + 1;
  const trace = [];
  for (let count = 0; count <= limit; count++) {
    trace.push(furthest.slice(origin - count - 1, origin + count + 2));
    for (let diagonal = -count; diagonal <= count; diagonal += 2) {
      const isDown = diagonal === -count || diagonal !== count && furthest[origin + diagonal - 1] < furthest[origin + diagonal + 1];
      let x = isDown ? furthest[origin + diagonal + 1] : furthest[origin + diagonal - 1] + 1;
      let y = x - diagonal;
      while (x < a.length && y < b.length && a[x] === b[y]) { x++; y++; }
      furthest[origin + diagonal] = x;
      if (x >= a.length && y >= b.length) return trace;
    }
  }
  return undefined;
}

function backtrack(a, b, trace) {
  const script = [];
  let x = a.length;
  let y = b.length;
  for (let count = trace.length - 1; count >= 0; count--) {
    const before = trace[count];
    // `before` begins at diagonal -count - 1.
    const at = (diagonal) => before[diagonal + count + 1];
    const diagonal = x - y;
    const isDown = diagonal === -count || diagonal !== count && at(diagonal - 1) < at(diagonal + 1);
    const from = isDown ? diagonal + 1 : diagonal - 1;
    const fromX = count === 0 ? 0 : at(from);
    const fromY = fromX - (count === 0 ? 0 : from);
    while (x > fromX && y > fromY) { script.push([EQUAL, a[--x]]); y--; }
    if (count > 0) script.push(isDown ? [ADDED, b[--y]] : [REMOVED, a[--x]]);
  }
  return removedFirst(script.reverse());
}

/** Within a run of changes, what was expected is printed before what was received. */
function removedFirst(script) {
  const ordered = [];
  let run = [];
  const flush = () => {
    ordered.push(...run.filter(([sign]) => sign === REMOVED), ...run.filter(([sign]) => sign === ADDED));
    run = [];
  };
  for (const edit of script) {
    if (edit[0] !== EQUAL) { run.push(edit); continue; }
    flush();
    ordered.push(edit);
  }
  flush();
  return ordered;
}

// --- words

const WORDS = /[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu;

/** Both lines with the words that differ reversed; unchanged if little is common. */
function highlight(expected, received) {
  if (!hasColors() || expected.length + received.length > WORDS_TEXT_MAX) return [expected, received];
  const script = edits(expected.match(WORDS) ?? [], received.match(WORDS) ?? []);
  const common = script.filter(([sign, word]) => sign === EQUAL && /\S/.test(word)).reduce((sum, [, word]) => sum + word.length, 0);
  if (common * 3 < Math.min(expected.length, received.length)) return [expected, received];
  const side = (sign) => join(script.filter(([other]) => other === EQUAL || other === sign));
  return [side(REMOVED), side(ADDED)];
}

/** Neighbouring words that differ are reversed as one. */
function join(script) {
  let text = '';
  let run = '';
  for (const [sign, word] of [...script, [EQUAL, '']]) {
    if (sign !== EQUAL) { run += word; continue; }
    if (run !== '') text += inverse(run);
    run = '';
    text += word;
  }
  return text;
}

// --- output

/** Of longer lines, what is around the first difference. */
function excerpts(expected, received) {
  const length = Math.min(expected.length, received.length);
  if (Math.max(expected.length, received.length) <= LINE_MAX) return [expected, received];
  let same = 0;
  while (same < length && expected[same] === received[same]) same++;
  const start = Math.max(same - EQUAL_BEFORE, 0);
  const cut = (text) => {
    const rest = text.length - start - LINE_MAX;
    return `${start > 0 ? `\u2026 ${start} equal characters \u2026` : ''}${text.slice(start, start + LINE_MAX)}${rest > 0 ? `\u2026 ${rest} more characters` : ''}`;
  };
  return [cut(expected), cut(received)];
}

/** The body of a failure message. */
function difference(expected, received) {
  if (expected === received) return `Expected: ${green(expected)}\nReceived: serializes to the same string`;
  if (!expected.includes('\n') && !received.includes('\n')) {
    const [left, right] = highlight(...excerpts(expected, received));
    return `Expected: ${green(left)}\nReceived: ${red(right)}`;
  }
  return lineDifference(expected, received);
}

function lineDifference(expected, received) {
  const script = edits(expected.split('\n'), received.split('\n'));
  const count = (sign) => script.filter(([other]) => other === sign).length;
  const text = capped(rows(script)).join('\n');
  return `${text}\n\n${green(`- Expected  - ${count(REMOVED)}`)}\n${red(`+ Received  + ${count(ADDED)}`)}`;
}

/** Lines of output. Removed and added lines of one run are compared word by word. */
function rows(script) {
  const output = [];
  const isShort = script.length <= WHOLE_LINES_MAX;
  for (let at = 0; at < script.length;) {
    const sign = script[at][0];
    let end = at;
    while (end < script.length && (script[end][0] === EQUAL) === (sign === EQUAL)) end++;
    const run = script.slice(at, end);
    if (sign === EQUAL) output.push(...equalRows(run, isShort, at === 0, end === script.length));
    else output.push(...changedRows(run));
    at = end;
  }
  return output;
}

function equalRows(run, isShort, isFirst, isLast) {
  const row = ([, line]) => (line === '' ? '' : dim(`  ${line}`));
  const before = isFirst ? 0 : CONTEXT_LINES;
  const after = isLast ? 0 : CONTEXT_LINES;
  if (isShort || run.length <= before + after + 1) return run.map(row);
  const hidden = run.length - before - after;
  return [...run.slice(0, before).map(row), dim(`@@ ${hidden} equal lines @@`), ...run.slice(run.length - after).map(row)];
}

function changedRows(run) {
  const removed = run.filter(([sign]) => sign === REMOVED).map(([, line]) => line);
  const added = run.filter(([sign]) => sign === ADDED).map(([, line]) => line);
  if (removed.length === added.length) {
    removed.forEach((line, index) => { [removed[index], added[index]] = highlight(line, added[index]); });
  }
  return [...removed.map((line) => green(`- ${line}`)), ...added.map((line) => red(`+ ${line}`))];
}

function capped(lines) {
  if (lines.length <= OUTPUT_LINES_MAX) return lines;
  return [...lines.slice(0, OUTPUT_LINES_MAX), bold(`\u2026 ${lines.length - OUTPUT_LINES_MAX} more lines`)];
}

module.exports = { difference, lineDifference };
