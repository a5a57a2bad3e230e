// `run` without isolation: this process loads all files; their tests are the root's. In: the root,
// files. Out: all tests have run. A file that cannot be loaded is a failed test.
'use strict';

const process = require('process');
const { resolve } = require('path');
const { createTestFailure, failureTypes } = require('internal/test_runner/failure');
const { Test } = require('internal/test_runner/test');
const { setImmediate } = internalBinding('queues');

async function run(root, files) {
  const { addErrorListeners, adoptRoot, removeErrorListeners, runAfterHooks } = require('internal/test_runner/harness');
  const { config } = root;
  const loaded = Promise.withResolvers();
  root.bootstrapPromise = loaded.promise;
  root.runsBeforeHooksNow = true;
  adoptRoot(root);
  for (const hook of root.hooks.before) hook.run(root.context);
  config.coverage?.start();
  process.env.NODE_TEST_WORKER_ID = '1';
  for (const file of files) await load(root, file);
  root.isReady = true;
  loaded.resolve();
  // Tests that have started wait for nothing else.
  await new Promise(setImmediate);
  const ended = Promise.withResolvers();
  const onIdle = () => ended.resolve();
  process.on('beforeExit', onIdle);
  await Promise.race([root.subtestsPromise?.promise, ended.promise]);
  process.removeListener('beforeExit', onIdle);
  await runAfterHooks();
  removeErrorListeners();
  config.coverage?.takeOwnCounts();
  if (root.children.some((child) => !child.isFinished)) {
    root.cancelUnfinishedSubtests(createTestFailure('Promise resolution is still pending but the event loop has already resolved', failureTypes.cancelledByParent));
  }
}

async function load(root, file) {
  const path = resolve(root.config.cwd, file);
  const before = root.children.length;
  let failure;
  try {
    const { importDynamic } = require('internal/esm');
    await importDynamic(require('internal/modules/file_url').toUrl(path), `${root.config.cwd}/`, undefined);
  } catch (error) {
    failure = { error };
  }
  // A file without tests is itself reported.
  if (failure !== undefined || root.children.length === before) {
    const test = root.createSubtest(Test, { name: file, location: { file: path, line: 1, column: 1 }, options: {}, fn: undefined });
    if (failure !== undefined) test.fail(failure.error);
    require('internal/test_runner/harness').startTopLevelTest(test);
  }
}

module.exports = { run };
