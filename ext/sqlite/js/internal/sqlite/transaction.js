// `db.transaction(f)`: a function that runs `f` in a transaction, or in a savepoint of the one that
// is open. It commits when `f` returns and rolls back when `f` throws.
'use strict';

let depth = 0;

function begin(database, kind) {
  if (!database.inTransaction) {
    database.run(kind === '' ? 'BEGIN' : `BEGIN ${kind}`);
    return { commit: 'COMMIT', undo: ['ROLLBACK'] };
  }
  const name = `"rusk ${++depth}"`;
  database.run(`SAVEPOINT ${name}`);
  return { commit: `RELEASE ${name}`, undo: [`ROLLBACK TO ${name}`, `RELEASE ${name}`] };
}

function makeTransaction(database, body) {
  if (typeof body !== 'function') throw new TypeError('Expected first argument to be a function');
  const make = (kind) => function transaction(...parameters) {
    const { commit, undo } = begin(database, kind);
    try {
      const result = Reflect.apply(body, this, parameters);
      database.run(commit);
      return result;
    } catch (error) {
      // An error such as SQLITE_FULL has rolled back already.
      if (database.inTransaction) undo.forEach((sql) => database.run(sql));
      throw error;
    }
  };
  const kinds = { default: make(''), deferred: make('DEFERRED'), immediate: make('IMMEDIATE'), exclusive: make('EXCLUSIVE') };
  for (const one of Object.values(kinds)) {
    for (const [kind, other] of Object.entries(kinds)) Object.defineProperty(one, kind, { value: other });
    Object.defineProperty(one, 'database', { value: database });
  }
  return kinds.default;
}

module.exports = { makeTransaction };
