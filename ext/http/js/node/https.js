// `node:https`: a stub with agents. Absent: clients and servers, which throw. (`fetch` supports
// TLS.)
'use strict';

const http = require('http');
const { absent, absentFunction } = require('internal/not_implemented');

/** TLS options in the name of a connection, in Node's order. */
const NAME_OPTIONS = [
  'ca', 'cert', 'clientCertEngine', 'ciphers', 'key', 'pfx', 'rejectUnauthorized', 'servername', 'minVersion', 'maxVersion', 'secureProtocol', 'crl',
  'honorCipherOrder', 'ecdhCurve', 'dhparam', 'secureOptions', 'sessionIdContext', 'sigalgs', 'privateKeyIdentifier', 'privateKeyEngine',
];
/** Options that are in the name even if they are false. */
const NAME_OPTIONS_IF_DEFINED = ['rejectUnauthorized', 'honorCipherOrder', 'secureOptions'];

function Agent(options) {
  if (!(this instanceof Agent)) return new Agent(options);
  http.Agent.call(this, { __proto__: null, defaultPort: 443, protocol: 'https:', ...options });
  this.maxCachedSessions = this.options.maxCachedSessions ?? 100;
}
Object.setPrototypeOf(Agent.prototype, http.Agent.prototype);
Object.setPrototypeOf(Agent, http.Agent);

Agent.prototype.getName = function getName(options = { __proto__: null }) {
  let name = Reflect.apply(http.Agent.prototype.getName, this, [options]);
  for (const key of NAME_OPTIONS) {
    const value = key === 'servername' && options.servername === options.host ? undefined : options[key];
    const isIncluded = NAME_OPTIONS_IF_DEFINED.includes(key) ? value !== undefined : Boolean(value);
    name += `:${isIncluded ? (key === 'pfx' && typeof value === 'object' ? JSON.stringify(value) : value) : ''}`;
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
