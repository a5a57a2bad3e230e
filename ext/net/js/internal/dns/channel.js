// DNS channel, as Node's ChannelWrap over c-ares: the servers, timeout and pending queries of a
// resolver. In: servers, requests. Out: calls `oncomplete` of a request with an error code or the
// records. Node's own tests replace its functions.
'use strict';

const { nextTick } = require('process');
const { isIP } = require('internal/net/kinds');
const { Question } = require('internal/dns/question');
const { read } = require('internal/dns/records');
const { normal, ofSystem } = require('internal/dns/servers');
const { bind } = require('internal/async_context');

/** Unless the program says otherwise; Node's library has this. */
const TIMEOUT_MS = 2000;
const BAD_ARGUMENT = -22;
const HOSTS = '/etc/hosts';

/** By the names of their functions. */
const QUERIES = {
  queryAny: 'ANY', queryA: 'A', queryAaaa: 'AAAA', queryCaa: 'CAA', queryCname: 'CNAME', queryMx: 'MX', queryNs: 'NS', queryTlsa: 'TLSA', queryTxt: 'TXT',
  querySrv: 'SRV', queryPtr: 'PTR', queryNaptr: 'NAPTR', querySoa: 'SOA',
};

class ChannelWrap {
  #servers;
  #local = [];
  #timeoutMs;
  #tries;
  #timeoutMsMax;
  /** @type {Set<Question>} */
  #pending = new Set();

  constructor(timeoutMs, tries, timeoutMsMax) {
    this.#timeoutMs = timeoutMs > 0 ? timeoutMs : TIMEOUT_MS;
    this.#tries = tries;
    this.#timeoutMsMax = timeoutMsMax;
  }

  /** `[address, port]` each. */
  getServers() {
    this.#servers ??= ofSystem();
    return this.#servers.map(({ address, port }) => [address, port]);
  }

  setServers(servers) {
    this.#servers = servers;
  }

  get isBusy() {
    return this.#pending.size > 0;
  }

  setLocalAddress(addresses) {
    this.#local = addresses;
  }

  cancel() {
    for (const question of [...this.#pending]) question.cancel();
  }

  /** 0; nobody hears of the end in this turn. */
  ask(request, host, kind) {
    const then = bind((code, records) => {
      const found = code === '' ? read(records, kind) : undefined;
      if (found !== undefined) request.oncomplete(null, found.result, found.ttls);
      else request.oncomplete(code || 'ENODATA');
    });
    // RFC 7686: .onion names are not sent to name servers.
    if (/(^|\.)onion\.?$/i.test(host)) {
      nextTick(then, 'ENOTFOUND');
      return 0;
    }
    this.#servers ??= ofSystem();
    if (this.#servers.length === 0) {
      nextTick(then, 'UNKNOWN_ARES_ERROR');
      return 0;
    }
    const settings = { servers: this.#servers, timeoutMs: this.#timeoutMs, tries: this.#tries, timeoutMsMax: this.#timeoutMsMax, local: this.#local };
    const question = new Question(host, kind, settings, (code, records) => {
      this.#pending.delete(question);
      nextTick(then, code, records);
    });
    this.#pending.add(question);
    question.next();
    return 0;
  }

  /** The names of an address: those that the system has itself, else what servers say. */
  getHostByAddr(request, address) {
    if (isIP(address) === 0) return BAD_ARGUMENT;
    const own = ownNames(address);
    if (own.length === 0) return this.ask(request, backwards(address), 'PTR');
    nextTick(bind(() => request.oncomplete(null, own)));
    return 0;
  }
}

for (const [name, kind] of Object.entries(QUERIES)) {
  Object.defineProperty(ChannelWrap.prototype, name, {
    __proto__: null,
    value(request, host) { return this.ask(request, require('internal/dns/system').toAscii(host), kind); },
    writable: true,
    configurable: true,
  });
}

/** Of `hosts(5)`. */
function ownNames(address) {
  let text = '';
  try {
    text = require('fs').readFileSync(HOSTS, 'latin1');
  } catch {
    // The system has none.
  }
  const wanted = normal(address);
  const lines = text.split('\n').map((line) => line.replace(/#.*/, '').trim().split(/\s+/));
  return [...new Set(lines.flatMap(([first, ...names]) => (isIP(first) !== 0 && normal(first) === wanted ? names : [])))];
}

/** The name under which an address is asked for. */
function backwards(address) {
  const plain = normal(address);
  if (isIP(plain) === 4) return `${plain.split('.').reverse().join('.')}.in-addr.arpa`;
  return `${digitsOf(plain).reverse().join('.')}.ip6.arpa`;
}

/** Of an IPv6 address, all 32. */
function digitsOf(address) {
  // The end may be written as IPv4 is.
  const words = address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...parts) => {
    const [one, two, three, four] = parts.map(Number);
    return `${(one << 8 | two).toString(16)}:${(three << 8 | four).toString(16)}`;
  });
  const [front, back] = words.split('::').map((part) => part.split(':').filter(Boolean));
  const all = back === undefined ? front : [...front, ...new Array(8 - front.length - back.length).fill('0'), ...back];
  return all.flatMap((word) => [...word.padStart(4, '0')]);
}

module.exports = { ChannelWrap, QUERIES };
