// NODE_V8_COVERAGE: says once that no coverage is written. Tools would else report 0 % without an
// error. The engine has no coverage in its C API.
'use strict';

if (require('worker_threads').isMainThread) {
  const process = require('process');
  process.emitWarning('NODE_V8_COVERAGE is set, but rusk writes no coverage. Collect it with an instrumenting tool, such as babel-plugin-istanbul or nyc.', {
    type: 'UnsupportedWarning', code: 'RUSK_NO_COVERAGE',
  });
}
