// Default `resolve` and `load`, the last step of a hooks chain. In: a specifier or URL with its
// context. Out: URL and format; format and source. CommonJS has no source here: it is read where it
// runs.
'use strict';

const { FILE, URL: URL_RESULT, FORMATS } = require('internal/modules/resolution_result');
const { toPath } = require('internal/modules/file_url');
const fail = require('internal/esm/failure');
const { CONDITIONS, formatOf, importerOf } = require('internal/esm/sync_hooks');
const esm = require('internal/esm');
const loader = internalBinding('loader');

async function resolve(specifier, { conditions, parentURL }) {
  const from = importerOf(parentURL);
  const isDefault = !Array.isArray(conditions) || conditions.length === CONDITIONS.length && conditions.every((name, index) => name === CONDITIONS[index]);
  const resolution = isDefault || from[0] !== '/' ? esm.resolve(specifier, from) : loader.resolve(specifier, from, loader.importer.FILE, true, conditions.map(String));
  return { __proto__: null, url: esm.urlOfImport(resolution, specifier, from), format: formatOf(resolution) };
}

async function load(url, { format, importAttributes }) {
  const type = typeof importAttributes?.type === 'string' ? importAttributes.type : undefined;
  if (url.startsWith('node:')) return { __proto__: null, format: 'builtin', responseURL: url, source: null };
  const path = toPath(url);
  return path === undefined ? loadUrl(url, type) : loadFile(url, path, format, type);
}

function loadUrl(url, type) {
  const dataUrl = require('internal/esm/data_url');
  const format = dataUrl.formatOf(url, type);
  return { __proto__: null, format, responseURL: url, source: Buffer.from(dataUrl.sourceOf(url)) };
}

async function loadFile(url, path, givenFormat, type) {
  const { checkType, kindOfData } = require('internal/esm/synthetic');
  const resolution = esm.resolve(url, '/');
  const known = resolution[0] === FILE ? FORMATS[resolution[2]] : 'other';
  const format = givenFormat ?? (type === undefined || known === 'json' ? known : type);
  checkType(url, format, type);
  const kind = givenFormat === undefined || givenFormat === null ? type ?? kindOfData(path) : undefined;
  // A data format that Node does not have is read by the importing thread.
  if (kind !== undefined && kind !== 'json') return { __proto__: null, format: kind, responseURL: url, source: null };
  if (format === 'commonjs') return { __proto__: null, format, responseURL: url, source: null };
  if (format === 'other' && resolution[0] <= URL_RESULT) throw unknown(path);
  const bytes = await require('fs/promises').readFile(path);
  if (format !== 'unspecified') return { __proto__: null, format, responseURL: url, source: bytes };
  return loader.isModule(path, new TextDecoder().decode(bytes))
    ? { __proto__: null, format: 'module', responseURL: url, source: bytes }
    : { __proto__: null, format: 'commonjs', responseURL: url, source: null };
}

function unknown(path) {
  const extension = /\.[^./]*$/.exec(path)?.[0] ?? '';
  return fail('ERR_UNKNOWN_FILE_EXTENSION', `Unknown file extension "${extension}" for ${path}`, TypeError);
}

module.exports = { load, resolve };
