// DNS records in Node's format. In: the records that the binding parsed. Out: for each type the
// records in the format of `resolveX`; all of them, each with its type, in that of `resolveAny`.
'use strict';

const { recordType } = internalBinding('dns');

/** Functions from the fields of a record to the value in the result of `resolveX`. */
const FORMATS = {
  __proto__: null,
  MX: ([priority, exchange]) => ({ exchange, priority, type: 'MX' }),
  SRV: ([priority, weight, port, name]) => ({ name, port, priority, weight, type: 'SRV' }),
  NAPTR: ([order, preference, flags, service, regexp, replacement]) => ({ flags, service, regexp, replacement, order, preference }),
  SOA: ([nsname, hostmaster, serial, refresh, retry, expire, minttl]) => ({ nsname, hostmaster, serial, refresh, retry, expire, minttl }),
  CAA: ([critical, tag, value]) => ({ critical, type: 'CAA', [tag]: value }),
  TLSA: ([certUsage, selector, match, { buffer, byteOffset, byteLength }]) =>
    ({ certUsage, selector, match, data: buffer.slice(byteOffset, byteOffset + byteLength) }),
  TXT: (strings) => strings,
};

/** The same for `resolveAny`, in the order of its result. */
const ANY_FORMATS = {
  __proto__: null,
  A: ([address], ttl) => ({ address, ttl }),
  CNAME: ([value]) => ({ value }),
  AAAA: ([address], ttl) => ({ address, ttl }),
  MX: FORMATS.MX,
  NS: ([value]) => ({ value }),
  TXT: (entries) => ({ entries }),
  SRV: FORMATS.SRV,
  PTR: ([value]) => ({ value }),
  NAPTR: FORMATS.NAPTR,
  SOA: FORMATS.SOA,
  TLSA: FORMATS.TLSA,
  CAA: FORMATS.CAA,
};

const ofType = (records, type) => records.filter(([number]) => number === recordType[type]);

function toAny(records) {
  return Object.keys(ANY_FORMATS).flatMap((type) =>
    ofType(records, type).map(([, ttl, ...fields]) => ({ ...ANY_FORMATS[type](fields, ttl), type })));
}

/** `{ result, ttls }`; undefined if there is no record of this type. */
function toResults(records, type) {
  if (type === 'ANY') {
    const result = toAny(records);
    return result.length === 0 ? undefined : { result };
  }
  const matches = ofType(records, type);
  if (matches.length === 0) return undefined;
  const format = FORMATS[type] ?? (([value]) => value);
  const result = matches.map(([, , ...fields]) => format(fields));
  if (type === 'SOA') return { result: result[0] };
  return { result, ttls: type === 'A' || type === 'AAAA' ? matches.map(([, ttl]) => ttl) : undefined };
}

module.exports = { toResults };
