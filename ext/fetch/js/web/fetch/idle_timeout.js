// bun's option `timeout` of `fetch`: how long a connection may be silent. In: an exchange, a time.
// Out: an exchange that fails if nothing comes or is taken for that long while the program waits.
// Absent: the timeouts that all requests have (`crates/http`).
'use strict';

class TimedExchange {
  #exchange;
  #idleMs;
  #timer;
  /** Calls that wait. */
  #waiting = 0;
  /** The reason of a failure: a timeout. */
  timeoutError;

  constructor(exchange, idleMs) {
    this.#exchange = exchange;
    this.#idleMs = idleMs;
    this.head = this.#watch(exchange.head);
    this.head.catch(() => {});
  }

  async #watch(promise) {
    this.#waiting++;
    this.#restart();
    try {
      return await promise;
    } finally {
      this.#waiting--;
      this.#restart();
    }
  }

  #restart() {
    clearTimeout(this.#timer);
    if (this.#waiting > 0) this.#timer = setTimeout(() => this.#fail(), this.#idleMs);
  }

  #fail() {
    const { DOMException } = require('web/dom_exception');
    this.timeoutError = new DOMException('The operation timed out.', 'TimeoutError');
    this.#exchange.close(this.timeoutError);
  }

  read() { return this.#watch(this.#exchange.read()); }
  write(bytes) { return this.#watch(this.#exchange.write(bytes)); }
  endBody() { this.#exchange.endBody(); }
  close(error) { this.#exchange.close(error); }
}

module.exports = { TimedExchange };
