// Components of addresses in the form that the parser of URLs gives them (the URL Pattern standard,
// "Canonicalization"). In: a text. Out: the same as it would stand in an address; a TypeError where
// it never could.
'use strict';

const { URL } = require('web/url');

/** No address of anybody's has these; they show whether a setter took what it was given. */
const HOST = 'none.invalid';
const PORT = '1';

function refuse() {
  throw new TypeError('Invalid component');
}

const SPECIAL = new Map([['http', '80'], ['https', '443'], ['ws', '80'], ['wss', '443'], ['ftp', '21'], ['file', '']]);

function protocol(value) {
  if (value === '') return value;
  const url = URL.parse(`${value}://${HOST}`);
  return url === null ? refuse() : url.protocol.slice(0, -1);
}

/** What a setter makes of `value`. */
function through(name, value, address = `x://${HOST}`) {
  if (value === '') return value;
  const url = new URL(address);
  url[name] = value;
  return url[name];
}

const username = (value) => through('username', value);
const password = (value) => through('password', value);
const search = (value) => through('search', value && `?${value}`).slice(1);
const hash = (value) => through('hash', value && `#${value}`).slice(1);

function hostname(value) {
  if (value === '') return value;
  const found = through('hostname', value, `http://${HOST}`);
  return found === HOST && value !== HOST ? refuse() : found;
}

/** Of an address whose scheme is none of the web's own. */
function opaqueHostname(value) {
  if (value === '') return value;
  const found = through('hostname', value);
  return found === HOST && value !== HOST ? refuse() : found;
}

function ipv6Hostname(value) {
  return /^[0-9a-f[\]:]*$/i.test(value) ? value.toLowerCase() : refuse();
}

/** A function for ports of addresses of this scheme. */
function portOf(scheme) {
  return (value) => {
    if (value === '') return value;
    const address = SPECIAL.has(scheme) && scheme !== 'file' ? `${scheme}://${HOST}:${PORT}` : `x://${HOST}:${PORT}`;
    const found = through('port', value, address);
    return found === PORT && !/^0*1(?:\D|$)/.test(value.replace(/[\t\n\r]/g, '')) ? refuse() : found;
  };
}

function pathname(value) {
  if (value === '') return value;
  if (value[0] === '/') return through('pathname', value);
  // Two characters more keep its first dots from being taken for steps upwards.
  return through('pathname', `/-${value}`).slice(2);
}

/** Of an address such as `data:`, where a path is but characters. */
function opaquePathname(value) {
  return value.replace(/[\t\n\r]/g, '').replace(/[^ -~]/gu, encodeURIComponent);
}

module.exports = {
  SPECIAL, hash, hostname, ipv6Hostname, opaqueHostname, opaquePathname, password, pathname, portOf, protocol, search, username,
};
