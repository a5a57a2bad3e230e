// Content types of files by their names.
'use strict';

function typeOfPath(path) {
  return path.endsWith('.map') ? 'application/json' : require('internal/bun/mime').typeOfPath(path);
}

module.exports = { typeOfPath };
