// Linking of a module graph, as in ECMA-262 (InnerModuleLinking): checks that every imported name
// is exported, and finds the cycles. In: a record whose graph is loaded. Out: linked records, or a
// SyntaxError. Absent: evaluation.
'use strict';

const { SourceRecord, isTypeScript, NEW, LINKING, LINKED, EVALUATED } = require('internal/esm/record');

/** Depth first (Tarjan): records of a cycle share an ancestor. */
function link(root) {
  const stack = [];
  try {
    innerModuleLinking(root, stack, 0);
  } catch (error) {
    for (const record of stack) record.status = NEW;
    throw error;
  }
}

function innerModuleLinking(record, stack, index) {
  if (record.status !== NEW) return index;
  record.status = LINKING;
  record.index = record.ancestor = index++;
  stack.push(record);
  for (const required of record.loaded) {
    index = innerModuleLinking(required, stack, index);
    if (required.status === LINKING) {
      record.ancestor = Math.min(record.ancestor, required.ancestor);
      if (required === record) record.isInCycle = true;
    }
  }
  if (record instanceof SourceRecord) checkNames(record);
  if (record.ancestor === record.index) {
    const from = stack.lastIndexOf(record);
    const cycle = stack.splice(from);
    for (const member of cycle) {
      member.status = LINKED;
      if (cycle.length > 1) member.isInCycle = true;
      member.cycle = cycle;
    }
  }
  return index;
}

function checkNames(record) {
  if (awaitsNames) awaitNamesOf(record);
  for (const [name, [request, from]] of record.indirect) {
    if (from === undefined) continue;
    const resolution = record.resolveExport(name);
    if (resolution === null && isTypeScript(record) && isTypeScript(record.loaded[request])) record.indirect.delete(name);
    else check(record, request, from, resolution);
  }
  const { imports, loaded } = record;
  for (let index = 0; index < imports.length; index++) {
    const request = imports[index][0];
    const name = imports[index][1];
    check(record, request, name, loaded[request].resolveExport(name));
  }
}

function check(record, request, name, resolution) {
  if (resolution !== null && resolution !== 'ambiguous') return;
  throw errorOf(record, request, name, resolution);
}

function errorOf(record, request, name, resolution) {
  const { specifier } = record.requests[request];
  return require('internal/esm/load_diagnostics').withImportPosition(new SyntaxError(messageOf(record, request, name, resolution)), record, specifier, name);
}

function messageOf(record, request, name, resolution) {
  const { specifier } = record.requests[request];
  if (resolution !== null) return `The requested module '${specifier}' contains conflicting star exports for name '${name}'`;
  if (record.loaded[request].isCommonJs) return require('internal/esm/load_diagnostics').missingNamedExport(record, specifier, name);
  return `The requested module '${specifier}' does not provide an export named '${name}'`;
}

/** Whether names of CommonJS that were not detected are looked for when it has been evaluated. */
let awaitsNames = false;

/** As in bun, and in vitest and jest, which compile tests. Node throws before anything runs. */
function awaitNames() { awaitsNames = true; }

function awaitNamesOf(record) {
  const { imports } = record;
  for (let index = 0; index < imports.length; index++) awaitName(record, imports[index][0], imports[index][1]);
  for (const [request, from] of record.indirect.values()) if (from !== undefined) awaitName(record, request, from);
}

function awaitName(record, request, name) {
  const target = record.loaded[request];
  if (!target.isCommonJs || target.names.has(name) || isTypeScript(target)) return;
  const fail = () => { throw errorOf(record, request, name, null); };
  if (target.status === EVALUATED) require('internal/esm/synthetic').fillName(target, name, fail);
  else (target.awaited ??= new Map()).set(name, fail);
  target.names.add(name);
}

module.exports = { awaitNames, link };
