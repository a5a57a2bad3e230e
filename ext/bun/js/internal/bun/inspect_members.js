// How objects of classes of bun's are shown: all that their class has, sorted by name. In: a class,
// whole. Out: those names; objects of it that say so to `inspect`, and their tag. Absent: values
// (internal/bun/inspect).
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
