// `node:tls`: a stub, so that programs that refer to it can be loaded. Absent: connections and
// servers, which throw. (`fetch` supports TLS.)
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
