// `session.socket` and the socket of the compatibility API: the socket of a session without what
// would disturb its frames. In: a session or stream. Out: a proxy with Node's errors.
'use strict';

const { codes: { ERR_HTTP2_NO_SOCKET_MANIPULATION, ERR_HTTP2_SOCKET_UNBOUND } } = require('internal/errors');
const { kSession, kSocket } = require('internal/http2/symbols');

const FORBIDDEN = new Set(['pause', 'read', 'resume', 'write', 'setEncoding', 'setKeepAlive', 'setNoDelay']);
/** Members of a session that stand for the socket's. */
const OF_SESSION = new Set(['setTimeout', 'ref', 'unref']);

const bind = (value, owner) => (typeof value === 'function' ? value.bind(owner) : value);

function socketOf(session) {
  const socket = session[kSocket];
  if (socket === undefined) throw new ERR_HTTP2_SOCKET_UNBOUND();
  return socket;
}

const sessionHandler = {
  __proto__: null,
  get(session, property) {
    if (OF_SESSION.has(property) || property === 'destroy' || property === 'emit' || property === 'end') {
      if (property === 'end' || property === 'emit') throwUnlessAllowed(property);
      return bind(session[property], session);
    }
    if (FORBIDDEN.has(property)) throw new ERR_HTTP2_NO_SOCKET_MANIPULATION();
    const socket = socketOf(session);
    return bind(socket[property], socket);
  },
  getPrototypeOf(session) {
    return Reflect.getPrototypeOf(socketOf(session));
  },
  set(session, property, value) {
    if (OF_SESSION.has(property) || property === 'destroy') {
      session[property] = value;
      return true;
    }
    if (FORBIDDEN.has(property) || property === 'emit' || property === 'end') throw new ERR_HTTP2_NO_SOCKET_MANIPULATION();
    socketOf(session)[property] = value;
    return true;
  },
};

function throwUnlessAllowed() {
  throw new ERR_HTTP2_NO_SOCKET_MANIPULATION();
}

/** Members of a stream that stand for the socket's. */
const OF_STREAM = new Set(['on', 'once', 'end', 'emit', 'destroy']);

const streamHandler = {
  __proto__: null,
  has(stream, property) {
    const reference = stream.session !== undefined ? stream.session[kSocket] : stream;
    return property in stream || property in reference;
  },
  get(stream, property) {
    if (OF_STREAM.has(property)) return bind(stream[property], stream);
    if (property === 'writable' || property === 'destroyed') return stream[property];
    if (property === 'readable') return stream.destroyed ? false : stream.readable;
    if (property === 'setTimeout') {
      const { session } = stream;
      return session !== undefined ? session.setTimeout.bind(session) : stream.setTimeout.bind(stream);
    }
    if (['write', 'read', 'pause', 'resume'].includes(property)) throw new ERR_HTTP2_NO_SOCKET_MANIPULATION();
    const owner = stream.session !== undefined ? stream.session[kSocket] : stream;
    return bind(owner[property], owner);
  },
  getPrototypeOf(stream) {
    return Reflect.getPrototypeOf(stream.session !== undefined ? stream.session[kSocket] : stream);
  },
  set(stream, property, value) {
    if (['writable', 'readable', 'destroyed', ...OF_STREAM].includes(property)) {
      stream[property] = value;
      return true;
    }
    if (property === 'setTimeout') {
      if (stream.session !== undefined) stream.session.setTimeout = value;
      else stream.setTimeout = value;
      return true;
    }
    if (['write', 'read', 'pause', 'resume'].includes(property)) throw new ERR_HTTP2_NO_SOCKET_MANIPULATION();
    const owner = stream.session !== undefined ? stream.session[kSocket] : stream;
    owner[property] = value;
    return true;
  },
};

const proxySession = (session) => new Proxy(session, sessionHandler);
const proxyStream = (stream) => new Proxy(stream, streamHandler);

module.exports = { kSession, proxySession, proxyStream };
