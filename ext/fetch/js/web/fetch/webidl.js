// Web IDL operations for the classes of fetch. In: classes, arguments. Out: argument checks with
// Node's messages, iterators of pairs.
'use strict';

function illegalInvocation(error) {
  error.message = 'Illegal invocation';
  return error;
}

function checkArguments({ length }, required, where) {
  if (length >= required) return;
  throw new TypeError(`${where}: ${required} argument${required === 1 ? '' : 's'} required, but${length ? ' only' : ''} ${length} found.`);
}

const IteratorPrototype = Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]()));

/** Defines `keys`, `values`, `entries`, `forEach`. The pairs may change during iteration. */
function defineIterators(Class, getPairs) {
  const states = new WeakMap();
  const prototype = Object.create(IteratorPrototype, {
    next: {
      __proto__: null, writable: true, enumerable: true, configurable: true,
      value: function next() {
        const state = states.get(this);
        if (state === undefined) throw new TypeError(`'next' called on an object that does not implement interface ${Class.name} Iterator.`);
        const pair = getPairs(state.object)[state.index];
        if (pair === undefined) return { value: undefined, done: true };
        state.index++;
        return { value: state.select(pair), done: false };
      },
    },
    [Symbol.toStringTag]: { __proto__: null, value: `${Class.name} Iterator`, configurable: true },
  });
  const createIterator = (object, select) => {
    getPairs(object);
    const iterator = Object.create(prototype);
    states.set(iterator, { object, select, index: 0 });
    return iterator;
  };
  const methods = {
    keys() { return createIterator(this, (pair) => pair[0]); },
    values() { return createIterator(this, (pair) => pair[1]); },
    entries() { return createIterator(this, (pair) => [...pair]); },
    forEach(callback, thisArg = undefined) {
      getPairs(this);
      checkArguments(arguments, 1, `${Class.name}.forEach`);
      if (typeof callback !== 'function') {
        throw new TypeError(`Failed to execute 'forEach' on '${Class.name}': parameter 1 is not of type 'Function'.`);
      }
      for (const [name, value] of createIterator(this, (pair) => pair)) Reflect.apply(callback, thisArg, [value, name, this]);
    },
  };
  for (const [name, value] of Object.entries(methods)) {
    Object.defineProperty(Class.prototype, name, { __proto__: null, value, writable: true, configurable: true, enumerable: true });
  }
  Object.defineProperty(Class.prototype, Symbol.iterator, {
    __proto__: null, value: methods.entries, writable: true, configurable: true,
  });
}

/** Defines the output of `util.inspect`: the members at any depth. */
function defineInspect(Class, getMembers) {
  Object.defineProperty(Class.prototype, Symbol.for('nodejs.util.inspect.custom'), {
    __proto__: null,
    value(depth, options, inspect) {
      options.depth ??= depth;
      return `${Class.name} ${(inspect ?? require('internal/util/inspect').inspect)(getMembers(this), options)}`;
    },
    configurable: true,
    writable: true,
  });
}

module.exports = { checkArguments, defineIterators, illegalInvocation, defineInspect };
