// Functions of native addons. In: a target of Rust, a name. Out: a function that passes its
// receiver, `new.target` and its arguments to the addon. The file is not strict: as in Node, an
// addon sees the global object as the receiver of a plain call.

const { call } = internalBinding('addons');
const { defineProperty } = Object;

function makeFunction(target, name) {
  const made = function () {
    return call(target, new.target, this, ...arguments);
  };
  defineProperty(made, 'name', { __proto__: null, value: name, configurable: true });
  return made;
}

module.exports = { makeFunction };
