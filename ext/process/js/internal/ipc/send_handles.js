// Handles sent with IPC messages (`sendHandle`), as in Node's handleConversion. In: a socket or
// server to send; a received file descriptor with the type that the sender named. Out: the native
// handle and Node's type name; a socket or server. Absent: sockets of node:dgram. Sending one
// throws; a received one is closed with a warning.
'use strict';

const binding = internalBinding('ipc');
const { codes: { ERR_FEATURE_UNAVAILABLE_ON_PLATFORM, ERR_INVALID_HANDLE_TYPE } } = require('internal/errors');
const { Handle, kNative } = require('internal/io/stream_handle');

/** Type names in Node's messages. */
const NATIVE = 'net.Native';
const STREAM = 'net.Socket';
const SERVER = 'net.Server';

const BACKLOG = 511;

/** @returns {{ type: string, native: object | undefined }} */
function toMessage(handle) {
  if (handle instanceof Handle) return withType(NATIVE, handle);
  const { Pipe } = require('internal/io/pipe');
  if (handle instanceof Pipe && handle._handle instanceof Handle) return withType(STREAM, handle._handle);
  const net = require('net');
  if (handle instanceof net.Socket && (handle._handle === null || handle._handle instanceof Handle)) return withType(STREAM, handle._handle);
  if (handle instanceof net.Server && handle._handle instanceof Handle) return withType(SERVER, handle._handle);
  if (handle.constructor?.name === 'Socket') throw new ERR_FEATURE_UNAVAILABLE_ON_PLATFORM('Sending a socket of node:dgram to another program');
  throw new ERR_INVALID_HANDLE_TYPE();
}

/** The message of a closed handle is sent without it, as in Node. */
function withType(type, handle) {
  return { type, native: handle?.[kNative] ?? undefined };
}

/** Stops reading: the receiver reads from here on, unless `keepOpen` is set. */
function beforeSend(handle, options) {
  if (isStream(handle) && !options?.keepOpen) handle._handle?.readStop();
}

/** Servers also accept connections in this process after they are sent. */
const isStream = (handle) => !(handle instanceof Handle) && typeof handle.destroy === 'function';

/** Destroys a socket that the receiver has acknowledged, or that could not be sent. */
function afterSend(handle, options) {
  if (isStream(handle) && !options?.keepOpen) handle.destroy();
}

/** The received handle; undefined where its type is not supported. */
function fromMessage(type, descriptor) {
  if ((type === NATIVE || type === STREAM || type === SERVER) && binding.isStream(descriptor)) {
    const native = binding.takeStreamHandle(descriptor);
    const handle = typeof native === 'number' ? undefined : create(type, native);
    if (handle !== undefined) return handle;
  }
  binding.closeFd(descriptor);
  require('process').emitWarning(`A ${type} was sent along with a message, which it is not, or rusk does not have yet; it was closed`, 'SentHandleNotReceivedWarning');
  return undefined;
}

function create(type, native) {
  const { SocketHandle } = require('internal/net/handle');
  const streamHandle = internalBinding('stream_handle');
  const handle = SocketHandle.fromNative(native, streamHandle.kind(streamHandle.fd(native)) === 'PIPE');
  if (type === NATIVE) return handle;
  const net = require('net');
  // The sender's type is untrusted: the socket may be unable to listen.
  if (type === SERVER && handle.listen(BACKLOG) !== 0) {
    handle.close();
    return undefined;
  }
  return type === STREAM ? new net.Socket({ handle, readable: true, writable: true }) : new net.Server().listen(handle);
}

module.exports = { afterSend, beforeSend, fromMessage, toMessage };
