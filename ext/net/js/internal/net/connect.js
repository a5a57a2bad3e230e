// Connecting a socket: `socket.connect`. In: a socket, options. Out: 'connect' and 'ready', or the
// socket is destroyed with an error; an event for each attempt. The addresses of a host are
// attempted in turn with alternating families, as in RFC 8305 (Happy Eyeballs).
'use strict';

const { nextTick } = require('process');
const {
  ExceptionWithHostPort, NodeAggregateError,
  codes: {
    ERR_INVALID_ADDRESS_FAMILY, ERR_INVALID_ARG_TYPE, ERR_INVALID_IP_ADDRESS, ERR_IP_BLOCKED, ERR_SOCKET_CONNECTION_TIMEOUT,
  },
} = require('internal/errors');
const { validateBoolean, validateFunction, validateInt32, validateNumber, validatePort, validateString } = require('internal/validators');
const { TCP } = require('internal/net/handle');
const { family: { IPV4, IPV6, UNIX } } = internalBinding('net');
const { applySocketOptions } = require('internal/net/socket_properties');
const { isIP } = require('internal/net/ip');
const { setHandle } = require('internal/net/socket');
const { begin, isObserved } = require('internal/perf/observe');
const { kConnectAttempts, kEndMeasurement, kSocketOptions } = require('internal/net/symbols');
const { ATTEMPT_TIMEOUT_MS_MIN, autoSelectFamily } = require('internal/net/auto_select_family');

/** `{ address, family, port }`, or `{ address }` of a path. */
function connect(socket, options) {
  socket.connecting = true;
  socket._unrefTimer();
  if (options.path != null && options.path !== '') {
    validateString(options.path, 'options.path');
    connectToAddress(socket, { address: options.path, family: UNIX });
    return;
  }
  lookupAndConnect(socket, readOptions(options));
}

/** Validated options with defaults. */
function readOptions(options) {
  const { localAddress, localPort, lookup, family, hints } = options;
  let { port } = options;
  if (localAddress && isIP(localAddress) === 0) throw new ERR_INVALID_IP_ADDRESS(localAddress);
  if (localPort) validateNumber(localPort, 'options.localPort');
  if (port !== undefined) {
    if (typeof port !== 'number' && typeof port !== 'string') throw new ERR_INVALID_ARG_TYPE('options.port', ['number', 'string'], port);
    validatePort(port);
  }
  port |= 0;
  const isAutoSelect = options.autoSelectFamily ?? autoSelectFamily.isDefault;
  validateBoolean(isAutoSelect, 'options.autoSelectFamily');
  let attemptTimeoutMs = options.autoSelectFamilyAttemptTimeout ?? autoSelectFamily.attemptTimeoutMs;
  if (options.autoSelectFamilyAttemptTimeout != null) {
    validateInt32(attemptTimeoutMs, 'options.autoSelectFamilyAttemptTimeout', 1);
    attemptTimeoutMs = Math.max(attemptTimeoutMs, ATTEMPT_TIMEOUT_MS_MIN);
  }
  if (lookup != null) validateFunction(lookup, 'options.lookup');
  const host = options.host || 'localhost';
  validateString(host, 'options.host');
  return { host, port, localAddress, localPort, lookup: lookup ?? null, family, hints: hints || 0, isAutoSelect, attemptTimeoutMs };
}

function lookupAndConnect(socket, options) {
  const { host, port } = options;
  const family = isIP(host);
  if (family !== 0) {
    // In a later tick, so that the caller can add listeners first.
    nextTick(() => { if (socket.connecting) connectToAddress(socket, { ...options, address: host, family }); });
    return;
  }
  socket._host = host;
  const lookup = options.lookup ?? require('dns').lookup;
  const lookupOptions = { family: familyOf(options.family), hints: options.hints };
  if (lookupOptions.family !== IPV4 && lookupOptions.family !== IPV6 && lookupOptions.hints === 0) lookupOptions.hints = require('dns').ADDRCONFIG;
  if (options.isAutoSelect && lookupOptions.family !== IPV4 && lookupOptions.family !== IPV6 && !options.localAddress) {
    lookup(host, { ...lookupOptions, all: true }, (error, addresses) => onAddresses(socket, options, error, addresses));
    return;
  }
  lookup(host, lookupOptions, (error, address, foundFamily) => {
    socket.emit('lookup', error, address, foundFamily, host);
    if (!socket.connecting) return;
    const lookupError = error ?? validateAddress(address, foundFamily, host, port);
    if (lookupError) nextTick(fail, socket, lookupError);
    else connectToAddress(socket, { ...options, address, family: foundFamily });
  });
}

const familyOf = (family) => (family === 'IPv4' ? IPV4 : family === 'IPv6' ? IPV6 : family);

/** The error of an invalid address from a lookup, or null. */
function validateAddress(address, family, host, port) {
  if (typeof address !== 'string' || isIP(address) === 0) return new ERR_INVALID_IP_ADDRESS(address);
  return family === IPV4 || family === IPV6 ? null : new ERR_INVALID_ADDRESS_FAMILY(family, host, port);
}

function fail(socket, error) {
  if (!socket.destroyed) socket.destroy(error);
}

function onAddresses(socket, options, error, addresses) {
  if (!socket.connecting) return;
  if (error) {
    socket.emit('lookup', error, undefined, undefined, options.host);
    nextTick(fail, socket, error);
    return;
  }
  const valid = [];
  let firstError;
  for (const { address, family } of addresses) {
    socket.emit('lookup', null, address, family, options.host);
    const invalid = validateAddress(address, family, options.host, options.port);
    if (invalid === null) valid.push({ address, family });
    else firstError ??= invalid;
  }
  // A listener may have destroyed the socket.
  if (!socket.connecting) return;
  if (valid.length === 0) {
    nextTick(fail, socket, firstError ?? new ERR_INVALID_IP_ADDRESS(undefined));
  } else if (valid.length === 1) {
    connectToAddress(socket, { ...options, ...valid[0] });
  } else {
    socket.autoSelectFamilyAttemptedAddresses = [];
    socket[kConnectAttempts] = { options, remaining: interleaveFamilies(valid), errors: [], timer: null };
    connectToNextAddress(socket);
  }
}

/** Alternates the families, beginning with that of the first address. */
function interleaveFamilies(addresses) {
  const first = addresses.filter(({ family }) => family === addresses[0].family);
  const second = addresses.filter(({ family }) => family !== addresses[0].family);
  return first.flatMap((address, index) => (index < second.length ? [address, second[index]] : [address])).concat(second.slice(first.length));
}

/** Opens, binds and connects. Returns an error that occurred at once, or undefined. */
function internalConnect(socket, handle, { address, family, port, localAddress, localPort }) {
  const errno = handle.open(family);
  if (errno < 0) return new ExceptionWithHostPort(errno, 'connect', address, port);
  if (family !== UNIX && (localAddress || localPort)) {
    const bindAddress = localAddress || (family === IPV4 ? '0.0.0.0' : '::');
    const bindErrno = handle.bind(bindAddress, localPort | 0);
    if (bindErrno < 0) return new ExceptionWithHostPort(bindErrno, 'bind', bindAddress, localPort);
  }
  if (family !== UNIX && socket[kSocketOptions].blockList?.check(address, `ipv${family}`)) return new ERR_IP_BLOCKED(address);
  const connectErrno = isReplaced(handle) ? requestConnect(handle, { address, family, port }) : handle.connect(address, family === UNIX ? undefined : port);
  if (connectErrno >= 0) {
    if (family !== UNIX && isObserved('net')) socket[kEndMeasurement] = begin('net', 'connect', { host: address, port });
    return undefined;
  }
  const local = handle.getsockname();
  return new ExceptionWithHostPort(connectErrno, 'connect', address, port, local.address === undefined ? undefined : `${local.address}:${local.port}`);
}

/** Whether a program, such as the interceptors of msw, has replaced `connect` of the handle. */
const isReplaced = (handle) => Object.hasOwn(handle, 'connect') || Object.hasOwn(handle, 'connect6');

/**
 * Calls the replaced method as Node does: with a request, whose callback it calls. Returns an
 * errno.
 */
function requestConnect(handle, { address, family, port }) {
  const request = { address, port, oncomplete(status) { handle.onconnect?.(status); } };
  if (family === UNIX) return handle.connect(request, address) || 0;
  return handle[family === IPV6 ? 'connect6' : 'connect'](request, address, port) || 0;
}

/** The error of an attempt that failed asynchronously. */
function toConnectError(errno, { address, port, localAddress, localPort }) {
  const error = new ExceptionWithHostPort(errno, 'connect', address, port, localAddress && localPort ? `${localAddress}:${localPort}` : undefined);
  if (localAddress) error.localAddress = localAddress;
  if (localPort) error.localPort = localPort;
  return error;
}

function connectToAddress(socket, attempt) {
  const { address, family, port } = attempt;
  const handle = socket._handle;
  if (family !== UNIX) socket.emit('connectionAttempt', address, port, family);
  if (!socket.connecting) return;
  handle.onconnect = (status) => {
    if (socket.destroyed) return;
    if (status === 0) {
      afterConnect(socket);
      return;
    }
    const error = toConnectError(status, attempt);
    if (family !== UNIX) socket.emit('connectionAttemptFailed', address, port, family, error);
    socket.destroy(error);
  };
  const error = internalConnect(socket, handle, attempt);
  // Emitted in the next tick, so that the caller can add listeners first.
  if (error !== undefined) nextTick(fail, socket, error);
}

function afterConnect(socket) {
  socket[kEndMeasurement]?.();
  socket.connecting = false;
  socket._sockname = undefined;
  applySocketOptions(socket);
  socket._unrefTimer();
  socket.emit('connect');
  socket.emit('ready');
  if (socket.readable && !socket.isPaused()) socket.read(0);
}

/** Tries the next of several addresses, after the attempts before have failed or timed out. */
function connectToNextAddress(socket) {
  const state = socket[kConnectAttempts];
  const next = state.remaining.shift();
  if (next === undefined) {
    socket[kConnectAttempts] = null;
    socket.destroy(state.errors.length === 1 ? state.errors[0] : new NodeAggregateError(state.errors));
    return;
  }
  const { port, attemptTimeoutMs } = state.options;
  const { address, family } = next;
  const onFailure = (error, event) => {
    clearTimeout(state.timer);
    state.errors.push(error);
    closeHandle(socket);
    socket.emit(event, address, port, family, error);
    if (socket[kConnectAttempts] === state && socket.connecting) connectToNextAddress(socket);
  };
  socket.autoSelectFamilyAttemptedAddresses.push(`${address}:${port}`);
  socket.emit('connectionAttempt', address, port, family);
  if (!socket.connecting) return;
  if (socket._handle === null) setHandle(socket, new TCP());
  const handle = socket._handle;
  handle.onconnect = (status) => {
    if (socket._handle !== handle) return;
    if (status !== 0) {
      onFailure(toConnectError(status, { ...state.options, address }), 'connectionAttemptFailed');
      return;
    }
    clearTimeout(state.timer);
    socket[kConnectAttempts] = null;
    afterConnect(socket);
  };
  const error = internalConnect(socket, handle, { ...state.options, ...next });
  if (error !== undefined) {
    onFailure(error, 'connectionAttemptFailed');
  } else if (state.remaining.length > 0) {
    state.timer = setTimeout(() => {
      if (socket._handle === handle) onFailure(new ERR_SOCKET_CONNECTION_TIMEOUT(), 'connectionAttemptTimeout');
    }, attemptTimeoutMs);
  }
}

/** Closes the handle of a failed attempt. */
function closeHandle(socket) {
  const handle = socket._handle;
  if (handle === null) return;
  if (typeof handle.renew === 'function') {
    // A handle of TLS keeps its settings for the next attempt.
    handle.renew();
    return;
  }
  socket._handle = null;
  require('internal/process/active_resources').remove(handle);
  handle.close();
}

/** Stops the attempts when the socket is destroyed. */
function cancelConnect(socket) {
  const state = socket[kConnectAttempts];
  if (!state) return;
  socket[kConnectAttempts] = null;
  clearTimeout(state.timer);
}

module.exports = { connect, cancelConnect };
