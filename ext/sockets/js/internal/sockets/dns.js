// `Bun.dns`: the functions of `dns.promises`, and `lookup` with all addresses. There is no cache of
// our own: the system's resolver has one, so its counters stay 0.
'use strict';

const { promises, ADDRCONFIG, ALL, V4MAPPED } = require('dns');

const NAMES = [
  'resolve', 'resolveSrv', 'resolveTxt', 'resolveSoa', 'resolveNaptr', 'resolveMx', 'resolveCaa', 'resolveNs', 'resolvePtr', 'resolveCname', 'resolveAny',
  'getServers', 'setServers', 'reverse', 'lookupService',
];
const FAMILIES = { '__proto__': null, 'IPv4': 4, 'IPv6': 6, 'any': 0, '4': 4, '6': 6, '0': 0 };

/** Addresses with their family and the time that they may be stored, which the system hides. */
async function lookup(hostname, options = {}) {
  const family = FAMILIES[options.family ?? 0] ?? 0;
  try {
    const found = await promises.lookup(hostname, { all: true, family, hints: options.flags ?? 0 });
    return found.map(({ address, family: kind }) => ({ address, family: kind, ttl: 0 }));
  } catch (error) {
    const code = `DNS_${error.code}`;
    throw Object.assign(error, { name: 'DNSException', code, syscall: 'getaddrinfo' });
  }
}

/** The system's resolver stores what it finds. */
function prefetch(hostname) {
  if (typeof hostname !== 'string' || hostname === '') throw new TypeError('hostname must be a non-empty string');
  promises.lookup(hostname).catch(() => {});
}

function getCacheStats() {
  return { cacheHitsCompleted: 0, cacheHitsInflight: 0, cacheMisses: 0, size: 0, errors: 0, totalCount: 0 };
}

const dns = { lookup };
for (const name of NAMES) dns[name] = promises[name];
Object.assign(dns, { prefetch, getCacheStats, ADDRCONFIG, ALL, V4MAPPED });

module.exports = { dns };
