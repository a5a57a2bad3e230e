// Name server addresses: those of the system, and `setServers`. In: strings of an address and an
// optional port. Out: addresses and ports without duplicates; strings. Absent: queries.
'use strict';

const { codes: { ERR_INVALID_IP_ADDRESS } } = require('internal/errors');
const { validateArray, validateString } = require('internal/validators');
const { isIP } = require('internal/net/kinds');

const FILE = '/etc/resolv.conf';
/** Asked where the system names none. */
const NEAREST = '127.0.0.1';
const PORT = 53;

/** `nameserver` lines of `resolv.conf(5)`. */
function ofSystem() {
  let text = '';
  try {
    text = require('fs').readFileSync(FILE, 'latin1');
  } catch {
    // The system names none.
  }
  const named = [...text.matchAll(/^nameserver[ \t]+(\S+)/gm)].map(([, address]) => address).filter((address) => isIP(address) !== 0);
  return (named.length > 0 ? named : [NEAREST]).map((address) => ({ address, port: PORT }));
}

/** `1.2.3.4`, `1.2.3.4:53`, `::1`, `[::1]`, `[::1]:53`. */
function parse(text) {
  if (isIP(text) !== 0) return { address: text, port: PORT };
  const parts = /^(?:\[([^\]]*)\]|([^:]+))(?::(\d+))?$/.exec(text);
  const address = parts?.[1] ?? parts?.[2];
  if (address === undefined || isIP(address) === 0) throw new ERR_INVALID_IP_ADDRESS(text);
  // So many bits a port has.
  return { address, port: parts[3] === undefined ? PORT : Number(parts[3]) & 0xffff };
}

/** As the C library writes it, without the name of an interface. */
function normal(address) {
  const [plain] = address.split('%');
  return internalBinding('block_list').address(plain, plain.includes(':'));
}

/** @param {string[]} given */
function parseAll(given) {
  validateArray(given, 'servers');
  const found = new Map();
  given.forEach((text, index) => {
    validateString(text, `servers[${index}]`);
    const { address, port } = parse(text);
    const server = { address: normal(address), port };
    found.set(`${server.address} ${port}`, server);
  });
  return [...found.values()];
}

function written({ address, port }) {
  if (!port || port === PORT) return address;
  return address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
}

module.exports = { normal, ofSystem, parseAll, written };
