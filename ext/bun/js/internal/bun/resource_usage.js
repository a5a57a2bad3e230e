// `ResourceUsage` of a child process that has exited. In: the binding's numbers. Out: an object
// with Bun's properties.
'use strict';

const {
  usage: {
    BLOCKS_IN, BLOCKS_OUT, INVOLUNTARY_SWITCHES, MESSAGES_RECEIVED, MESSAGES_SENT, RESIDENT_BYTES_MAX, SHARED_BYTES, SIGNALS, SWAPS,
    SYSTEM_MICROSECONDS, USER_MICROSECONDS, VOLUNTARY_SWITCHES,
  },
} = internalBinding('child_process');

class ResourceUsage {
  #numbers;

  constructor(numbers) {
    this.#numbers = numbers;
  }

  get contextSwitches() {
    const { [VOLUNTARY_SWITCHES]: voluntary, [INVOLUNTARY_SWITCHES]: involuntary } = this.#numbers;
    return { __proto__: null, voluntary, involuntary };
  }

  /** Microseconds. */
  get cpuTime() {
    const [user, system] = [BigInt(this.#numbers[USER_MICROSECONDS]), BigInt(this.#numbers[SYSTEM_MICROSECONDS])];
    return { __proto__: null, user, system, total: user + system };
  }

  get maxRSS() { return this.#numbers[RESIDENT_BYTES_MAX]; }

  get messages() {
    const { [MESSAGES_SENT]: sent, [MESSAGES_RECEIVED]: received } = this.#numbers;
    return { __proto__: null, sent, received };
  }

  get ops() {
    const { [BLOCKS_IN]: blocksIn, [BLOCKS_OUT]: blocksOut } = this.#numbers;
    return { __proto__: null, in: blocksIn, out: blocksOut };
  }

  get shmSize() { return this.#numbers[SHARED_BYTES]; }
  get signalCount() { return this.#numbers[SIGNALS]; }
  get swapCount() { return this.#numbers[SWAPS]; }

  [Symbol.for('nodejs.util.inspect.custom')](depth, options) {
    const names = ['contextSwitches', 'cpuTime', 'maxRSS', 'messages', 'ops', 'shmSize', 'signalCount', 'swapCount'];
    const values = Object.fromEntries(names.map((name) => [name, { ...this[name] }]));
    for (const name of names) if (typeof this[name] !== 'object') values[name] = this[name];
    return `ResourceUsage ${require('internal/util/inspect').inspect(values, options)}`;
  }
}
delete ResourceUsage.prototype.constructor;
Object.defineProperty(ResourceUsage.prototype, Symbol.toStringTag, { __proto__: null, configurable: true, value: 'ResourceUsage' });

module.exports = { ResourceUsage };
