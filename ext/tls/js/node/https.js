// `node:https`: HTTP/1 servers and clients over TLS (internal/https).
'use strict';

const { Agent } = require('internal/https/agent');
const { Server } = require('internal/https/server');
const { ClientRequest } = require('internal/http/client_request');

let globalAgent;

function createServer(options, onRequest) {
  return new Server(options, onRequest);
}

function request(...args) {
  let options = {};
  const { URL, urlToHttpOptions } = require('url');
  if (typeof args[0] === 'string') options = urlToHttpOptions(new URL(args.shift()));
  else if (args[0] instanceof URL) options = urlToHttpOptions(args.shift());
  if (args[0] && typeof args[0] !== 'function') Object.assign(options, args.shift());
  options._defaultAgent = module.exports.globalAgent;
  return Reflect.construct(ClientRequest, [options, ...args]);
}

function get(input, options, callback) {
  const clientRequest = request(input, options, callback);
  clientRequest.end();
  return clientRequest;
}

module.exports = {
  Agent,
  get globalAgent() { return globalAgent ??= require('internal/http/global_proxy').makeGlobalAgent(Agent); },
  set globalAgent(agent) { globalAgent = agent; },
  Server,
  createServer,
  get,
  request,
};
