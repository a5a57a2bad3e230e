// Coverage of a run of `node:test`: counts of all processes as Node's `test:coverage` event. In:
// counts, globs, thresholds in percent. Out: the event; whether the thresholds are reached. Absent:
// counting (internal/test_files/coverage), the table and lcov (reporter).
'use strict';

const binding = internalBinding('test_runner');

const KINDS = { line: 'Line', branch: 'Branch', function: 'Function' };

class CoverageReport {
  /** Counters by path. @type {Map<string, number[]>} */
  #counts = new Map();
  #included;
  #excluded;
  #thresholds;

  constructor(root, { included, excluded, thresholds }) {
    this.root = root;
    this.#included = included;
    this.#excluded = excluded;
    this.#thresholds = thresholds;
  }

  /** Counts what this process loads from now on. */
  start() { require('internal/test_files/coverage').start(this.root); }

  takeOwnCounts() { this.add(require('internal/test_files/coverage').takeCounts()); }

  /** Adds what takeCounts of a process returned. */
  add(counted) {
    if (!Array.isArray(counted)) return;
    for (const [path, length, pairs] of counted) {
      if (!this.#counts.has(path)) this.#counts.set(path, new Array(length).fill(0));
      const counts = this.#counts.get(path);
      for (let at = 0; at < pairs.length; at += 2) if (pairs[at] < counts.length) counts[pairs[at]] += pairs[at + 1];
    }
  }

  /** Emits the event. Out: whether the thresholds are reached. */
  report(stream) {
    const summary = this.#summary();
    let isReached = true;
    for (const [kind, threshold] of Object.entries(this.#thresholds)) {
      const actual = summary.totals[`covered${KINDS[kind]}Percent`];
      if (actual >= threshold) continue;
      isReached = false;
      require('process').exitCode = 1;
      const message = `Error: ${actual.toFixed(2)}% ${kind} coverage does not meet threshold of ${threshold}%.`;
      stream.emitEvent('diagnostic', { nesting: 0, message, level: 'error' });
    }
    stream.emitEvent('coverage', { nesting: 0, summary });
    return isReached;
  }

  #summary() {
    const { matchesGlob, relative } = require('path');
    const matches = (globs, path) => globs.some((glob) => matchesGlob(path, glob) || matchesGlob(relative(this.root, path), glob));
    const files = [];
    for (const [path, counts] of this.#counts) {
      if (matches(this.#excluded, path) || (this.#included.length > 0 && !matches(this.#included, path))) continue;
      const points = binding.coveragePoints(path, counts.length);
      if (points !== undefined) files.push(fileSummary(path, points, counts));
    }
    files.sort((a, b) => (a.path < b.path ? -1 : 1));
    const totals = { __proto__: null };
    for (const kind of Object.values(KINDS)) {
      for (const name of [`total${kind}Count`, `covered${kind}Count`]) totals[name] = files.reduce((sum, file) => sum + file[name], 0);
      totals[`covered${kind}Percent`] = percent(totals[`covered${kind}Count`], totals[`total${kind}Count`]);
    }
    const { line, branch, function: functions } = this.#thresholds;
    return { __proto__: null, workingDirectory: this.root, files, thresholds: { __proto__: null, line, branch, function: functions }, totals };
  }
}

const percent = (covered, total) => (total === 0 ? 100 : covered / total * 100);

/** `points`: a kind, a line and a name for each counter in turn. */
function fileSummary(path, points, counts) {
  const lines = new Map();
  const [functions, branches] = [[], []];
  for (let at = 0; at < counts.length; at++) {
    const [kind, line, name] = points.slice(at * 3, at * 3 + 3);
    const count = counts[at];
    if (kind === 'statement') lines.set(line, Math.max(lines.get(line) ?? 0, count));
    else if (kind === 'function') functions.push({ __proto__: null, name, line, count });
    else branches.push({ __proto__: null, line, count });
  }
  const lineList = [...lines].sort(([a], [b]) => a - b).map(([line, count]) => ({ __proto__: null, line, count }));
  const file = { __proto__: null, path, functions, branches, lines: lineList };
  for (const [kind, list] of [['Line', lineList], ['Branch', branches], ['Function', functions]]) {
    const covered = list.filter(({ count }) => count > 0).length;
    file[`total${kind}Count`] = list.length;
    file[`covered${kind}Count`] = covered;
    file[`covered${kind}Percent`] = percent(covered, list.length);
  }
  return file;
}

module.exports = { CoverageReport };
