// Options of the test runner. In: the command line. Out: the filter of tests, the reporters.
'use strict';

const { getOptionValue } = require('internal/options');

function list(name) {
  const value = getOptionValue(name);
  return Array.isArray(value) ? value : value === '' || value === false ? [] : [value];
}

/** `/pattern/flags` is a regular expression; any other string is searched for as it is. */
function convertStringToRegExp(string) {
  const parts = /^\/(.*)\/([a-z]*)$/s.exec(string);
  return parts === null ? new RegExp(string.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')) : new RegExp(parts[1], parts[2]);
}

/** Undefined without patterns. */
function makeFilterOf(namePatterns, skipPatterns) {
  if (namePatterns.length === 0 && skipPatterns.length === 0) return undefined;
  const matches = (patterns, test) => patterns.some((pattern) => pattern.test(test.name) || pattern.test(getTestNameWithAncestors(test)));
  return function shouldRun(test) {
    if (matches(skipPatterns, test)) return false;
    if (namePatterns.length === 0) return true;
    for (let ancestor = test; ancestor.parent !== null; ancestor = ancestor.parent) {
      if (matches(namePatterns, ancestor)) return true;
    }
    return false;
  };
}

/** The names of the ancestors and of the test, for patterns. */
function getTestNameWithAncestors(test) {
  return test.parent === null || test.parent.parent === null ? test.name : `${getTestNameWithAncestors(test.parent)} ${test.name}`;
}

const patterns = (name) => list(name).map(convertStringToRegExp);

/** Coverage of this process and, with `--test`, of the files' processes. */
function readCoverage() {
  const { isChild } = require('internal/test_runner/run/child');
  if (getOptionValue('--experimental-test-coverage') !== true || isChild()) return undefined;
  const { CoverageReport } = require('internal/test_runner/coverage');
  const threshold = (name) => Number(getOptionValue(name) || 0);
  return new CoverageReport(require('process').cwd(), {
    included: list('--test-coverage-include'), excluded: list('--test-coverage-exclude'),
    thresholds: { line: threshold('--test-coverage-lines'), branch: threshold('--test-coverage-branches'), function: threshold('--test-coverage-functions') },
  });
}

function readConfig() {
  const timeout = Number(getOptionValue('--test-timeout') || 0);
  return {
    only: getOptionValue('--test-only') === true,
    filter: makeFilterOf(patterns('--test-name-pattern'), patterns('--test-skip-pattern')),
    timeout: timeout > 0 ? timeout : undefined,
    reporters: list('--test-reporter'),
    destinations: list('--test-reporter-destination'),
    coverage: readCoverage(),
    globalSetupPath: getOptionValue('--test-global-setup') || undefined,
    forceExit: getOptionValue('--test-force-exit') === true,
  };
}

module.exports = { convertStringToRegExp, makeFilterOf, readConfig };
