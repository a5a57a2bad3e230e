// Runs one test of test262 in this process. In: how to load the file (script or module), the
// expected error or `-`, whether the test reports its completion (`async`), the file, the harness
// files. Out: exit code 0; or 1, with the reason on the last line.
// @ts-check
'use strict';
const fs = require('fs');

const [goal, negative, ending, file, ...harness] = process.argv.slice(2);
const COMPLETE = 'Test262:AsyncTestComplete';
/** @type {string[]} */
const printed = [];
/** @type {string | undefined} */
let end;

// Unhandled rejections are not failures of a test.
process.on('unhandledRejection', () => {});
process.on('uncaughtException', (error) => { end = named(error); });
process.on('exit', () => {
  const reason = wrong();
  if (reason) console.error(`Error: ${reason}`);
  process.exitCode = reason ? 1 : 0;
});

/** @type {any} */ (globalThis).print = (/** @type {unknown} */ text) => printed.push(String(text));
(0, eval)(harness.map((path) => fs.readFileSync(path, 'utf8')).join('\n'));

if (goal === 'module') {
  import(`file://${encodeURI(file)}`).then(() => { end ??= 'none'; }, (error) => { end = named(error); });
} else {
  try {
    require(file);
    end = 'none';
  } catch (error) {
    end = named(error);
  }
}

/** @param {any} error */
function named(error) {
  return error !== null && typeof error === 'object' ? `${error.constructor?.name ?? error.name}: ${error.message}` : String(error);
}

/** Why the test fails; `undefined` if it passes. */
function wrong() {
  if (end === undefined) return 'its promise was never settled';
  if (negative !== '-') {
    return end.startsWith(`${negative}:`) ? undefined : `expected a ${negative}, found ${end}`;
  }
  if (end !== 'none') return end;
  const failure = printed.find((line) => line !== COMPLETE);
  if (ending === 'async' && failure) return failure;
  return ending === 'async' && printed.length !== 1 ? `it reported its completion ${printed.length} times` : undefined;
}
