// DNS channel, as Node's ChannelWrap over c-ares: the servers, timeout and pending queries of a
// resolver. In: servers, requests. Out: calls `oncomplete` of a request with an error code or the
// records. Node's own tests replace its functions.
'use strict';

const { nextTick } = require('process');
const { isIP } = require('internal/net/ip');
const { Query } = require('internal/dns/query');
const { toResults } = require('internal/dns/records');
const { normalizeAddress, systemServers } = require('internal/dns/servers');
const { bind } = require('internal/async_context');

/** The default of c-ares. */
const TIMEOUT_MS = 2000;
const UV_EINVAL = -22;
const HOSTS_FILE = '/etc/hosts';

/** The record type of each method. */
const QUERY_TYPES = {
  queryAny: 'ANY', queryA: 'A', queryAaaa: 'AAAA', queryCaa: 'CAA', queryCname: 'CNAME', queryMx: 'MX', queryNs: 'NS', queryTlsa: 'TLSA', queryTxt: 'TXT',
  querySrv: 'SRV', queryPtr: 'PTR', queryNaptr: 'NAPTR', querySoa: 'SOA',
};

class ChannelWrap {
  #servers;
  #localAddresses = [];
  #timeoutMs;
  #tries;
  #timeoutMsMax;
  /** @type {Set<Query>} */
  #pending = new Set();

  constructor(timeoutMs, tries, timeoutMsMax) {
    this.#timeoutMs = timeoutMs > 0 ? timeoutMs : TIMEOUT_MS;
    this.#tries = tries;
    this.#timeoutMsMax = timeoutMsMax;
  }

  /** A list of `[address, port]`. */
  getServers() {
    this.#servers ??= systemServers();
    return this.#servers.map(({ address, port }) => [address, port]);
  }

  setServers(servers) {
    this.#servers = servers;
  }

  get hasPendingQueries() {
    return this.#pending.size > 0;
  }

  setLocalAddress(addresses) {
    this.#localAddresses = addresses;
  }

  cancel() {
    for (const query of [...this.#pending]) query.cancel();
  }

  /** Starts a query. Returns 0; `oncomplete` is called in a later tick. */
  query(request, host, type) {
    const callback = bind((code, records) => {
      const results = code === '' ? toResults(records, type) : undefined;
      if (results !== undefined) request.oncomplete(null, results.result, results.ttls);
      else request.oncomplete(code || 'ENODATA');
    }, 'QUERYWRAP', request);
    // RFC 7686: .onion names are not sent to name servers.
    if (/(^|\.)onion\.?$/i.test(host)) {
      nextTick(callback, 'ENOTFOUND');
      return 0;
    }
    this.#servers ??= systemServers();
    if (this.#servers.length === 0) {
      nextTick(callback, 'UNKNOWN_ARES_ERROR');
      return 0;
    }
    const options = {
      servers: this.#servers, timeoutMs: this.#timeoutMs, tries: this.#tries, timeoutMsMax: this.#timeoutMsMax, localAddresses: this.#localAddresses,
    };
    const query = new Query(host, type, options, (code, records) => {
      this.#pending.delete(query);
      nextTick(callback, code, records);
    });
    this.#pending.add(query);
    query.sendToNextServer();
    return 0;
  }

  /** Host names of an address: those in the hosts file, else the PTR records. */
  getHostByAddr(request, address) {
    if (isIP(address) === 0) return UV_EINVAL;
    const names = namesInHostsFile(address);
    if (names.length === 0) return this.query(request, reverseName(address), 'PTR');
    nextTick(bind(() => request.oncomplete(null, names)));
    return 0;
  }
}

for (const [name, type] of Object.entries(QUERY_TYPES)) {
  Object.defineProperty(ChannelWrap.prototype, name, {
    __proto__: null,
    value(request, host) { return this.query(request, require('internal/dns/cares_wrap').toAscii(host), type); },
    writable: true,
    configurable: true,
  });
}

/** See hosts(5). */
function namesInHostsFile(address) {
  let text = '';
  try {
    text = require('fs').readFileSync(HOSTS_FILE, 'latin1');
  } catch {
    // There is no such file.
  }
  const normalized = normalizeAddress(address);
  const lines = text.split('\n').map((line) => line.replace(/#.*/, '').trim().split(/\s+/));
  return [...new Set(lines.flatMap(([first, ...names]) => (isIP(first) !== 0 && normalizeAddress(first) === normalized ? names : [])))];
}

/** The name of an address in a PTR query: RFC 1035, 3.5 and RFC 3596, 2.5. */
function reverseName(address) {
  const normalized = normalizeAddress(address);
  if (isIP(normalized) === 4) return `${normalized.split('.').reverse().join('.')}.in-addr.arpa`;
  return `${hexDigits(normalized).reverse().join('.')}.ip6.arpa`;
}

/** The 32 hexadecimal digits of an IPv6 address. */
function hexDigits(address) {
  // The last 32 bits may be in IPv4 notation.
  const groups = address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...bytes) => {
    const [one, two, three, four] = bytes.map(Number);
    return `${(one << 8 | two).toString(16)}:${(three << 8 | four).toString(16)}`;
  });
  const [front, back] = groups.split('::').map((part) => part.split(':').filter(Boolean));
  const all = back === undefined ? front : [...front, ...new Array(8 - front.length - back.length).fill('0'), ...back];
  return all.flatMap((group) => [...group.padStart(4, '0')]);
}

module.exports = { ChannelWrap, QUERY_TYPES };
