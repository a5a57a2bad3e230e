// `--stack-trace-limit`: the initial `Error.stackTraceLimit`. In: the command line.
'use strict';

const limit = Number(require('internal/options').getOptionValue('--stack-trace-limit'));
if (Number.isInteger(limit) && limit >= 0) Error.stackTraceLimit = limit;
