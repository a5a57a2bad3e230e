// `node:https`, as far as it needs no sockets: agents as values. Clients and servers are not there
// yet, and say so; `fetch` is.
'use strict';

const http = require('http');
const { absent, absentFunction } = require('internal/not_implemented');

/** What of a connection's settings keeps requests from sharing one, in the order of Node's name. */
const TOLD = [
  'ca', 'cert', 'clientCertEngine', 'ciphers', 'key', 'pfx', 'rejectUnauthorized', 'servername', 'minVersion', 'maxVersion', 'secureProtocol', 'crl',
  'honorCipherOrder', 'ecdhCurve', 'dhparam', 'secureOptions', 'sessionIdContext', 'sigalgs', 'privateKeyIdentifier', 'privateKeyEngine',
];
/** These say something by being false as well. */
const TOLD_WHEN_SET = ['rejectUnauthorized', 'honorCipherOrder', 'secureOptions'];

function Agent(options) {
  if (!(this instanceof Agent)) return new Agent(options);
  http.Agent.call(this, { __proto__: null, defaultPort: 443, protocol: 'https:', ...options });
  this.maxCachedSessions = this.options.maxCachedSessions ?? 100;
}
Object.setPrototypeOf(Agent.prototype, http.Agent.prototype);
Object.setPrototypeOf(Agent, http.Agent);

Agent.prototype.getName = function getName(options = { __proto__: null }) {
  let name = Reflect.apply(http.Agent.prototype.getName, this, [options]);
  for (const key of TOLD) {
    const value = key === 'servername' && options.servername === options.host ? undefined : options[key];
    const isTold = TOLD_WHEN_SET.includes(key) ? value !== undefined : Boolean(value);
    name += `:${isTold ? (key === 'pfx' && typeof value === 'object' ? JSON.stringify(value) : value) : ''}`;
  }
  return name;
};

Agent.prototype.createConnection = absentFunction('https', 'Agent.createConnection');

let globalAgent;

module.exports = {
  Agent,
  get globalAgent() { return globalAgent ??= new Agent({ keepAlive: true, scheduling: 'lifo', timeout: 5000 }); },
  set globalAgent(agent) { globalAgent = agent; },
  Server: absent('https', 'Server'),
  createServer: absentFunction('https', 'createServer'),
  get: absentFunction('https', 'get'),
  request: absentFunction('https', 'request'),
};
