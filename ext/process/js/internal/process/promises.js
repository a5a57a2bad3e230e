// Unhandled promise rejections, as in Node's lib/internal/process/promises.js. In: rejected
// promises without a handler, and those that got one later, from the event loop. Out: the events
// 'unhandledRejection' and 'rejectionHandled', warnings, or the end of the program, according to
// --unhandled-rejections.

'use strict';

const process = require('process');
const { getOptionValue } = require('internal/options');
const { onUncaught } = require('internal/process/execution');

let counter = 0;
/** IDs of the promises that were reported. */
const rejectionIds = new WeakMap();
let mode;

function describe(reason) {
  const isValue = reason === null || (typeof reason !== 'object' && typeof reason !== 'function' && typeof reason !== 'symbol');
  return isValue ? `${reason}` : require('internal/serdes/uncloneable').noSideEffectsToString(reason);
}

const isError = (reason) => typeof reason === 'object' && reason !== null && (reason instanceof Error || Error.isError?.(reason) || Object.hasOwn(reason, 'stack'));

class UnhandledPromiseRejection extends Error {
  code = 'ERR_UNHANDLED_REJECTION';

  constructor(reason) {
    super(
      'This error originated either by throwing inside of an async function without a catch block, ' +
        `or by rejecting a promise which was not handled with .catch(). The promise rejected with the reason "${describe(reason)}".`,
    );
    this.name = 'UnhandledPromiseRejection';
  }
}

function warn(promise, reason) {
  const id = rejectionIds.get(promise);
  const { emitWarning } = require('internal/process/warning');
  const message =
    'Unhandled promise rejection. This error originated either by throwing inside of an async function without a catch ' +
    'block, or by rejecting a promise which was not handled with .catch(). To terminate the node process on unhandled promise ' +
    'rejection, use the CLI flag `--unhandled-rejections=strict` (see ' +
    `https://nodejs.org/api/cli.html#cli_unhandled_rejections_mode). (rejection id: ${id})`;
  const warning = new Error(message);
  warning.name = 'UnhandledPromiseRejectionWarning';
  if (isError(reason)) {
    emitWarning(reason.stack, warning.name);
    warning.stack = reason.stack;
  } else {
    emitWarning(describe(reason), warning.name);
  }
  emitWarning(warning);
}

/** Calls the program's listeners; an error thrown there is an uncaught exception. */
function emitUnhandled(reason, promise) {
  return process.emit('unhandledRejection', reason, promise);
}

function triggerUncaught(reason) {
  const error = isError(reason) ? reason : new UnhandledPromiseRejection(reason);
  const code = onUncaught(error, true);
  return code === true ? undefined : { error, code };
}

/** Each returns the error and exit code that end the program, or undefined. */
const modes = {
  __proto__: null,
  throw: (promise, reason) => (emitUnhandled(reason, promise) ? undefined : triggerUncaught(reason)),
  strict(promise, reason) {
    const end = triggerUncaught(reason);
    if (end === undefined && !emitUnhandled(reason, promise)) {
      warn(promise, reason);
    }
    return end;
  },
  warn(promise, reason) {
    emitUnhandled(reason, promise);
    warn(promise, reason);
  },
  none(promise, reason) {
    emitUnhandled(reason, promise);
  },
  'warn-with-error-code'(promise, reason) {
    if (!emitUnhandled(reason, promise)) {
      warn(promise, reason);
      process.exitCode = 1;
    }
  },
};

/** @param list promises and reasons in turn. Returns as the modes do. */
function unhandled(list) {
  mode ??= modes[getOptionValue('--unhandled-rejections') || 'throw'] ?? modes.throw;
  for (let index = 0; index < list.length; index += 2) {
    rejectionIds.set(list[index], ++counter);
    const end = mode(list[index], list[index + 1]);
    if (end !== undefined) {
      return end;
    }
  }
  return undefined;
}

/** @param list promises that got a handler after they were reported */
function handled(list) {
  for (const promise of list) {
    const id = rejectionIds.get(promise);
    rejectionIds.delete(promise);
    if (process.emit('rejectionHandled', promise) || id === undefined) continue;
    const warning = new Error(`Promise rejection was handled asynchronously (rejection id: ${id})`);
    warning.name = 'PromiseRejectionHandledWarning';
    warning.id = id;
    require('internal/process/warning').emitWarning(warning);
  }
}

module.exports = { unhandled, handled };
