// Defaults of `node:tls` that programs may change: properties of the module, read when they are
// needed. In: command-line options. Out: an object that node/tls exposes.
'use strict';

const { getOptionValue } = require('internal/options');

const MINIMUM = ['v1.0', 'v1.1', 'v1.2', 'v1.3'];
const names = { 'v1.0': 'TLSv1', 'v1.1': 'TLSv1.1', 'v1.2': 'TLSv1.2', 'v1.3': 'TLSv1.3' };

function minimum() {
  const found = MINIMUM.find((version) => getOptionValue(`--tls-min-${version}`));
  return names[found] ?? 'TLSv1.2';
}

function maximum() {
  const isOld = getOptionValue('--tls-max-v1.2') && !getOptionValue('--tls-max-v1.3');
  return isOld ? 'TLSv1.2' : 'TLSv1.3';
}

module.exports = {
  DEFAULT_CIPHERS: getOptionValue('--tls-cipher-list') || require('internal/crypto/constants').defaultCoreCipherList,
  DEFAULT_ECDH_CURVE: 'auto',
  DEFAULT_MIN_VERSION: minimum(),
  DEFAULT_MAX_VERSION: maximum(),
  CLIENT_RENEG_LIMIT: 3,
  CLIENT_RENEG_WINDOW: 600,
};
