// How hosts are found as the system finds them: `lookup`, `lookupService`. In: names or addresses, options. Out: what was found, to a callback or by a
// promise. The order of addresses is the system's, unless the program wants one family first. Absent: asking servers of names ourselves.
'use strict';

const { nextTick } = require('process');
const {
  DNSException, codes: { ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE, ERR_MISSING_ARGS },
} = require('internal/errors');
const { validateBoolean, validateFunction, validateNumber, validateOneOf, validatePort, validateString } = require('internal/validators');
const { getOptionValue } = require('internal/options');
const { isIP } = require('internal/net/kinds');
const { customPromisifyArgs } = require('internal/util');

/** Of getaddrinfo(3), as Linux has them. */
const HINTS = { ADDRCONFIG: 32, ALL: 16, V4MAPPED: 8 };
const ALL_HINTS = HINTS.ADDRCONFIG | HINTS.ALL | HINTS.V4MAPPED;
const FAMILIES = [0, 4, 6];
const NAMED = { IPv4: 4, IPv6: 6 };
const ORDERS = ['verbatim', 'ipv4first', 'ipv6first'];
const NOT_FOUND = -3008;
const BAD_ARGUMENT = -22;
/** Longer names are none: libuv has no room for them. */
const NAME_LENGTH_MAX = 254;

let defaultOrder;

function getDefaultResultOrder() {
  return (defaultOrder ??= getOptionValue('--dns-result-order') || 'verbatim');
}

function setDefaultResultOrder(order) {
  validateOneOf(order, 'dnsOrder', ORDERS);
  defaultOrder = order;
}

/** What is asked for: `{ family, hints, all, order }`. */
function read(options) {
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
    wanted.family = NAMED[options.family] ?? options.family;
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
    validateOneOf(options.order, 'options.order', ORDERS);
    wanted.order = options.order;
  }
  return wanted;
}

function checkName(hostname) {
  if (hostname) validateString(hostname, 'hostname');
  else throw new ERR_INVALID_ARG_VALUE('hostname', hostname, 'must be a non-empty string');
}

const entry = (address) => ({ address, family: isIP(address) });

/** Those of one family first, each family in its order. */
function ordered(entries, order) {
  if (order === 'verbatim') return entries;
  const first = order === 'ipv4first' ? 4 : 6;
  return [...entries.filter(({ family }) => family === first), ...entries.filter(({ family }) => family !== first)];
}

/** `done(error, entries)`, in another turn. */
function find(hostname, { family, hints, order }, done) {
  if (isIP(hostname) !== 0) {
    nextTick(done, null, [entry(hostname)]);
    return;
  }
  const { bind } = require('internal/async_context');
  const name = toAscii(hostname);
  if (name.length > NAME_LENGTH_MAX) {
    nextTick(done, new DNSException(BAD_ARGUMENT, 'getaddrinfo', hostname));
    return;
  }
  native('dns').addresses(name, family, hints, bind((found) => {
    const errno = typeof found === 'number' ? found : found.length === 0 ? NOT_FOUND : 0;
    if (errno !== 0) done(new DNSException(errno, 'getaddrinfo', hostname));
    else done(null, ordered(found.map(entry), order));
  }));
}

/** Names of other scripts, as the resolver knows them. */
function toAscii(hostname) {
  return /[^\x00-\x7f]/.test(hostname) ? require('url').domainToASCII(hostname) || hostname : hostname;
}

function lookup(hostname, options, callback) {
  checkName(hostname);
  if (typeof options === 'function') [options, callback] = [undefined, options];
  else validateFunction(callback, 'callback');
  const wanted = read(options);
  find(hostname, wanted, (error, found) => {
    if (error) callback(error);
    else if (wanted.all) callback(null, found);
    else callback(null, found[0].address, found[0].family);
  });
  return {};
}
Object.defineProperty(lookup, customPromisifyArgs, { __proto__: null, value: ['address', 'family'], enumerable: false });

function lookupPromise(hostname, options) {
  checkName(hostname);
  const wanted = read(options);
  const { promise, resolve, reject } = Promise.withResolvers();
  find(hostname, wanted, (error, found) => {
    if (error) reject(error);
    else resolve(wanted.all ? found : found[0]);
  });
  return promise;
}

/** `done(error, host, service)`. */
function findNames(address, port, done) {
  const { bind } = require('internal/async_context');
  native('dns').names(address, +port, bind((found) => {
    if (typeof found === 'number') done(new DNSException(found, 'getnameinfo', address));
    else done(null, ...found);
  }));
}

function checkAddress(address, port) {
  if (isIP(address) === 0) throw new ERR_INVALID_ARG_VALUE('address', address);
  validatePort(port);
}

function lookupService(address, port, callback) {
  if (arguments.length !== 3) throw new ERR_MISSING_ARGS('address', 'port', 'callback');
  checkAddress(address, port);
  validateFunction(callback, 'callback');
  findNames(address, port, callback);
  return {};
}
Object.defineProperty(lookupService, customPromisifyArgs, { __proto__: null, value: ['hostname', 'service'], enumerable: false });

function lookupServicePromise(address, port) {
  if (arguments.length !== 2) throw new ERR_MISSING_ARGS('address', 'port');
  checkAddress(address, port);
  const { promise, resolve, reject } = Promise.withResolvers();
  findNames(address, port, (error, hostname, service) => (error ? reject(error) : resolve({ hostname, service })));
  return promise;
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
