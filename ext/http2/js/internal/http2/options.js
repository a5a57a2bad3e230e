// Options of servers and of `connect`: their checks and defaults.
'use strict';

const { validateUint32 } = require('internal/validators');
const { validateSettings } = require('internal/http2/settings');
const { assertIsArray, assertIsObject } = require('internal/http2/util');
const { codes: { ERR_HTTP2_TOO_MANY_CUSTOM_SETTINGS } } = require('internal/errors');

const UNKNOWN_PROTOCOL_TIMEOUT_MS = 10_000;
const CUSTOM_SETTINGS_MAX = 10;
const COUNTS = ['maxSessionInvalidFrames', 'maxSessionRejectedStreams', 'unknownProtocolTimeout', 'streamResetBurst', 'streamResetRate'];

/** Checks, and adds defaults to, a copy of what a program passed. */
function validateSessionOptions(options) {
  assertIsObject(options.settings, 'options.settings');
  options.settings = { ...options.settings };
  validateSettings(options.settings);
  assertIsArray(options.remoteCustomSettings, 'options.remoteCustomSettings');
  if (options.remoteCustomSettings) {
    options.remoteCustomSettings = [...options.remoteCustomSettings];
    if (options.remoteCustomSettings.length > CUSTOM_SETTINGS_MAX) throw new ERR_HTTP2_TOO_MANY_CUSTOM_SETTINGS();
  }
  for (const name of COUNTS) {
    if (options[name] !== undefined) validateUint32(options[name], name);
  }
  options.unknownProtocolTimeout ??= UNKNOWN_PROTOCOL_TIMEOUT_MS;
}

function initializeOptions(options) {
  assertIsObject(options, 'options');
  options = { ...options };
  validateSessionOptions(options);
  const http = require('http');
  options.Http1IncomingMessage ||= http.IncomingMessage;
  options.Http1ServerResponse ||= http.ServerResponse;
  const compat = require('internal/http2/compat');
  options.Http2ServerRequest ||= compat.Http2ServerRequest;
  options.Http2ServerResponse ||= compat.Http2ServerResponse;
  return options;
}

/** Options of TLS: the protocols that are offered. */
function initializeTlsOptions(options, servername) {
  options = { ...options };
  if (!options.ALPNCallback) options.ALPNProtocols = options.allowHTTP1 === true ? ['h2', 'http/1.1'] : ['h2'];
  if (servername !== undefined && !options.servername) options.servername = servername;
  return options;
}

module.exports = { initializeOptions, initializeTlsOptions, validateSessionOptions };
