// What a test fails with. In: what was thrown, and which kind of failure it is. Out: an error with
// code ERR_TEST_FAILURE, whose cause is what was thrown. Its own stack has the program's frames
// alone.
'use strict';

const { nodeError } = require('internal/errors');

const kinds = {
  __proto__: null,
  aborted: 'testAborted',
  callbackAndPromise: 'callbackAndPromisePresent',
  cancelledByParent: 'cancelledByParent',
  code: 'testCodeFailure',
  expected: 'expectedFailure',
  hook: 'hookFailed',
  callbackTwice: 'multipleCallbackInvocations',
  parentFinished: 'parentAlreadyFinished',
  rejection: 'unhandledRejection',
  subtests: 'subtestsFailed',
  timeout: 'testTimeoutFailure',
  exception: 'uncaughtException',
};

function messageOf(error) {
  const message = typeof error === 'object' && error !== null ? error.message ?? error : error;
  if (typeof message === 'string') return message;
  return inspectAnyhow(message);
}

/** What a value shows itself as, or is where it cannot. */
function inspectAnyhow(value, options) {
  const { inspect } = require('internal/util/inspect');
  try {
    return inspect(value, options);
  } catch {
    return inspect(value, { ...options, customInspect: false });
  }
}

function failure(error, kind) {
  const made = nodeError('ERR_TEST_FAILURE', failure, messageOf(error));
  made.failureType = kind;
  made.cause = error;
  const lines = String(made.stack).split('\n');
  const isOurs = (line) => /^ {4}at .*\(?(?:node:|native)/.test(line);
  made.stack = lines.filter((line) => !isOurs(line)).join('\n');
  return made;
}

function isFailure(error) {
  return error?.code === 'ERR_TEST_FAILURE' && 'failureType' in error;
}

module.exports = { failure, inspectAnyhow, isFailure, kinds };
