// TLS options in bun's form: keys and certificates may be files. In: options. Out: options as
// `node:tls` has them.
'use strict';

const MEMBERS = ['ca', 'cert', 'key', 'pfx', 'crl'];

/** Reads what are files (`Bun.file`); the rest stays as it is. */
function readFiles(options) {
  const read = { ...options };
  for (const name of MEMBERS) {
    const value = read[name];
    if (value === undefined || value === null) continue;
    read[name] = Array.isArray(value) ? value.flat().map(readFile) : readFile(value);
  }
  for (const [file, name] of [['keyFile', 'key'], ['certFile', 'cert'], ['caFile', 'ca']]) {
    if (typeof read[file] === 'string' && read[name] === undefined) read[name] = require('fs').readFileSync(read[file]);
    delete read[file];
  }
  if (typeof read.dhParamsFile === 'string') read.dhparam ??= require('fs').readFileSync(read.dhParamsFile);
  delete read.dhParamsFile;
  return read;
}

function readFile(value) {
  const { isBlob, hasFiles, bytesOf } = require('internal/blob');
  if (typeof value !== 'object' || value === null) return value;
  const { FileRef } = require('internal/bun/file');
  if (FileRef.is(value)) {
    const { target } = FileRef.rangeOf(value);
    return require('fs').readFileSync(target);
  }
  return isBlob(value) && !hasFiles(value) ? require('buffer').Buffer.from(bytesOf(value)) : value;
}

module.exports = { readFiles };
