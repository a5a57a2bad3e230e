// Global setup and teardown of a run. In: the path of a module with `globalSetup` and
// `globalTeardown`, both optional. Out: they have run, before all files and after them.
'use strict';

let teardown;

/** @param {string | undefined} path */
async function setUp(path, cwd = require('process').cwd()) {
  if (path === undefined) return;
  const { importDynamic } = require('internal/esm');
  const url = require('internal/modules/file_url').toUrl(require('path').resolve(cwd, path));
  const { globalSetup, globalTeardown } = await importDynamic(url, `${cwd}/`, undefined);
  teardown = globalTeardown;
  if (typeof globalSetup === 'function') await globalSetup();
}

async function tearDown() {
  const run = teardown;
  teardown = undefined;
  if (typeof run === 'function') await run();
}

module.exports = { setUp, tearDown };
