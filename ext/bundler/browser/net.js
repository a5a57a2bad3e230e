// `node:net` in browsers: which strings are addresses. Absent: sockets and servers.
'use strict';

const V4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;
const GROUP = /^[0-9a-f]{1,4}$/i;

function isIPv4(text) { return V4.test(`${text}`); }

function isIPv6(text) {
  const [address, zone] = `${text}`.split('%', 2);
  if (zone !== undefined && !/^[\w.:~-]+$/.test(zone)) return false;
  const halves = address.split('::');
  if (halves.length > 2) return false;
  const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')));
  let count = groups.length;
  if (isIPv4(groups.at(-1) ?? '') && !address.endsWith('::')) {
    groups.pop();
    count += 1;
  }
  return groups.every((group) => GROUP.test(group)) && (halves.length === 2 ? count < 8 : count === 8);
}

function isIP(text) {
  if (isIPv4(text)) return 4;
  return isIPv6(text) ? 6 : 0;
}

module.exports = { isIP, isIPv4, isIPv6 };
