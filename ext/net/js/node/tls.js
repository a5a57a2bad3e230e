// `node:tls`: its names, so that what could use it can be loaded. Connections and servers are not
// there yet, and say so; `fetch` speaks TLS.
'use strict';

const { absent, absentFunction } = require('internal/not_implemented');

module.exports = {
  DEFAULT_MIN_VERSION: 'TLSv1.2',
  DEFAULT_MAX_VERSION: 'TLSv1.3',
  SecureContext: absent('tls', 'SecureContext'),
  TLSSocket: absent('tls', 'TLSSocket'),
  Server: absent('tls', 'Server'),
  checkServerIdentity: absentFunction('tls', 'checkServerIdentity'),
  connect: absentFunction('tls', 'connect'),
  createSecureContext: absentFunction('tls', 'createSecureContext'),
  createServer: absentFunction('tls', 'createServer'),
  getCiphers: absentFunction('tls', 'getCiphers'),
};
