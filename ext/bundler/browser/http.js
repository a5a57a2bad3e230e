// `node:http` in browsers: requests by `fetch`. Absent: servers, sockets, trailers, headers that
// browsers set themselves. Redirects are followed.
'use strict';

module.exports = require('internal/http_client').clientOf('http:');
