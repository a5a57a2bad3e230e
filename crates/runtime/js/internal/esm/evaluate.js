// Running a linked graph in the order of the specification, `await` outside of functions included
// (InnerModuleEvaluation, ExecuteAsyncModule and what follows them). In: a record. Out: a promise
// of it having run; for a graph without such an `await`, everything has run when it returns.
// Absent: loading, linking.
'use strict';

const {
  SourceRecord, SyntheticRecord, SOURCE, LINKED, EVALUATING, EVALUATING_ASYNC, EVALUATED,
} = require('internal/esm/record');
const namespace = require('internal/esm/namespace');
const { withoutSource } = require('internal/esm/failure');
const { Own } = require('internal/transpiler_runtime');
const loader = internalBinding('loader');
const Promise = require('internal/esm/promise');

let asyncCount = 0;

/** Begins to run it; what it throws, or a promise where it awaits, is left in the record. */
function evaluate(record) {
  if (record.status === EVALUATING_ASYNC || record.status === EVALUATED) record = record.cycleRoot ?? record;
  if (record.capability !== undefined) return record.capability;
  const capability = record.capability = Promise.withResolvers();
  // The importer handles the rejection, so it is not unhandled.
  capability.promise.catch(() => {});
  const stack = [];
  try {
    visit(record, stack, 0);
    if (record.status === EVALUATED) capability.resolve(undefined);
  } catch (error) {
    for (const member of stack) {
      member.status = EVALUATED;
      member.error = { value: error };
    }
    capability.reject(error);
  }
  return capability;
}

function visit(record, stack, index) {
  if (record.status === EVALUATING_ASYNC || record.status === EVALUATED) {
    if (record.error !== undefined) throw record.error.value;
    return index;
  }
  if (record.status === EVALUATING) return index;
  record.status = EVALUATING;
  record.index = record.ancestor = index++;
  record.pending = 0;
  stack.push(record);
  for (let required of record.loaded) {
    index = visit(required, stack, index);
    if (required.status === EVALUATING) {
      record.ancestor = Math.min(record.ancestor, required.ancestor);
    } else {
      required = required.cycleRoot ?? required;
      if (required.error !== undefined) throw required.error.value;
    }
    if (required.asyncOrder > -1 && required.status !== EVALUATED) {
      record.pending++;
      required.parents.push(record);
    }
  }
  if (record.pending > 0 || record.hasTopLevelAwait) {
    record.asyncOrder = asyncCount++;
    if (record.pending === 0) executeAsync(record);
  } else {
    execute(record);
  }
  if (record.ancestor === record.index) {
    const cycle = stack.splice(stack.lastIndexOf(record));
    for (const member of cycle) {
      member.status = member.asyncOrder > -1 ? EVALUATING_ASYNC : EVALUATED;
      member.cycleRoot = record;
    }
  }
  return index;
}

// --- one record

function execute(record) {
  if (record instanceof SyntheticRecord) record.evaluate(record);
  else if (!record.isInCycle) runOnce(record);
  else bodyOf(record).next();
}

/** All of a cycle have their bindings and hoisted functions before one of them runs. */
function bodyOf(record) {
  for (const member of record.cycle) if (member instanceof SourceRecord) prepare(member);
  return record.body;
}

function inputsOf(record) {
  return record.inputs.map(([isNamespace, request]) => {
    const target = record.loaded[request];
    if (record.requests[request].phase === SOURCE) {
      if (target.source === undefined) throw withoutSource(record.requests[request].specifier);
      return target.source;
    }
    return isNamespace ? namespace.of(target) : bindingsOf(target);
  });
}

/** The bindings that importers see: its own, and those it passes on. */
function bindingsOf(record) {
  if (record.isInCycle) prepare(record);
  // One of a cycle is made ready before all that it imports has run.
  else if (record.bindings === undefined) instantiate(record);
  if (record.passes === undefined && record instanceof SourceRecord) passOn(record);
  return record.passes ?? record.bindings;
}

/** Where nothing is passed on, a record's own bindings are all. */
function passOn(record) {
  if (record.indirect.size === 0 && record.stars.length === 0) return;
  const passes = record.passes = { __proto__: null };
  for (const name of record.exportedNames()) {
    const found = record.resolveExport(name);
    if (found === null || found === 'ambiguous') continue;
    const [owner, from] = found;
    Object.defineProperty(passes, name, getter(owner, from));
  }
}

function getter(owner, name) {
  if (name === undefined) return { __proto__: null, enumerable: true, get: () => namespace.of(owner) };
  const own = owner.bindings && Object.getOwnPropertyDescriptor(owner.bindings, name);
  if (own?.get !== undefined && !owner.isInCycle) return { __proto__: null, enumerable: true, get: own.get };
  return {
    __proto__: null,
    enumerable: true,
    get() {
      if (owner.bindings === undefined) throw new ReferenceError(`Cannot access '${name}' before initialization`);
      return owner.bindings[name];
    },
  };
}

class ModuleOwn extends Own {
  #record;

  constructor(record) {
    super(record.path ?? record.url);
    this.#record = record;
  }

  // Set by the first line of a module with exports; it is not read before.

  get exports() { return this.#record.bindings; }

  set exports(value) { this.#record.bindings = value; }

  get meta() { return this.#record.meta ??= metaOf(this.#record); }

  import(specifier, options) {
    const { importDynamic } = this.#record;
    return importDynamic === undefined ? super.import(specifier, options) : importDynamic(specifier, options);
  }

  source(specifier) {
    return this.#record.importDynamic === undefined ? super.source(specifier) : Promise.reject(withoutSource(specifier));
  }

  get readonly() { return undefined; }

  set readonly(value) { throw new TypeError('Assignment to constant variable.'); }

  named(value) { Object.defineProperty(value, 'name', { __proto__: null, value: 'default', configurable: true }); }
}

/** Whose bindings are handed out before its first line has run. */
class CycleOwn extends ModuleOwn {
  #exports = { __proto__: null };

  get exports() { return this.#exports; }

  set exports(value) { this.#exports = value; }
}

function metaOf(record) {
  if (record.fillMeta === undefined) return require('internal/esm').makeMeta(record);
  const meta = { __proto__: null };
  record.fillMeta(meta);
  return meta;
}

/** A record in a cycle is made in two steps: bindings first, for all of the cycle. */
function prepare(record) {
  if (!record.isInCycle || record.bindings !== undefined) return;
  record.bindings = { __proto__: null };
  enter(record);
}

/** A module is read before it was evaluated: hoisted functions have their values. */
function instantiate(record) {
  if (record.status !== LINKED || !(record instanceof SourceRecord)) return;
  record.isInCycle = true;
  prepare(record);
}

function enter(record) {
  record.bindings ??= { __proto__: null };
  const own = new CycleOwn(record);
  const make = loader.compileModule(record.id, true, record.context);
  record.body = make(own, ...inputsOf(record));
  record.body.next();
  Object.defineProperties(record.bindings, Object.getOwnPropertyDescriptors(own.exports));
  return record.body;
}

function runOnce(record) {
  const own = new ModuleOwn(record);
  const run = loader.compileModule(record.id, false, record.context);
  const inputs = inputsOf(record);
  record.bindings = { __proto__: null };
  try {
    return run(own, ...inputs);
  } catch (error) {
    throw explain(error, record);
  }
}

function explain(error, record) {
  return error instanceof ReferenceError ? require('internal/esm/load_diagnostics').ofModule(error, record) : error;
}

function executeAsync(record) {
  let running;
  try {
    running = record.isInCycle ? runSteps(record) : runOnce(record);
  } catch (error) {
    running = Promise.reject(error);
  }
  running.then(() => fulfilled(record), (error) => rejected(record, explain(error, record)));
}

async function runSteps(record) {
  await bodyOf(record).next();
}

// --- what happens when an asynchronous one has run

function gather(record, found) {
  for (const parent of record.parents) {
    if (found.includes(parent) || parent.cycleRoot?.error !== undefined) continue;
    parent.pending--;
    if (parent.pending !== 0) continue;
    found.push(parent);
    if (!parent.hasTopLevelAwait) gather(parent, found);
  }
  return found;
}

function settle(record) {
  record.asyncOrder = -2;
  record.status = EVALUATED;
}

function fulfilled(record) {
  if (record.status === EVALUATED) return;
  settle(record);
  record.capability?.resolve(undefined);
  const next = gather(record, []).sort((a, b) => a.asyncOrder - b.asyncOrder);
  for (const parent of next) {
    if (parent.status === EVALUATED) continue;
    if (parent.hasTopLevelAwait) {
      executeAsync(parent);
      continue;
    }
    try {
      execute(parent);
    } catch (error) {
      rejected(parent, error);
      continue;
    }
    settle(parent);
    parent.capability?.resolve(undefined);
  }
}

function rejected(record, error) {
  if (record.status === EVALUATED) return;
  record.error = { value: error };
  settle(record);
  record.capability?.reject(error);
  for (const parent of record.parents) rejected(parent, error);
}

module.exports = { evaluate, instantiate };
