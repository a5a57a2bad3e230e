// Spawn errors with Bun's messages. In: an errno less than 0, and the program. Out: an Error.
// Absent: errors of arguments, which are thrown where they are checked.
'use strict';

const ENOENT = -2;
const EACCES = -13;

function spawnError(errno, file, options) {
  if ((errno === ENOENT || errno === EACCES) && isNotFound(file, options)) {
    return withFields(new Error(`Executable not found in $PATH: ${JSON.stringify(file)}`), { code: 'ENOENT', path: file || undefined, errno: ENOENT });
  }
  return systemError(errno, 'posix_spawn', file);
}

/** Whether the program's name is not found, in contrast to the working directory. */
function isNotFound(file, { searchPath, cwd }) {
  if (file.includes('/')) return false;
  const PATH = searchPath ?? require('internal/bun/spawn_options').launchEnvironment().PATH;
  return require('internal/bun/environment').which(file, { PATH, cwd }) === null;
}

/** `CODE: message, syscall 'path'`. */
function systemError(errno, syscall, path) {
  const [code, message] = require('internal/errors').uvErrmapGet(errno) ?? ['UNKNOWN', 'unknown error'];
  const suffix = path === undefined ? '' : ` '${path}'`;
  return withFields(new Error(`${code}: ${message}, ${syscall}${suffix}`), { code, path, syscall, errno });
}

function withFields(error, fields) {
  for (const name of Object.keys(fields)) if (fields[name] !== undefined) error[name] = fields[name];
  return error;
}

module.exports = { spawnError, systemError };
