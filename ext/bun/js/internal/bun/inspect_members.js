// `util.inspect` of Bun's classes: shows all members of the class, sorted by name. In: a complete
// class. Out: the names; adds an inspect method and `Symbol.toStringTag` to the prototype.
'use strict';

function showMembers(Class) {
  const { name: title, prototype } = Class;
  const names = Object.getOwnPropertyNames(prototype).filter((name) => name !== 'constructor').sort();
  Object.defineProperty(prototype, Symbol.for('nodejs.util.inspect.custom'), {
    value(depth, options) {
      if (depth < 0) return `[${title}]`;
      const values = Object.fromEntries(names.map((name) => [name, this[name]]));
      return `${title} ${require('internal/util/inspect').inspect(values, options)}`;
    },
  });
  Object.defineProperty(prototype, Symbol.toStringTag, { __proto__: null, configurable: true, value: title });
  return names;
}

module.exports = { showMembers };
