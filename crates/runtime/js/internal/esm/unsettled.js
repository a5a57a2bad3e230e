// What a program still waits for when nothing can come any more: modules whose `await` nobody
// answers. In: the record that the program began with. Out: a line for each on stderr, with its
// place where the module awaits at one alone. Absent: the exit code.
'use strict';

const { EVALUATING_ASYNC } = require('internal/esm/record');

/** Those that run: all that they import has. */
function find(record, seen, found) {
  if (seen.has(record) || record.status !== EVALUATING_ASYNC) return found;
  seen.add(record);
  for (const other of record.loaded) find(other, seen, found);
  if (record.hasTopLevelAwait && record.pending === 0) found.push(record);
  return found;
}

function describe(record, text) {
  const source = text ?? internalBinding('loader').read(record.path);
  const places = internalBinding('loader').awaitPositions(record.path ?? record.url, source);
  const beginning = `Warning: Detected unsettled top-level await at ${record.url}`;
  if (places.length !== 2) return beginning;
  const [line, column] = places;
  const shown = source.split('\n')[line - 1];
  return `${beginning}:${line}\n${shown}\n${shown.slice(0, column).replaceAll(/[^\t]/g, ' ')}^\n\n\n`;
}

function tell({ record, text }) {
  for (const waiting of find(record, new Set(), [])) {
    let told;
    try {
      told = describe(waiting, waiting === record ? text : undefined);
    } catch {
      // Its text is nowhere any more.
      told = `Warning: Detected unsettled top-level await at ${waiting.url}`;
    }
    require('process')._rawDebug(told);
  }
}

module.exports = { tell };
