// One test of test262, in the process that runs this. In: how to load the file (script or module), the error it must end with or `-`, whether it
// tells of its end, the file, the harness's files. Out: exit code 0, or the reason on the last line and 1.
// @ts-check
'use strict';
const fs = require('fs');

const [goal, negative, ending, file, ...harness] = process.argv.slice(2);
const COMPLETE = 'Test262:AsyncTestComplete';
/** @type {string[]} */
const printed = [];
/** @type {string | undefined} */
let end;

// What tests leave unhandled is no error of theirs.
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

/** Why it does not pass. */
function wrong() {
  if (end === undefined) return 'its promise was never settled';
  if (negative !== '-') {
    return end.startsWith(`${negative}:`) ? undefined : `expected a ${negative}, found ${end}`;
  }
  if (end !== 'none') return end;
  const failure = printed.find((line) => line !== COMPLETE);
  if (ending === 'async' && failure) return failure;
  return ending === 'async' && printed.length !== 1 ? `it told ${printed.length} times that it is complete` : undefined;
}
