// `node:http2`: servers, clients, the compatibility API.
'use strict';

const { constants } = require('internal/http2/constants');
const { connect } = require('internal/http2/client');
const { Http2ServerRequest, Http2ServerResponse } = require('internal/http2/compat');
const { createSecureServer, createServer, performServerHandshake } = require('internal/http2/server');
const { getDefaultSettings, getPackedSettings, getUnpackedSettings } = require('internal/http2/settings');
const { kSensitiveHeaders } = require('internal/http2/util');

module.exports = {
  connect,
  constants,
  createServer,
  createSecureServer,
  getDefaultSettings,
  getPackedSettings,
  getUnpackedSettings,
  performServerHandshake,
  sensitiveHeaders: kSensitiveHeaders,
  Http2ServerRequest,
  Http2ServerResponse,
};
