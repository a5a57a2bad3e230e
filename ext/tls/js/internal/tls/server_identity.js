// `tls.checkServerIdentity`: whether a certificate is for a host (RFC 6125, RFC 2818). In: a host
// name or address, a peer's certificate. Out: an error, or undefined.
'use strict';

const { codes: { ERR_TLS_CERT_ALTNAME_FORMAT, ERR_TLS_CERT_ALTNAME_INVALID } } = require('internal/errors');
const { isIP } = require('internal/net/ip');

/** A string of JSON, in which a name is that contains a comma or a quote. */
const QUOTED = /^"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/;
/** Neither U-labels nor control characters are names. */
const NOT_ASCII = /[^\u0021-\u007F]/u;

const withoutRootDot = (host) => host.replace(/[.]$/, '');
/** Lower-case, independent of the locale. */
const lower = (host) => host.replace(/[A-Z]/g, (letter) => String.fromCharCode(32 + letter.charCodeAt(0)));
const labels = (host) => lower(withoutRootDot(host)).split('.');

function matches(hostLabels, pattern) {
  if (!pattern) return false;
  const patternLabels = labels(pattern);
  if (hostLabels.length !== patternLabels.length || patternLabels.some((label) => label === '' || NOT_ASCII.test(label))) return false;
  if (patternLabels.slice(1).some((label, index) => label !== hostLabels[index + 1])) return false;
  const [host] = hostLabels;
  const [first] = patternLabels;
  const parts = first.split('*', 3);
  // A-labels have no wildcards.
  if (parts.length === 1 || first.includes('xn--')) return host === first;
  // One wildcard, and not for a whole top-level domain.
  if (parts.length > 2 || patternLabels.length <= 2) return false;
  const [prefix, suffix] = parts;
  return prefix.length + suffix.length <= host.length && host.startsWith(prefix) && host.endsWith(suffix);
}

/** The names of `subjectaltname`, some of which are quoted. */
function splitAltNames(altNames) {
  if (!altNames.includes('"')) return altNames.split(', ');
  const names = [];
  let name = '';
  let rest = altNames;
  while (rest !== '') {
    const [plain] = /^[^",]*/.exec(rest);
    name += plain;
    rest = rest.slice(plain.length);
    if (rest.startsWith('"')) {
      const quoted = QUOTED.exec(rest)?.[0];
      if (quoted === undefined) throw new ERR_TLS_CERT_ALTNAME_FORMAT();
      name += JSON.parse(quoted);
      rest = rest.slice(quoted.length);
    } else if (rest !== '') {
      names.push(name);
      name = '';
      // A comma and a space.
      rest = rest.slice(2);
    }
  }
  names.push(name);
  return names;
}

/** An address in one form, so that two can be compared. */
function canonicalAddress(address) {
  const family = isIP(address);
  if (family === 0) return undefined;
  const { SocketAddress } = require('internal/net/socket_address');
  return new SocketAddress({ address, family: `ipv${family}` }).address;
}

function checkServerIdentity(hostname, cert) {
  const { subject, subjectaltname: altNames } = cert;
  const names = altNames ? splitAltNames(altNames) : [];
  const dnsNames = names.filter((name) => name.startsWith('DNS:')).map((name) => name.slice(4));
  const addresses = names.filter((name) => name.startsWith('IP Address:')).map((name) => canonicalAddress(name.slice(11)));
  const host = withoutRootDot(`${hostname}`);
  const reason = mismatch({ host, subject, altNames, dnsNames, addresses });
  return reason === undefined ? undefined : new ERR_TLS_CERT_ALTNAME_INVALID(reason, host, cert);
}

/** Why the certificate is not for the host; undefined: it is. */
function mismatch({ host, subject, altNames, dnsNames, addresses }) {
  if (isIP(host)) {
    if (addresses.includes(canonicalAddress(host))) return undefined;
    return `IP: ${host} is not in the cert's list: ${addresses.join(', ')}`;
  }
  const hostLabels = labels(host);
  if (dnsNames.length > 0) {
    if (dnsNames.some((name) => matches(hostLabels, name))) return undefined;
    return `Host: ${host}. is not in the cert's altnames: ${altNames}`;
  }
  // The common name counts only if there is no other.
  const commonName = subject?.CN;
  if (!commonName) return 'Cert does not contain a DNS name';
  if ([commonName].flat().some((name) => matches(hostLabels, name))) return undefined;
  return `Host: ${host}. is not cert's CN: ${commonName}`;
}

module.exports = { canonicalAddress, checkServerIdentity };
