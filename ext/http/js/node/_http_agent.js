// `node:_http_agent`: deprecated alias of the agents of `node:http`.
'use strict';

const http = require('http');

module.exports = {
  Agent: http.Agent,
  get globalAgent() { return http.globalAgent; },
  set globalAgent(agent) { http.globalAgent = agent; },
};
