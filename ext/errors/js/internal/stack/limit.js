// `--stack-trace-limit`. In: the command line. Out: `Error.stackTraceLimit` begins as it says.
'use strict';

const limit = Number(require('internal/options').getOptionValue('--stack-trace-limit'));
if (Number.isInteger(limit) && limit >= 0) Error.stackTraceLimit = limit;
