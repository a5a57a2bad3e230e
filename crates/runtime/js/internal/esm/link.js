// Linking: every import must be there, and what runs in a cycle is known. In: a record whose graph
// is loaded. Out: linked records, or the SyntaxError of a name that is not exported. Absent:
// running.
'use strict';

const { SourceRecord, NEW, LINKING, LINKED } = require('internal/esm/record');

/** Depth first, as InnerModuleLinking: cycles are the records that share an ancestor. */
function link(root) {
  const stack = [];
  try {
    visit(root, stack, 0);
  } catch (error) {
    for (const record of stack) record.status = NEW;
    throw error;
  }
}

function visit(record, stack, index) {
  if (record.status !== NEW) return index;
  record.status = LINKING;
  record.index = record.ancestor = index++;
  stack.push(record);
  for (const required of record.loaded) {
    index = visit(required, stack, index);
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
  for (const [name, [request, from]] of record.indirect) {
    if (from !== undefined) check(record, request, from, record.resolveExport(name));
  }
  for (const [request, name] of record.imports) check(record, request, name, record.loaded[request].resolveExport(name));
}

function check(record, request, name, found) {
  if (found !== null && found !== 'ambiguous') return;
  const { specifier } = record.requests[request];
  throw require('internal/esm/load_diagnostics').placed(new SyntaxError(words(record, request, name, found)), record, specifier, name);
}

function words(record, request, name, found) {
  const { specifier } = record.requests[request];
  if (found !== null) return `The requested module '${specifier}' contains conflicting star exports for name '${name}'`;
  if (record.loaded[request].isCommonJs) return require('internal/esm/load_diagnostics').withoutName(record, specifier, name);
  return `The requested module '${specifier}' does not provide an export named '${name}'`;
}

module.exports = { link };
