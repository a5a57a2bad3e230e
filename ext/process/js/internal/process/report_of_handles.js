// Handles of the event loop for diagnostic reports, in libuv's names. In: the active resources.
// Out: the section `libuv` of a report. Absent: names of hosts, sizes of the kernel's buffers.
'use strict';

/** libuv's types by the names of `process.getActiveResourcesInfo()`. */
const TYPES = {
  __proto__: null,
  FSEventWrap: 'fs_event', PipeServerWrap: 'pipe', PipeWrap: 'pipe', ProcessWrap: 'process', StatWatcher: 'fs_poll', TCPServerWrap: 'tcp',
  TCPSocketWrap: 'tcp', TTYWrap: 'tty', UDPWrap: 'udp',
};

/** An address as an endpoint of a report; null: there is none, or its socket is not bound. */
function toEndpoint(address) {
  if (typeof address === 'string') return address || null;
  if (typeof address !== 'object' || address === null || address.address === undefined) return null;
  return { [String(address.family).endsWith('6') ? 'ip6' : 'ip4']: address.address, port: address.port };
}

function endpoints(handle) {
  return { localEndpoint: toEndpoint(handle.getsockname?.()), remoteEndpoint: toEndpoint(handle.getpeername?.()) };
}

function stream(handle, { readable, writable }) {
  const isServer = handle.isServer === true;
  return { fd: handle.fd, writeQueueSize: handle.writeQueueSize ?? 0, readable: !isServer && readable === true, writable: !isServer && writable === true };
}

function datagrams(handle, owner) {
  const addressOf = (method) => {
    try {
      return toEndpoint(owner[method]());
    } catch {
      return null;
    }
  };
  return {
    localEndpoint: addressOf('address'), remoteEndpoint: addressOf('remoteAddress'), fd: handle.fd, writeQueueSize: handle.getSendQueueSize(),
    writeQueueCount: handle.getSendQueueCount(),
  };
}

/** What is particular to a type. */
const DETAILS = {
  __proto__: null,
  fs_event: ({ path }) => ({ filename: path }),
  fs_poll: ({ path }) => ({ filename: path }),
  pipe: (handle, owner) => ({ ...endpoints(handle), ...stream(handle, owner) }),
  process: ({ pid }) => ({ pid }),
  tcp: (handle, owner) => ({ ...endpoints(handle), ...stream(handle, owner) }),
  tty: (handle, owner) => ({ width: owner.columns, height: owner.rows, ...stream(handle, owner) }),
  udp: datagrams,
};

/** Numbers of handles that were in a report. @type {WeakMap<object, number>} */
const numbers = new WeakMap();
let lastNumber = 0;

/** There are no structures of C: this only distinguishes handles, in all reports of a thread. */
function addressOf(handle) {
  let number = numbers.get(handle);
  if (number === undefined) numbers.set(handle, number = ++lastNumber);
  return `0x${number.toString(16).padStart(16, '0')}`;
}

function common(type, isActive, isReferenced, handle) {
  return { type, is_active: isActive, is_referenced: isReferenced, address: addressOf(handle) };
}

function signalHandles() {
  const { signals } = require('internal/os/constants');
  const listened = require('internal/process/signal_events').listenedSignals();
  return listened.map(({ handler, name }) => ({ ...common('signal', true, false, handler), signum: signals[name], signal: name }));
}

function libuvHandles() {
  const active = require('internal/process/active_resources');
  const handles = active.entries().flatMap(([handle, { name, owner }]) => {
    const type = TYPES[name];
    if (type === undefined) return [];
    return [{ ...common(type, true, handle.hasRef?.() !== false, handle), ...DETAILS[type](handle, owner) }];
  });
  const [timers] = active.counts();
  const { idleTime } = require('perf_hooks').performance.nodeTiming;
  return [
    { ...common('timer', timers > 0, timers > 0, active), repeat: 0 },
    ...handles,
    ...signalHandles(),
    { type: 'loop', is_active: true, address: addressOf(libuvHandles), loopIdleTimeSeconds: idleTime / 1000 },
  ];
}

module.exports = { libuvHandles };
