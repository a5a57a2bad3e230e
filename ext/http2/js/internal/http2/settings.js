// Settings of HTTP/2. In: objects with Node's names. Out: pairs of identifiers and values, packed
// bytes; objects of what the binding reports.
'use strict';

const { codes: { ERR_HTTP2_INVALID_PACKED_SETTINGS_LENGTH, ERR_HTTP2_TOO_MANY_CUSTOM_SETTINGS, ERR_INVALID_ARG_TYPE } } = require('internal/errors');
const { assertIsObject, assertWithinRange, settingError } = require('internal/http2/util');

const UINT32_MAX = 2 ** 32 - 1;
const UINT16_MAX = 2 ** 16 - 1;
const WINDOW_BYTES_MAX = 2 ** 31 - 1;
const FRAME_BYTES_MIN = 16384;
const FRAME_BYTES_MAX = 2 ** 24 - 1;
const CUSTOM_SETTINGS_MAX = 10;
const ENTRY_BYTES = 6;

const IDS = {
  headerTableSize: 1,
  enablePush: 2,
  maxConcurrentStreams: 3,
  initialWindowSize: 4,
  maxFrameSize: 5,
  maxHeaderListSize: 6,
  enableConnectProtocol: 8,
};
const NAMES = Object.fromEntries(Object.entries(IDS).map(([name, id]) => [id, name]));
/** The order in which Node packs them. */
const PACKING_ORDER = Object.keys(IDS);

function validateSettings(settings) {
  if (settings === undefined) return;
  const { customSettings } = settings;
  assertIsObject(customSettings, 'customSettings', 'Number');
  if (customSettings) {
    const entries = Object.entries(customSettings);
    if (entries.length > CUSTOM_SETTINGS_MAX) throw new ERR_HTTP2_TOO_MANY_CUSTOM_SETTINGS();
    for (const [id, value] of entries) {
      assertWithinRange('customSettings:id', Number(id), 0, UINT16_MAX);
      assertWithinRange('customSettings:value', Number(value), 0, UINT32_MAX);
    }
  }
  assertWithinRange('headerTableSize', settings.headerTableSize, 0, UINT32_MAX);
  assertWithinRange('initialWindowSize', settings.initialWindowSize, 0, WINDOW_BYTES_MAX);
  assertWithinRange('maxFrameSize', settings.maxFrameSize, FRAME_BYTES_MIN, FRAME_BYTES_MAX);
  assertWithinRange('maxConcurrentStreams', settings.maxConcurrentStreams, 0, UINT32_MAX);
  assertWithinRange('maxHeaderListSize', settings.maxHeaderListSize, 0, UINT32_MAX);
  assertWithinRange('maxHeaderSize', settings.maxHeaderSize, 0, UINT32_MAX);
  for (const name of ['enablePush', 'enableConnectProtocol']) {
    const value = settings[name];
    if (value !== undefined && typeof value !== 'boolean') throw settingError(name, value);
  }
}

/** `[id, value]` of each setting that is given. */
function settingsPairs(settings) {
  const pairs = [];
  for (const name of PACKING_ORDER) {
    const value = name === 'maxHeaderListSize' ? settings.maxHeaderSize ?? settings.maxHeaderListSize : settings[name];
    if (typeof value === 'number' || typeof value === 'boolean') pairs.push([IDS[name], Number(value)]);
  }
  for (const [id, value] of Object.entries(settings.customSettings ?? {})) {
    if (NAMES[id] === undefined) pairs.push([Number(id), Number(value)]);
    else setPair(pairs, Number(id), Number(value));
  }
  return pairs;
}

function setPair(pairs, id, value) {
  const found = pairs.find(([own]) => own === id);
  if (found) found[1] = value;
  else pairs.push([id, value]);
}

/** The binding's numbers as an object; `isShown` chooses additional settings. */
function settingsObject(numbers, isShown) {
  const [headerTableSize, enablePush, maxConcurrentStreams, initialWindowSize, maxFrameSize, maxHeaderListSize, enableConnectProtocol, ...additional] = numbers;
  const object = {
    __proto__: null,
    headerTableSize,
    enablePush: enablePush === 1,
    initialWindowSize,
    maxFrameSize,
    maxConcurrentStreams,
    maxHeaderListSize,
    maxHeaderSize: maxHeaderListSize,
    enableConnectProtocol: enableConnectProtocol === 1,
  };
  for (let index = 0; index < additional.length; index += 2) {
    if (isShown(additional[index])) (object.customSettings ??= {})[additional[index]] = additional[index + 1];
  }
  return object;
}

function getDefaultSettings() {
  return settingsObject([4096, 1, UINT32_MAX, 65535, 16384, 65535, 0], () => true);
}

function getPackedSettings(settings) {
  assertIsObject(settings, 'settings');
  validateSettings(settings);
  const pairs = settingsPairs(settings ?? {});
  const packed = require('buffer').Buffer.alloc(pairs.length * ENTRY_BYTES);
  pairs.forEach(([id, value], index) => {
    packed.writeUInt16BE(id, index * ENTRY_BYTES);
    packed.writeUInt32BE(value, index * ENTRY_BYTES + 2);
  });
  return packed;
}

function getUnpackedSettings(buf, options = {}) {
  if (!ArrayBuffer.isView(buf) || buf.length === undefined) throw new ERR_INVALID_ARG_TYPE('buf', ['Buffer', 'TypedArray'], buf);
  if (buf.length % ENTRY_BYTES !== 0) throw new ERR_HTTP2_INVALID_PACKED_SETTINGS_LENGTH();
  const settings = {};
  // Each element is a byte.
  const view = new DataView(Uint8Array.from(buf).buffer);
  for (let offset = 0; offset < buf.length; offset += ENTRY_BYTES) {
    const id = view.getUint16(offset);
    const value = view.getUint32(offset + 2);
    const name = NAMES[id];
    if (name === undefined) (settings.customSettings ??= {})[id] = value;
    else if (name === 'enablePush' || name === 'enableConnectProtocol') settings[name] = value !== 0;
    else settings[name] = value;
    if (name === 'maxHeaderListSize') settings.maxHeaderSize = value;
  }
  if (options?.validate) validateSettings(settings);
  return settings;
}

module.exports = { getDefaultSettings, getPackedSettings, getUnpackedSettings, settingsObject, settingsPairs, validateSettings };
