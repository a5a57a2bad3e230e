// Tests of `node:test` in a file that the test runner runs: their results are events like all
// others. In: the harness of `node:test`, once the file uses it. Out: events.
'use strict';

const events = require('internal/test_files/events');

const bridge = {
  __proto__: null,
  /** Whether the test runner runs the file. */
  isActive: false,
  /** Ends the harness, once a test was defined. @type {(() => Promise<void>) | undefined} */
  end: undefined,
  attach,
  finish,
};

/** @param {() => Promise<void>} end waits for all tests and closes the harness */
function attach(stream, end) {
  bridge.end = end;
  /** Names of the tests that were reported last, by nesting. */
  const names = [];
  stream.on('test:start', ({ name, nesting }) => {
    names.length = nesting;
    names[nesting] = name;
    events.add({ t: 'start', p: [...names], limit: 0 });
  });
  const report = (status) => ({ name, nesting, skip, todo, details }) => {
    if (details.type === 'suite' && status === 'pass') return;
    const isSkipped = skip !== undefined && skip !== false;
    const isTodo = todo !== undefined && todo !== false;
    // A suite fails with its tests, which are reported already.
    if (details.type === 'suite' && details.error?.failureType === 'subtestsFailed') return;
    const s = isSkipped ? 'skip' : isTodo ? 'todo' : status;
    const error = details.error?.cause ?? details.error;
    const e = s === 'fail' ? [events.describeError(error)] : undefined;
    events.add({ t: 'end', p: [...names.slice(0, nesting), name], s, ms: details.duration_ms, a: 0, e });
  };
  stream.on('test:pass', report('pass'));
  stream.on('test:fail', report('fail'));
}

/** Waits for the tests of `node:test`, if the file has any. */
async function finish() {
  const { end } = bridge;
  bridge.end = undefined;
  if (end !== undefined) await end();
}

module.exports = bridge;
