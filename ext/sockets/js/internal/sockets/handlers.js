// Handlers of sockets. In: the `socket` option of `Bun.listen` and `Bun.connect`. Out: checked
// handlers, and calls of them. Errors are bun's.
'use strict';

const { invalidArgType } = require('internal/bun/environment');

const NAMES = ['open', 'close', 'error', 'data', 'drain', 'handshake', 'end', 'connectError', 'timeout'];
const BINARY_TYPES = new Set(['buffer', 'arraybuffer', 'uint8array']);

function checkOptions(options) {
  if (typeof options !== 'object' || options === null) throw invalidArgType('Expected object');
  if (typeof options.socket !== 'object' || options.socket === null) throw invalidArgType('SocketOptions.socket is required');
  return checkHandlers(options.socket);
}

function checkHandlers(socket) {
  const handlers = { binaryType: checkBinaryType(socket.binaryType) };
  for (const name of NAMES) {
    const handler = socket[name] ?? undefined;
    if (handler !== undefined && typeof handler !== 'function') {
      throw invalidArgType(`Expected "on${name[0].toUpperCase()}${name.slice(1)}" callback to be a function`);
    }
    handlers[name] = handler;
  }
  if (handlers.data === undefined && handlers.drain === undefined) throw invalidArgType('Expected at least "data" or "drain" callback');
  return handlers;
}

function checkBinaryType(type = 'buffer') {
  if (!BINARY_TYPES.has(type)) throw invalidArgType('Expected "binaryType" to be "arraybuffer", "uint8array" or "buffer"');
  return type;
}

/** `bytes`: a Buffer. */
function toBinaryType(bytes, type) {
  if (type === 'buffer') return bytes;
  const copy = new Uint8Array(bytes);
  return type === 'arraybuffer' ? copy.buffer : copy;
}

/** Calls a handler. What it throws is for the `error` handler, else it is uncaught. */
function call(handlers, name, socket, ...parameters) {
  const handler = handlers[name];
  if (handler === undefined) return;
  try {
    handler(socket, ...parameters);
  } catch (error) {
    if (name === 'error' || handlers.error === undefined) require('process').nextTick(() => { throw error; });
    else call(handlers, 'error', socket, error);
  }
}

module.exports = { call, checkBinaryType, checkHandlers, checkOptions, toBinaryType };
