// IP address families: `net.isIP`. In: strings. Out: 4, 6, or 0 if the string is no IP address.
'use strict';

const V4_PART = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
const V4 = `${V4_PART}(?:\\.${V4_PART}){3}`;
const V6_PART = '[\\da-fA-F]{1,4}';
const IS_V4 = new RegExp(`^${V4}$`);
const IS_V6 = new RegExp(`^(?:${[
  `(?:${V6_PART}:){7}(?:${V6_PART}|:)`,
  `(?:${V6_PART}:){6}(?:${V4}|:${V6_PART}|:)`,
  `(?:${V6_PART}:){5}(?::${V4}|(?::${V6_PART}){1,2}|:)`,
  `(?:${V6_PART}:){4}(?:(?::${V6_PART}){0,1}:${V4}|(?::${V6_PART}){1,3}|:)`,
  `(?:${V6_PART}:){3}(?:(?::${V6_PART}){0,2}:${V4}|(?::${V6_PART}){1,4}|:)`,
  `(?:${V6_PART}:){2}(?:(?::${V6_PART}){0,3}:${V4}|(?::${V6_PART}){1,5}|:)`,
  `(?:${V6_PART}:)(?:(?::${V6_PART}){0,4}:${V4}|(?::${V6_PART}){1,6}|:)`,
  `(?::(?:(?::${V6_PART}){0,5}:${V4}|(?::${V6_PART}){1,7}|:))`,
].join('|')})(?:%[\\w\\-.:]+)?$`);

function isIPv4(text) { return IS_V4.test(`${text}`); }
function isIPv6(text) { return IS_V6.test(`${text}`); }
function isIP(text) { return isIPv4(text) ? 4 : isIPv6(text) ? 6 : 0; }

module.exports = { isIP, isIPv4, isIPv6 };
