// Parts of `node:http2` by the name of Node's file, for programs that run with `--expose-
// internals`.
'use strict';

const { constants } = require('internal/http2/constants');
const { ClientHttp2Session, connect } = require('internal/http2/client');
const { Http2Session } = require('internal/http2/session');
const { Http2Stream } = require('internal/http2/stream');
const { createSecureServer, createServer } = require('internal/http2/server');
const { ServerHttp2Session } = require('internal/http2/server_session');
const { getDefaultSettings, getPackedSettings, getUnpackedSettings } = require('internal/http2/settings');
const { kSensitiveHeaders } = require('internal/http2/util');

module.exports = {
  ClientHttp2Session,
  Http2Session,
  Http2Stream,
  ServerHttp2Session,
  connect,
  constants,
  createSecureServer,
  createServer,
  getDefaultSettings,
  getPackedSettings,
  getUnpackedSettings,
  sensitiveHeaders: kSensitiveHeaders,
};
