// `net.SocketAddress`. In: an address, a port, a family; or a string of address and port. Out: the
// same, with the address in the notation of inet_ntop. It is immutable, so cloning for another
// thread copies the values. Absent: host names.
'use strict';

const { codes: { ERR_INVALID_ADDRESS, ERR_INVALID_ARG_VALUE } } = require('internal/errors');
const { validateObject, validatePort, validateString, validateUint32 } = require('internal/validators');
const { kClone, kSerialize } = require('internal/messaging/symbols');
const binding = internalBinding('block_list');

const kInspect = Symbol.for('nodejs.util.inspect.custom');
/** An IPv6 address in a URL. */
const V6_HOST = /^\[(.*)\]$/;

class SocketAddress {
  #address;
  #port;
  #family;
  #flowlabel;

  static isSocketAddress(value) {
    return typeof value === 'object' && value !== null && #address in value;
  }

  /** Parses the host and port of a URL; undefined if they are invalid. */
  static parse(input) {
    validateString(input, 'input');
    try {
      const { hostname, port } = new URL(`http://${input}`);
      const ipv6 = V6_HOST.exec(hostname);
      return ipv6 === null
        ? new SocketAddress({ address: hostname, port: port | 0, family: 'ipv4' })
        : new SocketAddress({ address: ipv6[1], port: port | 0, family: 'ipv6' });
    } catch {
      return undefined;
    }
  }

  constructor(options = { __proto__: null }) {
    validateObject(options, 'options');
    let { family = 'ipv4' } = options;
    const { address = family === 'ipv6' ? '::' : '127.0.0.1', port = 0, flowlabel = 0 } = options;
    if (typeof family?.toLowerCase === 'function') family = family.toLowerCase();
    if (family !== 'ipv4' && family !== 'ipv6') throw new ERR_INVALID_ARG_VALUE('options.family', options.family);
    validateString(address, 'options.address');
    validatePort(port, 'options.port');
    validateUint32(flowlabel, 'options.flowlabel', false);
    this.#address = binding.address(address, family === 'ipv6');
    if (this.#address === undefined) throw new ERR_INVALID_ADDRESS();
    this.#port = port | 0;
    this.#family = family;
    this.#flowlabel = family === 'ipv6' ? flowlabel : 0;
  }

  get address() { return this.#address; }
  get port() { return this.#port; }
  get family() { return this.#family; }
  get flowlabel() { return this.#flowlabel; }

  toJSON() {
    const { address, port, family, flowlabel } = this;
    return { address, port, family, flowlabel };
  }

  [kInspect](depth, options) {
    if (depth < 0) return '[SocketAddress]';
    const { inspect } = require('internal/util/inspect');
    return `SocketAddress ${inspect(this.toJSON(), { ...options, depth: options.depth == null ? null : options.depth - 1 })}`;
  }

  [kClone]() { return new SocketAddress(this.toJSON()); }

  [kSerialize]() { return { type: 'SocketAddress', data: this.toJSON() }; }
}

for (const name of ['address', 'port', 'family', 'flowlabel']) {
  Object.defineProperty(SocketAddress.prototype, name, { __proto__: null, enumerable: true });
}

module.exports = { SocketAddress };
