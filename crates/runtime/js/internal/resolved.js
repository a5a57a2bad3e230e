// What the native resolver answers: an array whose first element says what it is. The same numbers as in src/natives/loader.rs.
'use strict';

module.exports = {
  /** path, format (of FORMATS), suffix */
  FILE: 0,
  /** name without `node:` */
  BUILTIN: 1,
  /** address */
  ADDRESS: 2,
  /** code, message */
  FAILED: 3,
  FORMATS: ['module', 'commonjs', 'unsaid', 'json', 'addon', 'wasm', 'other'],
};
