// The proxy of a request, as in bun: the option `proxy` of `fetch`, else what the environment names
// (`http_proxy`, `https_proxy`, `all_proxy`); `no_proxy` lists hosts that are reached without one.
// In: a URL, the option. Out: the proxy; undefined: none. Absent: how it is used.
'use strict';

const PORTS = { '__proto__': null, 'http:': '80', 'https:': '443' };

/** `given`: the checked option; undefined: the environment decides. */
function chooseProxy(url, given) {
  if (given?.isDirect) return undefined;
  const { env } = require('process');
  const proxy = given ?? environmentProxy(env, url.protocol);
  if (proxy === undefined || (!proxy.ignoresBypass && isBypassed(env, url))) return undefined;
  return proxy;
}

/** A variable whose name may be in capitals. */
const textOf = (env, name) => env[name] || env[name.toUpperCase()] || '';

function environmentProxy(env, protocol) {
  const text = (textOf(env, protocol === 'https:' ? 'https_proxy' : 'http_proxy') || textOf(env, 'all_proxy')).trim();
  if (text === '') return undefined;
  const url = URL.parse(text.includes('://') ? text : `http://${text}`);
  // Other kinds, such as SOCKS, are ignored.
  return url !== null && url.protocol in PORTS ? { url, headers: [] } : undefined;
}

function isBypassed(env, { protocol, hostname, port }) {
  const text = textOf(env, 'no_proxy');
  if (text === '') return false;
  const host = hostname.replace(/^\[(.*)\]$/, '$1').toLowerCase();
  return text.toLowerCase().split(/[\s,]+/).some((entry) => entry !== '' && matches(entry, host, port || PORTS[protocol]));
}

/** `entry`: `*`, a name with its subdomains, an address or a block of them; it may have a port. */
function matches(entry, host, port) {
  if (entry === '*') return true;
  const { BlockList, isIP } = require('net');
  const family = (address) => (isIP(address) === 6 ? 'ipv6' : 'ipv4');
  const [first, bits] = entry.split('/');
  if (bits !== undefined) {
    if (!isIP(first) || !isIP(host) || !/^\d{1,3}$/.test(bits) || Number(bits) > (isIP(first) === 6 ? 128 : 32)) return false;
    const block = new BlockList();
    block.addSubnet(first, Number(bits), family(first));
    return block.check(host, family(host));
  }
  const withPort = isIP(entry) ? null : /^(.*):(\d+)$/.exec(entry);
  if (withPort !== null && withPort[2] !== port) return false;
  const name = (withPort?.[1] ?? entry).replace(/^\[(.*)\]$/, '$1');
  if (isIP(name)) {
    if (!isIP(host)) return false;
    const block = new BlockList();
    block.addAddress(name, family(name));
    return block.check(host, family(host));
  }
  const domain = name.replace(/^\*?\./, '');
  return domain !== '' && (host === domain || host.endsWith(`.${domain}`));
}

module.exports = { chooseProxy };
