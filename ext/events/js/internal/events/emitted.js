// Where an 'error' was emitted that nobody listened for. In: the error, its emitter. Out: a note on
// the error; in the stack, when the program ends with it.
'use strict';

const { captureStackTrace } = require('internal/stack');

const kEmitted = Symbol('kEmitted');

/** `above`: the function that the stack is to leave out, and all that it called. */
function note(error, emitter, above) {
  try {
    const value = { name: emitter.constructor.name };
    captureStackTrace(value, above);
    Object.defineProperty(error, kEmitted, { __proto__: null, value, configurable: true });
  } catch {
    // The error takes no properties, or the emitter has no class.
  }
}

/** Adds to the stack of an error that ends the program where it was emitted. */
function complete(error) {
  const emitted = error[kEmitted];
  const stack = emitted === undefined ? undefined : require('internal/stack/engine_errors').v8Stack(error);
  if (typeof stack !== 'string') return;
  const { identicalSequenceRange, SAME_MIN } = require('internal/util/inspect/errors');
  const frames = String(emitted.stack).split('\n').slice(1);
  const { len, offset } = identicalSequenceRange(frames, stack.split('\n').slice(1));
  if (len > SAME_MIN) frames.splice(offset + 1, len - 2, '    [... lines matching original stack trace ...]');
  const which = emitted.name === 'EventEmitter' ? '' : ` on ${emitted.name} instance`;
  const value = `${stack}\nEmitted 'error' event${which} at:\n${frames.join('\n')}`;
  Object.defineProperty(error, 'stack', { __proto__: null, value, writable: true, configurable: true });
}

module.exports = { complete, kEmitted, note };
