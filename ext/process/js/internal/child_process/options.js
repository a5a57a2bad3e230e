// What `spawn` and its relatives were called with. In: a program, words, options, any of which may
// be left out. Out: the same, checked and complete, with the words of a shell around it where one
// is wanted. Absent: Windows.

'use strict';

const { codes: { ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE } } = require('internal/errors');
const {
  validateAbortSignal, validateBoolean, validateInt32, validateInteger, validateNumber, validateObject, validateString,
} = require('internal/validators');

/** A text that ends early for the kernel is refused. */
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

/** The number of a signal, by either. */
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

/** The words are optional, the options too. */
function shift(args, options) {
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

function warnOfShell() {
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

/** `NAME=value` for each variable; without any of its own a child gets what `process.env` says. */
function pairs(given) {
  const found = [];
  const names = [];
  // What is inherited counts too, as Node has it.
  for (const name in given) {
    names.push(name);
  }
  for (const name of names) {
    const value = given[name];
    if (value !== undefined) {
      checkNull(name, `options.env['${name}']`);
      checkNull(`${value}`, `options.env['${name}']`);
      found.push(`${name}=${value}`);
    }
  }
  return found;
}

function normalizeSpawnArguments(givenFile, givenArgs, givenOptions) {
  let file = givenFile;
  validateString(file, 'file');
  checkNull(file, 'file');
  if (file.length === 0) {
    throw new ERR_INVALID_ARG_VALUE('file', file, 'cannot be empty');
  }
  let { args, options } = shift(givenArgs, givenOptions);
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
      warnOfShell();
    }
    const command = [file, ...args].join(' ');
    file = typeof options.shell === 'string' ? options.shell : '/bin/sh';
    args = ['-c', command];
  }
  args.unshift(typeof options.argv0 === 'string' ? options.argv0 : file);
  const envPairs = pairs(options.env || require('process').env);
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
