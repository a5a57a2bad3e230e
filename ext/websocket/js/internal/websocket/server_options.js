// The `websocket` option of `Bun.serve`. In: what a program passes. Out: handlers, limits and what
// is negotiated, with bun's defaults. Errors are bun's.
'use strict';

const { invalidArgType } = require('internal/bun/environment');

const MESSAGE_BYTES_DEFAULT = 16 * 1024 * 1024;
const BACKPRESSURE_BYTES_DEFAULT = 16 * 1024 * 1024;
const BYTES_MAX = 0xffffffff;
const IDLE_TIMEOUT_SECONDS_DEFAULT = 120;
const IDLE_TIMEOUT_SECONDS_MIN = 8;
const IDLE_TIMEOUT_SECONDS_MAX = 960;
const HANDLERS = ['open', 'message', 'drain', 'close', 'ping', 'pong', 'error'];
/** The window in bits of a compressor's size; `shared` keeps no context. */
const COMPRESSORS = {
  __proto__: null,
  'disable': undefined, 'shared': undefined, 'dedicated': 15, '3KB': 9, '4KB': 9, '8KB': 10, '16KB': 11, '32KB': 12, '64KB': 13, '128KB': 14, '256KB': 15,
};

function checkHandlers(options) {
  const handlers = {};
  for (const name of HANDLERS) {
    const handler = options[name] ?? undefined;
    if (handler !== undefined && typeof handler !== 'function') throw invalidArgType(`websocket expects a function for the '${name}' option`);
    handlers[name] = handler;
  }
  return {
    handlers,
    maxPayloadLength: checkBytes(options, 'maxPayloadLength', MESSAGE_BYTES_DEFAULT),
    backpressureLimit: checkBytes(options, 'backpressureLimit', BACKPRESSURE_BYTES_DEFAULT),
    closeOnBackpressureLimit: checkBoolean(options, 'closeOnBackpressureLimit', false),
    idleTimeout: checkIdleTimeout(options),
    sendPings: checkBoolean(options, 'sendPings', true),
    publishToSelf: checkBoolean(options, 'publishToSelf', false),
    compression: checkCompression(options.perMessageDeflate),
  };
}

function checkInteger(options, name) {
  const value = options[name];
  if (typeof value !== 'number' || Number.isNaN(value)) throw invalidArgType(`websocket expects ${name} to be an integer`);
  return Math.trunc(value);
}

function checkBytes(options, name, bytes) {
  if (options[name] === undefined || options[name] === null) return bytes;
  return Math.min(Math.max(checkInteger(options, name), 0), BYTES_MAX);
}

function checkBoolean(options, name, value) {
  if (options[name] === undefined || options[name] === null) return value;
  if (typeof options[name] !== 'boolean') throw invalidArgType(`websocket expects ${name} to be a boolean`);
  return options[name];
}

function checkIdleTimeout(options) {
  if (options.idleTimeout === undefined || options.idleTimeout === null) return IDLE_TIMEOUT_SECONDS_DEFAULT;
  const seconds = checkInteger(options, 'idleTimeout');
  if (seconds > IDLE_TIMEOUT_SECONDS_MAX) throw invalidArgType(`websocket expects idleTimeout to be ${IDLE_TIMEOUT_SECONDS_MAX} or less`);
  return seconds <= 0 ? 0 : Math.max(seconds, IDLE_TIMEOUT_SECONDS_MIN);
}

/** undefined: the extension is not accepted. */
function checkCompression(value = false) {
  if (value === false || value === null) return undefined;
  if (value !== true && typeof value !== 'object') throw invalidArgType('websocket expects perMessageDeflate to be a boolean or an object');
  const { compress, decompress } = value === true ? {} : value;
  const [sends, receives] = [checkCompressor('compress', compress), checkCompressor('decompress', decompress)];
  if (sends === 'disable' && receives === 'disable') return undefined;
  return {
    compresses: sends !== 'disable',
    serverKeepsContext: COMPRESSORS[sends] !== undefined,
    clientKeepsContext: COMPRESSORS[receives] !== undefined,
    serverWindowBits: COMPRESSORS[sends] ?? 15,
  };
}

function checkCompressor(name, value = 'shared') {
  if (value === true) return 'shared';
  if (value === false) return 'disable';
  if (typeof value === 'string' && value in COMPRESSORS) return value;
  const sizes = '"disable" "shared" "dedicated" "3KB" "4KB" "8KB" "16KB" "32KB" "64KB" "128KB" or "256KB"';
  throw invalidArgType(`websocket expects a valid ${name} option, either ${sizes}`);
}

module.exports = { checkHandlers };
