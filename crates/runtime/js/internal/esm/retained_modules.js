// Retained modules: records that a program before this one has evaluated, and that are as they were
// after that. In: records, which import only each other and what the module map has. Out: records
// for the module map of the next program. Absent: how it is known that nothing of them has changed
// (ext/test_runner).
'use strict';

const { SourceRecord } = require('internal/esm/record');

/** What a module leads to. */
class Graph {
  /** Modules that are retained, itself included. @type {SourceRecord[]} */
  members = [];
  /** Modules of the runner. @type {Record[]} */
  others = [];
  /** What `fileChanges` of the loader had returned when all files were the same. */
  checkedAt = -1;

  /** @param {SourceRecord} root */
  constructor(root) {
    const found = new Set([root]);
    for (const record of found) {
      if (!(record instanceof SourceRecord)) {
        this.others.push(record);
        continue;
      }
      this.members.push(record);
      for (const other of record.loaded) found.add(other);
    }
  }
}

class RetainedModules {
  /** By URL. @type {Map<string, SourceRecord>} */
  #records;
  /** Those of records that were taken, by URL. @type {Map<string, Graph>} */
  #graphs = new Map();
  /** Whether it has all that it was made with. */
  isWhole = true;

  /** @param {Map<string, SourceRecord>} records */
  constructor(records) { this.#records = records; }

  /**
   * Adds a record and all that it imports to the module map.
   * @param {Map<string, Record>} map the module map
   * @param {import('./kept_modules').KeptModules} kept
   * @param {number} changes what `fileChanges` of the loader has returned just now
   * @returns {SourceRecord | undefined} undefined: it is not retained, or the file of one of these
   *   has changed
   */
  take(url, map, kept, changes) {
    const record = this.#records.get(url);
    if (record === undefined) return undefined;
    let graph = this.#graphs.get(url);
    if (graph === undefined) this.#graphs.set(url, graph = new Graph(record));
    const wrong = this.#findWrong(graph, map, kept, changes);
    if (wrong !== undefined) {
      this.#remove(wrong);
      return undefined;
    }
    const { members } = graph;
    for (let index = 0; index < members.length; index++) map.set(members[index].url, members[index]);
    return record;
  }

  /** A module that is another one now, or whose file has changed. */
  #findWrong(graph, map, kept, changes) {
    const { members, others } = graph;
    for (let index = 0; index < others.length; index++) if (map.get(others[index].url) !== others[index]) return others[index];
    for (let index = 0; index < members.length; index++) {
      const known = map.get(members[index].url);
      if (known !== undefined && known !== members[index]) return members[index];
    }
    if (graph.checkedAt === changes) return undefined;
    for (let index = 0; index < members.length; index++) if (!kept.isCurrent(members[index], changes)) return members[index];
    graph.checkedAt = changes;
    return undefined;
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
