// `https.Agent`: connections over TLS, and their sessions by the name of the connection. In:
// options of a request. Out: a TLS socket, which resumes the last session with the same name.
'use strict';

const tls = require('tls');
const { Agent: HttpAgent } = require('internal/http/agent');

const CACHED_SESSIONS_MAX = 100;
function Agent(options) {
  if (!(this instanceof Agent)) return new Agent(options);
  options = { __proto__: null, ...options };
  options.defaultPort ??= 443;
  options.protocol ??= 'https:';
  Reflect.apply(HttpAgent, this, [options]);
  this.maxCachedSessions = this.options.maxCachedSessions ?? CACHED_SESSIONS_MAX;
  this._sessionCache = { map: {}, list: [] };
}
Object.setPrototypeOf(Agent.prototype, HttpAgent.prototype);
Object.setPrototypeOf(Agent, HttpAgent);

/** The TLS options in Node's order. Written out: each request asks for its name. */
Agent.prototype.getName = function getName(options = { __proto__: null }) {
  const name = Reflect.apply(HttpAgent.prototype.getName, this, [options]);
  const servername = options.servername === options.host ? '' : options.servername || '';
  const sigalgs = options.sigalgs ? JSON.stringify(options.sigalgs) : '';
  return `${name}:${options.ca || ''}:${options.cert || ''}:${options.clientCertEngine || ''}:${options.ciphers || ''}:${options.key || ''}` +
    `:${options.pfx || ''}:${ifDefined(options.rejectUnauthorized)}:${servername}:${options.minVersion || ''}:${options.maxVersion || ''}` +
    `:${options.secureProtocol || ''}:${options.crl || ''}:${ifDefined(options.honorCipherOrder)}:${options.ecdhCurve || ''}` +
    `:${options.dhparam || ''}:${ifDefined(options.secureOptions)}:${options.sessionIdContext || ''}:${sigalgs}` +
    `:${options.privateKeyIdentifier || ''}:${options.privateKeyEngine || ''}`;
};

/** Of options that are in the name even if they are false. */
const ifDefined = (value) => (value === undefined ? '' : value);

/** `(options)`, `(port, options)`, `(port, host, options)`. */
function connectOptions(args) {
  const [first, second, third] = args;
  const isObject = (value) => value !== null && typeof value === 'object';
  if (isObject(first)) return first;
  const options = isObject(second) ? { ...second } : isObject(third) ? { ...third } : {};
  if (typeof first === 'number') options.port = first;
  if (typeof second === 'string') options.host = second;
  return options;
}

Agent.prototype.createConnection = function createConnection(...args) {
  const options = connectOptions(args);
  const key = options._agentKey;
  const session = key ? this._getSession(key) : undefined;
  const socket = tls.connect(session ? { session, ...options } : options);
  if (this.listenerCount('keylog') > 0) socket.on('keylog', (line) => this.emit('keylog', line, socket));
  if (key) {
    socket.on('session', (newSession) => this._cacheSession(key, newSession));
    socket.once('close', (hadError) => { if (hadError) this._evictSession(key); });
  }
  return socket;
};

Agent.prototype._getSession = function _getSession(key) {
  return this._sessionCache.map[key];
};

Agent.prototype._cacheSession = function _cacheSession(key, session) {
  if (this.maxCachedSessions === 0) return;
  const { map, list } = this._sessionCache;
  if (!map[key]) {
    if (list.length >= this.maxCachedSessions) delete map[list.shift()];
    list.push(key);
  }
  map[key] = session;
};

Agent.prototype._evictSession = function _evictSession(key) {
  const { map, list } = this._sessionCache;
  const index = list.indexOf(key);
  if (index === -1) return;
  list.splice(index, 1);
  delete map[key];
};

module.exports = { Agent };
