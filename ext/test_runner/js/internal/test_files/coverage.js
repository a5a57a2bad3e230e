// Counts of coverage for the process that reports them. In: the arrays of counters that loaded
// sources have. Out: path, number of counters, and pairs of counter and count. Absent: adding
// counters (src/coverage.rs).
'use strict';

const binding = internalBinding('test_runner');

/** The counts since the last call. */
function takeCounts() {
  const files = binding.coveredFiles();
  const counted = [];
  for (let at = 0; at < files.length; at += 3) {
    const array = globalThis[files[at + 1]];
    const pairs = [];
    array.forEach((count, index) => { if (count > 0) pairs.push(index, count); });
    array.fill(0);
    counted.push([files[at], files[at + 2], pairs]);
  }
  return counted;
}

module.exports = { start: (root) => binding.startCoverage(root), takeCounts };
