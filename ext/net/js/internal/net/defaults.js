// Defaults of `connect`: autoSelectFamily and its timeout. In: `net.setDefault...`, command-line
// options. Out: their values.
'use strict';

const { getOptionValue } = require('internal/options');

/** Trying the addresses of a host, both families by turns; how long each may take. */
const TIMEOUT_MS = 500;
const TIMEOUT_MS_MIN = 10;

const attempts = {
  isAutomatic: getOptionValue('--network-family-autoselection') ?? true,
  timeoutMs: Math.max(Number(getOptionValue('--network-family-autoselection-attempt-timeout')) || TIMEOUT_MS, TIMEOUT_MS_MIN),
};

module.exports = { TIMEOUT_MS_MIN, attempts };
