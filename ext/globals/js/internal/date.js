// `Date`, reading strings as V8 does: the engine's parser refuses forms that programs use, such as
// `2020-01-01 10:00:00 +0000`, and takes others for another day. In: the engine's constructor. Out:
// a constructor with the same prototype, so that its dates are the engine's. The usual forms, which
// both read alike, are left to the engine.
'use strict';

const { construct, defineProperty, getPrototypeOf } = Reflect;
// The engine's: a program may have removed it before its first string.
const { RegExp } = globalThis;
const { standIns } = require('internal/modules/function_import');

/** Compiled at the first string: most programs start without one. */
let usual;

const MONTH_DAY = '(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1\\d|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)';
const TIME = '(?:[01]\\d|2[0-3]):[0-5]\\d';
const MONTH = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)';
const WEEKDAY = '(?:Sun|Mon|Tue|Wed|Thu|Fri|Sat)';
const DAY = '(?:0[1-9]|[12]\\d|3[01])';
/** ISO 8601, also with a blank for the `T`; as in HTTP; as `Date.prototype.toString` has it. */
const usualForms = () => new RegExp([
  `^\\d{4}-${MONTH_DAY}(?:T${TIME}(?::[0-5]\\d(?:\\.\\d{1,3})?)?(?:Z|[+-]${TIME})?)?$`,
  `^[1-9]\\d{3}-${MONTH_DAY} ${TIME}(?::[0-5]\\d)?$`,
  `^${WEEKDAY}, ${DAY} ${MONTH} [1-9]\\d{3} ${TIME}:[0-5]\\d GMT$`,
  `^${WEEKDAY} ${MONTH} ${DAY} [1-9]\\d{3}(?: ${TIME}:[0-5]\\d GMT[+-][01]\\d[0-5]\\d(?: \\([^()]*\\))?)?$`,
].join('|'));

/** A primitive with the hint `default`, as the constructor converts objects that are no dates. */
function primitiveOf(object) {
  const exotic = object[Symbol.toPrimitive];
  if (exotic !== undefined && exotic !== null) {
    const value = Reflect.apply(exotic, object, ['default']);
    if (isPrimitive(value)) return value;
  } else {
    for (const name of ['valueOf', 'toString']) {
      const method = object[name];
      if (typeof method !== 'function') continue;
      const value = Reflect.apply(method, object, []);
      if (isPrimitive(value)) return value;
    }
  }
  throw new TypeError('Cannot convert object to primitive value');
}

const isPrimitive = (value) => value === null || (typeof value !== 'object' && typeof value !== 'function');

/** The constructor that stands in for the engine's `Native`. */
function withParser(Native) {
  const { parse: nativeParse, prototype } = Native;
  const { getTime } = prototype;

  function parse(text) {
    usual ??= usualForms();
    return usual.test(text) ? nativeParse(text) : require('internal/date_parser').parse(text, Native);
  }

  /** What the engine's constructor gets in place of a single argument. */
  function timeOf(value) {
    if (typeof value === 'string') return parse(value);
    if (isPrimitive(value)) return value;
    try {
      return Reflect.apply(getTime, value, []);
    } catch {
      const primitive = primitiveOf(value);
      return typeof primitive === 'string' ? parse(primitive) : primitive;
    }
  }

  function Date(value) {
    if (new.target === undefined) return Native();
    const count = arguments.length;
    if (new.target !== Date) return construct(Native, count === 1 ? [timeOf(value)] : arguments, new.target);
    if (count === 0) return new Native();
    return count === 1 ? new Native(typeof value === 'number' ? value : timeOf(value)) : new Native(...arguments);
  }
  const methods = { parse(text) { return parse(`${text}`); } };
  const parent = getPrototypeOf(Native);
  for (const own of [Date, methods.parse]) {
    Reflect.setPrototypeOf(own, parent);
    standIns.add(own);
  }
  for (const key of ['length', 'name', 'prototype', 'now', 'parse', 'UTC']) defineProperty(Date, key, Reflect.getOwnPropertyDescriptor(Native, key));
  defineProperty(Date, 'parse', { __proto__: null, value: methods.parse });
  return Date;
}

/** Replaces the `Date` of a global object. */
function install(target) {
  const value = withParser(target.Date);
  const descriptor = { __proto__: null, value, writable: true, configurable: true };
  defineProperty(target, 'Date', descriptor);
  defineProperty(value.prototype, 'constructor', descriptor);
}

module.exports = { install };
