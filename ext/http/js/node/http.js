// `node:http`: HTTP/1 servers and clients (internal/http). Absent: HTTP/2, TLS.
'use strict';

const { validateInteger, validateString } = require('internal/validators');
const agents = require('internal/http/agent');
const { ClientRequest } = require('internal/http/client_request');
const { IncomingMessage } = require('internal/http/incoming');
const { OutgoingMessage } = require('internal/http/outgoing');
const { maxHeaderSize, parsers } = require('internal/http/parser');
const { ServerResponse } = require('internal/http/server_response');
const { Server } = require('internal/http/server');
const { METHODS, STATUS_CODES, validateHeaderName, validateHeaderValue } = require('internal/http/constants');

function createServer(options, onRequest) {
  return new Server(options, onRequest);
}

function request(url, options, callback) {
  return new ClientRequest(url, options, callback);
}

function get(url, options, callback) {
  const clientRequest = request(url, options, callback);
  clientRequest.end();
  return clientRequest;
}

module.exports = {
  _connectionListener(socket) { this.emit('connection', socket); },
  METHODS: METHODS.toSorted(),
  STATUS_CODES,
  Agent: agents.Agent,
  ClientRequest,
  IncomingMessage,
  OutgoingMessage,
  Server,
  ServerResponse,
  createServer,
  validateHeaderName: function validateName(name, label) {
    if (label !== undefined) validateString(label, 'label');
    validateHeaderName(name, label);
  },
  validateHeaderValue,
  get,
  request,
  setGlobalProxyFromEnv(...args) { return require('internal/http/env_proxy').setGlobalProxyFromEnv(...args); },
  setMaxIdleHTTPParsers(max) {
    validateInteger(max, 'max', 1);
    parsers.max = max;
  },
  get maxHeaderSize() { return maxHeaderSize(); },
  get globalAgent() { return agents.globalAgent; },
  set globalAgent(agent) { agents.globalAgent = agent; },
};
// The globals, as in Node.
for (const name of ['CloseEvent', 'MessageEvent', 'WebSocket']) {
  Object.defineProperty(module.exports, name, { __proto__: null, get: () => globalThis[name], configurable: true, enumerable: true });
}
Object.defineProperty(module.exports.validateHeaderName, 'name', { __proto__: null, value: 'validateHeaderName', configurable: true });
