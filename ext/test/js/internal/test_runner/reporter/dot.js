// Dot reporter: `.` for a passed test, `X` for a failed one. In: events. Out: rows as wide as the
// terminal, then the failed tests.
'use strict';

const { paint, renderTest } = require('internal/test_runner/reporter/style');

const WIDTH = 20;

module.exports = async function* dot(source) {
  const failed = [];
  let count = 0;
  let width = columns();
  for await (const { type, data } of source) {
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    const isPassed = type === 'test:pass';
    if (!isPassed) failed.push(data);
    yield isPassed ? paint('green', '.') : paint('red', 'X');
    if (++count === width) {
      yield '\n';
      count = 0;
      width = columns();
    }
  }
  yield '\n';
  if (failed.length === 0) return;
  yield `\n${paint('red', 'Failed tests:')}\n\n`;
  for (const data of failed) yield renderTest('fail', data, '', true);
};

function columns() {
  return Math.max(require('process').stdout.columns ?? WIDTH, WIDTH);
}
