// Warning of unsettled top-level awaits, when the loop has ended. In: the record of the entry
// point. Out: a line on stderr for each suspended module, with the position if the module has one
// await only. Absent: the exit code.
'use strict';

const { EVALUATING_ASYNC } = require('internal/esm/record');

/** The suspended modules: all that they import was evaluated. */
function suspended(record, visited, found) {
  if (visited.has(record) || record.status !== EVALUATING_ASYNC) return found;
  visited.add(record);
  for (const other of record.loaded) suspended(other, visited, found);
  if (record.hasTopLevelAwait && record.pending === 0) found.push(record);
  return found;
}

function describe(record, text) {
  const source = text ?? internalBinding('loader').read(record.path);
  const positions = internalBinding('loader').awaitPositions(record.path ?? record.url, source);
  const warning = `Warning: Detected unsettled top-level await at ${record.url}`;
  if (positions.length !== 2) return warning;
  const [line, column] = positions;
  const sourceLine = source.split('\n')[line - 1];
  return `${warning}:${line}\n${sourceLine}\n${sourceLine.slice(0, column).replaceAll(/[^\t]/g, ' ')}^\n\n\n`;
}

function warn({ record, source }) {
  for (const module of suspended(record, new Set(), [])) {
    let message;
    try {
      message = describe(module, module === record ? source : undefined);
    } catch {
      // Its source is not available any more.
      message = `Warning: Detected unsettled top-level await at ${module.url}`;
    }
    require('process')._rawDebug(message);
  }
}

module.exports = { warn };
