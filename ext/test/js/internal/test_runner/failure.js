// ERR_TEST_FAILURE: the error of a failed test. In: the thrown value, the failure type. Out: an
// error whose cause is the thrown value, and whose stack has only frames of the program.
'use strict';

const { nodeError } = require('internal/errors');

const failureTypes = {
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
  return inspectWithNoCustomRetry(message);
}

/** Inspects without custom inspection, where that throws. */
function inspectWithNoCustomRetry(value, options) {
  const { inspect } = require('internal/util/inspect');
  try {
    return inspect(value, options);
  } catch {
    return inspect(value, { ...options, customInspect: false });
  }
}

function createTestFailure(error, failureType) {
  const failure = nodeError('ERR_TEST_FAILURE', createTestFailure, messageOf(error));
  failure.failureType = failureType;
  failure.cause = error;
  const lines = String(failure.stack).split('\n');
  const isInternal = (line) => /^ {4}at .*\(?(?:node:|native)/.test(line);
  failure.stack = lines.filter((line) => !isInternal(line)).join('\n');
  return failure;
}

function isTestFailureError(error) {
  return error?.code === 'ERR_TEST_FAILURE' && 'failureType' in error;
}

module.exports = { createTestFailure, failureTypes, inspectWithNoCustomRetry, isTestFailureError };
