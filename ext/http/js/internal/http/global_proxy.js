// Proxies of the global agents and of `fetch`: those that the program has set, or those of the
// environment if a flag says so. In: variables. Out: `proxyEnv` of agents. Absent: what they mean,
// see env_proxy.js, which programs without proxies do not load.
'use strict';

/** The variables that were set last. */
let given;

/** Undefined: no proxies. */
function globalEnv() {
  return given ?? (require('internal/options').getOptionValue('--use-env-proxy') ? require('process').env : undefined);
}

/** Sets the variables. Returns the previous ones. */
function setGlobalEnv(env) {
  const previous = given;
  given = env;
  return previous;
}

/** The global agent of a module. A proxy that the environment names must be a URL. */
function makeGlobalAgent(Agent) {
  const proxyEnv = globalEnv();
  if (proxyEnv !== undefined) require('internal/http/env_proxy').requireURLs(proxyEnv, (text) => new URL(text));
  return new Agent({ keepAlive: true, scheduling: 'lifo', timeout: 5000, proxyEnv });
}

module.exports = { globalEnv, makeGlobalAgent, setGlobalEnv };
