// Evaluation of a linked module graph with top-level await, as in ECMA-262 (InnerModuleEvaluation,
// ExecuteAsyncModule, AsyncModuleExecutionFulfilled). In: a record. Out: a promise capability; a
// graph without top-level await is evaluated when the function returns. Absent: loading, linking.
'use strict';

const {
  SourceRecord, SyntheticRecord, SOURCE, LINKED, EVALUATING, EVALUATING_ASYNC, EVALUATED,
} = require('internal/esm/record');
const namespace = require('internal/esm/namespace');
const { withoutSource } = require('internal/esm/failure');
const { TranspilerRuntime } = require('internal/transpiler_runtime');
const loader = internalBinding('loader');

let asyncCount = 0;

/** @type {((cycle: Record[]) => void) | undefined} */
let observer;

/** `value` is called with the records of each cycle, mostly one, once they have been evaluated. */
function observe(value) { observer = value; }

/** Starts the evaluation. The record stores the error, or the promise if it awaits. */
function evaluate(record) {
  if (record.status === EVALUATING_ASYNC || record.status === EVALUATED) record = record.cycleRoot ?? record;
  if (record.capability !== undefined) return record.capability;
  const capability = record.capability = Promise.withResolvers();
  // The importer handles the rejection, so it is not unhandled.
  capability.promise.catch(() => {});
  const stack = [];
  try {
    innerModuleEvaluation(record, stack, 0);
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

function innerModuleEvaluation(record, stack, index) {
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
    index = innerModuleEvaluation(required, stack, index);
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
    observer?.(cycle);
  }
  return index;
}

// --- one record

function execute(record) {
  if (record instanceof SyntheticRecord) record.evaluate(record);
  else if (!record.isInCycle) runOnce(record);
  else startCycle(record).next();
}

/** The generator of a record in a cycle. All members get bindings and hoisted functions first. */
function startCycle(record) {
  for (const member of record.cycle) if (member instanceof SourceRecord) prepare(member);
  return record.body;
}

function inputsOf(record) {
  return record.inputs.map((row) => {
    const isNamespace = row[0];
    const request = row[1];
    const target = record.loaded[request];
    if (record.requests[request].phase === SOURCE) {
      if (target.source === undefined) throw withoutSource(record.requests[request].specifier);
      return target.source;
    }
    return isNamespace ? namespace.of(target) : bindingsOf(target, record, request);
  });
}

/** The bindings that an importer sees: the record's own, or also those that it exports again. */
function bindingsOf(record, importer, request) {
  if (record.isInCycle) prepare(record);
  // An importer in a cycle is prepared before all that it imports was evaluated.
  else if (record.bindings === undefined) instantiate(record);
  if (!(record instanceof SourceRecord) || (record.indirect.size === 0 && record.stars.length === 0)) return record.bindings;
  return forwardExports(record, importer, request);
}

/** Defines getters for what is imported: a module that collects others has very many exports. */
function forwardExports(record, importer, request) {
  const forwarded = record.forwarded ??= { __proto__: null };
  for (const [from, name] of importer.imports) {
    if (from !== request || name in forwarded) continue;
    const resolution = record.resolveExport(name);
    if (resolution === null || resolution === 'ambiguous') continue;
    Object.defineProperty(forwarded, name, getter(resolution[0], resolution[1]));
  }
  return forwarded;
}

function getter(owner, name) {
  if (name === undefined) return { __proto__: null, enumerable: true, configurable: true, get: () => namespace.of(owner) };
  const descriptor = owner.bindings && Object.getOwnPropertyDescriptor(owner.bindings, name);
  if (descriptor?.get !== undefined && !owner.isInCycle) return { __proto__: null, enumerable: true, configurable: true, get: descriptor.get };
  // A function that its module never assigns.
  if (descriptor !== undefined && !owner.isInCycle && owner instanceof SourceRecord) return { __proto__: null, enumerable: true, configurable: true, writable: true, value: descriptor.value };
  return {
    __proto__: null,
    enumerable: true,
    configurable: true,
    get() {
      if (owner.bindings === undefined) throw new ReferenceError(`Cannot access '${name}' before initialization`);
      return owner.bindings[name];
    },
  };
}

class ModuleRuntime extends TranspilerRuntime {
  #record;

  constructor(record) {
    super(record.path ?? record.url);
    this.#record = record;
  }

  // The first statement of a module with exports sets this; it is not read before.

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

  /**
   * Functions that return the values of the module's bindings, and of those that are assigned, and
   * one that assigns them.
   */
  state(all, variables, restore) { this.#record.state = { all, variables, restore }; }

  named(value) { Object.defineProperty(value, 'name', { __proto__: null, value: 'default', configurable: true }); }
}

/** The runtime object of a module in a cycle: importers read its bindings before it runs. */
class CyclicModuleRuntime extends ModuleRuntime {
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

/** The function of a module: `run`, or `steps`, a generator, for a cycle. */
function compile({ tables, path, context, contextGlobal }, form) {
  const { functions } = tables;
  const known = functions?.[form];
  if (known !== undefined) return known;
  // What was compiled in one form is parsed again for the other one.
  const id = tables.id ?? loader.parseModule(path, undefined, true, false)[0];
  tables.id = undefined;
  const compileModule = () => loader.compileModule(id, form === 'steps', context);
  const compiled = context === undefined ? compileModule() : require('internal/vm/prototypes').detached(contextGlobal, compileModule);
  if (functions !== undefined) functions[form] = compiled;
  return compiled;
}

/** First of the two steps of a record in a cycle: creates its bindings and hoisted functions. */
function prepare(record) {
  if (!record.isInCycle || record.bindings !== undefined) return;
  record.bindings = { __proto__: null };
  startBody(record);
}

/** Makes hoisted functions readable before evaluation, for a namespace that is read early. */
function instantiate(record) {
  if (record.status !== LINKED || !(record instanceof SourceRecord)) return;
  record.isInCycle = true;
  prepare(record);
}

function startBody(record, inputs = inputsOf(record)) {
  record.bindings ??= { __proto__: null };
  const runtime = new CyclicModuleRuntime(record);
  const make = compile(record, 'steps');
  record.body = make(runtime, ...inputs);
  record.body.next();
  Object.defineProperties(record.bindings, Object.getOwnPropertyDescriptors(runtime.exports));
  return record.body;
}

/**
 * Creates the bindings and hoisted functions of a record whose imports are not loaded yet. `inputs`
 * stand for what it imports.
 */
function startWithInputs(record, inputs) {
  record.isInCycle = true;
  startBody(record, inputs);
}

/** What an importer reads of a record, its request of this index. */
const importedBindings = (record, isNamespace, importer, request) => (isNamespace ? namespace.of(record) : bindingsOf(record, importer, request));

function runOnce(record) {
  const runtime = new ModuleRuntime(record);
  const run = compile(record, 'run');
  const inputs = inputsOf(record);
  record.bindings = { __proto__: null };
  try {
    return run(runtime, ...inputs);
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
  running.then(() => asyncExecutionFulfilled(record), (error) => asyncExecutionRejected(record, explain(error, record)));
}

async function runSteps(record) {
  await startCycle(record).next();
}

// --- asynchronous evaluation

function gatherAvailableAncestors(record, available) {
  for (const parent of record.parents) {
    if (available.includes(parent) || parent.cycleRoot?.error !== undefined) continue;
    parent.pending--;
    if (parent.pending !== 0) continue;
    available.push(parent);
    if (!parent.hasTopLevelAwait) gatherAvailableAncestors(parent, available);
  }
  return available;
}

function markEvaluated(record) {
  record.asyncOrder = -2;
  record.status = EVALUATED;
}

function asyncExecutionFulfilled(record) {
  if (record.status === EVALUATED) return;
  markEvaluated(record);
  record.capability?.resolve(undefined);
  const next = gatherAvailableAncestors(record, []).sort((a, b) => a.asyncOrder - b.asyncOrder);
  for (const parent of next) {
    if (parent.status === EVALUATED) continue;
    if (parent.hasTopLevelAwait) {
      executeAsync(parent);
      continue;
    }
    try {
      execute(parent);
    } catch (error) {
      asyncExecutionRejected(parent, error);
      continue;
    }
    markEvaluated(parent);
    parent.capability?.resolve(undefined);
  }
}

function asyncExecutionRejected(record, error) {
  if (record.status === EVALUATED) return;
  record.error = { value: error };
  markEvaluated(record);
  record.capability?.reject(error);
  for (const parent of record.parents) asyncExecutionRejected(parent, error);
}

module.exports = { evaluate, importedBindings, instantiate, observe, startWithInputs };
