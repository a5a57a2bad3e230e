// `node:net`, as far as it needs no sockets: what an address is, lists of addresses that are refused, settings. In: texts. Out: their kind.
// Sockets and servers are not there yet, and say so.
'use strict';

const { absent, absentFunction } = require('internal/absent');
const { validateBoolean, validateInt32 } = require('internal/validators');

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

module.exports = {
  isIP,
  isIPv4,
  isIPv6,
  get BlockList() { return require('internal/net/block_list').BlockList; },
  get SocketAddress() { return require('internal/net/socket_address').SocketAddress; },
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
  Server: absent('net', 'Server'),
  Socket: absent('net', 'Socket'),
  Stream: absent('net', 'Stream'),
};
