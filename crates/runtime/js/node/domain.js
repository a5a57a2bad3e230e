// `node:domain`: errors of many callbacks in one place, which Node advises against. Domains are not there, and say so by name; that none is active
// is as true as in a program of Node's that makes none.
'use strict';

const { absent, absentFunction } = require('internal/absent');

module.exports = {
  _stack: [],
  Domain: absent('domain', 'Domain'),
  createDomain: absentFunction('domain', 'createDomain'),
  create: absentFunction('domain', 'create'),
  active: null,
};
