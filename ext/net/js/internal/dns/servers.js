// Name server addresses: those of the system, and `setServers`. In: strings of an address and an
// optional port. Out: addresses and ports without duplicates; strings. Absent: queries.
'use strict';

const { codes: { ERR_INVALID_IP_ADDRESS } } = require('internal/errors');
const { validateArray, validateString } = require('internal/validators');
const { isIP } = require('internal/net/ip');

const RESOLV_CONF = '/etc/resolv.conf';
/** See resolv.conf(5). */
const DEFAULT_SERVER = '127.0.0.1';
const PORT = 53;

/** `nameserver` lines of `resolv.conf(5)`. */
function systemServers() {
  let text = '';
  try {
    text = require('fs').readFileSync(RESOLV_CONF, 'latin1');
  } catch {
    // There is no such file.
  }
  const addresses = [...text.matchAll(/^nameserver[ \t]+(\S+)/gm)].map(([, address]) => address).filter((address) => isIP(address) !== 0);
  return (addresses.length > 0 ? addresses : [DEFAULT_SERVER]).map((address) => ({ address, port: PORT }));
}

/** Parses `1.2.3.4`, `1.2.3.4:53`, `::1`, `[::1]`, `[::1]:53`. */
function parseServer(text) {
  if (isIP(text) !== 0) return { address: text, port: PORT };
  const parts = /^(?:\[([^\]]*)\]|([^:]+))(?::(\d+))?$/.exec(text);
  const address = parts?.[1] ?? parts?.[2];
  if (address === undefined || isIP(address) === 0) throw new ERR_INVALID_IP_ADDRESS(text);
  // Node does not reject a larger port.
  return { address, port: parts[3] === undefined ? PORT : Number(parts[3]) & 0xffff };
}

/** The address in the notation of inet_ntop(3), without a scope. */
function normalizeAddress(address) {
  const [withoutScope] = address.split('%');
  return internalBinding('block_list').address(withoutScope, withoutScope.includes(':'));
}

/** @param {string[]} list */
function parseServers(list) {
  validateArray(list, 'servers');
  const servers = new Map();
  list.forEach((text, index) => {
    validateString(text, `servers[${index}]`);
    const { address, port } = parseServer(text);
    const server = { address: normalizeAddress(address), port };
    servers.set(`${server.address} ${port}`, server);
  });
  return [...servers.values()];
}

function formatServer({ address, port }) {
  if (!port || port === PORT) return address;
  return address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
}

module.exports = { formatServer, normalizeAddress, parseServers, systemServers };
