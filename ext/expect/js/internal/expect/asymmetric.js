// Asymmetric matchers: `expect.any(Number)` within an expected value. In: a sample. Out: an object
// that `equals` asks. Absent: those of the program (extend.js).
'use strict';

const { equals, isObject, kAsymmetric, keysOf } = require('internal/expect/equals');

class AsymmetricMatcher {
  constructor(sample, isNot = false) {
    this.$$typeof = kAsymmetric;
    this.sample = sample;
    this.inverse = isNot;
  }

  toString() { return this.constructor.name; }
}

const TYPES = [[String, 'string'], [Number, 'number'], [Function, 'function'], [Boolean, 'boolean'], [BigInt, 'bigint'], [Symbol, 'symbol'], [Object, 'object']];

class Any extends AsymmetricMatcher {
  constructor(sample) {
    if (sample === undefined) {
      throw new TypeError('any() expects to be passed a constructor function. Please pass one or use anything() to match any object.');
    }
    if (typeof sample !== 'function') throw new TypeError('expect.any(constructor)\n\nExpected a constructor\n');
    super(sample);
  }

  asymmetricMatch(other) {
    const { sample } = this;
    for (const [type, name] of TYPES) {
      if (sample !== type) continue;
      return name === 'object' ? typeof other === 'object' : typeof other === name || other instanceof sample;
    }
    if (sample === Array) return Array.isArray(other);
    return typeof sample.prototype === 'object' && other instanceof sample;
  }

  toAsymmetricMatcher() { return `Any<${this.sample.name || '<anonymous>'}>`; }
}

class Anything extends AsymmetricMatcher {
  asymmetricMatch(other) { return other !== undefined && other !== null; }

  toAsymmetricMatcher() { return 'Anything'; }
}

class ArrayContaining extends AsymmetricMatcher {
  constructor(sample, isNot) {
    if (!Array.isArray(sample)) throw new TypeError('expect.arrayContaining(array)\n\nExpected a array\n');
    super(sample, isNot);
  }

  asymmetricMatch(other) {
    const pass = this.sample.length === 0 || Array.isArray(other) && this.sample.every((item) => other.some((another) => equals(another, item)));
    return pass !== this.inverse;
  }

  toString() { return `Array${this.inverse ? 'Not' : ''}Containing`; }
}

class ArrayOf extends AsymmetricMatcher {
  asymmetricMatch(other) {
    return (Array.isArray(other) && other.every((item) => equals(item, this.sample))) !== this.inverse;
  }

  toAsymmetricMatcher() { return `${this.inverse ? 'NotArrayOf' : 'ArrayOf'}<${require('internal/expect/pretty').pretty(this.sample)}>`; }
}

/** Whether an object or its prototypes have a property. */
const hasProperty = (value, key) => value !== null && value !== undefined && key in Object(value);

class ObjectContaining extends AsymmetricMatcher {
  constructor(sample, isNot) {
    if (!isObject(sample)) throw new TypeError('expect.objectContaining(object)\n\nExpected an object\n');
    super(sample, isNot);
  }

  asymmetricMatch(other) {
    const pass = isObject(other) || typeof other === 'function'
      ? keysOf(this.sample).every((key) => hasProperty(other, key) && equals(other[key], this.sample[key]))
      : false;
    return pass !== this.inverse;
  }

  toString() { return `Object${this.inverse ? 'Not' : ''}Containing`; }
}

class StringContaining extends AsymmetricMatcher {
  constructor(sample, isNot) {
    if (typeof sample !== 'string' && !(sample instanceof String)) throw new TypeError('expect.stringContaining(string)\n\nExpected a string\n');
    super(`${sample}`, isNot);
  }

  asymmetricMatch(other) { return isString(other) && other.includes(this.sample) !== this.inverse || !isString(other) && this.inverse; }

  toString() { return `String${this.inverse ? 'Not' : ''}Containing`; }
}

const isString = (value) => typeof value === 'string' || value instanceof String;

class StringMatching extends AsymmetricMatcher {
  constructor(sample, isNot) {
    if (!isString(sample) && !(sample instanceof RegExp)) throw new TypeError('expect.stringMatching(string)\n\nExpected a string or regular expression\n');
    super(new RegExp(sample instanceof RegExp ? sample : `${sample}`), isNot);
  }

  asymmetricMatch(other) {
    return (isString(other) && new RegExp(this.sample).test(other)) !== this.inverse;
  }

  toString() { return `String${this.inverse ? 'Not' : ''}Matching`; }
}

class CloseTo extends AsymmetricMatcher {
  constructor(sample, precision = 2, isNot = false) {
    if (typeof sample !== 'number') throw new TypeError('expect.closeTo(number, precision?)\n\nExpected a number value');
    if (typeof precision !== 'number') throw new TypeError('expect.closeTo(number, precision?)\n\nPrecision must be a number or undefined');
    super(sample, isNot);
    this.precision = precision;
  }

  asymmetricMatch(other) {
    if (typeof other !== 'number') return false;
    const isClose = other === this.sample || Math.abs(this.sample - other) < 10 ** -this.precision / 2;
    return isClose !== this.inverse;
  }

  toAsymmetricMatcher() {
    return `Number${this.inverse ? 'Not' : ''}CloseTo ${this.sample} (${this.precision} digit${this.precision === 1 ? '' : 's'})`;
  }
}

/** vitest's: any of these values, which may be asymmetric matchers. */
class OneOf extends AsymmetricMatcher {
  constructor(sample, isNot) {
    if (typeof sample?.[Symbol.iterator] !== 'function') throw new TypeError('expect.toBeOneOf(list)\n\nExpected an array or a set\n');
    super([...sample], isNot);
  }

  asymmetricMatch(other) { return this.sample.some((item) => equals(other, item)) !== this.inverse; }

  toAsymmetricMatcher() { return `${this.inverse ? 'Not' : ''}OneOf<${require('internal/expect/failure').show(this.sample)}>`; }
}

/** vitest's: a value that a function accepts. */
class Satisfies extends AsymmetricMatcher {
  constructor(sample, isNot) {
    if (typeof sample !== 'function') throw new TypeError('expect.toSatisfy(predicate)\n\nExpected a function\n');
    super(sample, isNot);
  }

  asymmetricMatch(other) { return Boolean(this.sample(other)) !== this.inverse; }

  toAsymmetricMatcher() { return `${this.inverse ? 'Not' : ''}Satisfies<${this.sample.name || 'function'}>`; }
}

/** The functions of `expect`, or of `expect.not`. */
function makeStatic(isNot) {
  return {
    any: (type) => new Any(type),
    anything: () => new Anything(),
    arrayContaining: (list) => new ArrayContaining(list, isNot),
    arrayOf: (sample) => new ArrayOf(sample, isNot),
    closeTo: (number, digits) => new CloseTo(number, digits, isNot),
    objectContaining: (sample) => new ObjectContaining(sample, isNot),
    stringContaining: (text) => new StringContaining(text, isNot),
    stringMatching: (pattern) => new StringMatching(pattern, isNot),
    toBeOneOf: (list) => new OneOf(list, isNot),
    toSatisfy: (predicate) => new Satisfies(predicate, isNot),
  };
}

module.exports = { AsymmetricMatcher, makeStatic };
