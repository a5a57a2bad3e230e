// TestPlan: the expected number of assertions of a test. In: a count, and how long to wait for it.
// Out: a failure where the test makes more or fewer.
'use strict';

const { codes: { ERR_INVALID_ARG_TYPE } } = require('internal/errors');
const { validateNumber, validateObject, validateUint32 } = require('internal/validators');
const { createTestFailure, failureTypes } = require('internal/test_runner/failure');
const { TIMEOUT_MAX } = require('internal/test_runner/runnable');
const { setTimeout, clearTimeout } = internalBinding('queues');

class TestPlan {
  #actual = 0;
  #wait = false;
  #expected;
  #onCount;

  constructor(count, options = {}) {
    validateUint32(count, 'count');
    validateObject(options, 'options');
    const { wait } = options;
    if (typeof wait === 'number') validateNumber(wait, 'options.wait', 0, TIMEOUT_MAX);
    else if (wait !== undefined && typeof wait !== 'boolean') throw new ERR_INVALID_ARG_TYPE('options.wait', ['boolean', 'number'], wait);
    this.#expected = count;
    if (wait !== undefined) this.#wait = wait;
  }

  count() {
    this.#actual++;
    this.#onCount?.();
  }

  #createFailure() {
    return createTestFailure(`plan expected ${this.#expected} assertions but received ${this.#actual}`, failureTypes.code);
  }

  /** Throws, unless the count is reached. A promise where the test waits for it. */
  check() {
    if (this.#actual === this.#expected) return undefined;
    if (this.#wait === false || this.#actual > this.#expected) throw this.#createFailure();
    return new Promise((resolve, reject) => {
      let timer;
      this.#onCount = () => {
        if (this.#actual < this.#expected) return;
        clearTimeout(timer);
        if (this.#actual > this.#expected) reject(this.#createFailure());
        else resolve();
      };
      if (this.#wait === true) return;
      timer = setTimeout(() => {
        const message = `plan timed out after ${this.#wait}ms with ${this.#actual} assertions when expecting ${this.#expected}`;
        reject(createTestFailure(message, failureTypes.timeout));
      }, this.#wait);
    });
  }
}

module.exports = { TestPlan };
