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
const { LOCAL, TCP } = require('internal/net/handle');
const { apply } = require('internal/net/members');
const { isIP } = require('internal/net/kinds');
const { takeHandle } = require('internal/net/socket');
const { kAttempts, kSettings } = require('internal/net/symbols');
const { TIMEOUT_MS_MIN, attempts } = require('internal/net/defaults');


/** `{ address, family, port }`, or `{ address }` of a path. */
function connect(socket, options) {
  socket.connecting = true;
  socket._unrefTimer();
  if (options.path != null && options.path !== '') {
    validateString(options.path, 'options.path');
    tryOne(socket, { address: options.path, family: LOCAL });
    return;
  }
  connectToHost(socket, read(options));
}

/** Options, checked, with what is said by none. */
function read(options) {
  const { localAddress, localPort, lookup, family, hints } = options;
  let { port } = options;
  if (localAddress && isIP(localAddress) === 0) throw new ERR_INVALID_IP_ADDRESS(localAddress);
  if (localPort) validateNumber(localPort, 'options.localPort');
  if (port !== undefined) {
    if (typeof port !== 'number' && typeof port !== 'string') throw new ERR_INVALID_ARG_TYPE('options.port', ['number', 'string'], port);
    validatePort(port);
  }
  port |= 0;
  const isAutomatic = options.autoSelectFamily ?? attempts.isAutomatic;
  validateBoolean(isAutomatic, 'options.autoSelectFamily');
  let attemptMs = options.autoSelectFamilyAttemptTimeout ?? attempts.timeoutMs;
  if (options.autoSelectFamilyAttemptTimeout != null) {
    validateInt32(attemptMs, 'options.autoSelectFamilyAttemptTimeout', 1);
    attemptMs = Math.max(attemptMs, TIMEOUT_MS_MIN);
  }
  if (lookup != null) validateFunction(lookup, 'options.lookup');
  const host = options.host || 'localhost';
  validateString(host, 'options.host');
  return { host, port, localAddress, localPort, lookup: lookup ?? null, family, hints: hints || 0, isAutomatic, attemptMs };
}

function connectToHost(socket, wanted) {
  const { host, port } = wanted;
  const family = isIP(host);
  if (family !== 0) {
    // In a later tick, so that the caller can add listeners first.
    nextTick(() => { if (socket.connecting) tryOne(socket, { ...wanted, address: host, family }); });
    return;
  }
  socket._host = host;
  const lookup = wanted.lookup ?? require('dns').lookup;
  const asked = { family: familyOf(wanted.family), hints: wanted.hints };
  if (asked.family !== 4 && asked.family !== 6 && asked.hints === 0) asked.hints = require('dns').ADDRCONFIG;
  if (wanted.isAutomatic && asked.family !== 4 && asked.family !== 6 && !wanted.localAddress) {
    lookup(host, { ...asked, all: true }, (error, found) => onAll(socket, wanted, error, found));
    return;
  }
  lookup(host, asked, (error, address, foundFamily) => {
    socket.emit('lookup', error, address, foundFamily, host);
    if (!socket.connecting) return;
    const problem = error ?? refusal(address, foundFamily, host, port);
    if (problem) nextTick(fail, socket, problem);
    else tryOne(socket, { ...wanted, address, family: foundFamily });
  });
}

const familyOf = (family) => (family === 'IPv4' ? 4 : family === 'IPv6' ? 6 : family);

/** The error of an address from a lookup that is invalid. */
function refusal(address, family, host, port) {
  if (typeof address !== 'string' || isIP(address) === 0) return new ERR_INVALID_IP_ADDRESS(address);
  return family === 4 || family === 6 ? null : new ERR_INVALID_ADDRESS_FAMILY(family, host, port);
}

function fail(socket, error) {
  if (!socket.destroyed) socket.destroy(error);
}

function onAll(socket, wanted, error, found) {
  if (!socket.connecting) return;
  if (error) {
    socket.emit('lookup', error, undefined, undefined, wanted.host);
    nextTick(fail, socket, error);
    return;
  }
  const good = [];
  let problem;
  for (const { address, family } of found) {
    socket.emit('lookup', null, address, family, wanted.host);
    const refused = refusal(address, family, wanted.host, wanted.port);
    if (refused === null) good.push({ address, family });
    else problem ??= refused;
  }
  // A listener may have destroyed it.
  if (!socket.connecting) return;
  if (good.length === 0) {
    nextTick(fail, socket, problem ?? new ERR_INVALID_IP_ADDRESS(undefined));
  } else if (good.length === 1) {
    tryOne(socket, { ...wanted, ...good[0] });
  } else {
    socket.autoSelectFamilyAttemptedAddresses = [];
    socket[kAttempts] = { wanted, left: byTurns(good), errors: [], timer: null };
    tryNext(socket);
  }
}

/** The family of the first address first, then one of each. */
function byTurns(found) {
  const first = found.filter(({ family }) => family === found[0].family);
  const second = found.filter(({ family }) => family !== found[0].family);
  return first.flatMap((address, index) => (index < second.length ? [address, second[index]] : [address])).concat(second.slice(first.length));
}

/** Opens, binds and connects. Returns an error that occurred at once, or undefined. */
function internalConnect(socket, handle, { address, family, port, localAddress, localPort }) {
  const errno = handle.open(family);
  if (errno < 0) return new ExceptionWithHostPort(errno, 'connect', address, port);
  if (family !== LOCAL && (localAddress || localPort)) {
    const at = localAddress || (family === 4 ? '0.0.0.0' : '::');
    const refused = handle.bind(at, localPort | 0);
    if (refused < 0) return new ExceptionWithHostPort(refused, 'bind', at, localPort);
  }
  if (family !== LOCAL && socket[kSettings].blockList?.check(address, `ipv${family}`)) return new ERR_IP_BLOCKED(address);
  const failed = handle.connect(address, family === LOCAL ? undefined : port);
  if (failed >= 0) return undefined;
  const own = handle.getsockname();
  return new ExceptionWithHostPort(failed, 'connect', address, port, own.address === undefined ? undefined : `${own.address}:${own.port}`);
}

/** The error of an attempt that failed asynchronously. */
function toConnectError(errno, { address, port, localAddress, localPort }) {
  const error = new ExceptionWithHostPort(errno, 'connect', address, port, localAddress && localPort ? `${localAddress}:${localPort}` : undefined);
  if (localAddress) error.localAddress = localAddress;
  if (localPort) error.localPort = localPort;
  return error;
}

function tryOne(socket, attempt) {
  const { address, family, port } = attempt;
  const handle = socket._handle;
  if (family !== LOCAL) socket.emit('connectionAttempt', address, port, family);
  if (!socket.connecting) return;
  handle.onconnect = (status) => {
    if (socket.destroyed) return;
    if (status === 0) {
      succeed(socket);
      return;
    }
    const error = toConnectError(status, attempt);
    if (family !== LOCAL) socket.emit('connectionAttemptFailed', address, port, family, error);
    socket.destroy(error);
  };
  const error = internalConnect(socket, handle, attempt);
  // Emitted in the next tick, so that the caller can add listeners first.
  if (error !== undefined) nextTick(fail, socket, error);
}

function succeed(socket) {
  socket.connecting = false;
  socket._sockname = undefined;
  apply(socket);
  socket._unrefTimer();
  socket.emit('connect');
  socket.emit('ready');
  if (socket.readable && !socket.isPaused()) socket.read(0);
}

/** The next address of several; all that were tried before have failed, or are given up. */
function tryNext(socket) {
  const state = socket[kAttempts];
  const next = state.left.shift();
  if (next === undefined) {
    socket[kAttempts] = null;
    socket.destroy(state.errors.length === 1 ? state.errors[0] : new NodeAggregateError(state.errors));
    return;
  }
  const { port, attemptMs } = state.wanted;
  const { address, family } = next;
  const lose = (error, event) => {
    clearTimeout(state.timer);
    state.errors.push(error);
    release(socket);
    socket.emit(event, address, port, family, error);
    if (socket[kAttempts] === state && socket.connecting) tryNext(socket);
  };
  socket.autoSelectFamilyAttemptedAddresses.push(`${address}:${port}`);
  socket.emit('connectionAttempt', address, port, family);
  if (!socket.connecting) return;
  if (socket._handle === null) takeHandle(socket, new TCP());
  const handle = socket._handle;
  handle.onconnect = (status) => {
    if (socket._handle !== handle) return;
    if (status !== 0) {
      lose(toConnectError(status, { ...state.wanted, address }), 'connectionAttemptFailed');
      return;
    }
    clearTimeout(state.timer);
    socket[kAttempts] = null;
    succeed(socket);
  };
  const error = internalConnect(socket, handle, { ...state.wanted, ...next });
  if (error !== undefined) {
    lose(error, 'connectionAttemptFailed');
  } else if (state.left.length > 0) {
    state.timer = setTimeout(() => {
      if (socket._handle === handle) lose(new ERR_SOCKET_CONNECTION_TIMEOUT(), 'connectionAttemptTimeout');
    }, attemptMs);
  }
}

/** Closes the handle of a failed attempt. */
function release(socket) {
  const handle = socket._handle;
  if (handle === null) return;
  socket._handle = null;
  require('internal/process/active_resources').remove(handle);
  handle.close();
}

/** The socket is destroyed: nothing is tried any more. */
function giveUp(socket) {
  const state = socket[kAttempts];
  if (!state) return;
  socket[kAttempts] = null;
  clearTimeout(state.timer);
}

module.exports = { connect, giveUp };
