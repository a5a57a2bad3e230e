// Automatic mocks of modules: those beside the module in `__mocks__`, else copies of its exports in
// which functions and classes are mocks. In: a module. Out: its mock's exports.
'use strict';

const { makeMock } = require('internal/expect/mock_function');

const EXTENSIONS = ['ts', 'tsx', 'js', 'jsx', 'mjs', 'cjs', 'mts', 'cts', 'json'];

/** The file of a written mock: `__mocks__/NAME` beside a file, or in the project for a package. */
function writtenMock(specifier, { path, isFile }) {
  const { existsSync } = require('fs');
  const { basename, dirname, join } = require('path');
  if (isFile && !path.includes('/node_modules/')) {
    const candidate = join(dirname(path), '__mocks__', basename(path));
    return existsSync(candidate) ? candidate : undefined;
  }
  const root = join(internalBinding('loader').currentDir(), '__mocks__', specifier.replace(/^node:/, ''));
  return EXTENSIONS.map((extension) => `${root}.${extension}`).find((candidate) => existsSync(candidate));
}

function mockOf(specifier, importer, target) {
  const written = writtenMock(specifier, target);
  if (written !== undefined) return require('internal/expect/module_mocks').requireActual(written, importer);
  return automock(require('internal/expect/module_mocks').requireActual(specifier, importer));
}

/** @param {{ spies?: boolean }} options whether functions still do what they did */
function automock(value, { spies = false } = {}, known = new Map()) {
  if (typeof value === 'function') return known.get(value) ?? mockFunction(value, spies, known);
  if (value === null || typeof value !== 'object') return value;
  if (known.has(value)) return known.get(value);
  if (Array.isArray(value)) return spies ? value : new Array();
  if (!isPlain(value) && Object.prototype.toString.call(value) !== '[object Module]' && !isInstance(value)) return value;
  const copy = Object.create(isInstance(value) ? Object.getPrototypeOf(value) : Object.prototype);
  known.set(value, copy);
  copyMembers(value, copy, spies, known);
  return copy;
}

function isPlain(value) {
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

/** An object of a class of the program. */
function isInstance(value) {
  const { constructor } = value;
  return typeof constructor === 'function' && /^class\b/.test(Function.prototype.toString.call(constructor));
}

function mockFunction(value, spies, known) {
  const mock = makeMock(spies ? value : undefined, { name: value.name });
  known.set(value, mock);
  copyMembers(value, mock, spies, known);
  if (isObject(value.prototype) && !spies) {
    mock.prototype = Object.create(Object.prototype, { constructor: { value: mock, writable: true, configurable: true } });
    copyMembers(value.prototype, mock.prototype, spies, known);
  }
  return mock;
}

const isObject = (value) => value !== null && typeof value === 'object';
const OWN = new Set(['length', 'name', 'prototype', 'arguments', 'caller', 'constructor']);

/** Members, with those of base classes. */
function copyMembers(from, to, spies, known) {
  for (let at = from; at !== null && at !== Object.prototype && at !== Function.prototype; at = Object.getPrototypeOf(at)) {
    for (const key of Reflect.ownKeys(at)) {
      if (OWN.has(key) || key in to && Object.hasOwn(to, key)) continue;
      const { value, get } = Object.getOwnPropertyDescriptor(at, key);
      const isNamespace = Object.prototype.toString.call(from) === '[object Module]';
      if (get !== undefined && !isNamespace) continue;
      if (key === Symbol.toStringTag) continue;
      Object.defineProperty(to, key, { __proto__: null, value: automock(value, { spies }, known), writable: true, enumerable: true, configurable: true });
    }
  }
}

module.exports = { automock, mockOf };
