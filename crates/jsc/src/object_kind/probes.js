// Probe objects of object_kind.rs: a list per kind, in its order; then ones with internal fields.
(function () {
  'use strict';
  const sloppy = Function('a', 'return arguments');
  const captured = Function('a', 'function f() { return a; } f(); return [arguments, f][0]');
  const nothing = function () {};
  const target = {};
  const handler = {};
  const revocable = Proxy.revocable({}, {});
  revocable.revoke();
  const value = {};
  const rejected = Promise.reject(value);
  rejected.then(undefined, nothing);
  const map = new Map([[1, 2]]);
  const set = new Set([1]);
  const typed = Object.getOwnPropertyNames(globalThis).filter((name) => /^(?:Big)?(?:Int|Uint|Float)\d+(?:Clamped)?Array$/.test(name));
  return [
    [{}, [], new (class {})(), Object.create(null), Object.create(target), new (class extends Array {})(), [][Symbol.iterator](), ''[Symbol.iterator](),
      new (class extends Object {})(), nothing, () => 0, class {}, async function () {}, Math.max, Map, Math, JSON, globalThis,
      new FinalizationRegistry(nothing), new Intl.Collator()],
    [new Proxy({}, {}), new Proxy(nothing, {}), new Proxy([], {}), revocable.proxy],
    [map, new (class extends Map {})()],
    [set, new (class extends Set {})()],
    [new WeakMap()],
    [new WeakSet()],
    [map.keys(), map.entries()],
    [set.keys(), set.entries()],
    [rejected, new (class extends Promise {})(nothing)],
    [new Date(0)],
    [/a/, new RegExp('b')],
    [new Error('e'), new TypeError('e'), new AggregateError([], 'e'), new (class extends Error {})('e')],
    [new ArrayBuffer(1), ...typeof SharedArrayBuffer === 'undefined' ? [] : [new SharedArrayBuffer(1)]],
    [new DataView(new ArrayBuffer(1))],
    typed.map((name) => new globalThis[name](1)),
    [sloppy(1), captured(1), (function () { return arguments; })(1)],
    [Object(1)],
    [Object('a'), new (class extends String {})('a')],
    [Object(true)],
    [Object(Symbol())],
    [Object(1n)],
    [(function* () {})(), (async function* () {})()],
    [new WeakRef(target)],
    [new Proxy(target, handler), target, handler, revocable.proxy],
    [new Promise(nothing), Promise.resolve(value), rejected, value],
    [map, map.keys(), map.values(), map.entries(), set, set.values(), set.entries()],
    [new Uint8Array(1), new Uint8Array(2), Object.assign(new Uint8Array(1), { name: 1 })],
  ];
})();
