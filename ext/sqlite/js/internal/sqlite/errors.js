// Errors of SQLite: its result codes by name.
'use strict';

const PRIMARY = ['OK', 'ERROR', 'INTERNAL', 'PERM', 'ABORT', 'BUSY', 'LOCKED', 'NOMEM', 'READONLY', 'INTERRUPT', 'IOERR', 'CORRUPT', 'NOTFOUND', 'FULL', 'CANTOPEN', 'PROTOCOL', 'EMPTY', 'SCHEMA', 'TOOBIG', 'CONSTRAINT', 'MISMATCH', 'MISUSE', 'NOLFS', 'AUTH', 'FORMAT', 'RANGE', 'NOTADB', 'NOTICE', 'WARNING'];
/** Extended codes: their number above the primary one is the index. */
const EXTENDED = {
  ERROR: ['MISSING_COLLSEQ', 'RETRY', 'SNAPSHOT'],
  ABORT: ['', 'ROLLBACK'],
  BUSY: ['RECOVERY', 'SNAPSHOT', 'TIMEOUT'],
  LOCKED: ['SHAREDCACHE', 'VTAB'],
  READONLY: ['RECOVERY', 'CANTLOCK', 'ROLLBACK', 'DBMOVED', 'CANTINIT', 'DIRECTORY'],
  IOERR: ['READ', 'SHORT_READ', 'WRITE', 'FSYNC', 'DIR_FSYNC', 'TRUNCATE', 'FSTAT', 'UNLOCK', 'RDLOCK', 'DELETE', 'BLOCKED', 'NOMEM', 'ACCESS', 'CHECKRESERVEDLOCK', 'LOCK', 'CLOSE', 'DIR_CLOSE', 'SHMOPEN', 'SHMSIZE', 'SHMLOCK', 'SHMMAP', 'SEEK', 'DELETE_NOENT', 'MMAP', 'GETTEMPPATH', 'CONVPATH', 'VNODE', 'AUTH', 'BEGIN_ATOMIC', 'COMMIT_ATOMIC', 'ROLLBACK_ATOMIC', 'DATA', 'CORRUPTFS', 'IN_PAGE'],
  CORRUPT: ['VTAB', 'SEQUENCE', 'INDEX'],
  CANTOPEN: ['NOTEMPDIR', 'ISDIR', 'FULLPATH', 'CONVPATH', 'DIRTYWAL', 'SYMLINK'],
  CONSTRAINT: ['CHECK', 'COMMITHOOK', 'FOREIGNKEY', 'FUNCTION', 'NOTNULL', 'PRIMARYKEY', 'TRIGGER', 'UNIQUE', 'VTAB', 'ROWID', 'PINNED', 'DATATYPE'],
  AUTH: ['USER'],
  NOTICE: ['RECOVER_WAL', 'RECOVER_ROLLBACK', 'RBU'],
  WARNING: ['AUTOINDEX'],
};

/** `SQLITE_CONSTRAINT_UNIQUE` of 2067. */
function codeName(code) {
  const primary = PRIMARY[code & 0xff];
  if (primary === undefined) return undefined;
  const detail = EXTENDED[primary]?.[(code >> 8) - 1];
  return detail ? `SQLITE_${primary}_${detail}` : `SQLITE_${primary}`;
}

let mayConstruct = false;

class SQLiteError extends Error {
  constructor(message) {
    if (!mayConstruct) throw new TypeError('SQLiteError can only be constructed by bun:sqlite');
    super(message);
    this.name = 'SQLiteError';
  }
}

/** The error of a result code; 0: the library is missing. */
function makeError(message, code, byteOffset) {
  if (code === 0) return new Error(message);
  mayConstruct = true;
  const error = new SQLiteError(message);
  mayConstruct = false;
  error.errno = code;
  error.byteOffset = byteOffset;
  error.code = codeName(code);
  return error;
}

module.exports = { SQLiteError, codeName, makeError };
