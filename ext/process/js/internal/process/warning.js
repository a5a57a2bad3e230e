// Warnings. In: `process.emitWarning`, and our own files that warn of something. Out: the event
// 'warning', and a line on stderr where the options do not say otherwise (--no-warnings,
// --trace-warnings, --redirect-warnings, --disable-warning, deprecations).

'use strict';

const { codes: { ERR_INVALID_ARG_TYPE } } = require('internal/errors');
const { getOptionValue } = require('internal/options');

const experimental = new Set();
let disabled;
let isHelpSaid = false;
let redirect;

const process = () => require('process');

/** `--disable-warning=CODE`, by code or by name. */
function isDisabled(warning) {
  disabled ??= new Set([].concat(getOptionValue('--disable-warning') || []));
  return disabled.size > 0 && (disabled.has(warning.code) || disabled.has(warning.name));
}

/** To the file that is to have them, or to what a program sees as stderr. */
function write(text) {
  redirect ??= getOptionValue('--redirect-warnings') || require('internal/process/env').read('NODE_REDIRECT_WARNINGS') || '';
  if (redirect !== '') {
    try {
      require('fs').appendFileSync(redirect, `${text}\n`);
      return;
    } catch {
      // What cannot be written there is not lost.
    }
  }
  const stream = require('internal/console/sinks').streamOf(2);
  if (stream === undefined) {
    process()._rawDebug(text);
  } else {
    stream.write(`${text}\n`);
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

/** The listener that every program has at first: prints. */
function onWarning(warning) {
  if (!(warning instanceof Error) || isDisabled(warning)) {
    return;
  }
  const isDeprecation = warning.name === 'DeprecationWarning';
  if (isDeprecation && process().noDeprecation) {
    return;
  }
  const isTraced = process().traceProcessWarnings || (isDeprecation && process().traceDeprecation);
  let text = `(${process().release.name}:${process().pid}) `;
  if (warning.code) {
    text += `[${warning.code}] `;
  }
  text += describe(warning, isTraced);
  if (typeof warning.detail === 'string') {
    text += `\n${warning.detail}`;
  }
  if (!isTraced && !isHelpSaid) {
    const flag = isDeprecation ? '--trace-deprecation' : '--trace-warnings';
    const program = require('path').basename(process().argv0 || 'node', '.exe');
    text += `\n(Use \`${program} ${flag} ...\` to show where the warning was created)`;
    isHelpSaid = true;
  }
  write(text);
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
  const made = toWarning(warning, type, code, ctor ?? process().emitWarning, detail);
  if (made.name === 'DeprecationWarning') {
    if (process().noDeprecation) {
      return;
    }
    if (process().throwDeprecation) {
      // From outside, so that nobody catches it.
      process().nextTick(() => {
        throw made;
      });
      return;
    }
  }
  process().nextTick(doEmit, made);
}

function toWarning(warning, type, code, ctor, detail) {
  if (warning instanceof Error) {
    return warning;
  }
  if (typeof warning !== 'string') {
    throw new ERR_INVALID_ARG_TYPE('warning', ['string', 'Error'], warning);
  }
  // eslint-disable-next-line no-restricted-syntax
  const made = new Error(warning);
  made.name = String(type || 'Warning');
  if (code !== undefined) {
    made.code = code;
  }
  if (detail !== undefined) {
    made.detail = detail;
  }
  Error.captureStackTrace?.(made, ctor);
  return made;
}

/** Told at once: for what would be too late a tick later. */
function emitWarningSync(warning, type, code, ctor) {
  doEmit(toWarning(warning, type, code, ctor ?? emitWarningSync));
}

/** Once for each feature. */
function emitExperimentalWarning(feature) {
  if (!experimental.has(feature)) {
    experimental.add(feature);
    process().emitWarning(`${feature} is an experimental feature and might change at any time`, 'ExperimentalWarning');
  }
}

module.exports = { areShown, emitWarning, emitWarningSync, emitExperimentalWarning, onWarning };
