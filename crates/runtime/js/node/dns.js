// `node:dns`: its names, so that what could use it can be loaded. Questions are not there yet, and say so; `fetch` finds hosts.
'use strict';

const { absent, absentFunction } = require('internal/absent');

const FUNCTIONS = [
  'lookup', 'lookupService', 'resolve', 'resolve4', 'resolve6', 'resolveAny', 'resolveCaa', 'resolveCname', 'resolveMx', 'resolveNaptr', 'resolveNs',
  'resolvePtr', 'resolveSoa', 'resolveSrv', 'resolveTlsa', 'resolveTxt', 'reverse', 'getServers', 'setServers', 'getDefaultResultOrder',
  'setDefaultResultOrder',
];
const CODES = {
  NODATA: 'ENODATA', FORMERR: 'EFORMERR', SERVFAIL: 'ESERVFAIL', NOTFOUND: 'ENOTFOUND', NOTIMP: 'ENOTIMP', REFUSED: 'EREFUSED', BADQUERY: 'EBADQUERY',
  BADNAME: 'EBADNAME', BADFAMILY: 'EBADFAMILY', BADRESP: 'EBADRESP', CONNREFUSED: 'ECONNREFUSED', TIMEOUT: 'ETIMEOUT', EOF: 'EOF', FILE: 'EFILE',
  NOMEM: 'ENOMEM', DESTRUCTION: 'EDESTRUCTION', BADSTR: 'EBADSTR', BADFLAGS: 'EBADFLAGS', NONAME: 'ENONAME', BADHINTS: 'EBADHINTS',
  NOTINITIALIZED: 'ENOTINITIALIZED', LOADIPHLPAPI: 'ELOADIPHLPAPI', ADDRGETNETWORKPARAMS: 'EADDRGETNETWORKPARAMS', CANCELLED: 'ECANCELLED',
};

const named = (builtin) => Object.fromEntries(FUNCTIONS.map((name) => [name, absentFunction(builtin, name)]));

module.exports = {
  ...named('dns'),
  Resolver: absent('dns', 'Resolver'),
  // Of getaddrinfo(3), as Linux has them.
  ADDRCONFIG: 32,
  ALL: 16,
  V4MAPPED: 8,
  ...CODES,
  promises: { ...named('dns.promises'), Resolver: absent('dns.promises', 'Resolver'), ...CODES },
};
