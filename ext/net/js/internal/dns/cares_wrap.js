// Requests to the system's resolver: getaddrinfo and getnameinfo of Node's cares_wrap binding. In:
// a request object of Node's class, a name or address. Out: a negative errno, or `oncomplete` of
// the request is called with the result. Callers read the functions from here at each call, because
// Node's own tests replace them. Absent: validation of arguments.
'use strict';

const active = require('internal/process/active_resources');

class GetAddrInfoReqWrap {}
class GetNameInfoReqWrap {}

/** Flags of getaddrinfo(3) on Linux. */
const AI_V4MAPPED = 8;
const AI_ALL = 16;
const AI_ADDRCONFIG = 32;

const DNS_ORDER_VERBATIM = 0;
const DNS_ORDER_IPV4_FIRST = 1;
const DNS_ORDER_IPV6_FIRST = 2;

const UV_EAI_NODATA = -3007;
const UV_EINVAL = -22;
/** The limit of libuv. */
const NAME_LENGTH_MAX = 254;

/** An internationalized domain name in ASCII (Punycode). */
function toAscii(hostname) {
  return /[^\x00-\x7f]/.test(hostname) ? require('url').domainToASCII(hostname) || hostname : hostname;
}

/** Addresses of one family first; the order in each family is unchanged. */
function sortAddresses(addresses, order) {
  if (order === DNS_ORDER_VERBATIM) return addresses;
  const isFirst = (address) => address.includes(':') === (order === DNS_ORDER_IPV6_FIRST);
  return [...addresses.filter(isFirst), ...addresses.filter((address) => !isFirst(address))];
}

/** Calls a function of the binding; the request is active until `callback` gets the result. */
function dispatch(request, name, args, callback) {
  const { bind } = require('internal/async_context');
  active.addRequest(request);
  internalBinding('dns')[name](...args, bind((result) => {
    active.removeRequest(request);
    callback(result);
  }, `${name.toUpperCase()}REQWRAP`, request));
}

/** `oncomplete(errno or null, addresses)`. */
function getaddrinfo(request, hostname, family, hints, order) {
  const name = toAscii(hostname);
  if (name.length > NAME_LENGTH_MAX) return UV_EINVAL;
  dispatch(request, 'getaddrinfo', [name, family, hints], (result) => {
    if (typeof result === 'number') request.oncomplete(result);
    else if (result.length === 0) request.oncomplete(UV_EAI_NODATA);
    else request.oncomplete(null, sortAddresses(result, order));
  });
  return 0;
}

/** `oncomplete(errno or null, host, service)`. */
function getnameinfo(request, address, port) {
  dispatch(request, 'getnameinfo', [address, port], (result) => {
    if (typeof result === 'number') request.oncomplete(result);
    else request.oncomplete(null, ...result);
  });
  return 0;
}

module.exports = {
  AI_ADDRCONFIG, AI_ALL, AI_V4MAPPED, DNS_ORDER_IPV4_FIRST, DNS_ORDER_IPV6_FIRST, DNS_ORDER_VERBATIM, GetAddrInfoReqWrap, GetNameInfoReqWrap,
  getaddrinfo, getnameinfo, toAscii,
  get ChannelWrap() { return require('internal/dns/channel').ChannelWrap; },
};
