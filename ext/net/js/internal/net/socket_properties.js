// Properties and socket options of `net.Socket`: addresses, byte counts, keep-alive, no-delay. In:
// a socket, with or without a handle. Out: addresses and counts; options are applied to the handle,
// now or once there is one.
'use strict';

const { ErrnoException, codes: { ERR_INVALID_ARG_TYPE } } = require('internal/errors');
const { validateInt32 } = require('internal/validators');
const { kSocketOptions } = require('internal/net/symbols');

const TRAFFIC_CLASS_MAX = 255;

const lengthOf = (chunk, encoding) => (typeof chunk === 'string' ? require('buffer').Buffer.byteLength(chunk, encoding) : chunk.byteLength);

/** Sets the options on a new handle. */
function applySocketOptions(socket) {
  const { noDelay, keepAlive, keepAliveSeconds, trafficClass } = socket[kSocketOptions];
  const handle = socket._handle;
  if (noDelay) handle.setNoDelay?.(true);
  if (keepAlive) handle.setKeepAlive?.(true, keepAliveSeconds);
  if (trafficClass !== undefined) handle.setTrafficClass?.(trafficClass);
}

/**
 * The address by a method of the handle; a negative errno. A method by which a program has replaced
 * it writes to an object that it gets, as Node's do.
 */
function askAddress(handle, method) {
  const out = {};
  const returned = handle[method]?.(out);
  return returned === 0 ? out : returned;
}

function cachedAddress(socket, name, method) {
  if (socket._handle === null || socket.connecting) return socket[name] ?? {};
  if (socket[name] === undefined) {
    const address = askAddress(socket._handle, method);
    if (typeof address !== 'object') return {};
    socket[name] = address;
  }
  return socket[name];
}

const properties = {
  _getpeername() { return cachedAddress(this, '_peername', 'getpeername'); },

  /** A connecting socket may have a local address, which is not cached as it may change. */
  _getsockname() {
    if (this._handle === null) return {};
    const address = this._sockname ?? askAddress(this._handle, 'getsockname');
    if (typeof address !== 'object') return {};
    if (!this.connecting) this._sockname = address;
    return address;
  },

  get remoteAddress() { return this._getpeername().address; },
  get remoteFamily() { return this._getpeername().family; },
  get remotePort() { return this._getpeername().port; },
  get localAddress() { return this._getsockname().address; },
  get localPort() { return this._getsockname().port; },
  get localFamily() { return this._getsockname().family; },
  address() { return this._getsockname(); },

  get bytesRead() { return this[kSocketOptions].bytesRead; },

  /** Includes the bytes that are buffered. */
  get bytesWritten() {
    const state = this._writableState;
    if (!state) return undefined;
    let bytes = this._bytesDispatched;
    for (const { chunk, encoding } of this.writableBuffer ?? []) bytes += lengthOf(chunk, encoding);
    const data = this._pendingData;
    if (Array.isArray(data)) for (const { chunk, encoding } of data) bytes += lengthOf(chunk, encoding);
    else if (data) bytes += lengthOf(data, this._pendingEncoding);
    return bytes;
  },

  get bufferSize() { return this._handle === null ? undefined : this.writableLength; },
  get pending() { return this._handle === null || this.connecting; },

  get readyState() {
    if (this.connecting) return 'opening';
    if (this.readable && this.writable) return 'open';
    if (this.readable) return 'readOnly';
    return this.writable ? 'writeOnly' : 'closed';
  },

  get _connecting() { return this.connecting; },
  get fd() { return this._handle?.fd; },

  setNoDelay(enable) {
    const isEnabled = Boolean(enable === undefined ? true : enable);
    const options = this[kSocketOptions];
    if (this._handle === null || options.noDelay !== isEnabled) {
      options.noDelay = isEnabled;
      this._handle?.setNoDelay?.(isEnabled);
    }
    return this;
  },

  setKeepAlive(enable, initialDelayMs) {
    const [isEnabled, seconds] = [Boolean(enable), ~~(initialDelayMs / 1000)];
    const options = this[kSocketOptions];
    if (this._handle === null || options.keepAlive !== isEnabled || options.keepAliveSeconds !== seconds) {
      options.keepAlive = isEnabled;
      options.keepAliveSeconds = seconds;
      this._handle?.setKeepAlive?.(isEnabled, seconds);
    }
    return this;
  },

  setTypeOfService(tos) {
    if (Number.isNaN(tos)) throw new ERR_INVALID_ARG_TYPE('tos', 'number', tos);
    validateInt32(tos, 'tos', 0, TRAFFIC_CLASS_MAX);
    const errno = this._handle === null || this.connecting ? 0 : this._handle.setTrafficClass?.(tos) ?? 0;
    if (errno < 0) throw new ErrnoException(errno, 'setTypeOfService');
    this[kSocketOptions].trafficClass = tos;
    return this;
  },

  getTypeOfService() {
    if (this._handle === null || this.connecting) return this[kSocketOptions].trafficClass ?? 0;
    const result = this._handle.getTrafficClass?.() ?? 0;
    if (result < 0) throw new ErrnoException(result, 'getTypeOfService');
    return result;
  },

  ref() {
    if (this._handle === null) this.once('connect', this.ref);
    else this._handle.ref();
    return this;
  },

  unref() {
    if (this._handle === null) this.once('connect', this.unref);
    else this._handle.unref();
    return this;
  },
};

module.exports = { applySocketOptions, lengthOf, properties };
