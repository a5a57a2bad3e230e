// Why a program was not started, in bun's words. In: an errno less than 0, and what was to be
// started. Out: an Error. Absent: errors of arguments; those are TypeErrors of who checks them.
'use strict';

const ENOENT = -2;
const EACCES = -13;

function failureOf(errno, file, options) {
  if ((errno === ENOENT || errno === EACCES) && isNowhere(file, options)) {
    return withFields(new Error(`Executable not found in $PATH: ${JSON.stringify(file)}`), { code: 'ENOENT', path: file || undefined, errno: ENOENT });
  }
  return systemFailure(errno, 'posix_spawn', file);
}

/** Whether it is the name that leads nowhere, rather than the folder. */
function isNowhere(file, { search, cwd }) {
  if (file.includes('/')) return false;
  const PATH = search ?? require('internal/bun/spawn_options').launched().PATH;
  return require('internal/bun/program').which(file, { PATH, cwd }) === null;
}

/** `CODE: text, call 'path'`. */
function systemFailure(errno, syscall, path) {
  const [code, text] = require('internal/errors').uvErrmapGet(errno) ?? ['UNKNOWN', 'unknown error'];
  const place = path === undefined ? '' : ` '${path}'`;
  return withFields(new Error(`${code}: ${text}, ${syscall}${place}`), { code, path, syscall, errno });
}

function withFields(error, fields) {
  for (const name of Object.keys(fields)) if (fields[name] !== undefined) error[name] = fields[name];
  return error;
}

module.exports = { failureOf, systemFailure };
