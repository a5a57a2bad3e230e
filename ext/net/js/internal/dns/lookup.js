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
const system = require('internal/dns/system');
const { isIP } = require('internal/net/kinds');
const { begin } = require('internal/perf/observe');
const { customPromisifyArgs } = require('internal/util');

const HINTS = { ADDRCONFIG: system.AI_ADDRCONFIG, ALL: system.AI_ALL, V4MAPPED: system.AI_V4MAPPED };
const ALL_HINTS = HINTS.ADDRCONFIG | HINTS.ALL | HINTS.V4MAPPED;
const FAMILIES = [0, 4, 6];
/** What callbacks may say instead. */
const NAMED = { __proto__: null, IPv4: 4, IPv6: 6 };
const ORDERS = {
  __proto__: null, verbatim: system.DNS_ORDER_VERBATIM, ipv4first: system.DNS_ORDER_IPV4_FIRST, ipv6first: system.DNS_ORDER_IPV6_FIRST,
};
const ORDER_NAMES = Object.keys(ORDERS);

let defaultOrder;

function getDefaultResultOrder() {
  if (defaultOrder === undefined) {
    const given = getOptionValue('--dns-result-order') || 'verbatim';
    validateOneOf(given, '--dns-result-order', ORDER_NAMES);
    defaultOrder = given;
  }
  return defaultOrder;
}

function setDefaultResultOrder(order) {
  validateOneOf(order, 'dnsOrder', ORDER_NAMES);
  defaultOrder = order;
}

/** What is asked for: `{ family, hints, all, order }`. `names`: families that have any. */
function read(options, names) {
  const wanted = { family: 0, hints: 0, all: false, order: getDefaultResultOrder() };
  if (options === null || options === undefined) return wanted;
  if (typeof options === 'number') {
    validateOneOf(options, 'family', FAMILIES);
    return { ...wanted, family: options };
  }
  if (typeof options !== 'object') throw new ERR_INVALID_ARG_TYPE('options', ['integer', 'object'], options);
  if (options.hints != null) {
    validateNumber(options.hints, 'options.hints');
    wanted.hints = options.hints >>> 0;
    if ((wanted.hints & ~ALL_HINTS) !== 0) throw new ERR_INVALID_ARG_VALUE('hints', wanted.hints);
  }
  if (options.family != null) {
    wanted.family = (typeof options.family === 'string' ? names[options.family] : undefined) ?? options.family;
    validateOneOf(wanted.family, 'options.family', FAMILIES);
  }
  if (options.all != null) {
    validateBoolean(options.all, 'options.all');
    wanted.all = options.all;
  }
  if (options.verbatim != null) {
    validateBoolean(options.verbatim, 'options.verbatim');
    wanted.order = options.verbatim ? 'verbatim' : 'ipv4first';
  }
  if (options.order != null) {
    validateOneOf(options.order, 'options.order', ORDER_NAMES);
    wanted.order = options.order;
  }
  return wanted;
}

const noName = (hostname) => new ERR_INVALID_ARG_VALUE('hostname', hostname, 'must be a non-empty string');

/**
 * Asks for the addresses of a host; `done(error, entries, addresses)`. Out: what was wrong with the
 * question.
 */
function ask(request, hostname, wanted, done) {
  const { family, hints, order } = wanted;
  request.family = family;
  request.hostname = hostname;
  request.oncomplete = (errno, addresses) => {
    if (errno) {
      done(new DNSException(errno, 'getaddrinfo', hostname));
      return;
    }
    done(null, addresses.map((address) => ({ address, family: family || isIP(address) })));
    request.tell?.({ addresses });
  };
  const errno = system.getaddrinfo(request, hostname, family, hints, ORDERS[order]);
  if (errno) return new DNSException(errno, 'getaddrinfo', hostname);
  measure(request, 'lookup', { hostname, family, hints, verbatim: order === 'verbatim', order });
  return undefined;
}

function measure(request, name, detail) {
  const tell = begin('dns', name, detail);
  if (tell !== undefined) Object.defineProperty(request, 'tell', { __proto__: null, value: tell });
}

function lookup(hostname, options, callback) {
  if (hostname) validateString(hostname, 'hostname');
  if (typeof options === 'function') {
    [options, callback] = [undefined, options];
  } else {
    const isOdd = arguments.length === 2 && typeof options !== 'object' && typeof options !== 'number';
    validateFunction(isOdd ? options : callback, 'callback');
  }
  const wanted = read(options, NAMED);
  if (!hostname) throw noName(hostname);
  const done = (error, found) => {
    if (error) callback(error);
    else if (wanted.all) callback(null, found);
    else callback(null, found[0]?.address, found[0]?.family);
  };
  const family = isIP(hostname);
  if (family !== 0) {
    nextTick(done, null, [{ address: hostname, family }]);
    return {};
  }
  const request = new system.GetAddrInfoReqWrap();
  request.callback = callback;
  const error = ask(request, hostname, wanted, done);
  if (error === undefined) return request;
  nextTick(callback, error);
  return {};
}
Object.defineProperty(lookup, customPromisifyArgs, { __proto__: null, value: ['address', 'family'], enumerable: false });

function lookupPromise(hostname, options) {
  if (hostname) validateString(hostname, 'hostname');
  const wanted = read(options, {});
  if (!hostname) return Promise.reject(noName(hostname));
  const family = isIP(hostname);
  const chosen = (found) => (wanted.all ? found : found[0]);
  if (family !== 0) return Promise.resolve(chosen([{ address: hostname, family }]));
  const request = new system.GetAddrInfoReqWrap();
  return new Promise((resolve, reject) => {
    Object.assign(request, { resolve, reject });
    const error = ask(request, hostname, wanted, (failure, found) => {
      if (failure) request.reject(failure);
      else request.resolve(chosen(found));
    });
    if (error !== undefined) reject(error);
  });
}

function checkAddress(address, port) {
  if (isIP(address) === 0) throw new ERR_INVALID_ARG_VALUE('address', address);
  validatePort(port);
}

/**
 * Asks for the names of an address; `done(error, host, service)`. Out: what was wrong with the
 * question.
 */
function askNames(request, address, port, done) {
  request.hostname = address;
  request.port = port;
  request.oncomplete = (errno, hostname, service) => {
    if (errno) {
      done(new DNSException(errno, 'getnameinfo', address));
      return;
    }
    done(null, hostname, service);
    request.tell?.({ hostname, service });
  };
  const errno = system.getnameinfo(request, address, port);
  if (errno) return new DNSException(errno, 'getnameinfo', address);
  measure(request, 'lookupService', { host: address, port });
  return undefined;
}

function lookupService(address, port, callback) {
  if (arguments.length !== 3) throw new ERR_MISSING_ARGS('address', 'port', 'callback');
  checkAddress(address, port);
  validateFunction(callback, 'callback');
  const request = new system.GetNameInfoReqWrap();
  request.callback = callback;
  const error = askNames(request, address, +port, callback);
  if (error !== undefined) throw error;
  return request;
}
Object.defineProperty(lookupService, customPromisifyArgs, { __proto__: null, value: ['hostname', 'service'], enumerable: false });

function lookupServicePromise(address, port) {
  if (arguments.length !== 2) throw new ERR_MISSING_ARGS('address', 'port');
  checkAddress(address, port);
  return new Promise((resolve, reject) => {
    const request = Object.assign(new system.GetNameInfoReqWrap(), { resolve, reject });
    const done = (failure, hostname, service) => (failure ? reject(failure) : resolve({ hostname, service }));
    const error = askNames(request, address, +port, done);
    if (error !== undefined) reject(error);
  });
}

const order = { getDefaultResultOrder, setDefaultResultOrder };

module.exports = {
  HINTS,
  callbacks: { lookup, lookupService, ...order },
  promises: { lookup: named(lookupPromise, 'lookup'), lookupService: named(lookupServicePromise, 'lookupService'), ...order },
};

function named(own, name) {
  return Object.defineProperty(own, 'name', { __proto__: null, value: name, configurable: true });
}
