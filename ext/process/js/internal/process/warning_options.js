// Properties of `process` for the warning flags (`noDeprecation`, `traceDeprecation`, ...), which
// programs read. Loaded only where such a flag is set.
'use strict';

const process = require('process');
const { getOptionValue } = require('internal/options');

const properties = {
  noDeprecation: !getOptionValue('--deprecation'),
  throwDeprecation: getOptionValue('--throw-deprecation'),
  traceDeprecation: getOptionValue('--trace-deprecation'),
  traceProcessWarnings: getOptionValue('--trace-warnings'),
};
for (const [name, value] of Object.entries(properties)) {
  if (value) Object.defineProperty(process, name, { __proto__: null, value, writable: false, enumerable: true, configurable: true });
}
