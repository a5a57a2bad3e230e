// How members come to prototypes of functions that are called without `new` by old programs, so are
// no classes. In: methods and accessors as two object literals. Out: the same on a prototype, with
// Node's attributes. Absent: inheritance.
'use strict';

function defineMembers(prototype, methods, accessors) {
  for (const name of Reflect.ownKeys(methods)) {
    prototype[name] = methods[name];
  }
  const descriptors = Object.getOwnPropertyDescriptors(accessors);
  for (const name of Object.keys(descriptors)) {
    descriptors[name].enumerable = false;
  }
  Object.defineProperties(prototype, descriptors);
}

/**
 * Methods whose files are read when they are called first: `table` maps a name to what gives the
 * method.
 */
function defineLate(prototype, names, find) {
  for (const name of names) {
    prototype[name] = {
      [name](...args) {
        return find(name).apply(this, args);
      },
    }[name];
  }
}

module.exports = { defineMembers, defineLate };
