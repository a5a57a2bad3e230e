// DNS records in Node's format. In: the records that the binding parsed. Out: for each type the
// records in the format of `resolveX`; all of them, each with its type, in that of `resolveAny`.
'use strict';

/** Numbers of kinds. */
const NUMBERS = { A: 1, NS: 2, CNAME: 5, SOA: 6, PTR: 12, MX: 15, TXT: 16, AAAA: 28, SRV: 33, NAPTR: 35, TLSA: 52, ANY: 255, CAA: 257 };

/** From the parts of a record. */
const SHAPES = {
  __proto__: null,
  MX: ([priority, exchange]) => ({ exchange, priority, type: 'MX' }),
  SRV: ([priority, weight, port, name]) => ({ name, port, priority, weight, type: 'SRV' }),
  NAPTR: ([order, preference, flags, service, regexp, replacement]) => ({ flags, service, regexp, replacement, order, preference }),
  SOA: ([nsname, hostmaster, serial, refresh, retry, expire, minttl]) => ({ nsname, hostmaster, serial, refresh, retry, expire, minttl }),
  CAA: ([critical, tag, value]) => ({ critical, type: 'CAA', [tag]: value }),
  TLSA: ([certUsage, selector, match, { buffer, byteOffset, byteLength }]) =>
    ({ certUsage, selector, match, data: buffer.slice(byteOffset, byteOffset + byteLength) }),
  TXT: (texts) => texts,
};

/** In the order in which `resolveAny` has them. */
const ANY = {
  __proto__: null,
  A: ([address], ttl) => ({ address, ttl }),
  CNAME: ([value]) => ({ value }),
  AAAA: ([address], ttl) => ({ address, ttl }),
  MX: SHAPES.MX,
  NS: ([value]) => ({ value }),
  TXT: (entries) => ({ entries }),
  SRV: SHAPES.SRV,
  PTR: ([value]) => ({ value }),
  NAPTR: SHAPES.NAPTR,
  SOA: SHAPES.SOA,
  TLSA: SHAPES.TLSA,
  CAA: SHAPES.CAA,
};

const ofKind = (records, kind) => records.filter(([number]) => number === NUMBERS[kind]);

function any(records) {
  return Object.keys(ANY).flatMap((kind) =>
    ofKind(records, kind).map(([, ttl, ...parts]) => ({ ...ANY[kind](parts, ttl), type: kind })));
}

/** `{ result, ttls }`; undefined where there is none of the kind. */
function read(records, kind) {
  if (kind === 'ANY') {
    const result = any(records);
    return result.length === 0 ? undefined : { result };
  }
  const own = ofKind(records, kind);
  if (own.length === 0) return undefined;
  const shape = SHAPES[kind] ?? (([value]) => value);
  const result = own.map(([, , ...parts]) => shape(parts));
  if (kind === 'SOA') return { result: result[0] };
  return { result, ttls: kind === 'A' || kind === 'AAAA' ? own.map(([, ttl]) => ttl) : undefined };
}

module.exports = { NUMBERS, read };
