// URLPatternInit processing (URL Pattern Standard, "process a URLPatternInit"). In: an object of
// components with an optional baseURL. Out: components, completed from the base, and canonicalized
// if they are of a URL. Absent: compilation.
'use strict';

const { URL } = require('web/url');
const canonical = require('web/url_pattern/canonicalization');
const { escapePattern } = require('web/url_pattern/component');

const NAMES = ['protocol', 'username', 'password', 'hostname', 'port', 'pathname', 'search', 'hash'];

/** The members of the dictionary, as strings. */
function membersOf(init) {
  const members = {};
  for (const name of [...NAMES, 'baseURL']) {
    const value = init[name];
    if (value !== undefined) members[name] = `${value}`;
  }
  return members;
}

const isAbsent = (init, ...names) => names.every((name) => init[name] === undefined);
const RIGHT_OF_SCHEME = ['protocol', 'hostname', 'port'];

/** The components inherited from the base URL: those before the first one that the object has. */
function fromBase(init, base, isPattern) {
  const set = (value) => (isPattern ? escapePattern(value) : value);
  const result = {};
  const steps = [['hostname', ['protocol', 'hostname']], ['port', RIGHT_OF_SCHEME], ['pathname', [...RIGHT_OF_SCHEME, 'pathname']]];
  if (isAbsent(init, 'protocol')) result.protocol = set(base.protocol.slice(0, -1));
  if (!isPattern && isAbsent(init, ...RIGHT_OF_SCHEME, 'username')) result.username = base.username;
  if (!isPattern && isAbsent(init, ...RIGHT_OF_SCHEME, 'username', 'password')) result.password = base.password;
  for (const [name, before] of steps) if (isAbsent(init, ...before)) result[name] = set(base[name]);
  if (isAbsent(init, ...RIGHT_OF_SCHEME, 'pathname', 'search')) result.search = set(base.search.slice(1));
  if (isAbsent(init, ...RIGHT_OF_SCHEME, 'pathname', 'search', 'hash')) result.hash = set(base.hash.slice(1));
  return result;
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

/** `defaults`: missing components of a URL; a pattern has none. */
function complete(init, { isPattern, defaults = {} }) {
  const result = { ...defaults };
  let base;
  if (init.baseURL !== undefined) {
    base = new URL(init.baseURL);
    Object.assign(result, fromBase(init, base, isPattern));
  }
  const set = (name, canonicalize, value = init[name]) => {
    if (value !== undefined) result[name] = isPattern ? value : canonicalize(value);
  };
  set('protocol', canonical.protocol, init.protocol?.replace(/:$/, ''));
  set('username', canonical.username);
  set('password', canonical.password);
  const scheme = result.protocol ?? '';
  const isWeb = canonical.SPECIAL.has(scheme) || scheme === '';
  set('hostname', isWeb ? canonical.hostname : canonical.opaqueHostname);
  set('port', canonical.portOf(scheme));
  if (init.pathname !== undefined) {
    set('pathname', isWeb ? canonical.pathname : canonical.opaquePathname, resolvePathname(init.pathname, base, isPattern));
  }
  set('search', canonical.search, init.search?.replace(/^\?/, ''));
  set('hash', canonical.hash, init.hash?.replace(/^#/, ''));
  return result;
}

module.exports = { NAMES, complete, membersOf };
