// `dns.Resolver` and `dns.promises.Resolver`, and the default resolver of `dns.resolve`. In: host
// names, record types. Out: the records that name servers return. The network traffic: channel.js.
'use strict';

const { DNSException, codes: { ERR_DNS_SET_SERVERS_FAILED, ERR_INVALID_ARG_VALUE } } = require('internal/errors');
const { validateFunction, validateInt32, validateString, validateUint32 } = require('internal/validators');
const { begin } = require('internal/perf/observe');
const { isIP } = require('internal/net/kinds');
const system = require('internal/dns/system');
const { parseAll, written } = require('internal/dns/servers');

class QueryReqWrap {}

/** Functions of resolvers, and what they ask the channel for. */
const METHODS = {
  resolveAny: 'queryAny', resolve4: 'queryA', resolve6: 'queryAaaa', resolveCaa: 'queryCaa', resolveCname: 'queryCname', resolveMx: 'queryMx', resolveNs: 'queryNs',
  resolveTlsa: 'queryTlsa', resolveTxt: 'queryTxt', resolveSrv: 'querySrv', resolvePtr: 'queryPtr', resolveNaptr: 'queryNaptr', resolveSoa: 'querySoa',
  reverse: 'getHostByAddr',
};
const BY_KIND = {
  __proto__: null, ANY: 'resolveAny', A: 'resolve4', AAAA: 'resolve6', CAA: 'resolveCaa', CNAME: 'resolveCname', MX: 'resolveMx', NS: 'resolveNs', TLSA: 'resolveTlsa',
  TXT: 'resolveTxt', SRV: 'resolveSrv', PTR: 'resolvePtr', NAPTR: 'resolveNaptr', SOA: 'resolveSoa',
};

class ResolverBase {
  constructor(options = undefined) {
    const { timeout = -1, tries = 4, maxTimeout = 0 } = { ...options };
    validateInt32(timeout, 'options.timeout', -1);
    validateInt32(tries, 'options.tries', 1);
    validateUint32(maxTimeout, 'options.maxTimeout');
    this._handle = new system.ChannelWrap(timeout, tries, maxTimeout);
  }

  cancel() {
    this._handle.cancel();
  }

  getServers() {
    return (this._handle.getServers() || []).map(([address, port]) => written({ address, port }));
  }

  setServers(servers) {
    const found = parseAll(servers);
    if (this._handle.isBusy) throw new ERR_DNS_SET_SERVERS_FAILED('There are pending queries.', servers);
    this._handle.setServers(found);
  }

  setLocalAddress(ipv4, ipv6) {
    validateString(ipv4, 'ipv4');
    if (ipv6 !== undefined) validateString(ipv6, 'ipv6');
    const given = ipv6 === undefined ? [ipv4] : [ipv4, ipv6];
    const families = given.map(isIP);
    if (families.includes(0)) throw refusal('Invalid IP address.');
    if (families[0] === families[1]) throw refusal(`Cannot specify two IPv${families[0]} addresses.`);
    this._handle.setLocalAddress(given);
  }
}

function refusal(message) {
  return Object.assign(new TypeError(message), { code: 'ERR_INVALID_ARG_VALUE' });
}

/** Asks `resolver`; `done(error, result)`. Out: what was wrong with the question. */
function ask(resolver, query, host, options, done) {
  const request = new QueryReqWrap();
  const hasTtl = Boolean(options?.ttl);
  Object.assign(request, { bindingName: query, hostname: host, ttl: hasTtl });
  let tell;
  request.oncomplete = (code, result, ttls) => {
    if (code) {
      done(new DNSException(code, query, host));
      return;
    }
    const found = ttls && hasTtl ? result.map((address, index) => ({ address, ttl: ttls[index] })) : result;
    done(null, found);
    tell?.({ result: found });
  };
  const errno = resolver._handle[query](request, host);
  if (errno) return { error: new DNSException(errno, query, host) };
  tell = begin('dns', query, { host, ttl: hasTtl });
  return { request };
}

class Resolver extends ResolverBase {
  resolve(hostname, rrtype, callback) {
    if (typeof rrtype === 'function') return this.resolve4(hostname, rrtype);
    return this[methodOf(rrtype)](hostname, callback);
  }
}

class PromisesResolver extends ResolverBase {
  resolve(hostname, rrtype) {
    return this[rrtype === undefined ? 'resolve4' : methodOf(rrtype)](hostname);
  }
}
Object.defineProperty(PromisesResolver, 'name', { __proto__: null, value: 'Resolver', configurable: true });

function methodOf(rrtype) {
  if (typeof rrtype === 'string') {
    const method = BY_KIND[rrtype];
    if (method === undefined) throw new ERR_INVALID_ARG_VALUE('rrtype', rrtype);
    return method;
  }
  validateString(rrtype, 'rrtype');
  return undefined;
}

for (const [method, query] of Object.entries(METHODS)) {
  define(Resolver, method, query, function(name, options, callback) {
    if (arguments.length <= 2) [options, callback] = [undefined, options];
    validateString(name, 'name');
    validateFunction(callback, 'callback');
    const { error, request } = ask(this, query, name, options, (failure, result) => (failure ? callback(failure) : callback(null, result)));
    if (error !== undefined) throw error;
    return request;
  });
  define(PromisesResolver, method, query, function(name, options) {
    validateString(name, 'name');
    return new Promise((resolve, reject) => {
      const { error } = ask(this, query, name, options, (failure, result) => (failure ? reject(failure) : resolve(result)));
      if (error !== undefined) reject(error);
    });
  });
}

function define(Class, method, query, value) {
  Object.defineProperty(value, 'name', { __proto__: null, value: query, configurable: true });
  Object.defineProperty(Class.prototype, method, { __proto__: null, value, writable: true, configurable: true, enumerable: true });
}

/**
 * The one that programs ask without making one. Its servers may change while it is asked: then it
 * is another.
 */
let shared;
const own = () => (shared ??= new ResolverBase());

const servers = {
  getServers: () => own().getServers(),
  setServers(given) {
    const next = new ResolverBase();
    next.setServers(given);
    shared = next;
  },
};

/** The functions of a class, asked of the one that all share. */
function functionsOf({ prototype }) {
  const named = [...Object.keys(METHODS), 'resolve'].map((method) => {
    const { [method]: value } = { [method](...given) { return Reflect.apply(prototype[method], Object.setPrototypeOf({ _handle: own()._handle }, prototype), given); } };
    return [method, value];
  });
  return { ...Object.fromEntries(named), ...servers };
}

module.exports = {
  callbacks: { ...functionsOf(Resolver), Resolver },
  promises: { ...functionsOf(PromisesResolver), Resolver: PromisesResolver },
};
