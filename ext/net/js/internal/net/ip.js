// IP address families: `net.isIP`. In: strings. Out: 4, 6, or 0 if the string is no IP address.
'use strict';

const V4_SEGMENT = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
const V4 = `${V4_SEGMENT}(?:\\.${V4_SEGMENT}){3}`;
const V6_SEGMENT = '[\\da-fA-F]{1,4}';
const IS_V4 = new RegExp(`^${V4}$`);
const IS_V6 = new RegExp(`^(?:${[
  `(?:${V6_SEGMENT}:){7}(?:${V6_SEGMENT}|:)`,
  `(?:${V6_SEGMENT}:){6}(?:${V4}|:${V6_SEGMENT}|:)`,
  `(?:${V6_SEGMENT}:){5}(?::${V4}|(?::${V6_SEGMENT}){1,2}|:)`,
  `(?:${V6_SEGMENT}:){4}(?:(?::${V6_SEGMENT}){0,1}:${V4}|(?::${V6_SEGMENT}){1,3}|:)`,
  `(?:${V6_SEGMENT}:){3}(?:(?::${V6_SEGMENT}){0,2}:${V4}|(?::${V6_SEGMENT}){1,4}|:)`,
  `(?:${V6_SEGMENT}:){2}(?:(?::${V6_SEGMENT}){0,3}:${V4}|(?::${V6_SEGMENT}){1,5}|:)`,
  `(?:${V6_SEGMENT}:)(?:(?::${V6_SEGMENT}){0,4}:${V4}|(?::${V6_SEGMENT}){1,6}|:)`,
  `(?::(?:(?::${V6_SEGMENT}){0,5}:${V4}|(?::${V6_SEGMENT}){1,7}|:))`,
].join('|')})(?:%[\\w\\-.:]+)?$`);

function isIPv4(string) { return IS_V4.test(`${string}`); }
function isIPv6(string) { return IS_V6.test(`${string}`); }
function isIP(string) { return isIPv4(string) ? 4 : isIPv6(string) ? 6 : 0; }

module.exports = { isIP, isIPv4, isIPv6 };
