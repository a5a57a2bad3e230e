// `node:_http_agent`: the agents of `node:http`, by an old name of theirs. In: nothing of its own.
// Out: parts of `node:http`.
'use strict';

const http = require('http');

module.exports = {
  Agent: http.Agent,
  get globalAgent() { return http.globalAgent; },
  set globalAgent(agent) { http.globalAgent = agent; },
};
