// Asynchronous import through the hooks of `module.register`. In: specifiers. Out: promises of
// records, loaded graphs and namespaces. All imports of a module are requested concurrently.
// Absent: hooks that are waited for (sync_hooks.js).
'use strict';

const { SOURCE } = require('internal/esm/record');
const { link } = require('internal/esm/link');
const { evaluate } = require('internal/esm/evaluate');
const namespace = require('internal/esm/namespace');
const hooks = require('internal/modules/hooks');
const syncHooks = require('internal/esm/sync_hooks');
const esm = require('internal/esm');

/** Promises of records that are being loaded, by their key in the module map. */
const pending = new Map();

async function request(specifier, importer, attributes, phase = undefined) {
  if (phase === SOURCE) return esm.requestSource(specifier, importer);
  // Synchronous hooks run first, and wait for the asynchronous ones. Plugins are both: here they
  // are asynchronous.
  if (hooks.has() && !hooks.asyncHooks.arePlugins) return syncHooks.request(specifier, importer, attributes);
  const importAttributes = syncHooks.attributesOf(attributes);
  const context = { conditions: syncHooks.CONDITIONS, importAttributes: importAttributes, parentURL: syncHooks.parentOf(importer) };
  const resolved = await hooks.asyncHooks.resolve(specifier, context);
  const { key, type, attributes: finalAttributes } = syncHooks.keyOf(resolved, importAttributes);
  return esm.records.get(key) ?? pending.get(key) ?? loadOnce(key, resolved, finalAttributes, type);
}

function loadOnce(key, resolved, importAttributes, type) {
  const loading = load(resolved, importAttributes, type).then((loaded) => {
    // `require` may have loaded it meanwhile.
    const record = esm.records.get(key) ?? loaded;
    esm.records.set(key, record);
    return record;
  }).finally(() => pending.delete(key));
  pending.set(key, loading);
  return loading;
}

async function load({ url, format }, importAttributes, type) {
  return syncHooks.recordOf(url, await hooks.asyncHooks.load(url, { format, importAttributes }), type);
}

/** Loads the graph of a record. */
async function loadGraph(record, visited) {
  if (visited.has(record)) return;
  visited.add(record);
  if (record.loaded === undefined) {
    const loaded = await Promise.all(record.requests.map(({ specifier, phase, attributes }) => request(specifier, record.path ?? record.url, attributes, phase)));
    record.loaded ??= loaded;
  }
  await Promise.all(record.loaded.map((other) => loadGraph(other, visited)));
}

/** A promise of the namespace of a record, once it was evaluated. */
async function startRecord(record) {
  const visited = new Set();
  try {
    await loadGraph(record, visited);
    link(record);
  } catch (error) {
    // The next import retries.
    for (const [key, other] of esm.records) if (other.status === 0 && visited.has(other)) esm.records.delete(key);
    esm.discard(record, new Set());
    throw error;
  }
  await evaluate(record).promise;
  return namespace.of(record);
}

async function start(specifier, importer, attributes) { return startRecord(await request(specifier, importer, attributes)); }

/** Runs the entry point. */
async function run(specifier, importer) {
  const record = await request(specifier, importer, []);
  require('internal/modules/main_module').record = record;
  return startRecord(record);
}

module.exports = { run, start, startRecord };
