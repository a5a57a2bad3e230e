// `dns.Resolver` and `dns.promises.Resolver`, and the default resolver of `dns.resolve`. In: host
// names, record types. Out: the records that name servers return. The network traffic: channel.js.
'use strict';

const { DNSException, codes: { ERR_DNS_SET_SERVERS_FAILED, ERR_INVALID_ARG_VALUE } } = require('internal/errors');
const { validateFunction, validateInt32, validateString, validateUint32 } = require('internal/validators');
const { begin } = require('internal/perf/observe');
const { isIP } = require('internal/net/ip');
const cares = require('internal/dns/cares_wrap');
const { formatServer, parseServers } = require('internal/dns/servers');

class QueryReqWrap {}

/** Methods of resolvers, and the methods of the channel that they call. */
const METHODS = {
  resolveAny: 'queryAny', resolve4: 'queryA', resolve6: 'queryAaaa', resolveCaa: 'queryCaa', resolveCname: 'queryCname', resolveMx: 'queryMx', resolveNs: 'queryNs',
  resolveTlsa: 'queryTlsa', resolveTxt: 'queryTxt', resolveSrv: 'querySrv', resolvePtr: 'queryPtr', resolveNaptr: 'queryNaptr', resolveSoa: 'querySoa',
  reverse: 'getHostByAddr',
};
const METHOD_OF_TYPE = {
  __proto__: null, ANY: 'resolveAny', A: 'resolve4', AAAA: 'resolve6', CAA: 'resolveCaa', CNAME: 'resolveCname', MX: 'resolveMx', NS: 'resolveNs', TLSA: 'resolveTlsa',
  TXT: 'resolveTxt', SRV: 'resolveSrv', PTR: 'resolvePtr', NAPTR: 'resolveNaptr', SOA: 'resolveSoa',
};

class ResolverBase {
  constructor(options = undefined) {
    const { timeout = -1, tries = 4, maxTimeout = 0 } = { ...options };
    validateInt32(timeout, 'options.timeout', -1);
    validateInt32(tries, 'options.tries', 1);
    validateUint32(maxTimeout, 'options.maxTimeout');
    this._handle = new cares.ChannelWrap(timeout, tries, maxTimeout);
  }

  cancel() {
    this._handle.cancel();
  }

  getServers() {
    return (this._handle.getServers() || []).map(([address, port]) => formatServer({ address, port }));
  }

  setServers(servers) {
    const parsed = parseServers(servers);
    if (this._handle.hasPendingQueries) throw new ERR_DNS_SET_SERVERS_FAILED('There are pending queries.', servers);
    this._handle.setServers(parsed);
  }

  setLocalAddress(ipv4, ipv6) {
    validateString(ipv4, 'ipv4');
    if (ipv6 !== undefined) validateString(ipv6, 'ipv6');
    const addresses = ipv6 === undefined ? [ipv4] : [ipv4, ipv6];
    const families = addresses.map(isIP);
    if (families.includes(0)) throw addressError('Invalid IP address.');
    if (families[0] === families[1]) throw addressError(`Cannot specify two IPv${families[0]} addresses.`);
    this._handle.setLocalAddress(addresses);
  }
}

function addressError(message) {
  return Object.assign(new TypeError(message), { code: 'ERR_INVALID_ARG_VALUE' });
}

/** Starts a query; calls `done(error, result)`. Returns the request, or the error of the start. */
function startQuery(resolver, bindingName, host, options, done) {
  const request = new QueryReqWrap();
  const hasTtl = Boolean(options?.ttl);
  Object.assign(request, { bindingName, hostname: host, ttl: hasTtl });
  let endPerformanceEntry;
  request.oncomplete = (code, result, ttls) => {
    if (code) {
      done(new DNSException(code, bindingName, host));
      return;
    }
    const records = ttls && hasTtl ? result.map((address, index) => ({ address, ttl: ttls[index] })) : result;
    done(null, records);
    endPerformanceEntry?.({ result: records });
  };
  const errno = resolver._handle[bindingName](request, host);
  if (errno) return { error: new DNSException(errno, bindingName, host) };
  endPerformanceEntry = begin('dns', bindingName, { host, ttl: hasTtl });
  return { request };
}

class Resolver extends ResolverBase {
  resolve(hostname, rrtype, callback) {
    if (typeof rrtype === 'function') return this.resolve4(hostname, rrtype);
    return this[methodOfType(rrtype)](hostname, callback);
  }
}

class PromisesResolver extends ResolverBase {
  resolve(hostname, rrtype) {
    return this[rrtype === undefined ? 'resolve4' : methodOfType(rrtype)](hostname);
  }
}
Object.defineProperty(PromisesResolver, 'name', { __proto__: null, value: 'Resolver', configurable: true });

function methodOfType(rrtype) {
  if (typeof rrtype === 'string') {
    const method = METHOD_OF_TYPE[rrtype];
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
    const { error, request } = startQuery(this, query, name, options, (failure, result) => (failure ? callback(failure) : callback(null, result)));
    if (error !== undefined) throw error;
    return request;
  });
  define(PromisesResolver, method, query, function(name, options) {
    validateString(name, 'name');
    return new Promise((resolve, reject) => {
      const { error } = startQuery(this, query, name, options, (failure, result) => (failure ? reject(failure) : resolve(result)));
      if (error !== undefined) reject(error);
    });
  });
}

function define(Class, method, query, value) {
  Object.defineProperty(value, 'name', { __proto__: null, value: query, configurable: true });
  Object.defineProperty(Class.prototype, method, { __proto__: null, value, writable: true, configurable: true, enumerable: true });
}

/**
 * The resolver of the functions of `node:dns`. `dns.setServers` replaces it, because its servers
 * may change while queries are pending.
 */
let defaultResolver;
const getDefaultResolver = () => (defaultResolver ??= new ResolverBase());

const serverFunctions = {
  getServers: () => getDefaultResolver().getServers(),
  setServers(servers) {
    const next = new ResolverBase();
    next.setServers(servers);
    defaultResolver = next;
  },
};

/** The methods of a class as functions that use the default resolver. */
function functionsOf({ prototype }) {
  const entries = [...Object.keys(METHODS), 'resolve'].map((method) => {
    const { [method]: value } = { [method](...args) { return Reflect.apply(prototype[method], Object.setPrototypeOf({ _handle: getDefaultResolver()._handle }, prototype), args); } };
    return [method, value];
  });
  return { ...Object.fromEntries(entries), ...serverFunctions };
}

module.exports = {
  callbacks: { ...functionsOf(Resolver), Resolver },
  promises: { ...functionsOf(PromisesResolver), Resolver: PromisesResolver },
};
