// Mock of `Date`. In: the native class, the clock. Out: a class that makes native dates, with the
// clock's time as the current time.
'use strict';

function createMockDate(NativeDate, clock) {
  function MockDate(...args) {
    if (new.target === undefined) return new NativeDate(clock.now).toString();
    const target = new.target === MockDate ? NativeDate : new.target;
    return Reflect.construct(NativeDate, args.length === 0 ? [clock.now] : args, target);
  }
  for (const key of Reflect.ownKeys(NativeDate)) {
    if (key !== 'length' && key !== 'name') Object.defineProperty(MockDate, key, Object.getOwnPropertyDescriptor(NativeDate, key));
  }
  const defineHidden = (key, value, attributes) => Object.defineProperty(MockDate, key, { __proto__: null, value, configurable: true, ...attributes });
  defineHidden('name', 'Date');
  defineHidden('length', NativeDate.length);
  defineHidden('now', function now() { return clock.now; }, { writable: true });
  defineHidden('isMock', true);
  defineHidden('toString', function toString() { return NativeDate.toString(); }, { writable: true });
  return MockDate;
}

module.exports = { createMockDate };
