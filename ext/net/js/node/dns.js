// `node:dns`: lookups by the system's resolver (internal/dns/lookup), queries to name servers
// (internal/dns/resolver).
'use strict';

const { HINTS, callbacks, promises } = require('internal/dns/lookup');
const resolver = require('internal/dns/resolver');

const CODES = {
  NODATA: 'ENODATA', FORMERR: 'EFORMERR', SERVFAIL: 'ESERVFAIL', NOTFOUND: 'ENOTFOUND', NOTIMP: 'ENOTIMP', REFUSED: 'EREFUSED', BADQUERY: 'EBADQUERY',
  BADNAME: 'EBADNAME', BADFAMILY: 'EBADFAMILY', BADRESP: 'EBADRESP', CONNREFUSED: 'ECONNREFUSED', TIMEOUT: 'ETIMEOUT', EOF: 'EOF', FILE: 'EFILE',
  NOMEM: 'ENOMEM', DESTRUCTION: 'EDESTRUCTION', BADSTR: 'EBADSTR', BADFLAGS: 'EBADFLAGS', NONAME: 'ENONAME', BADHINTS: 'EBADHINTS',
  NOTINITIALIZED: 'ENOTINITIALIZED', LOADIPHLPAPI: 'ELOADIPHLPAPI', ADDRGETNETWORKPARAMS: 'EADDRGETNETWORKPARAMS', CANCELLED: 'ECANCELLED',
};

module.exports = {
  ...callbacks,
  ...resolver.callbacks,
  ...HINTS,
  ...CODES,
  promises: { ...promises, ...resolver.promises, ...CODES },
};
