// Canonicalization of URL components (URL Pattern Standard, "Canonicalization"). In: a string. Out:
// the component as the URL parser serializes it; a TypeError if it is invalid.
'use strict';

const { URL } = require('web/url');

/** Values that are in no real URL; they show whether a setter accepted its argument. */
const HOST = 'none.invalid';
const PORT = '1';

function throwInvalid() {
  throw new TypeError('Invalid component');
}

const SPECIAL = new Map([['http', '80'], ['https', '443'], ['ws', '80'], ['wss', '443'], ['ftp', '21'], ['file', '']]);

function protocol(value) {
  if (value === '') return value;
  const url = URL.parse(`${value}://${HOST}`);
  return url === null ? throwInvalid() : url.protocol.slice(0, -1);
}

/** `value` after assignment to a property of a URL. */
function canonicalize(name, value, base = `x://${HOST}`) {
  if (value === '') return value;
  const url = new URL(base);
  url[name] = value;
  return url[name];
}

const username = (value) => canonicalize('username', value);
const password = (value) => canonicalize('password', value);
const search = (value) => canonicalize('search', value && `?${value}`).slice(1);
const hash = (value) => canonicalize('hash', value && `#${value}`).slice(1);

function hostname(value) {
  if (value === '') return value;
  const result = canonicalize('hostname', value, `http://${HOST}`);
  return result === HOST && value !== HOST ? throwInvalid() : result;
}

/** The hostname of a URL with a non-special scheme. */
function opaqueHostname(value) {
  if (value === '') return value;
  const result = canonicalize('hostname', value);
  return result === HOST && value !== HOST ? throwInvalid() : result;
}

function ipv6Hostname(value) {
  return /^[0-9a-f[\]:]*$/i.test(value) ? value.toLowerCase() : throwInvalid();
}

/** The function that canonicalizes ports of a scheme. */
function portOf(scheme) {
  return (value) => {
    if (value === '') return value;
    const base = SPECIAL.has(scheme) && scheme !== 'file' ? `${scheme}://${HOST}:${PORT}` : `x://${HOST}:${PORT}`;
    const result = canonicalize('port', value, base);
    return result === PORT && !/^0*1(?:\D|$)/.test(value.replace(/[\t\n\r]/g, '')) ? throwInvalid() : result;
  };
}

function pathname(value) {
  if (value === '') return value;
  if (value[0] === '/') return canonicalize('pathname', value);
  // The prefix `/-` keeps leading dots from being parsed as `.` and `..` segments.
  return canonicalize('pathname', `/-${value}`).slice(2);
}

/** The opaque path of a URL such as `data:`. */
function opaquePathname(value) {
  return value.replace(/[\t\n\r]/g, '').replace(/[^ -~]/gu, encodeURIComponent);
}

module.exports = {
  SPECIAL, hash, hostname, ipv6Hostname, opaqueHostname, opaquePathname, password, pathname, portOf, protocol, search, username,
};
