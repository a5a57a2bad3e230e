// `node:http`, as far as it needs no sockets: methods, codes, what may be a header, agents as values. In: texts, options. Out: what Node's
// give. Clients, servers and their messages are not there yet, and say so; `fetch` is.
'use strict';

const EventEmitter = require('events');
const { absent, absentFunction } = require('internal/absent');
const {
  codes: { ERR_HTTP_INVALID_HEADER_VALUE, ERR_INVALID_CHAR, ERR_INVALID_HTTP_TOKEN },
} = require('internal/errors');
const { validateNumber, validateOneOf, validateString } = require('internal/validators');

const METHODS = [
  'ACL', 'BIND', 'CHECKOUT', 'CONNECT', 'COPY', 'DELETE', 'GET', 'HEAD', 'LINK', 'LOCK', 'M-SEARCH', 'MERGE', 'MKACTIVITY', 'MKCALENDAR', 'MKCOL',
  'MOVE', 'NOTIFY', 'OPTIONS', 'PATCH', 'POST', 'PROPFIND', 'PROPPATCH', 'PURGE', 'PUT', 'QUERY', 'REBIND', 'REPORT', 'SEARCH', 'SOURCE', 'SUBSCRIBE',
  'TRACE', 'UNBIND', 'UNLINK', 'UNLOCK', 'UNSUBSCRIBE',
];

const STATUS_CODES = {
  100: 'Continue', 101: 'Switching Protocols', 102: 'Processing', 103: 'Early Hints',
  200: 'OK', 201: 'Created', 202: 'Accepted', 203: 'Non-Authoritative Information', 204: 'No Content', 205: 'Reset Content', 206: 'Partial Content',
  207: 'Multi-Status', 208: 'Already Reported', 226: 'IM Used',
  300: 'Multiple Choices', 301: 'Moved Permanently', 302: 'Found', 303: 'See Other', 304: 'Not Modified', 305: 'Use Proxy', 307: 'Temporary Redirect',
  308: 'Permanent Redirect',
  400: 'Bad Request', 401: 'Unauthorized', 402: 'Payment Required', 403: 'Forbidden', 404: 'Not Found', 405: 'Method Not Allowed', 406: 'Not Acceptable',
  407: 'Proxy Authentication Required', 408: 'Request Timeout', 409: 'Conflict', 410: 'Gone', 411: 'Length Required', 412: 'Precondition Failed',
  413: 'Payload Too Large', 414: 'URI Too Long', 415: 'Unsupported Media Type', 416: 'Range Not Satisfiable', 417: 'Expectation Failed',
  418: "I'm a Teapot", 421: 'Misdirected Request', 422: 'Unprocessable Entity', 423: 'Locked', 424: 'Failed Dependency', 425: 'Too Early',
  426: 'Upgrade Required', 428: 'Precondition Required', 429: 'Too Many Requests', 431: 'Request Header Fields Too Large',
  451: 'Unavailable For Legal Reasons',
  500: 'Internal Server Error', 501: 'Not Implemented', 502: 'Bad Gateway', 503: 'Service Unavailable', 504: 'Gateway Timeout',
  505: 'HTTP Version Not Supported', 506: 'Variant Also Negotiates', 507: 'Insufficient Storage', 508: 'Loop Detected', 509: 'Bandwidth Limit Exceeded',
  510: 'Not Extended', 511: 'Network Authentication Required',
};

const TOKEN = /^[\^_`a-zA-Z\-0-9!#$%&'*+.|~]+$/;
const NOT_IN_VALUE = /[^\t\x20-\x7e\x80-\xff]/;

function validateHeaderName(name, label) {
  if (typeof name !== 'string' || !TOKEN.test(name)) throw new ERR_INVALID_HTTP_TOKEN(label || 'Header name', name);
}

function validateHeaderValue(name, value) {
  if (value === undefined) throw new ERR_HTTP_INVALID_HEADER_VALUE(value, name);
  if (NOT_IN_VALUE.test(value)) throw new ERR_INVALID_CHAR('header content', name);
}

/** What is to be shared among requests. It makes no connections: whoever derives from it may. */
function Agent(options) {
  if (!(this instanceof Agent)) return new Agent(options);
  EventEmitter.call(this);
  this.options = { __proto__: null, ...options };
  if (this.options.noDelay === undefined) this.options.noDelay = true;
  this.options.path = null;
  const { keepAliveMsecs, keepAlive, maxSockets, maxFreeSockets, scheduling, maxTotalSockets } = this.options;
  this.defaultPort = this.options.defaultPort || 80;
  this.protocol = this.options.protocol || 'http:';
  this.requests = { __proto__: null };
  this.sockets = { __proto__: null };
  this.freeSockets = { __proto__: null };
  this.keepAliveMsecs = keepAliveMsecs || 1000;
  this.keepAlive = keepAlive || false;
  this.maxSockets = maxSockets || Infinity;
  this.maxFreeSockets = maxFreeSockets || 256;
  this.scheduling = scheduling || 'lifo';
  this.maxTotalSockets = maxTotalSockets ?? Infinity;
  this.totalSocketCount = 0;
  validateOneOf(this.scheduling, 'scheduling', ['fifo', 'lifo']);
  if (maxTotalSockets !== undefined) validateNumber(maxTotalSockets, 'maxTotalSockets', 1);
}
Object.setPrototypeOf(Agent.prototype, EventEmitter.prototype);
Object.setPrototypeOf(Agent, EventEmitter);
Agent.defaultMaxSockets = Infinity;

/** Requests of one name may share a connection. */
Agent.prototype.getName = function getName(options = { __proto__: null }) {
  let name = `${options.host || 'localhost'}:${options.port || ''}:${options.localAddress || ''}`;
  if (options.family === 4 || options.family === 6) name += `:${options.family}`;
  if (options.socketPath) name += `:${options.socketPath}`;
  return name;
};

Agent.prototype.createConnection = absentFunction('http', 'Agent.createConnection');

/** There are none to end. */
Agent.prototype.destroy = function destroy() {
  for (const set of [this.freeSockets, this.sockets]) {
    for (const sockets of Object.values(set)) for (const socket of sockets) socket.destroy();
  }
};

let globalAgent;

module.exports = {
  METHODS,
  STATUS_CODES,
  Agent,
  ClientRequest: absent('http', 'ClientRequest'),
  IncomingMessage: absent('http', 'IncomingMessage'),
  OutgoingMessage: absent('http', 'OutgoingMessage'),
  Server: absent('http', 'Server'),
  ServerResponse: absent('http', 'ServerResponse'),
  createServer: absentFunction('http', 'createServer'),
  validateHeaderName: function checkedName(name, label) {
    if (label !== undefined) validateString(label, 'label');
    validateHeaderName(name, label);
  },
  validateHeaderValue,
  get: absentFunction('http', 'get'),
  request: absentFunction('http', 'request'),
  maxHeaderSize: 16384,
  get globalAgent() { return globalAgent ??= new Agent({ keepAlive: true, scheduling: 'lifo', timeout: 5000 }); },
  set globalAgent(agent) { globalAgent = agent; },
};
Object.defineProperty(module.exports.validateHeaderName, 'name', { __proto__: null, value: 'validateHeaderName', configurable: true });
