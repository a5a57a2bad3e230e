// A pattern or an address given as an object of components (the URL Pattern standard, "process a
// URLPatternInit"). In: such an object with an optional baseURL. Out: components, completed from
// the base; canonical where they are an address's. Absent: compiling.
'use strict';

const { URL } = require('web/url');
const canonical = require('web/url_pattern/canonical');
const { escapePattern } = require('web/url_pattern/component');

const NAMES = ['protocol', 'username', 'password', 'hostname', 'port', 'pathname', 'search', 'hash'];

/** The members that count, as strings. */
function membersOf(given) {
  const members = {};
  for (const name of [...NAMES, 'baseURL']) {
    const value = given[name];
    if (value !== undefined) members[name] = `${value}`;
  }
  return members;
}

const isAbsent = (init, ...names) => names.every((name) => init[name] === undefined);
const RIGHT_OF_SCHEME = ['protocol', 'hostname', 'port'];

/**
 * What an address of the base has where the object begins to say something of its own only behind.
 */
function fromBase(init, base, isPattern) {
  const take = (value) => (isPattern ? escapePattern(value) : value);
  const found = {};
  const steps = [['hostname', ['protocol', 'hostname']], ['port', RIGHT_OF_SCHEME], ['pathname', [...RIGHT_OF_SCHEME, 'pathname']]];
  if (isAbsent(init, 'protocol')) found.protocol = take(base.protocol.slice(0, -1));
  if (!isPattern && isAbsent(init, ...RIGHT_OF_SCHEME, 'username')) found.username = base.username;
  if (!isPattern && isAbsent(init, ...RIGHT_OF_SCHEME, 'username', 'password')) found.password = base.password;
  for (const [name, own] of steps) if (isAbsent(init, ...own)) found[name] = take(base[name]);
  if (isAbsent(init, ...RIGHT_OF_SCHEME, 'pathname', 'search')) found.search = take(base.search.slice(1));
  if (isAbsent(init, ...RIGHT_OF_SCHEME, 'pathname', 'search', 'hash')) found.hash = take(base.hash.slice(1));
  return found;
}

function isAbsolute(pathname, isPattern) {
  return pathname[0] === '/' || (isPattern && (pathname.startsWith('\\/') || pathname.startsWith('{/')));
}

const hasOpaquePath = (url) => !canonical.SPECIAL.has(url.protocol.slice(0, -1)) && url.pathname !== '' && url.pathname[0] !== '/';

function resolvePathname(pathname, base, isPattern) {
  if (base === undefined || hasOpaquePath(base) || isAbsolute(pathname, isPattern)) return pathname;
  const path = isPattern ? escapePattern(base.pathname) : base.pathname;
  return path.slice(0, path.lastIndexOf('/') + 1) + pathname;
}

/** `defaults`: what an address has where nobody said anything; a pattern has nothing there. */
function complete(init, { isPattern, defaults = {} }) {
  const found = { ...defaults };
  let base;
  if (init.baseURL !== undefined) {
    base = new URL(init.baseURL);
    Object.assign(found, fromBase(init, base, isPattern));
  }
  const take = (name, canonize, value = init[name]) => {
    if (value !== undefined) found[name] = isPattern ? value : canonize(value);
  };
  take('protocol', canonical.protocol, init.protocol?.replace(/:$/, ''));
  take('username', canonical.username);
  take('password', canonical.password);
  const scheme = found.protocol ?? '';
  const isWeb = canonical.SPECIAL.has(scheme) || scheme === '';
  take('hostname', isWeb ? canonical.hostname : canonical.opaqueHostname);
  take('port', canonical.portOf(scheme));
  if (init.pathname !== undefined) {
    take('pathname', isWeb ? canonical.pathname : canonical.opaquePathname, resolvePathname(init.pathname, base, isPattern));
  }
  take('search', canonical.search, init.search?.replace(/^\?/, ''));
  take('hash', canonical.hash, init.hash?.replace(/^#/, ''));
  return found;
}

module.exports = { NAMES, complete, membersOf };
