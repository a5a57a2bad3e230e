// The reporting side of a test file's process, for the process of `run`. In: the stream of the
// file's tests. Out: frames on standard output; when the process ends, what it has loaded and its
// coverage.
'use strict';

const process = require('process');
const { packEvent } = require('internal/test_runner/run/error_values');
const { COVERAGE, LOADED } = require('internal/test_runner/run/file_test');
const { renderFrame } = require('internal/test_runner/run/frames');

/** Value of NODE_TEST_CONTEXT in a file's process, as in Node. */
const CONTEXT = 'child-v8';

const isChild = () => process.env.NODE_TEST_CONTEXT === CONTEXT;

const isCounted = () => require('internal/options').getOptionValue('--experimental-test-coverage') === true;

function report(stream) {
  stream.on('data', (event) => process.stdout.write(renderFrame(packEvent(event))));
  stream.on('end', () => {
    process.stdout.write(renderFrame({ type: LOADED, data: loadedFiles() }));
    if (isCounted()) process.stdout.write(renderFrame({ type: COVERAGE, data: require('internal/test_files/coverage').takeCounts() }));
  });
}

/** Files of modules, but not of packages. */
function loadedFiles() {
  const paths = new Set(Object.keys(require('module')._cache));
  for (const { path } of require('internal/esm').records.values()) if (typeof path === 'string') paths.add(path);
  return [...paths].filter((path) => path.startsWith('/') && !path.includes('/node_modules/'));
}

module.exports = { isChild, report };
