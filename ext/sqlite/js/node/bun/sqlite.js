// `bun:sqlite`: databases by the distribution's SQLite.
'use strict';

const { Database } = require('internal/sqlite/database');
const { Statement } = require('internal/sqlite/statement');
const { SQLiteError } = require('internal/sqlite/errors');
const { constants } = require('internal/sqlite/constants');

module.exports = { Database, SQLiteError, Statement, constants, default: Database };
