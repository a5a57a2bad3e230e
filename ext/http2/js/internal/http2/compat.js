// Compatibility API: requests and responses of HTTP/2 as those of `node:http`. In: server streams.
// Out: 'request', 'connect', 'checkContinue' and 'checkExpectation' of the server.
'use strict';

const { Http2ServerRequest } = require('internal/http2/compat_request');
const { Http2ServerResponse } = require('internal/http2/compat_response');

const CONTINUE = '100-continue';
const EXPECTATION_FAILED = 417;
const METHOD_NOT_ALLOWED = 405;

function onServerStream(server, ServerRequest, ServerResponse, stream, headers, flags, rawHeaders) {
  const request = new ServerRequest(stream, headers, undefined, rawHeaders);
  const response = new ServerResponse(stream);
  const reject = (status) => {
    response.statusCode = status;
    response.end();
  };
  if (headers[':method'] === 'CONNECT') {
    if (!server.emit('connect', request, response)) reject(METHOD_NOT_ALLOWED);
    return;
  }
  if (headers.expect === undefined) {
    server.emit('request', request, response);
  } else if (headers.expect === CONTINUE) {
    if (server.listenerCount('checkContinue') > 0) {
      server.emit('checkContinue', request, response);
    } else {
      response.writeContinue();
      server.emit('request', request, response);
    }
  } else if (server.listenerCount('checkExpectation') > 0) {
    server.emit('checkExpectation', request, response);
  } else {
    reject(EXPECTATION_FAILED);
  }
}

module.exports = { Http2ServerRequest, Http2ServerResponse, onServerStream };
