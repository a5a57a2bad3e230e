// `https.Server`: a TLS server whose connections are HTTP's. In: options of both, a listener. Out:
// 'request' and the other events of an HTTP server.
'use strict';

const tls = require('tls');
const { validateObject } = require('internal/validators');
const http = require('internal/http/server');

function Server(options, onRequest) {
  if (!(this instanceof Server)) return new Server(options, onRequest);
  if (typeof options === 'function') [options, onRequest] = [{}, options];
  else if (options == null) options = {};
  else validateObject(options, 'options');
  http.storeHTTPOptions(this, { ...options });
  // Either protocols or a callback that chooses one.
  const protocols = options.ALPNProtocols || options.ALPNCallback ? undefined : { ALPNProtocols: ['http/1.1'] };
  Reflect.apply(tls.Server, this, [{ noDelay: true, ...protocols, ...options }]);
  http.initialize(this, 'secureConnection');
  if (onRequest) this.on('request', onRequest);
  this.on('tlsClientError', (error, socket) => { if (!this.emit('clientError', error, socket)) socket.destroy(error); });
}
Object.setPrototypeOf(Server.prototype, tls.Server.prototype);
Object.setPrototypeOf(Server, tls.Server);

for (const name of ['closeAllConnections', 'closeIdleConnections', 'setTimeout']) Server.prototype[name] = http.Server.prototype[name];

Server.prototype.close = function close(...args) {
  http.stopConnectionsTracking(this);
  return Reflect.apply(tls.Server.prototype.close, this, args);
};

Server.prototype[Symbol.asyncDispose] = async function asyncDispose() {
  await require('util').promisify(this.close).call(this);
};

module.exports = { Server };
