// Functions of native addons. In: a target of Rust, a name, of a constructor the brand of its
// objects. Out: a function that passes its receiver, `new.target` and its arguments to the addon.
// The file is not strict: as in Node, an addon sees the global object as the receiver of a plain
// call.

const { call } = internalBinding('addons');
const { defineProperty } = Object;
const { construct } = Reflect;

const isObject = (value) => (typeof value === 'object' && value !== null) || typeof value === 'function';

function makeFunction(target, name, Brand) {
  const made = function () {
    const receiver = new.target === undefined || Brand === undefined ? this : construct(Brand, [], new.target);
    const returned = call(target, new.target, receiver, ...arguments);
    return receiver === this || isObject(returned) ? returned : receiver;
  };
  defineProperty(made, 'name', { __proto__: null, value: name, configurable: true });
  return made;
}

module.exports = { makeFunction };
