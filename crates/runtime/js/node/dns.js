// `node:dns`: hosts as the system finds them (internal/dns/lookup); which servers of names there are (internal/dns/servers). Questions to those are not there yet, and say so.
'use strict';

const { absent, absentFunction } = require('internal/absent');
const { HINTS, callbacks, promises } = require('internal/dns/lookup');
const servers = require('internal/dns/servers');

const FUNCTIONS = [
  'resolve', 'resolve4', 'resolve6', 'resolveAny', 'resolveCaa', 'resolveCname', 'resolveMx', 'resolveNaptr', 'resolveNs', 'resolvePtr', 'resolveSoa',
  'resolveSrv', 'resolveTlsa', 'resolveTxt', 'reverse',
];
const CODES = {
  NODATA: 'ENODATA', FORMERR: 'EFORMERR', SERVFAIL: 'ESERVFAIL', NOTFOUND: 'ENOTFOUND', NOTIMP: 'ENOTIMP', REFUSED: 'EREFUSED', BADQUERY: 'EBADQUERY',
  BADNAME: 'EBADNAME', BADFAMILY: 'EBADFAMILY', BADRESP: 'EBADRESP', CONNREFUSED: 'ECONNREFUSED', TIMEOUT: 'ETIMEOUT', EOF: 'EOF', FILE: 'EFILE',
  NOMEM: 'ENOMEM', DESTRUCTION: 'EDESTRUCTION', BADSTR: 'EBADSTR', BADFLAGS: 'EBADFLAGS', NONAME: 'ENONAME', BADHINTS: 'EBADHINTS',
  NOTINITIALIZED: 'ENOTINITIALIZED', LOADIPHLPAPI: 'ELOADIPHLPAPI', ADDRGETNETWORKPARAMS: 'EADDRGETNETWORKPARAMS', CANCELLED: 'ECANCELLED',
};

const named = (builtin) => Object.fromEntries(FUNCTIONS.map((name) => [name, absentFunction(builtin, name)]));

module.exports = {
  ...callbacks,
  ...servers,
  ...named('dns'),
  Resolver: absent('dns', 'Resolver'),
  ...HINTS,
  ...CODES,
  promises: { ...promises, ...servers, ...named('dns.promises'), Resolver: absent('dns.promises', 'Resolver'), ...CODES },
};
