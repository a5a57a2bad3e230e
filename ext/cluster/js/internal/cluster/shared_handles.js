// Where workers listen together. In: what a worker wants to listen at. Out: a handle that is there,
// the same for each who wants the same; it is closed when none of them has it any more.
'use strict';

const { LOCAL, Pipe, TCP } = require('internal/net/handle');

/** By what was wanted: `{ handle, errno, workers }`. */
const places = new Map();

function take(worker, { address, port, addressType, fd, index, flags }) {
  const key = `${address}:${port}:${addressType}:${fd}:${index}`;
  let place = places.get(key);
  if (place === undefined) {
    place = { ...open(address, port, addressType, flags), workers: new Set() };
    if (place.errno !== 0) return { errno: place.errno, key };
    places.set(key, place);
  }
  place.workers.add(worker);
  return { errno: 0, key, handle: place.handle };
}

/** By the newer protocol, which takes the older along, where no address is said. */
function open(address, port, addressType, flags) {
  if (addressType === -1) return bound(new Pipe(), LOCAL, address, undefined, 0);
  if (address !== null && address !== undefined) return bound(new TCP(), addressType, address, port, flags);
  const six = bound(new TCP(), 6, '::', port, flags);
  return six.errno === 0 || six.errno === IN_USE ? six : bound(new TCP(), 4, '0.0.0.0', port, flags);
}

const IN_USE = -98;

function bound(handle, family, address, port, flags) {
  const errno = handle.open(family) || handle.bind(address, port, flags);
  if (errno !== 0) handle.close();
  return { errno, handle: errno === 0 ? handle : undefined };
}

/** `key` undefined: it leaves all of them. */
function leave(worker, key) {
  for (const [name, place] of places) {
    if (key !== undefined && name !== key) continue;
    place.workers.delete(worker);
    if (place.workers.size > 0) continue;
    places.delete(name);
    place.handle.close();
  }
}

module.exports = { leave, take };
