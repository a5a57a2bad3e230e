// Server connection. In: its socket. Out: a 'request' event for each request; the responses in the
// order of the requests. The connection stays open for the next request as long as both sides keep
// it alive.
'use strict';

const { nextTick } = require('process');
const { ConnResetException, codes: { ERR_HTTP_SOCKET_ENCODING } } = require('internal/errors');
const { allocParser, freeParser, toBuffer } = require('internal/http/parser');
const { endBody, finishUnread, hasEnded, setHead } = require('internal/http/incoming');
const { consumeSocket, releaseSocket } = require('internal/http/consume');
const { emitClose, onServerResponseClose } = require('internal/http/server_response');
const { CONTINUE_EXPRESSION } = require('internal/http/constants');
const { kConnection, kUniqueHeaders } = require('internal/http/symbols');
const { diagnosticsChannels } = require('internal/http/channels');

const nop = () => {};

/** Status lines for errors of the parser and for timeouts. */
const ERROR_STATUSES = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Payload Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

class Connection {
  /** Requests whose responses are not sent yet, and responses queued after the current one. */
  incoming = [];
  outgoing = [];
  /** The bytes of queued responses. */
  outgoingBytes = 0;
  requestCount = 0;
  isKeepAliveTimeoutSet = false;
  /** When the current request began, for its timeouts; 0 between requests. */
  requestStart = 0;
  hasHeaders = false;
  isPaused = false;

  /** `connections`: the set of the server's connections. */
  constructor(server, socket, connections) {
    this.server = server;
    this.connections = connections;
    this.socket = socket;
    this.parser = allocParser({
      isResponses: false,
      headBytesMax: server.maxHeaderSize,
      isLenient: server.insecureHTTPParser,
      headersMax: server.maxHeadersCount,
      joinDuplicateHeaders: server.joinDuplicateHeaders,
    });
    this.requestStart = performance.now();
    this.onPendingData = (bytes) => updateOutgoingData(this, bytes);
  }

  /** A response is sent. */
  finishResponse(response) { responseOnFinish(this, response); }

  /** After 'finish'. */
  closeResponse(response) { nextTick(emitClose, response); }

  get isIdle() {
    return this.requestCount > 0 && this.incoming.length === 0 && this.parser.isIdle;
  }
}

/** Starts to read requests from a new connection. */
function connectionListener(server, socket, connections) {
  const connection = new Connection(server, socket, connections);
  const { parser } = connection;
  connections.add(connection);
  parser.socket = socket;
  socket.parser = parser;
  socket.server ??= server;
  if (server.timeout && typeof socket.setTimeout === 'function') socket.setTimeout(server.timeout);
  parser.onHeadersComplete = (head, isUpgrade) => parserOnIncoming(connection, head, isUpgrade);
  parser.onBody = (bytes) => {
    const request = parser.incoming;
    if (request !== null && !request._dumped && !request.push(bytes)) socket.pause();
  };
  parser.onMessageComplete = (trailers) => parserOnMessageComplete(connection, trailers);
  const listeners = {
    timeout: () => socketOnTimeout(connection),
    error: (error) => socketOnError(connection, error),
    close: () => socketOnClose(connection),
    end: () => socketOnEnd(connection),
    data: (bytes) => socketOnData(connection, bytes),
    drain: () => socketOnDrain(connection),
  };
  connection.listeners = listeners;
  for (const name of Object.keys(listeners)) socket.on(name, listeners[name]);
  socket.on('close', onServerResponseClose);
  consumeSocket(connection, afterChunk);
  socket._paused = false;
  // The parser needs bytes; a program decodes the body instead.
  socket.setEncoding = throwOnSetEncoding;
}

function throwOnSetEncoding() {
  throw new ERR_HTTP_SOCKET_ENCODING();
}

function socketOnTimeout(connection) {
  const { socket, server, parser } = connection;
  const request = parser.incoming;
  const hasListener = [
    request && !request.complete && request.emit('timeout', socket),
    socket._httpMessage?.emit('timeout', socket),
    server.emit('timeout', socket),
  ];
  if (!hasListener.some(Boolean)) socket.destroy();
}

function socketOnData(connection, bytes) {
  afterChunk(connection, connection.parser.execute(bytes), bytes);
}

/** `result`: that of the parser. */
function afterChunk(connection, result, bytes) {
  const { parser, socket } = connection;
  if (connection.requestStart === 0 && !parser.wasIdle) connection.requestStart = performance.now();
  if (typeof result !== 'number') {
    socketOnError(connection, result);
  } else if (parser.incoming?.upgrade) {
    emitUpgrade(connection, toBuffer(bytes, result, bytes.length));
  }
  if (connection.isPaused && !socket.destroyed) socket.pause();
}

/** Gives the socket to the program after CONNECT or an upgrade. */
function emitUpgrade(connection, head) {
  const { parser, socket, server, listeners } = connection;
  const request = parser.incoming;
  const event = request.method === 'CONNECT' ? 'connect' : 'upgrade';
  if (server.listenerCount(event) === 0) {
    socket.destroy();
    return;
  }
  releaseSocket(socket);
  for (const name of Object.keys(listeners)) socket.off(name, listeners[name]);
  socket.off('close', onServerResponseClose);
  delete socket.setEncoding;
  connection.connections.delete(connection);
  socket.parser = null;
  freeParser(parser);
  socket.readableFlowing = null;
  server.emit(event, request, socket, head);
}

/** Creates the request of a head. Returns whether the connection switches the protocol. */
function parserOnIncoming(connection, head, isUpgrade) {
  const { server, socket, parser } = connection;
  if (connection.isKeepAliveTimeoutSet) {
    connection.isKeepAliveTimeoutSet = false;
    socket.setTimeout?.(server.timeout);
  }
  connection.hasHeaders = true;
  if (!connection.isPaused && (socket.writableNeedDrain || connection.outgoingBytes >= socket.writableHighWaterMark)) {
    // Responses are queued because the client does not read: reading is paused meanwhile.
    connection.isPaused = socket._paused = true;
  }
  const request = new server.IncomingMessage(socket);
  setHead(request, head);
  request.method = head.firstToken;
  request.url = head.target;
  request.joinDuplicateHeaders = parser.joinDuplicateHeaders;
  request.upgrade = isUpgrade && (request.method === 'CONNECT' || Boolean(server.shouldUpgradeCallback(request)));
  parser.incoming = request;
  if (request.upgrade) return true;
  connection.incoming.push(request);
  const response = new server.ServerResponse(request, {
    highWaterMark: socket.writableHighWaterMark,
    rejectNonStandardBodyWrites: server.rejectNonStandardBodyWrites,
  });
  response._keepAliveTimeout = server.keepAliveTimeout;
  response._maxRequestsPerSocket = server.maxRequestsPerSocket;
  response._onPendingData = connection.onPendingData;
  response[kConnection] = connection;
  response.shouldKeepAlive = head.shouldKeepAlive;
  response[kUniqueHeaders] = server.uniqueHeaders;
  publishStart(connection, request, response);
  if (socket._httpMessage) connection.outgoing.push(response);
  else response.assignSocket(socket);
  connection.requestCount += 1;
  dispatchRequest(connection, head, request, response);
  return false;
}

function publishStart({ server, socket }, request, response) {
  const channels = diagnosticsChannels();
  if (channels.serverStart.hasSubscribers) channels.serverStart.publish({ request, response, socket, server });
  if (channels.serverCreated.hasSubscribers) channels.serverCreated.publish({ request, response });
}

/** Emits the request, or responds to one that the server's options reject. */
function dispatchRequest({ server, socket, requestCount }, head, request, response) {
  if (head.version !== 11) {
    server.emit('request', request, response);
    return;
  }
  if (server.requireHostHeader && !head.hasHost) {
    response.writeHead(400, ['Connection', 'close']);
    response.end();
    return;
  }
  const max = server.maxRequestsPerSocket;
  const isLimited = typeof max === 'number' && max > 0;
  if (isLimited) response.maxRequestsOnConnectionReached = max <= requestCount;
  if (isLimited && max < requestCount) {
    server.emit('dropRequest', request, socket);
    response.writeHead(503);
    response.end();
    return;
  }
  if (!head.hasExpect) {
    server.emit('request', request, response);
  } else if (CONTINUE_EXPRESSION.test(request.headers.expect)) {
    response._expect_continue = true;
    if (server.listenerCount('checkContinue') > 0) {
      server.emit('checkContinue', request, response);
    } else {
      response.writeContinue();
      server.emit('request', request, response);
    }
  } else if (server.listenerCount('checkExpectation') > 0) {
    server.emit('checkExpectation', request, response);
  } else {
    response.writeHead(417);
    response.end();
  }
}

/** The request is complete. */
function parserOnMessageComplete(connection, trailers) {
  const { parser } = connection;
  const request = parser.incoming;
  connection.requestStart = 0;
  connection.hasHeaders = false;
  if (request === null || request.upgrade) return;
  request.complete = true;
  request._addHeaderLines(trailers);
  endBody(request);
}

/** A response is sent. */
function responseOnFinish(connection, response) {
  const { server, socket, parser, incoming, outgoing } = connection;
  // The connection may have closed before.
  const request = incoming.shift() ?? response.req;
  const channels = diagnosticsChannels();
  if (channels.serverFinish.hasSubscribers) channels.serverFinish.publish({ request, response, socket, server });
  // The listener did not read the body, and the next request follows it.
  finishUnread(request);
  response.detachSocket(socket);
  if (parser.incoming === request) clearIncoming(parser, request);
  if (response._last) {
    if (typeof socket.destroySoon === 'function') socket.destroySoon();
    else socket.end();
  } else if (outgoing.length > 0) {
    outgoing.shift().assignSocket(socket);
  } else if (server.keepAliveTimeout && typeof socket.setTimeout === 'function') {
    socket.setTimeout(server.keepAliveTimeout + server.keepAliveTimeoutBuffer);
    connection.isKeepAliveTimeoutSet = true;
  }
}

/** Resets `parser.incoming` when the request has ended. */
function clearIncoming(parser, request) {
  if (hasEnded(request)) parser.incoming = null;
  else request.on('end', () => { if (parser.incoming === request) parser.incoming = null; });
}

/** The size of the queued responses has changed. */
function updateOutgoingData(connection, bytes) {
  connection.outgoingBytes += bytes;
  if (connection.isPaused && connection.outgoingBytes < connection.socket.writableHighWaterMark) socketOnDrain(connection);
}

function socketOnDrain(connection) {
  const { socket } = connection;
  if (connection.isPaused && connection.outgoingBytes <= socket.writableHighWaterMark) {
    connection.isPaused = socket._paused = false;
    socket.resume();
  }
  const message = socket._httpMessage;
  if (message && !message.finished && message.outputSize === 0 && message.writableNeedDrain) message._flush();
}

function socketOnEnd(connection) {
  const { parser, socket, server, incoming, outgoing } = connection;
  const error = parser.finish();
  if (error !== undefined) {
    socketOnError(connection, error);
  } else if (!server.httpAllowHalfOpen) {
    abortIncoming(incoming);
    if (socket.writable) socket.end();
  } else if (outgoing.length > 0) {
    outgoing.at(-1)._last = true;
  } else if (socket._httpMessage) {
    socket._httpMessage._last = true;
  } else if (socket.writable) {
    socket.end();
  }
}

function socketOnClose(connection) {
  connection.connections.delete(connection);
  abortIncoming(connection.incoming);
  if (connection.socket.parser === connection.parser) connection.socket.parser = null;
  freeParser(connection.parser);
}

function abortIncoming(incoming) {
  for (const request of incoming.splice(0)) request.destroy(new ConnResetException('aborted'));
}

/** Emits 'clientError'; without a listener responds with an error status and closes. */
function socketOnError(connection, error) {
  const { server, socket, listeners } = connection;
  socket.off('error', listeners.error);
  if (socket.listenerCount('error') === 0) socket.on('error', nop);
  if (server.emit('clientError', error, socket)) return;
  if (socket.writable && !socket._httpMessage?._headerSent) {
    socket.write(`HTTP/1.1 ${ERROR_STATUSES[error.code] ?? '400 Bad Request'}\r\nConnection: close\r\n\r\n`, 'latin1');
  }
  socket.destroy(error);
}

module.exports = { connectionListener, socketOnError };
