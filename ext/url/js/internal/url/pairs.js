// Lists of names and values as objects. In: pairs. Out: an object; a name that is there more than
// once has an array.
'use strict';

function toObject(pairs) {
  const object = {};
  for (const [name, value] of pairs) {
    if (!Object.hasOwn(object, name)) Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
    else if (Array.isArray(object[name])) object[name].push(value);
    else object[name] = [object[name], value];
  }
  return object;
}

module.exports = { toObject };
