// Stack of an unhandled 'error' event. In: the error, its emitter. Out: the emit site, stored on
// the error; in the error's stack when it ends the program.
'use strict';

const { captureStackTrace } = require('internal/stack');

const kEmitStack = Symbol('kEmitStack');

/** `belowFn`: the stack omits this function and its callees. */
function captureEmitStack(error, emitter, belowFn) {
  try {
    const value = { name: emitter.constructor.name };
    captureStackTrace(value, belowFn);
    Object.defineProperty(error, kEmitStack, { __proto__: null, value, configurable: true });
  } catch {
    // The error is not extensible, or the emitter has no constructor.
  }
}

/** Appends the emit site to the stack of an error that ends the program. */
function appendEmitStack(error) {
  const emitSite = error[kEmitStack];
  const stack = emitSite === undefined ? undefined : require('internal/stack/engine_errors').v8Stack(error);
  if (typeof stack !== 'string') return;
  const { identicalSequenceRange, SAME_MIN } = require('internal/util/inspect/errors');
  const frames = String(emitSite.stack).split('\n').slice(1);
  const { len, offset } = identicalSequenceRange(frames, stack.split('\n').slice(1));
  if (len > SAME_MIN) frames.splice(offset + 1, len - 2, '    [... lines matching original stack trace ...]');
  const instanceNote = emitSite.name === 'EventEmitter' ? '' : ` on ${emitSite.name} instance`;
  const value = `${stack}\nEmitted 'error' event${instanceNote} at:\n${frames.join('\n')}`;
  Object.defineProperty(error, 'stack', { __proto__: null, value, writable: true, configurable: true });
}

module.exports = { appendEmitStack, kEmitStack, captureEmitStack };
