// Requests to the system's resolver, as Node's cares_wrap getaddrinfo and getnameinfo. In: a
// request object of Node's class, a name or address. Out: a negative errno, or `oncomplete` of the
// request is called with the result. Callers read the functions from here at each call, because
// Node's own tests replace them. Absent: validation of arguments.
'use strict';

const active = require('internal/process/active_resources');

class GetAddrInfoReqWrap {}
class GetNameInfoReqWrap {}

/** Of getaddrinfo(3), as Linux has them. */
const AI_V4MAPPED = 8;
const AI_ALL = 16;
const AI_ADDRCONFIG = 32;

const DNS_ORDER_VERBATIM = 0;
const DNS_ORDER_IPV4_FIRST = 1;
const DNS_ORDER_IPV6_FIRST = 2;

const NO_ADDRESS = -3007;
const BAD_ARGUMENT = -22;
/** Longer names are none: libuv has no room for them. */
const NAME_LENGTH_MAX = 254;

/** Names of other scripts, as the resolver knows them. */
function toAscii(hostname) {
  return /[^\x00-\x7f]/.test(hostname) ? require('url').domainToASCII(hostname) || hostname : hostname;
}

/** Those of one family first, each family in its order. */
function inOrder(addresses, order) {
  if (order === DNS_ORDER_VERBATIM) return addresses;
  const isFirst = (address) => address.includes(':') === (order === DNS_ORDER_IPV6_FIRST);
  return [...addresses.filter(isFirst), ...addresses.filter((address) => !isFirst(address))];
}

/** Calls `name` of the native half; `then` is called with its answer when it is there. */
function ask(request, name, given, then) {
  const { bind } = require('internal/async_context');
  active.addRequest(request);
  internalBinding('dns')[name](...given, bind((found) => {
    active.removeRequest(request);
    then(found);
  }));
}

/** `oncomplete(errno or null, addresses)`. */
function getaddrinfo(request, hostname, family, hints, order) {
  const name = toAscii(hostname);
  if (name.length > NAME_LENGTH_MAX) return BAD_ARGUMENT;
  ask(request, 'addresses', [name, family, hints], (found) => {
    if (typeof found === 'number') request.oncomplete(found);
    else if (found.length === 0) request.oncomplete(NO_ADDRESS);
    else request.oncomplete(null, inOrder(found, order));
  });
  return 0;
}

/** `oncomplete(errno or null, host, service)`. */
function getnameinfo(request, address, port) {
  ask(request, 'names', [address, port], (found) => {
    if (typeof found === 'number') request.oncomplete(found);
    else request.oncomplete(null, ...found);
  });
  return 0;
}

module.exports = {
  AI_ADDRCONFIG, AI_ALL, AI_V4MAPPED, DNS_ORDER_IPV4_FIRST, DNS_ORDER_IPV6_FIRST, DNS_ORDER_VERBATIM, GetAddrInfoReqWrap, GetNameInfoReqWrap,
  getaddrinfo, getnameinfo, toAscii,
  get ChannelWrap() { return require('internal/dns/channel').ChannelWrap; },
};
