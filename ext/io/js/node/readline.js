// `node:readline`: line reading with callbacks, and terminal control. Lines are read by
// internal/readline/interface.
'use strict';

const { AbortError } = require('internal/errors');
const { validateAbortSignal } = require('internal/validators');
const { Interface: Reader } = require('internal/readline/interface');
const { cursorTo, moveCursor, clearLine, clearScreenDown } = require('internal/readline/callbacks');
const { emitKeypressEvents } = require('internal/readline/keypress');

function Interface(input, output, completer, terminal) {
  if (!(this instanceof Interface)) {
    return new Interface(input, output, completer, terminal);
  }
  const given = input?.input && typeof input.completer === 'function' ? input.completer : completer;
  const withCallback = typeof given === 'function' && given.length !== 2 ?
    (line, callback) => callback(null, given(line)) : given;
  if (input?.input) {
    Reader.call(this, { ...copyOptions(input), completer: withCallback ?? input.completer });
  } else {
    Reader.call(this, input, output, withCallback, terminal);
  }
  if (typeof given === 'function') {
    this.completer = withCallback;
  }
}
Object.setPrototypeOf(Interface.prototype, Reader.prototype);
Object.setPrototypeOf(Interface, Reader);

/** The options, also those that they inherit. */
function copyOptions(options) {
  const {
    input, output, terminal, history, historySize, removeHistoryDuplicates, prompt, crlfDelay, escapeCodeTimeout, tabSize, signal,
  } = options;
  return { input, output, terminal, history, historySize, removeHistoryDuplicates, prompt, crlfDelay, escapeCodeTimeout, tabSize, signal };
}

Interface.prototype.question = function (query, optionsOrCallback, callbackArgument) {
  let callback = typeof optionsOrCallback === 'function' ? optionsOrCallback : callbackArgument;
  const options = typeof optionsOrCallback === 'object' && optionsOrCallback !== null ? optionsOrCallback : {};
  const { signal } = options;
  if (signal) {
    validateAbortSignal(signal, 'options.signal');
    if (signal.aborted) {
      return;
    }
    const onAbort = () => this._questionCancel();
    signal.addEventListener('abort', onAbort, { once: true });
    if (typeof callback === 'function') {
      const answered = callback;
      callback = (answer) => {
        signal.removeEventListener('abort', onAbort);
        answered(answer);
      };
    }
  }
  if (typeof callback === 'function') {
    this._question(query, callback);
  }
};

Interface.prototype.question[Symbol.for('nodejs.util.promisify.custom')] = function question(query, options) {
  const given = options === null || typeof options !== 'object' ? {} : options;
  const { signal } = given;
  if (signal?.aborted) {
    return Promise.reject(new AbortError(undefined, { cause: signal.reason }));
  }
  return new Promise((resolve, reject) => {
    let callback = resolve;
    if (signal) {
      const onAbort = () => reject(new AbortError(undefined, { cause: signal.reason }));
      signal.addEventListener('abort', onAbort, { once: true });
      callback = (answer) => {
        signal.removeEventListener('abort', onAbort);
        resolve(answer);
      };
    }
    this.question(query, given, callback);
  });
};

Interface.prototype._tabComplete = function (isSecond) {
  require('internal/readline/complete').complete(this, isSecond);
};

function createInterface(input, output, completer, terminal) {
  return new Interface(input, output, completer, terminal);
}

module.exports = {
  Interface,
  clearLine,
  clearScreenDown,
  createInterface,
  cursorTo,
  emitKeypressEvents,
  moveCursor,
};

require('internal/globals').lazy(module.exports, 'promises', () => require('readline/promises'), true);
