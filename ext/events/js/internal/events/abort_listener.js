// Listening to the end of a signal, whoever else stops its events. In: a signal, a listener. Out:
// what takes it back.
'use strict';

const { codes } = require('internal/errors');
const { validateAbortSignal, validateFunction } = require('internal/validators');

function addAbortListener(signal, listener) {
  if (signal === undefined) throw new codes.ERR_INVALID_ARG_TYPE('signal', 'AbortSignal', signal);
  validateAbortSignal(signal, 'signal');
  validateFunction(listener, 'listener');
  let take;
  if (signal.aborted) {
    queueMicrotask(() => listener());
  } else {
    signal.addEventListener('abort', listener, {
      __proto__: null, once: true, [require('web/events').kResistStopPropagation]: true,
    });
    take = () => signal.removeEventListener('abort', listener);
  }
  return {
    __proto__: null,
    [require('internal/util').SymbolDispose]() { take?.(); },
  };
}

module.exports = { addAbortListener };
