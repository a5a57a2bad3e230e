// Test files with mocks of modules that run before the file's imports, as in jest and vitest:
// `vi.mock`, `jest.mock`, `vi.hoisted`. In: a path. Out: the file's record, its mocks in effect,
// its imports not loaded yet; undefined for any other file. Absent: finding the calls
// (crates/transpile, hoisted_mocks.rs).
'use strict';

const esm = require('internal/esm');
const { SourceRecord } = require('internal/esm/record');
const { toUrl } = require('internal/modules/file_url');

/** The words of such a file. */
const WORDS = /\b(?:jest|vi)\s*\.\s*(?:mock|unmock|deepUnmock|hoisted)\b/;
const PREFIX = '$hoisted';

async function prepare(path) {
  const loader = internalBinding('loader');
  const source = loader.read(path);
  if (!WORDS.test(source)) return undefined;
  const edited = internalBinding('expect').hoistMocks(source, path);
  if (edited === undefined) return undefined;
  const record = new SourceRecord(toUrl(path), path, loader.parseModule(path, edited, true, false));
  esm.records.set(record.url, record);
  await runHoisted(record);
  return record;
}

/** Creates the functions of the file without its imports, and calls those that are hoisted. */
async function runHoisted(record) {
  const { startWithInputs } = require('internal/esm/evaluate');
  const isLoaded = () => record.loaded !== undefined;
  const inputs = record.inputs.map(([isNamespace, request]) => lazyInput(record, isNamespace, request, isLoaded));
  startWithInputs(record, inputs);
  const names = [...record.exports].filter((name) => name.startsWith(PREFIX));
  const number = (name) => Number(name.slice(PREFIX.length));
  for (const name of names.sort((a, b) => number(a) - number(b))) await record.bindings[name]();
}

/** The bindings of an import: of builtins at once, of all others when they are loaded. */
function lazyInput(record, isNamespace, request, isLoaded) {
  const { specifier, attributes } = record.requests[request];
  const { isBuiltin } = require('internal/builtin_list');
  const isOfRunner = isBuiltin(specifier) || specifier === 'vitest' || specifier === '@jest/globals';
  const read = () => {
    const { importedBindings } = require('internal/esm/evaluate');
    if (isLoaded()) return importedBindings(record.loaded[request], isNamespace, record, request);
    if (!isOfRunner) throw new ReferenceError(`a mock that is hoisted above the imports cannot use \`${specifier}\`; import it in the factory`);
    const other = esm.requestNow(specifier, record.path, attributes);
    return importedBindings(other, isNamespace, record, request);
  };
  return new Proxy({ __proto__: null }, {
    __proto__: null,
    get: (_, key) => read()[key],
    has: (_, key) => key in read(),
    ownKeys: () => Reflect.ownKeys(read()),
    getOwnPropertyDescriptor: (_, key) => {
      const own = Reflect.getOwnPropertyDescriptor(read(), key);
      return own === undefined ? undefined : { __proto__: null, value: read()[key], writable: true, enumerable: own.enumerable, configurable: true };
    },
  });
}

module.exports = { prepare };
