// `node:readline/promises`: line reading with promises, and terminal control. Lines are read by
// internal/readline/interface.
'use strict';

const { AbortError } = require('internal/errors');
const { validateAbortSignal } = require('internal/validators');
const { Interface: Reader } = require('internal/readline/interface');
const { Readline } = require('internal/readline/promises');

class Interface extends Reader {
  question(query, options = {}) {
    return new Promise((resolve, reject) => {
      let answered = resolve;
      const { signal } = options ?? {};
      if (signal) {
        validateAbortSignal(signal, 'options.signal');
        if (signal.aborted) {
          reject(new AbortError(undefined, { cause: signal.reason }));
          return;
        }
        const onAbort = () => {
          this._questionCancel();
          reject(new AbortError(undefined, { cause: signal.reason }));
        };
        signal.addEventListener('abort', onAbort, { once: true });
        answered = (answer) => {
          signal.removeEventListener('abort', onAbort);
          resolve(answer);
        };
      }
      this._question(query, answered);
      this._questionReject = reject;
    });
  }
}

function createInterface(input, output, completer, terminal) {
  return new Interface(input, output, completer, terminal);
}

module.exports = { Interface, Readline, createInterface };
