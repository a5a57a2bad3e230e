// `addAbortListener`: a listener for 'abort' that stopImmediatePropagation cannot suppress. In: a
// signal, a listener. Out: a disposable that removes the listener.
'use strict';

const { codes } = require('internal/errors');
const { validateAbortSignal, validateFunction } = require('internal/validators');

function addAbortListener(signal, listener) {
  if (signal === undefined) throw new codes.ERR_INVALID_ARG_TYPE('signal', 'AbortSignal', signal);
  validateAbortSignal(signal, 'signal');
  validateFunction(listener, 'listener');
  let removeEventListener;
  if (signal.aborted) {
    queueMicrotask(() => listener());
  } else {
    signal.addEventListener('abort', listener, {
      __proto__: null, once: true, [require('web/events').kResistStopPropagation]: true,
    });
    removeEventListener = () => signal.removeEventListener('abort', listener);
  }
  return {
    __proto__: null,
    [require('internal/util').SymbolDispose]() { removeEventListener?.(); },
  };
}

module.exports = { addAbortListener };
