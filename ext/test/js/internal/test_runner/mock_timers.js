// MockTimers: timers whose time the test advances. In: the functions to mock, the initial time.
// Out: replacements of the globals and of `node:timers`, until `reset`.
'use strict';

const { codes: { ERR_INVALID_ARG_VALUE, ERR_INVALID_STATE } } = require('internal/errors');
const { validateNumber, validateStringArray } = require('internal/validators');
const { Clock } = require('internal/test_runner/mock_clock');

const APIS = ['setTimeout', 'setInterval', 'setImmediate', 'Date', 'scheduler.wait', 'AbortSignal.timeout'];
const CLEAR = { setTimeout: 'clearTimeout', setInterval: 'clearInterval', setImmediate: 'clearImmediate' };

class MockTimers {
  #clock;
  /** [object, name, original descriptor] of each replaced property. */
  #replaced = [];

  enable(options = { __proto__: null, apis: APIS, now: 0 }) {
    if (this.#clock !== undefined) throw new ERR_INVALID_STATE('MockTimers is already enabled!');
    // Without checks, as in Node: a list of names enables all.
    const { apis = APIS, now: start } = { ...options };
    let now = start ?? 0;
    if (now instanceof Date) now = now.getTime();
    validateNumber(now, 'initialTime');
    if (Number.isNaN(now) || now < 0) throw new ERR_INVALID_ARG_VALUE('initialTime', now, 'epoch must be a positive integer');
    validateStringArray(apis, 'options.apis');
    for (const api of apis) {
      if (!APIS.includes(api)) throw new ERR_INVALID_ARG_VALUE('options.apis', api, `option ${api} is not supported`);
    }
    if (apis.includes('Date') && globalThis.Date.isMock) throw new ERR_INVALID_STATE('Date is already being mocked!');
    this.#clock = new Clock(now);
    for (const api of apis) this.#mock(api);
  }

  #replace(object, name, value) {
    const original = Object.getOwnPropertyDescriptor(object, name);
    this.#replaced.push([object, name, original]);
    Object.defineProperty(object, name, { __proto__: null, configurable: true, enumerable: original?.enumerable ?? false, writable: true, value });
  }

  #mock(api) {
    const clock = this.#clock;
    const timersPromises = require('timers/promises');
    switch (api) {
      case 'Date':
        return this.#replace(globalThis, 'Date', require('internal/test_runner/mock_date').createMockDate(globalThis.Date, clock));
      case 'AbortSignal.timeout':
        return this.#replace(AbortSignal, 'timeout', (delay) => {
          const controller = new AbortController();
          const { DOMException } = require('web/dom_exception');
          const reason = () => new DOMException('The operation was aborted due to timeout', 'TimeoutError');
          clock.add({ callback: () => controller.abort(reason()), delay, args: [] });
          return controller.signal;
        });
      case 'scheduler.wait':
        return this.#replace(timersPromises.scheduler, 'wait', (delay, options) => clock.promise('setTimeout', delay, undefined, options));
    }
    const timers = require('timers');
    const clear = CLEAR[api];
    for (const object of [globalThis, timers]) {
      this.#replace(object, api, clock[api]);
      this.#replace(object, clear, clock.clear);
    }
    const promiseFunctions = {
      setTimeout: (delay, value, options) => clock.promise('setTimeout', delay, value, options),
      setImmediate: (value, options) => clock.promise('setImmediate', 0, value, options),
      setInterval: (delay, value, options) => clock.interval(delay, value, options),
    };
    return this.#replace(timersPromises, api, promiseFunctions[api]);
  }

  #requireClock() {
    if (this.#clock === undefined) throw new ERR_INVALID_STATE('You should enable MockTimers first by calling the .enable function');
    return this.#clock;
  }

  tick(time = 1) {
    const clock = this.#requireClock();
    if (time < 0) throw new ERR_INVALID_ARG_VALUE('time', 'positive integer', time);
    clock.advanceTo(clock.now + time);
  }

  setTime(time = 0) {
    validateNumber(time, 'time');
    this.#requireClock().now = time;
  }

  runAll() {
    const clock = this.#requireClock();
    const last = clock.lastRunAt();
    if (last !== undefined) clock.advanceTo(last);
  }

  reset() {
    if (this.#clock === undefined) return;
    for (const [object, name, original] of this.#replaced.reverse()) {
      if (original === undefined) delete object[name];
      else Object.defineProperty(object, name, original);
    }
    this.#replaced = [];
    this.#clock = undefined;
  }

  [Symbol.dispose]() { this.reset(); }
}

module.exports = { MockTimers };
