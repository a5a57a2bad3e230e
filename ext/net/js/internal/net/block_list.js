// `net.BlockList`. In: addresses, ranges, subnets, or the strings of such rules. Out: whether an
// address is blocked. The list is a reference-counted Rust object: a clone, in this thread or
// another, refers to the same list.
'use strict';

const { codes: { ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE } } = require('internal/errors');
const { validateInt32, validateString } = require('internal/validators');
const { kClone, kParts } = require('internal/messaging/symbols');
const { SocketAddress } = require('internal/net/socket_address');
const binding = internalBinding('block_list');

const kInspect = Symbol.for('nodejs.util.inspect.custom');
const kHandle = Symbol('kHandle');

const ADDRESS = /^Address: (IPv[46]) (\S+)$/;
const RANGE = /^Range: (IPv[46]) ([^-\s]+)-(\S+)$/;
const SUBNET = /^Subnet: (IPv[46]) ([^/\s]+)\/(\d{1,3})$/;

const isSix = ({ family }) => family === 'ipv6';

/** An address as it is given: one already, or a text and a family. */
function addressOf(value, name, family) {
  if (SocketAddress.isSocketAddress(value)) return value;
  validateString(value, name);
  validateString(family, 'family');
  return new SocketAddress({ address: value, family });
}

const ofItsFamily = (address) => new SocketAddress({ address, family: address.includes(':') ? 'ipv6' : 'ipv4' });

/** Adds the rule that a text is. */
function read(list, rule) {
  const address = ADDRESS.exec(rule);
  if (address !== null) return list.addAddress(address[2], address[1]);
  const range = RANGE.exec(rule);
  // Its ends may be of two families.
  if (range !== null) return list.addRange(ofItsFamily(range[2]), ofItsFamily(range[3]));
  const subnet = SUBNET.exec(rule);
  return subnet === null ? undefined : list.addSubnet(subnet[2], Number(subnet[3]), subnet[1]);
}

class BlockList {
  constructor() {
    this[kHandle] = binding.make();
  }

  static isBlockList(value) {
    return value?.[kHandle] !== undefined;
  }

  addAddress(address, family = 'ipv4') {
    const found = addressOf(address, 'address', family);
    binding.addAddress(this[kHandle], found.address, isSix(found));
  }

  addRange(start, end, family = 'ipv4') {
    const first = addressOf(start, 'start', family);
    const last = addressOf(end, 'end', family);
    if (!binding.addRange(this[kHandle], first.address, isSix(first), last.address, isSix(last))) {
      throw new ERR_INVALID_ARG_VALUE('start', first, 'must come before end');
    }
  }

  addSubnet(network, prefix, family = 'ipv4') {
    const found = addressOf(network, 'network', family);
    validateInt32(prefix, 'prefix', 0, isSix(found) ? 128 : 32);
    binding.addSubnet(this[kHandle], found.address, isSix(found), prefix);
  }

  /** What is no address is not refused. */
  check(address, family = 'ipv4') {
    if (SocketAddress.isSocketAddress(address)) return binding.check(this[kHandle], address.address, isSix(address));
    validateString(address, 'address');
    validateString(family, 'family');
    const lower = family.toLowerCase();
    return (lower === 'ipv4' || lower === 'ipv6') && binding.check(this[kHandle], address, lower === 'ipv6');
  }

  toJSON() { return this.rules; }

  /** Strings that are no rules are left out. */
  fromJSON(data) {
    const list = typeof data === 'string' ? JSON.parse(data) : data;
    if (!Array.isArray(list) || list.some((rule) => typeof rule !== 'string')) {
      throw new ERR_INVALID_ARG_TYPE('data', ['string', 'string[]'], list);
    }
    for (const rule of list) read(this, rule);
  }

  get rules() { return binding.rules(this[kHandle]); }

  [kInspect](depth, options) {
    if (depth < 0) return this;
    const { inspect } = require('internal/util/inspect');
    return `BlockList ${inspect({ rules: this.rules }, { ...options, depth: options.depth == null ? null : options.depth - 1 })}`;
  }

  [kClone]() { return ofHandle(this[kHandle]); }

  [kParts]() { return { type: 'BlockList', shared: this[kHandle] }; }
}

/** An object over a list that is there already. */
function ofHandle(handle) {
  const list = Object.create(BlockList.prototype);
  list[kHandle] = handle;
  return list;
}

module.exports = { BlockList, ofHandle };
