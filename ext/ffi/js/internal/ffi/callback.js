// JSCallback of `bun:ffi`: a JavaScript function as a function of C. In: a function, a signature.
// Out: its pointer. What it throws is thrown by the function of C that was called; a thread-safe
// one runs in the event loop, where that is an uncaught exception.
'use strict';

const binding = internalBinding('ffi');
const { validateFunction } = require('internal/validators');
const { parseSignature } = require('internal/ffi/types');
const { makeTrampoline } = require('internal/ffi/stubs');

class JSCallback {
  #id;
  #isThreadsafe;
  ptr;

  constructor(callback, definition) {
    validateFunction(callback, 'callback');
    const signature = parseSignature(definition, 'JSCallback', { isCallback: true });
    this.#isThreadsafe = Boolean(definition.threadsafe);
    const trampoline = makeTrampoline(signature, callback);
    [this.#id, this.ptr] = binding.callback(signature.codes, signature.returns, trampoline, this.#isThreadsafe);
  }

  get threadsafe() { return this.#isThreadsafe; }

  close() {
    if (this.#id === undefined) return;
    binding.closeCallback(this.#id);
    this.#id = undefined;
    this.ptr = null;
  }

  [Symbol.dispose]() { this.close(); }

  [Symbol.toPrimitive]() { return typeof this.ptr === 'number' ? this.ptr : 0; }
}

module.exports = { JSCallback };
