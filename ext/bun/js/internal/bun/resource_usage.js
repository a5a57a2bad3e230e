// What a child used until its end. In: the native half's numbers. Out: an object in bun's form.
'use strict';

class ResourceUsage {
  #numbers;

  constructor(numbers) {
    this.#numbers = numbers;
  }

  get contextSwitches() {
    const [voluntary, involuntary] = this.#numbers.slice(10);
    return { __proto__: null, voluntary, involuntary };
  }

  /** Microseconds. */
  get cpuTime() {
    const [user, system] = [BigInt(this.#numbers[0]), BigInt(this.#numbers[1])];
    return { __proto__: null, user, system, total: user + system };
  }

  get maxRSS() { return this.#numbers[2]; }

  get messages() {
    const [sent, received] = this.#numbers.slice(7, 9);
    return { __proto__: null, sent, received };
  }

  get ops() {
    const [blocksIn, blocksOut] = this.#numbers.slice(5, 7);
    return { __proto__: null, in: blocksIn, out: blocksOut };
  }

  get shmSize() { return this.#numbers[3]; }
  get signalCount() { return this.#numbers[9]; }
  get swapCount() { return this.#numbers[4]; }

  [Symbol.for('nodejs.util.inspect.custom')](depth, options) {
    const names = ['contextSwitches', 'cpuTime', 'maxRSS', 'messages', 'ops', 'shmSize', 'signalCount', 'swapCount'];
    const shown = Object.fromEntries(names.map((name) => [name, { ...this[name] }]));
    for (const name of names) if (typeof this[name] !== 'object') shown[name] = this[name];
    return `ResourceUsage ${require('internal/util/inspect').inspect(shown, options)}`;
  }
}
delete ResourceUsage.prototype.constructor;
Object.defineProperty(ResourceUsage.prototype, Symbol.toStringTag, { __proto__: null, configurable: true, value: 'ResourceUsage' });

module.exports = { ResourceUsage };
