// Options of `spawn`, `exec`, `execFile` and `fork`: checks and normalization, as in
// normalizeSpawnArguments of Node's lib/child_process.js. In: a program, arguments, options; the
// last two are optional. Out: complete options, with a shell's command line where `shell` is set.
// Absent: Windows.

'use strict';

const { codes: { ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE } } = require('internal/errors');
const {
  validateAbortSignal, validateBoolean, validateInt32, validateInteger, validateNumber, validateObject, validateString,
} = require('internal/validators');

/** Strings with a NUL are rejected: execve(2) would end them there. */
function checkNull(value, name) {
  if (typeof value === 'string' && value.includes('\0')) {
    throw new ERR_INVALID_ARG_VALUE(name, value, 'must be a string without null bytes');
  }
}

const isAbsent = (value) => value === undefined || value === null;

function checkTimeout(timeout) {
  if (!isAbsent(timeout)) {
    validateInteger(timeout, 'timeout', 0);
  }
}

function checkMaxBuffer(maxBuffer) {
  if (!isAbsent(maxBuffer)) {
    validateNumber(maxBuffer, 'options.maxBuffer', 0);
  }
}

/** A signal's number, of a name or a number. */
function checkKillSignal(killSignal) {
  if (typeof killSignal === 'string' || typeof killSignal === 'number') {
    const { convertToValidSignal } = require('internal/util');
    const number = convertToValidSignal(killSignal);
    if (number === 0) {
      const { ERR_UNKNOWN_SIGNAL } = require('internal/errors').codes;
      throw new ERR_UNKNOWN_SIGNAL(killSignal);
    }
    return number;
  }
  if (!isAbsent(killSignal)) {
    throw new ERR_INVALID_ARG_TYPE('options.killSignal', ['string', 'number'], killSignal);
  }
  return undefined;
}

/** Node's overloads: arguments and options are optional. */
function splitArguments(args, options) {
  if (Array.isArray(args)) {
    return { args: args.slice(), options };
  }
  if (isAbsent(args)) {
    return { args: [], options };
  }
  if (typeof args !== 'object') {
    throw new ERR_INVALID_ARG_TYPE('args', 'object', args);
  }
  return { args: [], options: args };
}

function checkOptions(options) {
  if (!isAbsent(options.cwd)) {
    const { getValidatedPath } = require('internal/fs/utils');
    options.cwd = getValidatedPath(options.cwd, 'options.cwd');
  }
  if (!isAbsent(options.detached)) {
    validateBoolean(options.detached, 'options.detached');
  }
  if (!isAbsent(options.uid)) {
    validateInt32(options.uid, 'options.uid');
  }
  if (!isAbsent(options.gid)) {
    validateInt32(options.gid, 'options.gid');
  }
  if (!isAbsent(options.shell) && typeof options.shell !== 'boolean' && typeof options.shell !== 'string') {
    throw new ERR_INVALID_ARG_TYPE('options.shell', ['boolean', 'string'], options.shell);
  }
  if (!isAbsent(options.argv0)) {
    validateString(options.argv0, 'options.argv0');
    checkNull(options.argv0, 'options.argv0');
  }
  for (const name of ['windowsHide', 'windowsVerbatimArguments']) {
    if (!isAbsent(options[name])) {
      validateBoolean(options[name], `options.${name}`);
    }
  }
  if (typeof options.shell === 'string') {
    checkNull(options.shell, 'options.shell');
  }
}

let isShellWarned = false;

function warnAboutShell() {
  if (!isShellWarned) {
    isShellWarned = true;
    require('process').emitWarning(
      'Passing args to a child process with shell option true can lead to security vulnerabilities, as the arguments are not ' +
        'escaped, only concatenated.',
      'DeprecationWarning',
      'DEP0190',
    );
  }
}

/** The environment as `NAME=value` strings. */
function toEnvPairs(env) {
  const pairs = [];
  const names = [];
  // Inherited properties count too, as in Node.
  for (const name in env) {
    names.push(name);
  }
  for (const name of names) {
    const value = env[name];
    if (value !== undefined) {
      checkNull(name, `options.env['${name}']`);
      checkNull(`${value}`, `options.env['${name}']`);
      pairs.push(`${name}=${value}`);
    }
  }
  return pairs;
}

function normalizeSpawnArguments(file, args, options) {
  validateString(file, 'file');
  checkNull(file, 'file');
  if (file.length === 0) {
    throw new ERR_INVALID_ARG_VALUE('file', file, 'cannot be empty');
  }
  ({ args, options } = splitArguments(args, options));
  for (let index = 0; index < args.length; index++) {
    checkNull(args[index], `args[${index}]`);
  }
  if (options === undefined) {
    options = {};
  } else {
    validateObject(options, 'options');
  }
  options = { __proto__: null, ...options };
  checkOptions(options);
  if (options.shell) {
    if (args.length > 0) {
      warnAboutShell();
    }
    const command = [file, ...args].join(' ');
    file = typeof options.shell === 'string' ? options.shell : '/bin/sh';
    args = ['-c', command];
  }
  args.unshift(typeof options.argv0 === 'string' ? options.argv0 : file);
  const envPairs = toEnvPairs(options.env || require('process').env);
  return { __proto__: null, ...options, args, detached: !!options.detached, envPairs, file, windowsHide: !!options.windowsHide, windowsVerbatimArguments: false };
}

function checkExecFile(options) {
  checkTimeout(options.timeout);
  checkMaxBuffer(options.maxBuffer);
  options.killSignal = checkKillSignal(options.killSignal);
  validateAbortSignal(options.signal, 'options.signal');
}

module.exports = {
  normalizeSpawnArguments, checkTimeout, checkMaxBuffer, checkKillSignal, checkNull, checkExecFile, isAbsent,
};
