// Starts coverage before a program is loaded: with `--experimental-test-coverage`, and in a file's
// process of a run with coverage. In: the command line. Out: what the program loads is counted.
'use strict';

const process = require('process');
const { getOptionValue } = require('internal/options');

// The files of a run have processes of their own, or are loaded later.
if (getOptionValue('--test') !== true) require('internal/test_files/coverage').start(process.cwd());
