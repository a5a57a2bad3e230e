// `node:net`, as far as it needs no sockets: what an address is, and settings. In: texts. Out: their kind. Sockets, servers and lists of
// blocked addresses are not there yet, and say so.
'use strict';

const { absent, absentFunction } = require('internal/absent');
const { codes: { ERR_INVALID_ARG_VALUE } } = require('internal/errors');
const {
  validateBoolean, validateInt32, validateObject, validatePort, validateString, validateUint32,
} = require('internal/validators');

const V4_PART = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
const V4 = `${V4_PART}(?:\\.${V4_PART}){3}`;
const V6_PART = '[\\da-fA-F]{1,4}';
const IS_V4 = new RegExp(`^${V4}$`);
const IS_V6 = new RegExp(`^(?:${[
  `(?:${V6_PART}:){7}(?:${V6_PART}|:)`,
  `(?:${V6_PART}:){6}(?:${V4}|:${V6_PART}|:)`,
  `(?:${V6_PART}:){5}(?::${V4}|(?::${V6_PART}){1,2}|:)`,
  `(?:${V6_PART}:){4}(?:(?::${V6_PART}){0,1}:${V4}|(?::${V6_PART}){1,3}|:)`,
  `(?:${V6_PART}:){3}(?:(?::${V6_PART}){0,2}:${V4}|(?::${V6_PART}){1,4}|:)`,
  `(?:${V6_PART}:){2}(?:(?::${V6_PART}){0,3}:${V4}|(?::${V6_PART}){1,5}|:)`,
  `(?:${V6_PART}:)(?:(?::${V6_PART}){0,4}:${V4}|(?::${V6_PART}){1,6}|:)`,
  `(?::(?:(?::${V6_PART}){0,5}:${V4}|(?::${V6_PART}){1,7}|:))`,
].join('|')})(?:%[\\w\\-.:]+)?$`);

function isIPv4(text) { return IS_V4.test(`${text}`); }
function isIPv6(text) { return IS_V6.test(`${text}`); }
function isIP(text) { return isIPv4(text) ? 4 : isIPv6(text) ? 6 : 0; }

let isAutomatic = true;
let attemptTimeoutMs = 500;

class SocketAddress {
  #address;
  #port;
  #family;
  #flowlabel;

  constructor(options = { __proto__: null }) {
    validateObject(options, 'options');
    let { family = 'ipv4' } = options;
    const { address = family === 'ipv6' ? '::' : '127.0.0.1', port = 0, flowlabel = 0 } = options;
    if (typeof family?.toLowerCase === 'function') family = family.toLowerCase();
    if (family !== 'ipv4' && family !== 'ipv6') throw new ERR_INVALID_ARG_VALUE('options.family', options.family);
    validateString(address, 'options.address');
    validatePort(port, 'options.port');
    validateUint32(flowlabel, 'options.flowlabel', false);
    if (family === 'ipv4' ? !isIPv4(address) : !isIPv6(address)) {
      throw new ERR_INVALID_ARG_VALUE('options.address', address);
    }
    this.#address = address;
    this.#port = port | 0;
    this.#family = family;
    this.#flowlabel = flowlabel;
  }

  get address() { return this.#address; }
  get port() { return this.#port; }
  get family() { return this.#family; }
  get flowlabel() { return this.#family === 'ipv4' ? 0 : this.#flowlabel; }

  toJSON() {
    const { address, port, family, flowlabel } = this;
    return { address, port, family, flowlabel };
  }
}

module.exports = {
  isIP,
  isIPv4,
  isIPv6,
  SocketAddress,
  getDefaultAutoSelectFamily: () => isAutomatic,
  setDefaultAutoSelectFamily(value) {
    validateBoolean(value, 'value');
    isAutomatic = value;
  },
  getDefaultAutoSelectFamilyAttemptTimeout: () => attemptTimeoutMs,
  setDefaultAutoSelectFamilyAttemptTimeout(value) {
    validateInt32(value, 'value', 1);
    attemptTimeoutMs = Math.max(value, 10);
  },
  connect: absentFunction('net', 'connect'),
  createConnection: absentFunction('net', 'createConnection'),
  createServer: absentFunction('net', 'createServer'),
  BlockList: absent('net', 'BlockList'),
  Server: absent('net', 'Server'),
  Socket: absent('net', 'Socket'),
  Stream: absent('net', 'Stream'),
};
