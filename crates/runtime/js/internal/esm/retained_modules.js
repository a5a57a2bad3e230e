// Retained modules: records that a program before this one has evaluated, and that are as they were
// after that. In: records, which import only each other and what the module map has. Out: records
// for the module map of the next program. Absent: how it is known that nothing of them has changed
// (ext/test_runner).
'use strict';

const { SourceRecord } = require('internal/esm/record');

class RetainedModules {
  /** By URL. @type {Map<string, SourceRecord>} */
  #records;
  /** Whether it has all that it was made with. */
  isWhole = true;

  /** @param {Map<string, SourceRecord>} records */
  constructor(records) { this.#records = records; }

  /**
   * Adds a record and all that it imports to the module map.
   * @param {Map<string, Record>} map the module map
   * @param {import('./kept_modules').KeptModules} kept
   * @returns {SourceRecord | undefined} undefined: it is not retained, or the file of one of these
   *   has changed
   */
  take(url, map, kept) {
    const record = this.#records.get(url);
    if (record === undefined) return undefined;
    const graph = new Set([record]);
    for (const { loaded } of graph) for (const other of loaded) if (map.get(other.url) !== other) graph.add(other);
    for (const member of graph) {
      const isSame = member instanceof SourceRecord && !map.has(member.url) && kept.isCurrent(member);
      if (isSame) continue;
      this.#remove(member);
      return undefined;
    }
    for (const member of graph) map.set(member.url, member);
    return record;
  }

  /** Removes a record and all that import it. */
  #remove(record) {
    this.isWhole = false;
    const removed = new Set([record]);
    for (let count = 0; count !== removed.size;) {
      count = removed.size;
      for (const other of this.#records.values()) if (other.loaded.some((imported) => removed.has(imported))) removed.add(other);
    }
    for (const { url } of removed) this.#records.delete(url);
  }
}

module.exports = { RetainedModules };
