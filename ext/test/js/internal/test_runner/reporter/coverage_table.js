// Coverage as a table, for the spec and tap reporters. In: the summary of a `test:coverage` event.
// Out: lines, each after a prefix.
'use strict';

const HEAD = ['file', 'line %', 'branch %', 'funcs %', 'uncovered lines'];

function renderCoverage({ files, totals, workingDirectory }, prefix) {
  const { relative } = require('path');
  const row = (name, sums, uncovered) => [name, percent(sums.coveredLinePercent), percent(sums.coveredBranchPercent), percent(sums.coveredFunctionPercent), uncovered];
  const rows = [
    HEAD,
    ...files.map((file) => row(relative(workingDirectory, file.path), file, uncoveredLines(file.lines))),
    row('all files', totals, ''),
  ];
  const widths = HEAD.map((_, column) => Math.max(...rows.map((cells) => cells[column].length)));
  const text = rows.map((cells) => cells.map((cell, column) => (column === 0 || column === 4 ? cell.padEnd(widths[column]) : cell.padStart(widths[column]))).join(' | ').trimEnd());
  const rule = '-'.repeat(Math.max(...text.map((line) => line.length)));
  const lines = ['start of coverage report', rule, text[0], rule, ...text.slice(1, -1), rule, text.at(-1), rule, 'end of coverage report'];
  return lines.map((line) => `${prefix}${line}\n`).join('');
}

const percent = (value) => value.toFixed(2);

/** As ranges: `3-5 9`. */
function uncoveredLines(lines) {
  const ranges = [];
  let isOpen = false;
  for (const { line, count } of lines) {
    if (count > 0) {
      isOpen = false;
      continue;
    }
    if (isOpen) ranges.at(-1)[1] = line;
    else ranges.push([line, line]);
    isOpen = true;
  }
  return ranges.map(([start, end]) => (start === end ? `${start}` : `${start}-${end}`)).join(' ');
}

module.exports = { renderCoverage };
