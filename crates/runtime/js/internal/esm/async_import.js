// `import` while hooks of `module.register` are asked: nothing waits for their answers but what
// needs them. In: specifiers. Out: promises of records, of whole graphs, of namespaces. What a
// module imports is asked for at once, all of it. Absent: where one waits (sync_hooks.js).
'use strict';

const { SOURCE } = require('internal/esm/record');
const { link } = require('internal/esm/link');
const { evaluate } = require('internal/esm/evaluate');
const namespace = require('internal/esm/namespace');
const hooks = require('internal/modules/hooks');
const hooked = require('internal/esm/sync_hooks');
const esm = require('internal/esm');

/** Records that are on their way, by the key they will have. */
const coming = new Map();

async function request(specifier, importer, attributes, phase = undefined) {
  if (phase === SOURCE) return esm.requestSource(specifier, importer);
  // Hooks that do not take their time come first, and wait for the others.
  if (hooks.has()) return hooked.request(specifier, importer, attributes);
  const given = hooked.attributesOf(attributes);
  const about = { conditions: hooked.CONDITIONS, importAttributes: given, parentURL: hooked.parentOf(importer) };
  const resolved = await hooks.provider.resolve(specifier, about);
  const { key, type, attributes: wanted } = hooked.placeOf(resolved, given);
  return esm.records.get(key) ?? coming.get(key) ?? bring(key, resolved, wanted, type);
}

function bring(key, resolved, importAttributes, type) {
  const bringing = load(resolved, importAttributes, type).then((made) => {
    // `require` may have been faster.
    const record = esm.records.get(key) ?? made;
    esm.records.set(key, record);
    return record;
  }).finally(() => coming.delete(key));
  coming.set(key, bringing);
  return bringing;
}

async function load({ url, format }, importAttributes, type) {
  return hooked.recordOf(url, await hooks.provider.load(url, { format, importAttributes }), type);
}

/** Loads all that a record imports, and what that imports. */
async function loadGraph(record, seen) {
  if (seen.has(record)) return;
  seen.add(record);
  if (record.loaded === undefined) {
    const loaded = await Promise.all(record.requests.map(({ specifier, phase, attributes }) => request(specifier, record.path ?? record.url, attributes, phase)));
    record.loaded ??= loaded;
  }
  await Promise.all(record.loaded.map((other) => loadGraph(other, seen)));
}

/** The namespace of a record, when it has run. */
async function startRecord(record) {
  const seen = new Set();
  try {
    await loadGraph(record, seen);
    link(record);
  } catch (error) {
    // What failed is asked for again the next time.
    for (const [key, other] of esm.records) if (other.status === 0 && seen.has(other)) esm.records.delete(key);
    esm.forget(record, new Set());
    throw error;
  }
  await evaluate(record).promise;
  return namespace.of(record);
}

async function start(specifier, importer, attributes) { return startRecord(await request(specifier, importer, attributes)); }

/** The same of what a program begins with. */
async function run(specifier, importer) {
  const record = await request(specifier, importer, []);
  require('internal/modules/main_module').record = record;
  return startRecord(record);
}

module.exports = { run, start, startRecord };
