// `http.Agent`: a connection pool with keep-alive. In: requests with their destination. Out: a
// socket for each, at once or when one is idle.
'use strict';

const EventEmitter = require('events');
const net = require('net');
const { AsyncResource } = require('async_hooks');
const { once } = require('internal/util');
const { validateNumber, validateOneOf } = require('internal/validators');

const kOptions = Symbol('kOptions');
const kResource = Symbol('kResource');
/** So much earlier than a server says a connection is given up. */
const SERVER_BUFFER_MS = 1000;

function Agent(options) {
  if (!(this instanceof Agent)) return new Agent(options);
  Reflect.apply(EventEmitter, this, []);
  this.options = { __proto__: null, ...options };
  this.options.noDelay ??= true;
  // A path is of the machine's own sockets, and of requests.
  this.options.path = null;
  const { keepAliveMsecs, keepAlive, maxSockets, maxFreeSockets, scheduling, maxTotalSockets, agentKeepAliveTimeoutBuffer } = this.options;
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
  this.agentKeepAliveTimeoutBuffer = agentKeepAliveTimeoutBuffer >= 0 && Number.isFinite(agentKeepAliveTimeoutBuffer) ? agentKeepAliveTimeoutBuffer : SERVER_BUFFER_MS;
  validateOneOf(this.scheduling, 'scheduling', ['fifo', 'lifo']);
  if (maxTotalSockets !== undefined) validateNumber(maxTotalSockets, 'maxTotalSockets', 1);
  this.on('free', (socket, at) => onFree(this, socket, at));
}
Object.setPrototypeOf(Agent.prototype, EventEmitter.prototype);
Object.setPrototypeOf(Agent, EventEmitter);
Agent.defaultMaxSockets = Infinity;

/** A socket's request is through. */
function onFree(agent, socket, options) {
  const name = agent.getName(options);
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const waiting = agent.requests[name];
  if (waiting?.length > 0) {
    const request = waiting.shift();
    if (waiting.length === 0) delete agent.requests[name];
    request[kResource].runInAsyncScope(() => give(agent, request, socket));
    request[kResource] = null;
    return;
  }
  const request = socket._httpMessage;
  if (!request?.shouldKeepAlive || !agent.keepAlive) {
    socket.destroy();
    return;
  }
  const free = agent.freeSockets[name] ?? [];
  const count = free.length + (agent.sockets[name]?.length ?? 0);
  if (agent.totalSocketCount > agent.maxTotalSockets || count > agent.maxSockets || free.length >= agent.maxFreeSockets || !agent.keepSocketAlive(socket)) {
    socket.destroy();
    return;
  }
  agent.freeSockets[name] = free;
  socket._httpMessage = null;
  agent.removeSocket(socket, options);
  socket.once('error', onFreeError);
  free.push(socket);
}

/** Nobody uses it, so nobody is told. */
function onFreeError() {
  this.destroy();
  this.emit('agentRemove');
}

function give(agent, request, socket) {
  request.onSocket(socket);
  const agentTimeout = agent.options.timeout || 0;
  if (request.timeout === undefined || request.timeout === agentTimeout) return;
  socket.setTimeout(request.timeout);
}

Agent.prototype.createConnection = net.createConnection;

/** Requests of one name may share a connection. */
Agent.prototype.getName = function getName(options = { __proto__: null }) {
  let name = `${options.host || 'localhost'}:${options.port || ''}:${options.localAddress || ''}`;
  if (options.family === 4 || options.family === 6) name += `:${options.family}`;
  if (options.socketPath) name += `:${options.socketPath}`;
  return name;
};

Agent.prototype.addRequest = function addRequest(request, options, port, localAddress) {
  // Once they were told one by one.
  if (typeof options === 'string') options = { __proto__: null, host: options, port, localAddress };
  options = { __proto__: null, ...options, ...this.options };
  if (options.socketPath) options.path = options.socketPath;
  const name = this.getName(options);
  this.sockets[name] ??= [];
  const socket = takeFree(this, name);
  const count = (this.freeSockets[name]?.length ?? 0) + this.sockets[name].length + (socket ? 1 : 0);
  if (socket) {
    this.reuseSocket(socket, request);
    give(this, request, socket);
    this.sockets[name].push(socket);
  } else if (count < this.maxSockets && this.totalSocketCount < this.maxTotalSockets) {
    this.createSocket(request, options, (error, made) => {
      if (error) request.onSocket(made, error);
      else give(this, request, made);
    });
  } else {
    (this.requests[name] ??= []).push(request);
    request[kOptions] = options;
    request[kResource] = new AsyncResource('QueuedRequest');
  }
};

function takeFree(agent, name) {
  const free = agent.freeSockets[name];
  if (!free) return undefined;
  while (free.length > 0 && free[0].destroyed) free.shift();
  const socket = agent.scheduling === 'fifo' ? free.shift() : free.pop();
  if (free.length === 0) delete agent.freeSockets[name];
  return socket;
}

Agent.prototype.createSocket = function createSocket(request, options, callback) {
  options = { __proto__: null, ...options, ...this.options };
  if (options.socketPath) options.path = options.socketPath;
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
    listen(this, socket, options);
    callback(null, socket);
  });
  if (this.keepAlive) {
    options.keepAlive = this.keepAlive;
    options.keepAliveInitialDelay = this.keepAliveMsecs;
  }
  const made = this.createConnection(options, onCreate);
  if (made) onCreate(null, made);
};

function listen(agent, socket, options) {
  const onSocketFree = () => agent.emit('free', socket, options);
  const onClose = () => {
    agent.totalSocketCount -= 1;
    agent.removeSocket(socket, options);
  };
  /** Only an idle socket. */
  const onTimeout = () => {
    for (const free of Object.values(agent.freeSockets)) if (free.includes(socket)) return socket.destroy();
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

Agent.prototype.removeSocket = function removeSocket(socket, options) {
  const name = this.getName(options);
  const sets = [this.sockets];
  // One that was destroyed is free no more.
  if (!socket.writable) sets.push(this.freeSockets);
  for (const set of sets) {
    const index = set[name]?.indexOf(socket) ?? -1;
    if (index < 0) continue;
    set[name].splice(index, 1);
    if (set[name].length === 0) delete set[name];
  }
  const request = waitingFor(this, name);
  const wanted = request?.[kOptions];
  if (wanted === undefined) return;
  request[kOptions] = undefined;
  this.createSocket(request, wanted, (error, made) => {
    if (error) request.onSocket(made, error);
    else made.emit('free');
  });
};

/**
 * The first request that waits for such a connection, or for any where all together are too many.
 */
function waitingFor(agent, name) {
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
  const said = /^timeout=(\d+)/.exec(socket._httpMessage?.res?.headers['keep-alive'] ?? '')?.[1];
  if (said !== undefined) {
    const hint = Number(said) * 1000 - this.agentKeepAliveTimeoutBuffer;
    if (hint <= 0) return false;
    if (timeout === 0 || hint < timeout) timeout = hint;
  }
  if (socket.timeout !== timeout) socket.setTimeout(timeout);
  return true;
};

Agent.prototype.reuseSocket = function reuseSocket(socket, request) {
  socket.off('error', onFreeError);
  request.reusedSocket = true;
  socket.ref();
};

Agent.prototype.destroy = function destroy() {
  for (const set of [this.freeSockets, this.sockets]) {
    for (const sockets of Object.values(set)) for (const socket of [...sockets]) socket.destroy();
  }
};

let global;

module.exports = {
  Agent,
  get globalAgent() { return (global ??= new Agent({ keepAlive: true, scheduling: 'lifo', timeout: 5000 })); },
  set globalAgent(agent) { global = agent; },
};
