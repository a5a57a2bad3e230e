// SQL functions and aggregates of the program. In: bun's options. Out: what the native half calls
// with the kind of a call, a group and arguments.
'use strict';

const binding = require('internal/sqlite/binding');
const { codes: { ERR_INVALID_ARG_TYPE } } = require('internal/errors');

const ARGUMENTS_MAX = 127;
const KINDS = { scalar: 0, aggregate: 1, window: 2 };

function checkName(name) {
  if (typeof name !== 'string') throw new ERR_INVALID_ARG_TYPE('name', 'string', name);
  if (name === '') throw new TypeError('Expected name to be a non-empty string');
}

/** `length` without what does not count as an argument; `varargs`: any number. */
function argumentCount(length, { varargs }) {
  if (varargs) return -1;
  if (length < 0 || length > ARGUMENTS_MAX) throw new RangeError(`A SQL function has at most ${ARGUMENTS_MAX} arguments`);
  return length;
}

function define(id, name, count, options, kind, dispatch, safeIntegers) {
  binding.define(id, name, count, Boolean(options.deterministic), Boolean(options.directOnly), kind, dispatch, options.safeIntegers ?? safeIntegers);
}

function defineFunction(id, name, options, body, safeIntegers) {
  checkName(name);
  if (typeof body !== 'function') throw new ERR_INVALID_ARG_TYPE('fn', 'Function', body);
  const toResult = (value) => (typeof value === 'bigint' ? BigInt.asIntN(64, value) : value);
  define(id, name, argumentCount(body.length, options), options, KINDS.scalar, (kind, group, parameters) => toResult(body(...parameters)), safeIntegers);
}

function defineAggregate(id, name, options, safeIntegers) {
  checkName(name);
  if (typeof options !== 'object' || options === null) throw new ERR_INVALID_ARG_TYPE('options', 'Object', options);
  const { start = null, step, inverse, result = (value) => value } = options;
  if (typeof step !== 'function') throw new ERR_INVALID_ARG_TYPE('options.step', 'Function', step);
  if (inverse != null && typeof inverse !== 'function') throw new ERR_INVALID_ARG_TYPE('options.inverse', 'Function', inverse);
  const finish = result ?? ((value) => value);
  if (typeof finish !== 'function') throw new ERR_INVALID_ARG_TYPE('options.result', 'Function', result);
  const groups = new Map();
  const begin = () => (typeof start === 'function' ? start() : start);
  const current = (group) => (groups.has(group) ? groups.get(group) : begin());
  /** As in reduce, but what returns nothing has changed the accumulator in place. */
  const advance = (change, group, parameters) => {
    const before = current(group);
    const after = change(before, ...parameters);
    groups.set(group, after === undefined ? before : after);
  };
  const toResult = (value) => {
    const found = finish(value);
    return typeof found === 'bigint' ? BigInt.asIntN(64, found) : found;
  };
  const dispatch = (kind, group, parameters) => {
    switch (kind) {
      case 'step': advance(step, group, parameters); return null;
      case 'inverse': advance(inverse, group, parameters); return null;
      case 'value': return toResult(current(group));
      default: {
        const value = current(group);
        groups.delete(group);
        return toResult(value);
      }
    }
  };
  const count = argumentCount(Math.max(step.length, inverse?.length ?? 0) - 1, options);
  define(id, name, count, options, inverse == null ? KINDS.aggregate : KINDS.window, dispatch, safeIntegers);
}

module.exports = { defineAggregate, defineFunction };
