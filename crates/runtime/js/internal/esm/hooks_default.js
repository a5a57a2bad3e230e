// The end of a chain of hooks: what a specifier stands for, and what is in a file, where no hook
// says anything else. In: what the last hook asked. Out: what a hook may change of it: a format,
// and bytes; of CommonJS none, which is read where it runs.
'use strict';

const { FILE, URL: URL_RESULT, FORMATS } = require('internal/modules/resolution_result');
const { toPath } = require('internal/modules/file_url');
const fail = require('internal/esm/failure');
const { CONDITIONS, formatOf, importerOf } = require('internal/esm/sync_hooks');
const esm = require('internal/esm');
const loader = internalBinding('loader');

async function resolve(specifier, { conditions, parentURL }) {
  const from = importerOf(parentURL);
  const isUsual = !Array.isArray(conditions) || conditions.length === CONDITIONS.length && conditions.every((name, index) => name === CONDITIONS[index]);
  const found = isUsual || from[0] !== '/' ? esm.resolve(specifier, from) : loader.resolve(specifier, from, loader.importer.FILE, true, conditions.map(String));
  return { __proto__: null, url: esm.urlOfImport(found, specifier, from), format: formatOf(found) };
}

async function load(url, { format, importAttributes }) {
  const type = typeof importAttributes?.type === 'string' ? importAttributes.type : undefined;
  if (url.startsWith('node:')) return { __proto__: null, format: 'builtin', responseURL: url, source: null };
  const path = toPath(url);
  return path === undefined ? loadAddress(url, type) : loadFile(url, path, format, type);
}

function loadAddress(url, type) {
  const address = require('internal/esm/address');
  const format = address.formatOf(url, type);
  return { __proto__: null, format, responseURL: url, source: Buffer.from(address.textOf(url)) };
}

async function loadFile(url, path, said, type) {
  const { checkType, kindOfData } = require('internal/esm/synthetic');
  const found = esm.resolve(url, '/');
  const known = found[0] === FILE ? FORMATS[found[2]] : 'other';
  const format = said ?? (type === undefined || known === 'json' ? known : type);
  checkType(url, format, type);
  const kind = said === undefined || said === null ? type ?? kindOfData(path) : undefined;
  // Data that only we import: it is read where it is wanted.
  if (kind !== undefined && kind !== 'json') return { __proto__: null, format: kind, responseURL: url, source: null };
  if (format === 'commonjs') return { __proto__: null, format, responseURL: url, source: null };
  if (format === 'other' && found[0] <= URL_RESULT) throw unknown(path);
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
