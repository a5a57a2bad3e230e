// Shared listening handles of a cluster's primary, as Node's SharedHandle. In: the address that a
// worker wants to listen on. Out: one handle for all workers that request the same address; it is
// closed when the last of them releases it.
'use strict';

const { Pipe, TCP } = require('internal/net/handle');
const { family: { IPV4, IPV6, UNIX } } = internalBinding('net');

const UV_EADDRINUSE = -98;

/** `{ handle, errno, workers, data }` by the requested address; `data` is the first worker's. */
const sharedHandles = new Map();

function acquire(worker, { address, port, addressType, fd, index, flags, data = null }) {
  const key = `${address}:${port}:${addressType}:${fd}:${index}`;
  let entry = sharedHandles.get(key);
  if (entry === undefined) {
    entry = { ...open(address, port, addressType, flags), workers: new Set(), data };
    if (entry.errno !== 0) return { errno: entry.errno, key };
    sharedHandles.set(key, entry);
  }
  entry.workers.add(worker);
  return { errno: 0, key, handle: entry.handle, data: entry.data };
}

/** Binds; without an address to `::`, which accepts IPv4 too, or to `0.0.0.0`. */
function open(address, port, addressType, flags) {
  if (addressType === -1) return bindHandle(new Pipe(), UNIX, address, undefined, 0);
  if (address !== null && address !== undefined) return bindHandle(new TCP(), addressType, address, port, flags);
  const dualStack = bindHandle(new TCP(), IPV6, '::', port, flags);
  return dualStack.errno === 0 || dualStack.errno === UV_EADDRINUSE ? dualStack : bindHandle(new TCP(), IPV4, '0.0.0.0', port, flags);
}

function bindHandle(handle, family, address, port, flags) {
  const errno = handle.open(family) || handle.bind(address, port, flags);
  if (errno !== 0) handle.close();
  return { errno, handle: errno === 0 ? handle : undefined };
}

/** Releases the handle of `key`; all handles of the worker if undefined. */
function release(worker, key) {
  for (const [name, entry] of sharedHandles) {
    if (key !== undefined && name !== key) continue;
    entry.workers.delete(worker);
    if (entry.workers.size > 0) continue;
    sharedHandles.delete(name);
    entry.handle.close();
  }
}

module.exports = { acquire, release };
