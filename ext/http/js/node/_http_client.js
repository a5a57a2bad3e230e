// `node:_http_client`: deprecated alias of the client requests of `node:http`.
'use strict';

const { ClientRequest } = require('http');

module.exports = { ClientRequest };
