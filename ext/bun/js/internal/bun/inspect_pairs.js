// Names and values of Headers, URLSearchParams and FormData, as `Bun.inspect` shows them. In: a
// value. Out: its class and pairs, those of one name together; undefined: it is none of these.
'use strict';

/** Known to bun's engine: such headers come first, then cookies, then others. */
const KNOWN_HEADERS = new Set(`
  accept accept-charset accept-encoding accept-language accept-ranges
  access-control-allow-credentials access-control-allow-headers access-control-allow-methods
  access-control-allow-origin access-control-expose-headers access-control-max-age
  access-control-request-headers access-control-request-method age authorization cache-control
  connection content-disposition content-encoding content-language content-length content-location
  content-range content-security-policy content-security-policy-report-only content-type cookie
  cookie2 cross-origin-embedder-policy cross-origin-embedder-policy-report-only
  cross-origin-opener-policy cross-origin-opener-policy-report-only cross-origin-resource-policy
  date default-style dnt etag expect expires host icy-metaint icy-metadata if-match
  if-modified-since if-none-match if-range if-unmodified-since keep-alive last-event-id
  last-modified link location origin ping-from ping-to pragma proxy-authorization proxy-connection
  purpose range referer referrer-policy refresh report-to sec-fetch-dest sec-fetch-mode
  sec-websocket-accept sec-websocket-extensions sec-websocket-key sec-websocket-protocol
  sec-websocket-version server-timing service-worker service-worker-allowed
  service-worker-navigation-preload set-cookie2 sourcemap strict-transport-security te
  timing-allow-origin trailer transfer-encoding upgrade upgrade-insecure-requests user-agent vary
  via x-content-type-options x-dns-prefetch-control x-frame-options x-sourcemap x-temp-tablet
  x-xss-protection
`.trim().split(/\s+/));

/** [class, module]; no value has a class whose module is not loaded. */
const CLASSES = [['Headers', 'web/fetch/headers'], ['URLSearchParams', 'web/url'], ['FormData', 'web/fetch/form_data']];

const kCustom = Symbol.for('nodejs.util.inspect.custom');

/** @returns {[string, [string, unknown][]] | undefined} */
function pairsOf(value) {
  for (const [name, module] of CLASSES) {
    if (!require.isLoaded(module)) continue;
    const { prototype } = require(module)[name];
    // A subclass may be shown in its own way.
    if (!Object.prototype.isPrototypeOf.call(prototype, value) || value[kCustom] !== prototype[kCustom]) continue;
    try {
      return [name, name === 'Headers' ? pairsOfHeaders(value) : together([...Reflect.apply(prototype.entries, value, [])])];
    } catch {
      // An object that only inherits from the prototype.
      return undefined;
    }
  }
  return undefined;
}

function pairsOfHeaders(headers) {
  const { entries, cookies } = require('web/fetch/headers').listOf(headers);
  const pairs = [...entries].filter(([key]) => key !== 'set-cookie').map(([key, { value }]) => [key, value]);
  const known = pairs.filter(([key]) => KNOWN_HEADERS.has(key));
  const others = pairs.filter(([key]) => !KNOWN_HEADERS.has(key));
  return [...known, ...cookies.length > 0 ? [['set-cookie', [...cookies]]] : [], ...others];
}

/** Several values of a name as an array, in the place of the first. */
function together(pairs) {
  const values = new Map();
  for (const [name, value] of pairs) values.set(name, [...values.get(name) ?? [], value]);
  return [...values].map(([name, all]) => [name, all.length === 1 ? all[0] : all]);
}

module.exports = { pairsOf };
