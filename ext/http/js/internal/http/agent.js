// `http.Agent`: a connection pool with keep-alive. In: requests with their destination. Out: a
// socket for each, at once or when one is idle.
'use strict';

const EventEmitter = require('events');
const net = require('net');
const { AsyncResource } = require('async_hooks');
const { fieldOf } = require('internal/http/incoming');
const { once } = require('internal/util');
const { validateNumber, validateOneOf, validateString } = require('internal/validators');

const kRequestOptions = Symbol('requestOptions');
/** Where `proxyEnv` names one: what requests go by (env_proxy.js). */
const kProxy = Symbol('proxy');
const kRequestAsyncResource = Symbol('requestAsyncResource');
/** An idle connection is closed this much before the server's keep-alive timeout. */
const KEEP_ALIVE_TIMEOUT_BUFFER_MS = 1000;

function Agent(options) {
  if (!(this instanceof Agent)) return new Agent(options);
  Reflect.apply(EventEmitter, this, []);
  this.options = { __proto__: null, ...options };
  this.options.noDelay ??= true;
  // `path` would be taken for the path of a Unix socket.
  this.options.path = null;
  const { keepAliveMsecs, keepAlive, maxSockets, maxFreeSockets, scheduling, maxTotalSockets, agentKeepAliveTimeoutBuffer, proxyEnv } = this.options;
  this.defaultPort = this.options.defaultPort || 80;
  this.protocol = this.options.protocol || 'http:';
  this.requests = { __proto__: null };
  this.sockets = { __proto__: null };
  this.freeSockets = { __proto__: null };
  this.keepAliveMsecs = keepAliveMsecs || 1000;
  this.keepAlive = keepAlive || false;
  this.maxSockets = maxSockets || Agent.defaultMaxSockets;
  this.maxFreeSockets = maxFreeSockets || 256;
  this.scheduling = scheduling || 'lifo';
  this.maxTotalSockets = maxTotalSockets ?? Infinity;
  this.totalSocketCount = 0;
  this.agentKeepAliveTimeoutBuffer = agentKeepAliveTimeoutBuffer >= 0 && Number.isFinite(agentKeepAliveTimeoutBuffer) ? agentKeepAliveTimeoutBuffer : KEEP_ALIVE_TIMEOUT_BUFFER_MS;
  validateOneOf(this.scheduling, 'scheduling', ['fifo', 'lifo']);
  if (proxyEnv) this[kProxy] = require('internal/http/env_proxy').proxyOf(proxyEnv, this.protocol);
  if (maxTotalSockets !== undefined) validateNumber(maxTotalSockets, 'maxTotalSockets', 1);
  this.on('free', (socket, options) => onFree(this, socket, options));
}
Object.setPrototypeOf(Agent.prototype, EventEmitter.prototype);
Object.setPrototypeOf(Agent, EventEmitter);
Agent.defaultMaxSockets = Infinity;

/** The name of a connection, under which it was stored if this agent has made it. */
const nameOf = (agent, options) => options?._agentKey ?? agent.getName(options);

/** A request is complete: its socket is used for a pending request, or becomes idle. */
function onFree(agent, socket, options) {
  const name = nameOf(agent, options);
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const pending = agent.requests[name];
  if (pending?.length > 0) {
    const request = pending.shift();
    if (pending.length === 0) delete agent.requests[name];
    request[kRequestAsyncResource].runInAsyncScope(() => setRequestSocket(agent, request, socket));
    request[kRequestAsyncResource] = null;
    return;
  }
  const request = socket._httpMessage;
  if (!request?.shouldKeepAlive || !agent.keepAlive) {
    socket.destroy();
    return;
  }
  const freeSockets = agent.freeSockets[name] ?? [];
  const count = freeSockets.length + (agent.sockets[name]?.length ?? 0);
  if (agent.totalSocketCount > agent.maxTotalSockets || count > agent.maxSockets || freeSockets.length >= agent.maxFreeSockets || !agent.keepSocketAlive(socket)) {
    socket.destroy();
    return;
  }
  agent.freeSockets[name] = freeSockets;
  socket._httpMessage = null;
  agent.removeSocket(socket, options);
  socket.once('error', freeSocketErrorListener);
  freeSockets.push(socket);
}

/** No request uses an idle socket, so its error is not emitted. */
function freeSocketErrorListener() {
  this.destroy();
  this.emit('agentRemove');
}

function setRequestSocket(agent, request, socket) {
  request.onSocket(socket);
  const agentTimeout = agent.options.timeout || 0;
  if (request.timeout === undefined || request.timeout === agentTimeout) return;
  socket.setTimeout(request.timeout);
}

Agent.prototype.createConnection = net.createConnection;

/** The key of the pool: requests with the same name can use the same connection. */
Agent.prototype.getName = function getName(options = { __proto__: null }) {
  let name = `${options.host || 'localhost'}:${options.port || ''}:${options.localAddress || ''}`;
  if (options.family === 4 || options.family === 6) name += `:${options.family}`;
  if (options.socketPath) name += `:${options.socketPath}`;
  return name;
};

Agent.prototype.addRequest = function addRequest(request, options, port, localAddress) {
  // Legacy API: addRequest(request, host, port, localAddress).
  if (typeof options === 'string') options = { __proto__: null, host: options, port, localAddress };
  options = { __proto__: null, ...options, ...this.options };
  if (options.socketPath) options.path = options.socketPath;
  setServerName(options, request);
  const name = this.getName(options);
  this.sockets[name] ??= [];
  const socket = takeFreeSocket(this, name);
  const count = (this.freeSockets[name]?.length ?? 0) + this.sockets[name].length + (socket ? 1 : 0);
  if (socket) {
    this.reuseSocket(socket, request);
    setRequestSocket(this, request, socket);
    this.sockets[name].push(socket);
  } else if (count < this.maxSockets && this.totalSocketCount < this.maxTotalSockets) {
    this.createSocket(request, options, (error, newSocket) => {
      if (error?.proxyTunnelTimeout) request.emit('timeout');
      if (error) request.onSocket(newSocket, error);
      else setRequestSocket(this, request, newSocket);
    });
  } else {
    (this.requests[name] ??= []).push(request);
    request[kRequestOptions] = options;
    request[kRequestAsyncResource] = new AsyncResource('QueuedRequest');
  }
};

/** The name that TLS asks the server for: that of the Host header, unless the options have one. */
function setServerName(options, request) {
  if (options.servername || options.servername === '') return;
  let name = options.host;
  const header = request.getHeader('host');
  if (header) {
    validateString(header, 'options.headers.host');
    // The port is removed, and the brackets of an IPv6 address.
    name = /^\[([^\]]*)\]/.exec(header)?.[1] ?? (header[0] === '[' ? header : header.split(':', 1)[0]);
  }
  options.servername = net.isIP(name) ? '' : name;
}

function takeFreeSocket(agent, name) {
  const freeSockets = agent.freeSockets[name];
  if (!freeSockets) return undefined;
  while (freeSockets.length > 0 && freeSockets[0].destroyed) freeSockets.shift();
  const socket = agent.scheduling === 'fifo' ? freeSockets.shift() : freeSockets.pop();
  if (freeSockets.length === 0) delete agent.freeSockets[name];
  return socket;
}

Agent.prototype.createSocket = function createSocket(request, options, callback) {
  options = { __proto__: null, ...options, ...this.options };
  if (options.socketPath) options.path = options.socketPath;
  setServerName(options, request);
  const name = this.getName(options);
  options._agentKey = name;
  options.encoding = null;
  const onCreate = once((error, socket) => {
    if (error) {
      callback(error);
      return;
    }
    (this.sockets[name] ??= []).push(socket);
    this.totalSocketCount += 1;
    installListeners(this, socket, options);
    callback(null, socket);
  });
  if (this.keepAlive) {
    options.keepAlive = this.keepAlive;
    options.keepAliveInitialDelay = this.keepAliveMsecs;
  }
  const proxy = proxyFor(this, options);
  const newSocket = proxy === undefined ? this.createConnection(options, onCreate) : proxy.connect(this, options, request.timeout ?? options.timeout, onCreate);
  if (newSocket) onCreate(null, newSocket);
};

/** The proxy by which requests with these options go; undefined: they go to their host. */
function proxyFor(agent, options) {
  const proxy = agent?.[kProxy];
  if (proxy === undefined || options.socketPath) return undefined;
  return proxy.isUsedFor(options.host, options.port || agent.defaultPort) ? proxy : undefined;
}

function installListeners(agent, socket, options) {
  const onSocketFree = () => agent.emit('free', socket, options);
  const onClose = () => {
    agent.totalSocketCount -= 1;
    agent.removeSocket(socket, options);
  };
  /** Destroys the socket if it is idle. */
  const onTimeout = () => {
    for (const freeSockets of Object.values(agent.freeSockets)) if (freeSockets.includes(socket)) return socket.destroy();
    return undefined;
  };
  const onRemove = () => {
    agent.totalSocketCount -= 1;
    agent.removeSocket(socket, options);
    socket.off('close', onClose).off('free', onSocketFree).off('timeout', onTimeout).off('agentRemove', onRemove);
  };
  socket.on('free', onSocketFree).on('close', onClose).on('timeout', onTimeout).on('agentRemove', onRemove);
  if (agent.options.timeout) socket.setTimeout(agent.options.timeout);
}

function removeFrom(set, name, socket) {
  const sockets = set[name];
  const index = sockets?.indexOf(socket) ?? -1;
  if (index < 0) return;
  if (sockets.length === 1) delete set[name];
  else sockets.splice(index, 1);
}

Agent.prototype.removeSocket = function removeSocket(socket, options) {
  const name = nameOf(this, options);
  removeFrom(this.sockets, name, socket);
  // A destroyed socket is not idle.
  if (!socket.writable) removeFrom(this.freeSockets, name, socket);
  const request = nextPendingRequest(this, name);
  const requestOptions = request?.[kRequestOptions];
  if (requestOptions === undefined) return;
  request[kRequestOptions] = undefined;
  this.createSocket(request, requestOptions, (error, newSocket) => {
    if (error) request.onSocket(newSocket, error);
    else newSocket.emit('free');
  });
};

/** The first pending request of that name; any if `maxTotalSockets` limits the pool. */
function nextPendingRequest(agent, name) {
  if (agent.requests[name]?.length > 0) return agent.requests[name][0];
  if (agent.maxTotalSockets === Infinity) return undefined;
  for (const other of Object.keys(agent.requests)) {
    if (agent.sockets[other]?.length > 0) continue;
    return agent.requests[other][0];
  }
  return undefined;
}

Agent.prototype.keepSocketAlive = function keepSocketAlive(socket) {
  socket.setKeepAlive(true, this.keepAliveMsecs);
  socket.unref();
  let timeout = this.options.timeout || 0;
  const response = socket._httpMessage?.res;
  const serverTimeout = response ? /^timeout=(\d+)/.exec(fieldOf(response, 'keep-alive') ?? '')?.[1] : undefined;
  if (serverTimeout !== undefined) {
    const hint = Number(serverTimeout) * 1000 - this.agentKeepAliveTimeoutBuffer;
    if (hint <= 0) return false;
    if (timeout === 0 || hint < timeout) timeout = hint;
  }
  if (socket.timeout !== timeout) socket.setTimeout(timeout);
  return true;
};

Agent.prototype.reuseSocket = function reuseSocket(socket, request) {
  socket.off('error', freeSocketErrorListener);
  request.reusedSocket = true;
  socket.ref();
};

Agent.prototype.destroy = function destroy() {
  for (const set of [this.freeSockets, this.sockets]) {
    for (const sockets of Object.values(set)) for (const socket of [...sockets]) socket.destroy();
  }
};

let globalAgent;

module.exports = {
  Agent,
  proxyFor,
  get globalAgent() { return (globalAgent ??= require('internal/http/global_proxy').makeGlobalAgent(Agent)); },
  set globalAgent(agent) { globalAgent = agent; },
};
