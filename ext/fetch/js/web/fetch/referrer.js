// The field `Referer` of a request: the Referrer Policy standard. In: the request's referrer, its
// policy and its URL; fields of a redirect. Out: the field's value, or undefined; a policy. Absent:
// a program has no document, so the referrer `about:client` gives no field.
'use strict';

const DEFAULT_POLICY = 'strict-origin-when-cross-origin';
const POLICIES = new Set([
  'no-referrer', 'no-referrer-when-downgrade', 'same-origin', 'origin', 'strict-origin', 'origin-when-cross-origin', DEFAULT_POLICY, 'unsafe-url',
]);
/** A longer referrer is shortened to its origin. */
const LENGTH_MAX = 4096;
const LOOPBACK = /^(?:localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

const LOCAL_SCHEMES = ['about:', 'blob:', 'data:'];

const isTrustworthy = (url) => url.protocol === 'https:' || url.protocol === 'file:' || LOOPBACK.test(url.hostname);

/** As `origin`, but for `file:`, too, which has none. */
const originOf = ({ protocol, host }) => `${protocol}//${host}`;

/** Without credentials and fragment. */
function stripped(url) {
  const full = `${originOf(url)}${url.pathname}${url.search}`;
  return full.length > LENGTH_MAX ? `${originOf(url)}/` : full;
}

/** "Determine request's Referrer". */
function fieldOf(referrer, policy, url) {
  if (referrer === 'no-referrer' || referrer === 'about:client') return undefined;
  const from = new URL(referrer);
  if (LOCAL_SCHEMES.includes(from.protocol)) return undefined;
  const isSameOrigin = originOf(from) === originOf(url);
  const isDowngrade = isTrustworthy(from) && !isTrustworthy(url);
  const origin = `${originOf(from)}/`;
  switch (policy || DEFAULT_POLICY) {
    case 'no-referrer': return undefined;
    case 'origin': return origin;
    case 'unsafe-url': return stripped(from);
    case 'strict-origin': return isDowngrade ? undefined : origin;
    case 'same-origin': return isSameOrigin ? stripped(from) : undefined;
    case 'origin-when-cross-origin': return isSameOrigin ? stripped(from) : origin;
    case 'no-referrer-when-downgrade': return isDowngrade ? undefined : stripped(from);
    default:
      if (isSameOrigin) return stripped(from);
      return isDowngrade ? undefined : origin;
  }
}

/** The policy after a redirect: the last one of its field `Referrer-Policy` that is known. */
function policyAfter(policy, list) {
  const named = list.get('referrer-policy')?.split(',').map((word) => word.trim().toLowerCase()) ?? [];
  return named.findLast((word) => POLICIES.has(word)) ?? policy;
}

module.exports = { fieldOf, policyAfter };
