// `expectTypeOf`: assertions about types, which a type checker makes. In: any value. Out: an object
// whose members can be read and called in any order, and which does nothing when the test runs.
'use strict';

const chain = new Proxy(function expectTypeOf() {}, {
  __proto__: null,
  get: (_, key) => (key === 'then' || typeof key === 'symbol' ? undefined : chain),
  apply: () => chain,
});

module.exports = { expectTypeOf: () => chain };
