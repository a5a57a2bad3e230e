// Prototype members of constructor functions. Old programs call these functions without `new`, so
// they cannot be classes. In: methods and accessors as two object literals. Out: the same on a
// prototype, with Node's attributes. Absent: inheritance.
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

module.exports = { defineMembers };
