// Trusted certificates: those of the system, of NODE_EXTRA_CA_CERTS, and those that a program sets.
// In: the distribution's bundle, SSL_CERT_FILE, SSL_CERT_DIR. Out: PEM strings for
// `tls.getCACertificates`; a native store, made when a connection first needs it.
'use strict';

const { codes: { ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE }, genericNodeError } = require('internal/errors');
const { validateString } = require('internal/validators');
const { getOptionValue } = require('internal/options');

const binding = internalBinding('tls');

/** Bundles of the distributions; the first that exists is used. */
const BUNDLES = [
  '/etc/ssl/certs/ca-certificates.crt', '/etc/pki/tls/certs/ca-bundle.crt', '/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem', '/etc/ssl/ca-bundle.pem', '/etc/ssl/cert.pem',
];
/** A bundle has a quarter of a megabyte; a larger file is none. */
const BUNDLE_BYTES_MAX = 16 * 1024 * 1024;
const BLOCK = /-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----[^-]*-----END (?:TRUSTED |X509 )?CERTIFICATE-----/g;

let bundled;
let system;
let extra;
let defaults;
/** The certificates of `setDefaultCACertificates`. */
let chosen;
let store;

function readText(path) {
  const fs = require('fs');
  try {
    return fs.statSync(path).size > BUNDLE_BYTES_MAX ? undefined : fs.readFileSync(path, 'latin1');
  } catch {
    return undefined;
  }
}

const blocks = (text) => text?.match(BLOCK) ?? [];

/** The distribution's bundle, or what SSL_CERT_FILE names. */
function readSystemBundle() {
  const { env } = require('process');
  const { SSL_CERT_FILE: file, SSL_CERT_DIR: directory } = env;
  if (file || directory) return [...(file ? blocks(readText(file)) : []), ...(directory ? directoryCertificates(directory) : [])];
  for (const path of BUNDLES) {
    const text = readText(path);
    if (text !== undefined) return blocks(text);
  }
  return [];
}

/** All certificates in the files of directories. */
function directoryCertificates(list) {
  const fs = require('fs');
  const path = require('path');
  return list.split(':').filter(Boolean).flatMap((directory) => {
    try {
      return fs.readdirSync(directory).sort().flatMap((name) => blocks(readText(path.join(directory, name))));
    } catch {
      return [];
    }
  });
}

/** The certificates in the library's own form, each once. */
function normalize(texts, ending) {
  const { Buffer } = require('buffer');
  const seen = new Set();
  for (const text of texts) {
    const body = Buffer.from(text.replace(/-----[^-]*-----/g, ''), 'base64').toString('base64');
    seen.add(`-----BEGIN CERTIFICATE-----\n${body.match(/.{1,64}/g)?.join('\n') ?? ''}\n-----END CERTIFICATE-----${ending}`);
  }
  return Object.freeze([...seen]);
}

/** Where Node has its own list, ours is that of the distribution. */
function bundledCertificates() {
  return bundled ??= normalize(readSystemBundle(), '');
}

function systemCertificates() {
  return system ??= normalize(readSystemBundle(), '\n');
}

function extraCertificates() {
  return extra ??= readExtra();
}

/** Warns if the file of NODE_EXTRA_CA_CERTS cannot be read. */
function checkExtra() {
  if (require('process').env.NODE_EXTRA_CA_CERTS) extraCertificates();
}

function readExtra() {
  const process = require('process');
  const path = process.env.NODE_EXTRA_CA_CERTS;
  if (!path) return Object.freeze([]);
  const text = readText(path);
  if (text === undefined) {
    const error = require('fs').existsSync(path) ? 'is no certificate file' : 'No such file or directory';
    process.emitWarning(`Ignoring extra certs from \`${path}\`, load failed: ${error}`);
  }
  return normalize(blocks(text), '\n');
}

function defaultCertificates() {
  return defaults ??= Object.freeze(computeDefaults());
}

function computeDefaults() {
  if (chosen !== undefined) return chosen;
  const list = [];
  if (!getOptionValue('--use-openssl-ca')) list.push(...bundledCertificates());
  if (getOptionValue('--use-system-ca') || require('process').env.NODE_USE_SYSTEM_CA === '1') list.push(...systemCertificates());
  list.push(...extraCertificates());
  return list;
}

function getCACertificates(type = 'default') {
  validateString(type, 'type');
  switch (type) {
    case 'default': return defaultCertificates();
    case 'bundled': return bundledCertificates();
    case 'system': return systemCertificates();
    case 'extra': return extraCertificates();
    default: throw new ERR_INVALID_ARG_VALUE('type', type);
  }
}

function setDefaultCACertificates(certs) {
  if (!Array.isArray(certs)) throw new ERR_INVALID_ARG_TYPE('certs', 'Array', certs);
  const { Buffer } = require('buffer');
  const texts = certs.map((cert, index) => {
    if (typeof cert !== 'string' && !ArrayBuffer.isView(cert)) throw new ERR_INVALID_ARG_TYPE(`certs[${index}]`, ['string', 'ArrayBufferView'], cert);
    return typeof cert === 'string' ? cert : Buffer.from(cert.buffer, cert.byteOffset, cert.byteLength).toString('latin1');
  });
  const isValid = texts.map((text) => binding.pemCertificates(text).length > 0 || (text.includes('-----BEGIN ') && throwMalformed(text)));
  if (texts.length > 0 && !isValid.includes(true)) {
    throw genericNodeError('No valid certificates found in the provided array', { code: 'ERR_CRYPTO_OPERATION_FAILED' });
  }
  chosen = [...normalize(texts.flatMap(blocks), '\n')];
  defaults = undefined;
  store = undefined;
}

/** The certificates of `setDefaultCACertificates`, or undefined. */
const chosenCertificates = () => chosen;

/** The library's error of a malformed certificate: the last one of several, as Node has it. */
function throwMalformed(text) {
  try {
    internalBinding('openssl').certificate(require('buffer').Buffer.from(text));
  } catch (error) {
    const [last] = error.opensslErrorStack ?? [];
    if (last === undefined) throw error;
    const [, , library, , reason] = last.split(':');
    throw genericNodeError(last, { code: `ERR_OSSL_PEM_${reason.toUpperCase().replaceAll(' ', '_')}`, library, reason });
  }
}

/** The native store of the default certificates, which contexts share. */
function defaultStore() {
  return store ??= newStore();
}

/** A store of the default certificates that one context may change. */
function newStore() {
  if (chosen !== undefined) return binding.trustStore(chosen);
  return binding.trustStore([bundledCertificates().join('\n'), extraCertificates().join('\n')]);
}

module.exports = { bundledCertificates, checkExtra, chosenCertificates, defaultStore, getCACertificates, newStore, setDefaultCACertificates };
