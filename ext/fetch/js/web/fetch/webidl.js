// What the classes of fetch have in common. In: classes, arguments. Out: checks with the words that
// Node's have, iterators over pairs.
'use strict';

function illegal(error) {
  error.message = 'Illegal invocation';
  return error;
}

function checkArguments({ length }, least, where) {
  if (length >= least) return;
  throw new TypeError(`${where}: ${least} argument${least === 1 ? '' : 's'} required, but${length ? ' only' : ''} ${length} found.`);
}

const IteratorPrototype = Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]()));

/** `keys`, `values`, `entries`, `forEach` over pairs that may change on the way. */
function defineIterators(Class, pairsOf) {
  const states = new WeakMap();
  const prototype = Object.create(IteratorPrototype, {
    next: {
      __proto__: null, writable: true, enumerable: true, configurable: true,
      value: function next() {
        const state = states.get(this);
        if (state === undefined) throw new TypeError(`'next' called on an object that does not implement interface ${Class.name} Iterator.`);
        const pair = pairsOf(state.object)[state.at];
        if (pair === undefined) return { value: undefined, done: true };
        state.at++;
        return { value: state.pick(pair), done: false };
      },
    },
    [Symbol.toStringTag]: { __proto__: null, value: `${Class.name} Iterator`, configurable: true },
  });
  const walk = (object, pick) => {
    pairsOf(object);
    const iterator = Object.create(prototype);
    states.set(iterator, { object, pick, at: 0 });
    return iterator;
  };
  const methods = {
    keys() { return walk(this, (pair) => pair[0]); },
    values() { return walk(this, (pair) => pair[1]); },
    entries() { return walk(this, (pair) => [...pair]); },
    forEach(callback, thisArg = undefined) {
      pairsOf(this);
      checkArguments(arguments, 1, `${Class.name}.forEach`);
      if (typeof callback !== 'function') {
        throw new TypeError(`Failed to execute 'forEach' on '${Class.name}': parameter 1 is not of type 'Function'.`);
      }
      for (const [name, value] of walk(this, (pair) => pair)) Reflect.apply(callback, thisArg, [value, name, this]);
    },
  };
  for (const [name, value] of Object.entries(methods)) {
    Object.defineProperty(Class.prototype, name, { __proto__: null, value, writable: true, configurable: true, enumerable: true });
  }
  Object.defineProperty(Class.prototype, Symbol.iterator, {
    __proto__: null, value: methods.entries, writable: true, configurable: true,
  });
}

/** Shown with all that is in it, however deep it stands itself. */
function showMembers(Class, membersOf) {
  Object.defineProperty(Class.prototype, Symbol.for('nodejs.util.inspect.custom'), {
    __proto__: null,
    value(depth, options, inspect) {
      options.depth ??= depth;
      return `${Class.name} ${(inspect ?? require('internal/util/inspect').inspect)(membersOf(this), options)}`;
    },
    configurable: true,
    writable: true,
  });
}

module.exports = { checkArguments, defineIterators, illegal, showMembers };
