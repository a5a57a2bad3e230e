// `net.BlockList`. In: addresses, ranges, subnets, or the strings of such rules. Out: whether an
// address is blocked. The list is a reference-counted Rust object: a clone, in this thread or
// another, refers to the same list.
'use strict';

const { codes: { ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE } } = require('internal/errors');
const { validateInt32, validateString } = require('internal/validators');
const { kClone, kSerialize } = require('internal/messaging/symbols');
const { SocketAddress } = require('internal/net/socket_address');
const binding = internalBinding('block_list');

const kInspect = Symbol.for('nodejs.util.inspect.custom');
const kHandle = Symbol('kHandle');

const ADDRESS = /^Address: (IPv[46]) (\S+)$/;
const RANGE = /^Range: (IPv[46]) ([^-\s]+)-(\S+)$/;
const SUBNET = /^Subnet: (IPv[46]) ([^/\s]+)\/(\d{1,3})$/;

const isIPv6 = ({ family }) => family === 'ipv6';

/** A SocketAddress; makes one of a string and a family. */
function toSocketAddress(value, name, family) {
  if (SocketAddress.isSocketAddress(value)) return value;
  validateString(value, name);
  validateString(family, 'family');
  return new SocketAddress({ address: value, family });
}

const detectFamily = (address) => new SocketAddress({ address, family: address.includes(':') ? 'ipv6' : 'ipv4' });

/** Parses a rule and adds it. */
function addRule(list, rule) {
  const address = ADDRESS.exec(rule);
  if (address !== null) return list.addAddress(address[2], address[1]);
  const range = RANGE.exec(rule);
  // The ends may have different families.
  if (range !== null) return list.addRange(detectFamily(range[2]), detectFamily(range[3]));
  const subnet = SUBNET.exec(rule);
  return subnet === null ? undefined : list.addSubnet(subnet[2], Number(subnet[3]), subnet[1]);
}

class BlockList {
  constructor() {
    this[kHandle] = binding.create();
  }

  static isBlockList(value) {
    return value?.[kHandle] !== undefined;
  }

  addAddress(address, family = 'ipv4') {
    const socketAddress = toSocketAddress(address, 'address', family);
    binding.addAddress(this[kHandle], socketAddress.address, isIPv6(socketAddress));
  }

  addRange(start, end, family = 'ipv4') {
    const first = toSocketAddress(start, 'start', family);
    const last = toSocketAddress(end, 'end', family);
    if (!binding.addRange(this[kHandle], first.address, isIPv6(first), last.address, isIPv6(last))) {
      throw new ERR_INVALID_ARG_VALUE('start', first, 'must come before end');
    }
  }

  addSubnet(network, prefix, family = 'ipv4') {
    const socketAddress = toSocketAddress(network, 'network', family);
    validateInt32(prefix, 'prefix', 0, isIPv6(socketAddress) ? 128 : 32);
    binding.addSubnet(this[kHandle], socketAddress.address, isIPv6(socketAddress), prefix);
  }

  /** False if the address is invalid. */
  check(address, family = 'ipv4') {
    if (SocketAddress.isSocketAddress(address)) return binding.check(this[kHandle], address.address, isIPv6(address));
    validateString(address, 'address');
    validateString(family, 'family');
    const lower = family.toLowerCase();
    return (lower === 'ipv4' || lower === 'ipv6') && binding.check(this[kHandle], address, lower === 'ipv6');
  }

  toJSON() { return this.rules; }

  /** Ignores strings that are no rules. */
  fromJSON(data) {
    const list = typeof data === 'string' ? JSON.parse(data) : data;
    if (!Array.isArray(list) || list.some((rule) => typeof rule !== 'string')) {
      throw new ERR_INVALID_ARG_TYPE('data', ['string', 'string[]'], list);
    }
    for (const rule of list) addRule(this, rule);
  }

  get rules() { return binding.rules(this[kHandle]); }

  [kInspect](depth, options) {
    if (depth < 0) return this;
    const { inspect } = require('internal/util/inspect');
    return `BlockList ${inspect({ rules: this.rules }, { ...options, depth: options.depth == null ? null : options.depth - 1 })}`;
  }

  [kClone]() { return fromHandle(this[kHandle]); }

  [kSerialize]() { return { type: 'BlockList', native: this[kHandle] }; }
}

/** A BlockList over an existing native list. */
function fromHandle(handle) {
  const list = Object.create(BlockList.prototype);
  list[kHandle] = handle;
  return list;
}

module.exports = { BlockList, fromHandle };
