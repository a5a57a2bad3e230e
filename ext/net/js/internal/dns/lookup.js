// `dns.lookup` and `dns.lookupService`: resolution by the system's resolver (getaddrinfo,
// getnameinfo). In: names or addresses, options. Out: the results, by a callback or a promise. The
// order of addresses is the system's, unless the program requests one family first. Absent: queries
// to name servers.
'use strict';

const { nextTick } = require('process');
const {
  DNSException, codes: { ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE, ERR_MISSING_ARGS },
} = require('internal/errors');
const { validateBoolean, validateFunction, validateNumber, validateOneOf, validatePort, validateString } = require('internal/validators');
const { getOptionValue } = require('internal/options');
const cares = require('internal/dns/cares_wrap');
const { isIP } = require('internal/net/ip');
const { begin } = require('internal/perf/observe');
const { customPromisifyArgs } = require('internal/util');

const HINTS = { ADDRCONFIG: cares.AI_ADDRCONFIG, ALL: cares.AI_ALL, V4MAPPED: cares.AI_V4MAPPED };
const ALL_HINTS = HINTS.ADDRCONFIG | HINTS.ALL | HINTS.V4MAPPED;
const FAMILIES = [0, 4, 6];
/** Names that the callback API accepts for families. */
const FAMILY_NAMES = { __proto__: null, IPv4: 4, IPv6: 6 };
const ORDERS = {
  __proto__: null, verbatim: cares.DNS_ORDER_VERBATIM, ipv4first: cares.DNS_ORDER_IPV4_FIRST, ipv6first: cares.DNS_ORDER_IPV6_FIRST,
};
const ORDER_NAMES = Object.keys(ORDERS);

let defaultOrder;

function getDefaultResultOrder() {
  if (defaultOrder === undefined) {
    const order = getOptionValue('--dns-result-order') || 'verbatim';
    validateOneOf(order, '--dns-result-order', ORDER_NAMES);
    defaultOrder = order;
  }
  return defaultOrder;
}

function setDefaultResultOrder(order) {
  validateOneOf(order, 'dnsOrder', ORDER_NAMES);
  defaultOrder = order;
}

/** Validated options: `{ family, hints, all, order }`. `familyNames`: names of families. */
function readOptions(options, familyNames) {
  const result = { family: 0, hints: 0, all: false, order: getDefaultResultOrder() };
  if (options === null || options === undefined) return result;
  if (typeof options === 'number') {
    validateOneOf(options, 'family', FAMILIES);
    return { ...result, family: options };
  }
  if (typeof options !== 'object') throw new ERR_INVALID_ARG_TYPE('options', ['integer', 'object'], options);
  if (options.hints != null) {
    validateNumber(options.hints, 'options.hints');
    result.hints = options.hints >>> 0;
    if ((result.hints & ~ALL_HINTS) !== 0) throw new ERR_INVALID_ARG_VALUE('hints', result.hints);
  }
  if (options.family != null) {
    result.family = (typeof options.family === 'string' ? familyNames[options.family] : undefined) ?? options.family;
    validateOneOf(result.family, 'options.family', FAMILIES);
  }
  if (options.all != null) {
    validateBoolean(options.all, 'options.all');
    result.all = options.all;
  }
  if (options.verbatim != null) {
    validateBoolean(options.verbatim, 'options.verbatim');
    result.order = options.verbatim ? 'verbatim' : 'ipv4first';
  }
  if (options.order != null) {
    validateOneOf(options.order, 'options.order', ORDER_NAMES);
    result.order = options.order;
  }
  return result;
}

const emptyHostnameError = (hostname) => new ERR_INVALID_ARG_VALUE('hostname', hostname, 'must be a non-empty string');

/**
 * Starts a lookup; calls `done(error, entries)`. Returns the error of a request that cannot start.
 */
function getaddrinfo(request, hostname, options, done) {
  const { all, family, hints, order } = options;
  request.family = family;
  request.hostname = hostname;
  request.oncomplete = (errno, addresses) => {
    if (errno) {
      done(new DNSException(errno, 'getaddrinfo', hostname));
      return;
    }
    const entries = addresses.map((address) => ({ address, family: family || isIP(address) }));
    done(null, entries);
    request.endPerformanceEntry?.({ addresses: all ? entries : addresses });
  };
  const errno = cares.getaddrinfo(request, hostname, family, hints, ORDERS[order]);
  if (errno) return new DNSException(errno, 'getaddrinfo', hostname);
  startPerformanceEntry(request, 'lookup', { hostname, family, hints, verbatim: order === 'verbatim', order });
  return undefined;
}

function startPerformanceEntry(request, name, detail) {
  const end = begin('dns', name, detail);
  if (end !== undefined) Object.defineProperty(request, 'endPerformanceEntry', { __proto__: null, value: end });
}

function lookup(hostname, options, callback) {
  if (hostname) validateString(hostname, 'hostname');
  if (typeof options === 'function') {
    [options, callback] = [undefined, options];
  } else {
    const isCallback = arguments.length === 2 && typeof options !== 'object' && typeof options !== 'number';
    validateFunction(isCallback ? options : callback, 'callback');
  }
  const settings = readOptions(options, FAMILY_NAMES);
  if (!hostname) throw emptyHostnameError(hostname);
  const done = (error, entries) => {
    if (error) callback(error);
    else if (settings.all) callback(null, entries);
    else callback(null, entries[0]?.address, entries[0]?.family);
  };
  const family = isIP(hostname);
  if (family !== 0) {
    nextTick(done, null, [{ address: hostname, family }]);
    return {};
  }
  const request = new cares.GetAddrInfoReqWrap();
  request.callback = callback;
  const error = getaddrinfo(request, hostname, settings, done);
  if (error === undefined) return request;
  nextTick(callback, error);
  return {};
}
Object.defineProperty(lookup, customPromisifyArgs, { __proto__: null, value: ['address', 'family'], enumerable: false });

function lookupPromise(hostname, options) {
  if (hostname) validateString(hostname, 'hostname');
  const settings = readOptions(options, {});
  if (!hostname) return Promise.reject(emptyHostnameError(hostname));
  const family = isIP(hostname);
  const select = (entries) => (settings.all ? entries : entries[0]);
  if (family !== 0) return Promise.resolve(select([{ address: hostname, family }]));
  const request = new cares.GetAddrInfoReqWrap();
  return new Promise((resolve, reject) => {
    Object.assign(request, { resolve, reject });
    const error = getaddrinfo(request, hostname, settings, (failure, entries) => {
      if (failure) request.reject(failure);
      else request.resolve(select(entries));
    });
    if (error !== undefined) reject(error);
  });
}

function checkAddress(address, port) {
  if (isIP(address) === 0) throw new ERR_INVALID_ARG_VALUE('address', address);
  validatePort(port);
}

/**
 * Starts a reverse lookup; calls `done(error, host, service)`. Returns the error of a request that
 * cannot start.
 */
function getnameinfo(request, address, port, done) {
  request.hostname = address;
  request.port = port;
  request.oncomplete = (errno, hostname, service) => {
    if (errno) {
      done(new DNSException(errno, 'getnameinfo', address));
      return;
    }
    done(null, hostname, service);
    request.endPerformanceEntry?.({ hostname, service });
  };
  const errno = cares.getnameinfo(request, address, port);
  if (errno) return new DNSException(errno, 'getnameinfo', address);
  startPerformanceEntry(request, 'lookupService', { host: address, port });
  return undefined;
}

function lookupService(address, port, callback) {
  if (arguments.length !== 3) throw new ERR_MISSING_ARGS('address', 'port', 'callback');
  checkAddress(address, port);
  validateFunction(callback, 'callback');
  const request = new cares.GetNameInfoReqWrap();
  request.callback = callback;
  const error = getnameinfo(request, address, +port, callback);
  if (error !== undefined) throw error;
  return request;
}
Object.defineProperty(lookupService, customPromisifyArgs, { __proto__: null, value: ['hostname', 'service'], enumerable: false });

function lookupServicePromise(address, port) {
  if (arguments.length !== 2) throw new ERR_MISSING_ARGS('address', 'port');
  checkAddress(address, port);
  return new Promise((resolve, reject) => {
    const request = Object.assign(new cares.GetNameInfoReqWrap(), { resolve, reject });
    const done = (failure, hostname, service) => (failure ? reject(failure) : resolve({ hostname, service }));
    const error = getnameinfo(request, address, +port, done);
    if (error !== undefined) reject(error);
  });
}

const order = { getDefaultResultOrder, setDefaultResultOrder };

module.exports = {
  HINTS,
  callbacks: { lookup, lookupService, ...order },
  promises: { lookup: withName(lookupPromise, 'lookup'), lookupService: withName(lookupServicePromise, 'lookupService'), ...order },
};

function withName(fn, name) {
  return Object.defineProperty(fn, 'name', { __proto__: null, value: name, configurable: true });
}
