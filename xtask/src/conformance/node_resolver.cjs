// Node's own resolver. In: a list of lookups. Out: one result a line. Run with --expose-internals.
// @ts-check
'use strict';
const fs = require('node:fs');
const { createRequire } = require('node:module');
const { pathToFileURL, fileURLToPath } = require('node:url');
const { defaultResolve } = require('internal/modules/esm/resolve');

process.noDeprecation = true;

/** @param {any} error */
function code(error) {
  if (error.code) return error.code;
  if (error instanceof URIError) return 'ERR_INVALID_MODULE_SPECIFIER';
  // The error of CommonJS for a package.json that is not JSON.
  return error instanceof SyntaxError ? 'ERR_INVALID_PACKAGE_CONFIG' : String(error);
}

/** @param {string} url */
function describe(url) {
  if (url.startsWith('node:')) return `builtin ${url.slice(5)}`;
  if (!url.startsWith('file:')) return `address ${url}`;
  const { search, hash } = new URL(url);
  return `file ${fileURLToPath(url)}${search}${hash}`;
}

const builtins = require('node:module').builtinModules;

/** @param {string} file @param {string} specifier */
function required(file, specifier) {
  const found = createRequire(file).resolve(specifier);
  if (found.startsWith('node:')) return `builtin ${found.slice(5)}`;
  return builtins.includes(found) ? `builtin ${found}` : `file ${found}`;
}

const out = [];
for (const line of fs.readFileSync(process.argv[2], 'utf8').split('\n')) {
  if (line === '') continue;
  const [kind, file, specifier] = JSON.parse(line);
  try {
    out.push(kind === 'require'
      ? required(file, specifier)
      : describe(defaultResolve(specifier, { parentURL: pathToFileURL(file).href }).url));
  } catch (error) {
    out.push(`error ${code(error)}`);
  }
}
fs.writeFileSync(process.argv[3], out.map((result) => JSON.stringify(answer)).join('\n'));
