// How many assertions a test is to make. In: a count, and how long to wait for them. Out: a failure
// where there were more or fewer.
'use strict';

const { codes: { ERR_INVALID_ARG_TYPE } } = require('internal/errors');
const { validateNumber, validateObject, validateUint32 } = require('internal/validators');
const { failure, kinds } = require('internal/test_runner/failure');
const { TIMEOUT_MAX } = require('internal/test_runner/unit');
const { setTimeout, clearTimeout } = internalBinding('queues');

class Plan {
  #made = 0;
  #wait = false;
  #expected;
  #settled;

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
    this.#made++;
    this.#settled?.();
  }

  #failure() {
    return failure(`plan expected ${this.#expected} assertions but received ${this.#made}`, kinds.code);
  }

  /** Undefined where all is as planned; a promise where it is worth waiting. */
  check() {
    if (this.#made === this.#expected) return undefined;
    if (this.#wait === false || this.#made > this.#expected) throw this.#failure();
    return new Promise((resolve, reject) => {
      let timer;
      this.#settled = () => {
        if (this.#made < this.#expected) return;
        clearTimeout(timer);
        if (this.#made > this.#expected) reject(this.#failure());
        else resolve();
      };
      if (this.#wait === true) return;
      timer = setTimeout(() => {
        const text = `plan timed out after ${this.#wait}ms with ${this.#made} assertions when expecting ${this.#expected}`;
        reject(failure(text, kinds.timeout));
      }, this.#wait);
    });
  }
}

module.exports = { Plan };
