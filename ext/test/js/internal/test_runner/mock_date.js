// `Date` by a mocked clock. In: the real one, the clock. Out: a class whose dates are real ones, at
// the clock's time where none is given.
'use strict';

function make(Real, clock) {
  function MockDate(...args) {
    if (new.target === undefined) return new Real(clock.now).toString();
    const target = new.target === MockDate ? Real : new.target;
    return Reflect.construct(Real, args.length === 0 ? [clock.now] : args, target);
  }
  for (const key of Reflect.ownKeys(Real)) {
    if (key !== 'length' && key !== 'name') Object.defineProperty(MockDate, key, Object.getOwnPropertyDescriptor(Real, key));
  }
  const hidden = (key, value, more) => Object.defineProperty(MockDate, key, { __proto__: null, value, configurable: true, ...more });
  hidden('name', 'Date');
  hidden('length', Real.length);
  hidden('now', function now() { return clock.now; }, { writable: true });
  hidden('isMock', true);
  hidden('toString', function toString() { return Real.toString(); }, { writable: true });
  return MockDate;
}

module.exports = { make };
