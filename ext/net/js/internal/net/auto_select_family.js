// Defaults of `connect`: autoSelectFamily and its timeout. In: `net.setDefault...`, command-line
// options. Out: their values.
'use strict';

const { getOptionValue } = require('internal/options');

/** How long an attempt may take before the next address is tried. */
const ATTEMPT_TIMEOUT_MS = 500;
const ATTEMPT_TIMEOUT_MS_MIN = 10;

const autoSelectFamily = {
  isDefault: getOptionValue('--network-family-autoselection') ?? true,
  attemptTimeoutMs: Math.max(Number(getOptionValue('--network-family-autoselection-attempt-timeout')) || ATTEMPT_TIMEOUT_MS, ATTEMPT_TIMEOUT_MS_MIN),
};

module.exports = { ATTEMPT_TIMEOUT_MS_MIN, autoSelectFamily };
