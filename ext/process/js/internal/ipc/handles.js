// What goes along with a message. In: a handle; a descriptor that came, and what the sender said it
// is. Out: what the native half is to send, and Node's name of its kind; the handle. Absent:
// sockets of node:dgram: sent, they are refused by name, received, they are closed and a warning
// says so.
'use strict';

const binding = internalBinding('ipc');
const { codes: { ERR_FEATURE_UNAVAILABLE_ON_PLATFORM, ERR_INVALID_HANDLE_TYPE } } = require('internal/errors');
const { Handle, kNative } = require('internal/io/stream_handle');

/** Node's names of kinds. */
const RAW = 'net.Native';
const STREAM = 'net.Socket';
const SERVER = 'net.Server';

const BACKLOG = 511;

/** @returns {{ type: string, along: object }} */
function outgoing(handle) {
  if (handle instanceof Handle) return alive(RAW, handle);
  const { Pipe } = require('internal/io/pipe');
  if (handle instanceof Pipe && handle._handle instanceof Handle) return alive(STREAM, handle._handle);
  const net = require('net');
  if (handle instanceof net.Socket && (handle._handle === null || handle._handle instanceof Handle)) return alive(STREAM, handle._handle);
  if (handle instanceof net.Server && handle._handle instanceof Handle) return alive(SERVER, handle._handle);
  if (handle.constructor?.name === 'Socket') throw new ERR_FEATURE_UNAVAILABLE_ON_PLATFORM('Sending a socket of node:dgram to another program');
  throw new ERR_INVALID_HANDLE_TYPE();
}

/** A handle that was closed goes nowhere; its message goes alone, as in Node. */
function alive(type, handle) {
  return { type, along: handle?.[kNative] ?? undefined };
}

/** From here on the other end reads what comes, unless the program keeps it. */
function leave(handle, options) {
  if (isStream(handle) && !options?.keepOpen) handle._handle?.readStop();
}

/** A server goes on here, too. */
const isStream = (handle) => !(handle instanceof Handle) && typeof handle.destroy === 'function';

/** The other end has it, or never will: it is no more ours. */
function afterSent(handle, options) {
  if (isStream(handle) && !options?.keepOpen) handle.destroy();
}

/** What the other end sent; undefined where there is no such thing here. */
function incoming(type, descriptor) {
  if ((type === RAW || type === STREAM || type === SERVER) && binding.isStream(descriptor)) {
    const pipe = binding.takePipe(descriptor);
    const found = typeof pipe === 'number' ? undefined : made(type, pipe);
    if (found !== undefined) return found;
  }
  binding.drop(descriptor);
  require('process').emitWarning(`A ${type} was sent along with a message, which it is not, or rusk does not have yet; it was closed`, 'SentHandleNotReceivedWarning');
  return undefined;
}

function made(type, pipe) {
  const { SocketHandle } = require('internal/net/handle');
  const pipes = internalBinding('stream_handle');
  const handle = SocketHandle.over(pipe, pipes.kind(pipes.number(pipe)) === 'PIPE');
  if (type === RAW) return handle;
  const net = require('net');
  // Not everything that is said to be a server can be one.
  if (type === SERVER && handle.listen(BACKLOG) !== 0) {
    handle.close();
    return undefined;
  }
  return type === STREAM ? new net.Socket({ handle, readable: true, writable: true }) : new net.Server().listen(handle);
}

module.exports = { afterSent, incoming, leave, outgoing };
