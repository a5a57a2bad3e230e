// Histograms with HdrHistogram's layout: buckets of doubling size, divided into equal sub-buckets.
// In: integers from 1. Out: minimum, maximum, mean, percentiles, to three significant figures (or
// as many as the options say).

'use strict';

const { codes: { ERR_ILLEGAL_CONSTRUCTOR, ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE, ERR_INVALID_THIS, ERR_OUT_OF_RANGE } } = require('internal/errors');
const { validateInteger, validateNumber, validateObject } = require('internal/validators');
const { customInspectSymbol } = require('internal/util');
const { now } = require('internal/perf/clock');
const { kClone, kSerialize, markHostObject } = require('internal/messaging/symbols');

const kMake = Symbol('kMake');
const kState = Symbol('kState');

/** 2^63 - 1: the minimum of an empty histogram. */
const NOTHING = 9223372036854775807n;

class Counts {
  constructor(lowest = 1, highest = Number.MAX_SAFE_INTEGER, figures = 3) {
    this.lowest = Number(lowest);
    this.highest = Number(highest);
    this.figures = figures;
    const largest = 2 * 10 ** figures;
    /** Sub-buckets of a bucket, a power of two. */
    this.parts = 2 ** Math.ceil(Math.log2(largest));
    this.unit = 2 ** Math.floor(Math.log2(this.lowest));
    this.reset();
  }

  reset() {
    this.counts = new Map();
    this.total = 0;
    this.sum = 0;
    this.min = undefined;
    this.max = 0;
    this.exceeds = 0;
    this.previous = undefined;
  }

  /** The size of a value's sub-bucket. */
  partOf(value) {
    const scaled = value / this.unit;
    return scaled < this.parts ? this.unit : this.unit * 2 ** (Math.floor(Math.log2(scaled / this.parts)) + 1);
  }

  /** The lowest and the highest value of a value's sub-bucket. */
  low(value) {
    const part = this.partOf(value);
    return Math.floor(value / part) * part;
  }

  high(value) {
    return this.low(value) + this.partOf(value) - 1;
  }

  record(value, count = 1) {
    if (value > this.highest) {
      this.exceeds += count;
      return;
    }
    const key = this.low(value);
    this.counts.set(key, (this.counts.get(key) ?? 0) + count);
    this.total += count;
    const middle = key + Math.floor(this.partOf(value) / 2);
    this.sum += middle * count;
    this.min = this.min === undefined ? value : Math.min(this.min, value);
    this.max = Math.max(this.max, value);
  }

  get mean() {
    return this.total === 0 ? NaN : this.sum / this.total;
  }

  get stddev() {
    if (this.total === 0) {
      return NaN;
    }
    const { mean } = this;
    let squares = 0;
    for (const [key, count] of this.counts) {
      const middle = key + Math.floor(this.partOf(key) / 2);
      squares += (middle - mean) ** 2 * count;
    }
    return Math.sqrt(squares / this.total);
  }

  sorted() {
    return [...this.counts].sort(([one], [other]) => one - other);
  }

  percentile(percent) {
    const wanted = Math.max(1, Math.floor((Math.min(percent, 100) / 100) * this.total + 0.5));
    let seen = 0;
    for (const [key, count] of this.sorted()) {
      seen += count;
      if (seen >= wanted) {
        return percent === 0 ? this.low(key) : this.high(key);
      }
    }
    return 0;
  }

  /** HdrHistogram's percentile iteration: the step is halved with each half of the rest. */
  percentiles() {
    const result = new Map();
    if (this.total === 0) {
      result.set(100, 0);
      return result;
    }
    let level = 0;
    let seen = 0;
    for (const [key, count] of this.sorted()) {
      seen += count;
      const reached = (100 * seen) / this.total;
      while (level <= reached && level < 100) {
        result.set(level, key);
        const half = 2 ** (Math.floor(Math.log2(100 / (100 - level))) + 1);
        level += 100 / half;
        // At 100 % the step cannot be halved.
        if (seen === this.total) {
          break;
        }
      }
    }
    result.set(100, this.low(this.max));
    return result;
  }
}

const check = (self) => {
  const state = self?.[kState];
  if (state === undefined) {
    throw new ERR_INVALID_THIS('Histogram');
  }
  return state;
};

class Histogram {
  constructor(mark, state) {
    if (mark !== kMake) {
      throw new ERR_ILLEGAL_CONSTRUCTOR();
    }
    Object.defineProperty(this, kState, { value: state });
  }

  /** Another object with the same counts; it can record if this one can. */
  [kClone]() {
    return new (this instanceof RecordableHistogram ? RecordableHistogram : Histogram)(kMake, check(this));
  }

  /** Counts are not shared with other threads. */
  [kSerialize]() {
    throw require('internal/messaging/transfer').dataCloneError('A Histogram cannot be shared with another thread.');
  }

  [customInspectSymbol](depth, options) {
    if (depth < 0) {
      return `[${this.constructor.name}]`;
    }
    const { inspect } = require('internal/util/inspect');
    const { min, max, mean, exceeds, stddev, count, percentiles } = this;
    return `Histogram ${inspect({ min, max, mean, exceeds, stddev, count, percentiles }, { ...options, depth: options.depth == null ? null : options.depth - 1 })}`;
  }

  get count() { return check(this).total; }
  get countBigInt() { return BigInt(check(this).total); }
  get min() { return check(this).min ?? Number(NOTHING); }
  get minBigInt() { return this.count === 0 ? NOTHING : BigInt(check(this).min); }
  get max() { return check(this).max; }
  get maxBigInt() { return BigInt(check(this).max); }
  get mean() { return check(this).mean; }
  get exceeds() { return check(this).exceeds; }
  get exceedsBigInt() { return BigInt(check(this).exceeds); }
  get stddev() { return check(this).stddev; }

  percentile(percentile) {
    const state = check(this);
    validateNumber(percentile, 'percentile');
    if (Number.isNaN(percentile) || percentile <= 0 || percentile > 100) {
      throw new ERR_OUT_OF_RANGE('percentile', '> 0 && <= 100', percentile);
    }
    return state.percentile(percentile);
  }

  percentileBigInt(percentile) {
    return BigInt(this.percentile(percentile));
  }

  get percentiles() { return check(this).percentiles(); }

  get percentilesBigInt() {
    return new Map([...check(this).percentiles()].map(([level, value]) => [level, BigInt(value)]));
  }

  reset() {
    check(this).reset();
  }

  toJSON() {
    const { count, min, max, mean, exceeds, stddev, percentiles } = this;
    return { count, min, max, mean, exceeds, stddev, percentiles: Object.fromEntries(percentiles) };
  }
}

class RecordableHistogram extends Histogram {
  record(value) {
    const state = check(this);
    if (typeof value !== 'bigint') {
      validateInteger(value, 'val', 1);
    } else if (value < 1n || value > NOTHING) {
      throw new ERR_OUT_OF_RANGE('val', '>= 1 && <= 9223372036854775807', value);
    }
    state.record(Number(value));
  }

  recordDelta() {
    const state = check(this);
    const time = Math.round(now() * 1e6);
    if (state.previous !== undefined && time > state.previous) {
      state.record(time - state.previous);
    }
    state.previous = time;
  }

  add(other) {
    const state = check(this);
    if (!(other instanceof RecordableHistogram)) {
      throw new ERR_INVALID_ARG_TYPE('other', 'RecordableHistogram', other);
    }
    const theirs = check(other);
    for (const [key, count] of theirs.counts) {
      state.record(key, count);
    }
    state.exceeds += theirs.exceeds;
    if (theirs.min !== undefined) {
      state.min = Math.min(state.min, theirs.min);
      state.max = Math.max(state.max, theirs.max);
    }
  }
}

markHostObject(Histogram);

function createHistogram(options = {}) {
  validateObject(options, 'options');
  const { lowest = 1, highest = Number.MAX_SAFE_INTEGER, figures = 3 } = options;
  if (typeof lowest !== 'bigint') {
    validateInteger(lowest, 'options.lowest', 1, Number.MAX_SAFE_INTEGER);
  }
  if (typeof highest !== 'bigint') {
    validateInteger(highest, 'options.highest', 2 * Number(lowest), Number.MAX_SAFE_INTEGER);
  } else if (highest < 2n * BigInt(lowest)) {
    throw new ERR_INVALID_ARG_VALUE.RangeError('options.highest', highest);
  }
  validateInteger(figures, 'options.figures', 1, 5);
  return new RecordableHistogram(kMake, new Counts(lowest, highest, figures));
}

// --- event loop delay

class ELDHistogram extends Histogram {
  #resolution;
  #timer;

  constructor(mark, state, resolution) {
    super(mark, state);
    this.#resolution = resolution;
  }

  enable() {
    if (this.#timer !== undefined) {
      return false;
    }
    let last = now();
    this.#timer = setInterval(() => {
      const time = now();
      const delay = Math.round((time - last) * 1e6);
      last = time;
      check(this).record(Math.max(delay, 1));
    }, this.#resolution);
    this.#timer.unref();
    return true;
  }

  disable() {
    if (this.#timer === undefined) {
      return false;
    }
    clearInterval(this.#timer);
    this.#timer = undefined;
    return true;
  }

  [Symbol.dispose ?? Symbol.for('Symbol.dispose')]() {
    this.disable();
  }
}

function monitorEventLoopDelay(options = {}) {
  validateObject(options, 'options');
  const { resolution = 10 } = options;
  validateInteger(resolution, 'options.resolution', 1);
  // An hour, in nanoseconds: what libuv's histogram holds.
  return new ELDHistogram(kMake, new Counts(1, 3.6e12, 3), resolution);
}

module.exports = { Histogram, RecordableHistogram, createHistogram, monitorEventLoopDelay };
