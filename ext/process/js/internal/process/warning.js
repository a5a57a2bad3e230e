// Process warnings (`process.emitWarning`), as in Node's lib/internal/process/warning.js. Out: the
// event 'warning', and a line on stderr unless the options disable it (--no-warnings,
// --trace-warnings, --redirect-warnings, --disable-warning, deprecations).

'use strict';

const { codes: { ERR_INVALID_ARG_TYPE } } = require('internal/errors');
const { getOptionValue } = require('internal/options');

const experimental = new Set();
let disabled;
let isHintShown = false;
let redirect;

const process = () => require('process');

/** `--disable-warning=CODE`, by code or by name. */
function isDisabled(warning) {
  disabled ??= new Set([].concat(getOptionValue('--disable-warning') || []));
  return disabled.size > 0 && (disabled.has(warning.code) || disabled.has(warning.name));
}

/** Writes to the file of --redirect-warnings, or to `process.stderr`. */
function write(message) {
  redirect ??= getOptionValue('--redirect-warnings') || require('internal/process/env').read('NODE_REDIRECT_WARNINGS') || '';
  if (redirect !== '') {
    try {
      require('fs').appendFileSync(redirect, `${message}\n`);
      return;
    } catch {
      // On an error the warning goes to stderr.
    }
  }
  const stream = require('internal/console/sinks').streamOf(2);
  if (stream === undefined) {
    process()._rawDebug(message);
  } else {
    stream.write(`${message}\n`);
  }
}

function describe(warning, isTraced) {
  if (isTraced && warning.stack) {
    return `${warning.stack}`;
  }
  try {
    return typeof warning.toString === 'function' ? `${warning.toString()}` : Error.prototype.toString.call(warning);
  } catch {
    return Error.prototype.toString.call(warning);
  }
}

/** The default listener: prints the warning. */
function onWarning(warning) {
  if (!(warning instanceof Error) || isDisabled(warning)) {
    return;
  }
  const isDeprecation = warning.name === 'DeprecationWarning';
  if (isDeprecation && process().noDeprecation) {
    return;
  }
  const isTraced = process().traceProcessWarnings || (isDeprecation && process().traceDeprecation);
  let message = `(${process().release.name}:${process().pid}) `;
  if (warning.code) {
    message += `[${warning.code}] `;
  }
  message += describe(warning, isTraced);
  if (typeof warning.detail === 'string') {
    message += `\n${warning.detail}`;
  }
  if (!isTraced && !isHintShown) {
    const flag = isDeprecation ? '--trace-deprecation' : '--trace-warnings';
    const program = require('path').basename(process().argv0 || 'node', '.exe');
    message += `\n(Use \`${program} ${flag} ...\` to show where the warning was created)`;
    isHintShown = true;
  }
  write(message);
}

function areShown() { return internalBinding('process').start().showsWarnings; }

function doEmit(warning) {
  process().emit('warning', warning);
}

/** The four arguments, or an object in place of the last three. */
function readArguments(type, code, ctor) {
  if (type !== null && typeof type === 'object' && !Array.isArray(type)) {
    const detail = typeof type.detail === 'string' ? type.detail : undefined;
    return { type: type.type || 'Warning', code: type.code, ctor: type.ctor, detail };
  }
  if (typeof type === 'function') {
    return { type: 'Warning', code: undefined, ctor: type };
  }
  if (typeof code === 'function') {
    return { type, code: undefined, ctor: code };
  }
  return { type, code, ctor };
}

function emitWarning(warning, ...rest) {
  const { type, code, ctor, detail } = readArguments(...rest);
  if (type === 'DeprecationWarning' && process().noDeprecation) {
    return;
  }
  if (type !== undefined && typeof type !== 'string') {
    throw new ERR_INVALID_ARG_TYPE('type', 'string', type);
  }
  if (code !== undefined && typeof code !== 'string') {
    throw new ERR_INVALID_ARG_TYPE('code', 'string', code);
  }
  const created = toWarning(warning, type, code, ctor ?? process().emitWarning, detail);
  if (created.name === 'DeprecationWarning') {
    if (process().noDeprecation) {
      return;
    }
    if (process().throwDeprecation) {
      // In the next tick, so that the program cannot catch it.
      process().nextTick(() => {
        throw created;
      });
      return;
    }
  }
  process().nextTick(doEmit, created);
}

function toWarning(warning, type, code, ctor, detail) {
  if (warning instanceof Error) {
    return warning;
  }
  if (typeof warning !== 'string') {
    throw new ERR_INVALID_ARG_TYPE('warning', ['string', 'Error'], warning);
  }
  // eslint-disable-next-line no-restricted-syntax
  const error = new Error(warning);
  error.name = String(type || 'Warning');
  if (code !== undefined) {
    error.code = code;
  }
  if (detail !== undefined) {
    error.detail = detail;
  }
  Error.captureStackTrace?.(error, ctor);
  return error;
}

/** Emits the event at once, where the next tick would be too late. */
function emitWarningSync(warning, type, code, ctor) {
  doEmit(toWarning(warning, type, code, ctor ?? emitWarningSync));
}

/** Emits one warning for each feature. */
function emitExperimentalWarning(feature) {
  if (!experimental.has(feature)) {
    experimental.add(feature);
    process().emitWarning(`${feature} is an experimental feature and might change at any time`, 'ExperimentalWarning');
  }
}

module.exports = { areShown, emitWarning, emitWarningSync, emitExperimentalWarning, onWarning };
