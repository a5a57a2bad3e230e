// Diff of lists (Myers, "An O(ND) Difference Algorithm", 1986), `util.diff`. In: two lists, or two
// strings, as lists of characters. Out: [operation, value] in order: 0 in both, 1 only in the
// first, -1 only in the second.
'use strict';

const { codes: { ERR_INVALID_ARG_TYPE, ERR_OUT_OF_RANGE } } = require('internal/errors');

/** The limit of the trace that backtracking needs. */
const ITEMS_MAX = 2 ** 31 - 1;

const KEEP = 0;
const INSERT = 1;
const DELETE = -1;

/** The edit script, from the end to the start. `same` compares items. */
function myersDiff(first, second, same = Object.is) {
  const total = first.length + second.length;
  if (total >= ITEMS_MAX) throw new ERR_OUT_OF_RANGE('myersDiff input size', '< 2^31', total);
  const furthest = new Int32Array(2 * total + 3);
  const rows = [];
  for (let steps = 0; steps <= total; steps++) {
    rows.push(furthest.slice(total + 1 - steps - 1, total + 1 + steps + 2));
    for (let line = -steps; line <= steps; line += 2) {
      const at = line + total + 1;
      const goesDown = line === -steps || (line !== steps && furthest[at - 1] < furthest[at + 1]);
      let x = goesDown ? furthest[at + 1] : furthest[at - 1] + 1;
      let y = x - line;
      while (x < first.length && y < second.length && same(first[x], second[y])) {
        x++;
        y++;
      }
      furthest[at] = x;
      if (x >= first.length && y >= second.length) return backtrack(rows, first, second, same);
    }
  }
  return [];
}

function backtrack(rows, first, second, same) {
  const result = [];
  let x = first.length;
  let y = second.length;
  for (let steps = rows.length - 1; steps >= 0; steps--) {
    const row = rows[steps];
    const line = x - y;
    const at = line + steps + 1;
    const wentDown = line === -steps || (line !== steps && row[at - 1] < row[at + 1]);
    const previousLine = wentDown ? line + 1 : line - 1;
    const previousX = steps === 0 ? 0 : row[wentDown ? at + 1 : at - 1];
    const previousY = steps === 0 ? 0 : previousX - previousLine;
    while (x > previousX && y > previousY) {
      // Of lines that differ only in a trailing comma, the one with the comma is shown.
      result.push([KEEP, same === Object.is || first[x - 1].endsWith(',') ? first[x - 1] : second[y - 1]]);
      x--;
      y--;
    }
    if (steps === 0) break;
    if (wentDown) result.push([DELETE, second[--y]]);
    else result.push([INSERT, first[--x]]);
  }
  return result;
}

function check(value, name) {
  if (typeof value === 'string') return;
  if (!Array.isArray(value)) throw new ERR_INVALID_ARG_TYPE(name, ['Array', 'string'], value);
  require('internal/validators').validateStringArray(value, name);
}

function diff(actual, expected) {
  if (actual === expected) return [];
  check(actual, 'actual');
  check(expected, 'expected');
  return myersDiff(actual, expected).reverse();
}

module.exports = { KEEP, INSERT, DELETE, diff, myersDiff };
