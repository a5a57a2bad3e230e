// What the command line says of tests. In: options. Out: which tests run, and who reports them.
'use strict';

const { getOptionValue } = require('internal/options');

function list(name) {
  const value = getOptionValue(name);
  return Array.isArray(value) ? value : value === '' || value === false ? [] : [value];
}

/** `/text/flags` is a pattern, anything else a text that is looked for. */
function toPattern(text) {
  const parts = /^\/(.*)\/([a-z]*)$/s.exec(text);
  return parts === null ? new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')) : new RegExp(parts[1], parts[2]);
}

/** Undefined where no names are asked for. */
function makeFilter() {
  const wanted = list('--test-name-pattern').map(toPattern);
  const unwanted = list('--test-skip-pattern').map(toPattern);
  if (wanted.length === 0 && unwanted.length === 0) return undefined;
  const fits = (patterns, test) => patterns.some((pattern) => pattern.test(test.name) || pattern.test(spaced(test)));
  return function isWanted(test) {
    if (fits(unwanted, test)) return false;
    if (wanted.length === 0) return true;
    for (let at = test; at.parent !== null; at = at.parent) {
      if (fits(wanted, at)) return true;
    }
    return false;
  };
}

/** A test's name behind those of its parents, as patterns see it. */
function spaced(test) {
  return test.parent === null || test.parent.parent === null ? test.name : `${spaced(test.parent)} ${test.name}`;
}

function readSettings() {
  const timeout = Number(getOptionValue('--test-timeout') || 0);
  return {
    only: getOptionValue('--test-only') === true,
    filter: makeFilter(),
    timeout: timeout > 0 ? timeout : undefined,
    reporters: list('--test-reporter'),
    destinations: list('--test-reporter-destination'),
  };
}

module.exports = { readSettings };
