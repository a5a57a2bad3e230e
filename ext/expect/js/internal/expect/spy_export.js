// `spyOn(namespace, 'name')`: mocks in place of exports of modules. In: a namespace object, a name.
// Out: a mock that all importers see, until it is restored or the file ends; the module itself does
// not. Absent: modules that are mocked as a whole (module_mocks.js).
'use strict';

const { makeMock, isSpy } = require('internal/expect/mock_function');
const { state } = require('internal/expect/state');

/** The record that has the binding, and its name there. */
function locate(namespace, key) {
  const { recordOf } = require('internal/esm/namespace');
  const resolution = typeof key === 'string' ? recordOf(namespace).resolveExport(key) : null;
  if (!Array.isArray(resolution)) throw new TypeError(`Cannot spy on \`${String(key)}\`: the module has no such export`);
  if (resolution[1] === undefined) throw new TypeError(`Cannot spy on \`${key}\`: it is the namespace of a module`);
  return resolution;
}

/** @param {'get' | 'set'} [access] as of `spyOn` */
function spyOnExport(namespace, key, access) {
  if (access === 'set') throw new TypeError(`Cannot spy on \`${String(key)}\`: exports of a module have no setter`);
  const [owner, name] = locate(namespace, key);
  const original = namespace[key];
  if (isSpy(original)) return original;
  const isMethod = typeof original === 'function' && access === undefined;
  const undo = [];
  const restore = () => {
    for (const each of undo.reverse()) each();
    state.cleanups.delete(restore);
  };
  const spy = makeMock(undefined, { original: isMethod ? original : () => original, restore, name: key });
  if (isMethod) require('internal/expect/spy').copyStatics(spy, original);
  replaceExport(owner, name, isMethod ? () => spy : () => spy(), undo);
  state.cleanups.add(restore);
  return spy;
}

/** Importers have the binding itself, or getters of modules that export it again. */
function replaceExport(owner, name, get, undo) {
  replaceBinding(owner.bindings, name, get, undo);
  const { records } = require('internal/esm');
  for (const other of records.values()) {
    for (const key of Object.keys(other.forwarded ?? {})) {
      const [record, from] = other.resolveExport(key) ?? [];
      if (record === owner && from === name) replaceBinding(other.forwarded, key, get, undo);
    }
  }
}

function replaceBinding(target, name, get, undo) {
  const before = Object.getOwnPropertyDescriptor(target, name);
  if (before?.configurable === false) throw new TypeError(`Cannot spy on \`${name}\`: the export is not configurable`);
  Object.defineProperty(target, name, { __proto__: null, get, enumerable: true, configurable: true });
  undo.push(() => { if (before === undefined) delete target[name]; else Object.defineProperty(target, name, before); });
}

module.exports = { spyOnExport };
