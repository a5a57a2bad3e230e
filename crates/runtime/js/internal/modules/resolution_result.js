// What the native resolver answers: an array whose first element says what it is. The same numbers
// as in src/natives/loader.rs.
'use strict';

/** What was warned of. */
const said = new Set();

/** Whether a file was found by a way that is to end is said by the resolver. */
function warnOf({ 4: code, 5: message }) {
  if (said.has(message)) return;
  said.add(message);
  require('process').emitWarning(message, 'DeprecationWarning', code);
}

module.exports = {
  warnOf,
  /** path, format (of FORMATS), suffix, and where Node warns of how it was found: code, message */
  FILE: 0,
  /** name without `node:` */
  BUILTIN: 1,
  /** address */
  ADDRESS: 2,
  /** code, message, the path that was looked for, the package.json whose `main` leads nowhere */
  FAILED: 3,
  FORMATS: ['module', 'commonjs', 'unsaid', 'json', 'addon', 'wasm', 'other'],
};
