// Promises that were rejected and have no handler. In: those that the loop found so, and those of
// them that got one since. Out: the events 'unhandledRejection' and 'rejectionHandled', warnings,
// or the end of the program, by --unhandled-rejections.

'use strict';

const process = require('process');
const { getOptionValue } = require('internal/options');
const { onUncaught } = require('internal/process/execution');

let counter = 0;
/** The number of a promise that was told of. */
const told = new WeakMap();
let mode;

function text(reason) {
  const isValue = reason === null || (typeof reason !== 'object' && typeof reason !== 'function' && typeof reason !== 'symbol');
  return isValue ? `${reason}` : require('internal/serdes/refusals').nameOf(reason);
}

const isError = (reason) => typeof reason === 'object' && reason !== null && (reason instanceof Error || Error.isError?.(reason) || Object.hasOwn(reason, 'stack'));

class UnhandledPromiseRejection extends Error {
  code = 'ERR_UNHANDLED_REJECTION';

  constructor(reason) {
    super(
      'This error originated either by throwing inside of an async function without a catch block, ' +
        `or by rejecting a promise which was not handled with .catch(). The promise rejected with the reason "${text(reason)}".`,
    );
    this.name = 'UnhandledPromiseRejection';
  }
}

function warn(promise, reason) {
  const number = told.get(promise);
  const { emitWarning } = require('internal/process/warning');
  const message =
    'Unhandled promise rejection. This error originated either by throwing inside of an async function without a catch ' +
    'block, or by rejecting a promise which was not handled with .catch(). To terminate the node process on unhandled promise ' +
    'rejection, use the CLI flag `--unhandled-rejections=strict` (see ' +
    `https://nodejs.org/api/cli.html#cli_unhandled_rejections_mode). (rejection id: ${number})`;
  const warning = new Error(message);
  warning.name = 'UnhandledPromiseRejectionWarning';
  if (isError(reason)) {
    emitWarning(reason.stack, warning.name);
    warning.stack = reason.stack;
  } else {
    emitWarning(text(reason), warning.name);
  }
  emitWarning(warning);
}

/** To the program's own listeners; what one throws is as any other error that nobody caught. */
function tell(reason, promise) {
  return process.emit('unhandledRejection', reason, promise);
}

function fail(reason) {
  const error = isError(reason) ? reason : new UnhandledPromiseRejection(reason);
  const code = onUncaught(error, true);
  return code === true ? undefined : { error, code };
}

/** Each gives what ends the program, or nothing. */
const modes = {
  __proto__: null,
  throw: (promise, reason) => (tell(reason, promise) ? undefined : fail(reason)),
  strict(promise, reason) {
    const end = fail(reason);
    if (end === undefined && !tell(reason, promise)) {
      warn(promise, reason);
    }
    return end;
  },
  warn(promise, reason) {
    tell(reason, promise);
    warn(promise, reason);
  },
  none(promise, reason) {
    tell(reason, promise);
  },
  'warn-with-error-code'(promise, reason) {
    if (!tell(reason, promise)) {
      warn(promise, reason);
      process.exitCode = 1;
    }
  },
};

/**
 * `list`: a promise and its reason by turns. Out: the error and the code to end with, if it is to
 * end.
 */
function unhandled(list) {
  mode ??= modes[getOptionValue('--unhandled-rejections') || 'throw'] ?? modes.throw;
  for (let index = 0; index < list.length; index += 2) {
    told.set(list[index], ++counter);
    const end = mode(list[index], list[index + 1]);
    if (end !== undefined) {
      return end;
    }
  }
  return undefined;
}

/** `list`: promises that got a handler after they were told of. */
function handled(list) {
  for (const promise of list) {
    const number = told.get(promise);
    told.delete(promise);
    if (process.emit('rejectionHandled', promise) || number === undefined) continue;
    const warning = new Error(`Promise rejection was handled asynchronously (rejection id: ${number})`);
    warning.name = 'PromiseRejectionHandledWarning';
    warning.id = number;
    require('internal/process/warning').emitWarning(warning);
  }
}

module.exports = { unhandled, handled };
