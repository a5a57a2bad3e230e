// Arguments of `test`, `suite` and hooks. In: a name, options, a function, each optional. Out: the
// options of a Test, with the location of the call.
'use strict';

const { validateObject } = require('internal/validators');

/** The location of the nearest frame that is not a builtin's. */
function getCallerLocation() {
  const { callSites } = require('internal/stack');
  for (const site of callSites(1, 12)) {
    const file = site.getFileName();
    if (file === null || file.startsWith('node:')) continue;
    return { file: withoutScheme(file), line: site.getLineNumber(), column: site.getColumnNumber() };
  }
  return undefined;
}

function withoutScheme(file) {
  return file.startsWith('file://') ? require('url').fileURLToPath(file) : file;
}

function readArguments(name, options, fn, overrides) {
  if (typeof name === 'function') {
    fn = name;
    name = undefined;
    options = undefined;
  } else if (name !== null && typeof name === 'object') {
    fn = options;
    options = name;
    name = undefined;
  } else if (typeof options === 'function') {
    fn = options;
    options = undefined;
  }
  options ??= {};
  return { name, fn, location: getCallerLocation(), options: { ...options, ...overrides } };
}

function createHook(owner, kind, fn, options) {
  if (options !== undefined) validateObject(options, 'options');
  owner.hooks.add(kind, fn, options, getCallerLocation());
}

module.exports = { createHook, readArguments };
