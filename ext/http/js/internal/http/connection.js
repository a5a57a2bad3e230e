// Server connection. In: its socket. Out: a 'request' event for each request; the responses in the
// order of the requests. The connection stays open for the next request as long as both sides keep
// it alive.
'use strict';

const { nextTick } = require('process');
const { ConnResetException, codes: { ERR_HTTP_SOCKET_ENCODING } } = require('internal/errors');
const { freeParser, takeParser } = require('internal/http/parser');
const { takeHead } = require('internal/http/incoming');
const { closeLater } = require('internal/http/response');
const { CONTINUE } = require('internal/http/constants');
const { kUnique } = require('internal/http/symbols');
const { channelsOf } = require('internal/http/channels');

const nop = () => {};

/** How a request that cannot be read is answered. */
const REFUSALS = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Payload Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

class Connection {
  /** Requests whose answers are not through, and answers that wait for their turn. */
  incoming = [];
  outgoing = [];
  /** Bytes of answers that wait. */
  waitingBytes = 0;
  requestCount = 0;
  waitsForNext = false;
  /** When the request began that is not whole; 0: there is none. */
  begunAt = 0;
  hasHead = false;
  isPaused = false;

  /** `all`: the server's connections. */
  constructor(server, socket, all) {
    this.server = server;
    this.all = all;
    this.socket = socket;
    this.parser = takeParser({
      isResponses: false,
      headBytesMax: server.maxHeaderSize,
      isLenient: server.insecureHTTPParser,
      headersMax: server.maxHeadersCount,
      joinDuplicateHeaders: server.joinDuplicateHeaders,
    });
    this.begunAt = performance.now();
  }

  get isIdle() {
    return this.requestCount > 0 && this.incoming.length === 0 && this.parser.isBetween;
  }
}

/** Begins to read requests. */
function connect(server, socket, all) {
  const connection = new Connection(server, socket, all);
  const { parser } = connection;
  all.add(connection);
  parser.socket = socket;
  socket.parser = parser;
  socket.server ??= server;
  if (server.timeout && typeof socket.setTimeout === 'function') socket.setTimeout(server.timeout);
  parser.onHead = (head, isUpgrade) => onHead(connection, head, isUpgrade);
  parser.onBody = (bytes) => {
    const request = parser.incoming;
    if (request !== null && !request._dumped && !request.push(bytes)) socket.pause();
  };
  parser.onEnd = (trailers) => onEnd(connection, trailers);
  const listeners = {
    timeout: () => onTimeout(connection),
    error: (error) => fail(connection, error),
    close: () => onClose(connection),
    end: () => onSocketEnd(connection),
    data: (bytes) => onData(connection, bytes),
    drain: () => onDrain(connection),
  };
  connection.listeners = listeners;
  for (const name of Object.keys(listeners)) socket.on(name, listeners[name]);
  socket._paused = false;
  // What comes is bytes; a program that wants text decodes the body.
  socket.setEncoding = refuseEncoding;
}

function refuseEncoding() {
  throw new ERR_HTTP_SOCKET_ENCODING();
}

function onTimeout(connection) {
  const { socket, server, parser } = connection;
  const request = parser.incoming;
  const isHeard = [
    request && !request.complete && request.emit('timeout', socket),
    socket._httpMessage?.emit('timeout', socket),
    server.emit('timeout', socket),
  ];
  if (!isHeard.some(Boolean)) socket.destroy();
}

function onData(connection, bytes) {
  const { parser, socket } = connection;
  if (connection.begunAt === 0) connection.begunAt = performance.now();
  const outcome = parser.execute(bytes);
  // After a request that ended here another may have begun.
  if (connection.begunAt === 0 && !parser.isBetween) connection.begunAt = performance.now();
  if (typeof outcome !== 'number') {
    fail(connection, outcome);
  } else if (parser.incoming?.upgrade) {
    upgrade(connection, bytes.subarray(outcome));
  }
  if (connection.isPaused && !socket.destroyed) socket.pause();
}

/** The program goes on with another protocol. */
function upgrade(connection, head) {
  const { parser, socket, server, listeners } = connection;
  const request = parser.incoming;
  const event = request.method === 'CONNECT' ? 'connect' : 'upgrade';
  if (server.listenerCount(event) === 0) {
    socket.destroy();
    return;
  }
  for (const name of Object.keys(listeners)) socket.off(name, listeners[name]);
  delete socket.setEncoding;
  connection.all.delete(connection);
  socket.parser = null;
  freeParser(parser);
  socket.readableFlowing = null;
  server.emit(event, request, socket, head);
}

/** True: another protocol follows. */
function onHead(connection, head, isUpgrade) {
  const { server, socket, parser } = connection;
  if (connection.waitsForNext) {
    connection.waitsForNext = false;
    socket.setTimeout?.(server.timeout);
  }
  connection.hasHead = true;
  if (!connection.isPaused && (socket.writableNeedDrain || connection.waitingBytes >= socket.writableHighWaterMark)) {
    // Responses are queued because the client does not read: reading is paused meanwhile.
    connection.isPaused = socket._paused = true;
  }
  const request = new server.IncomingMessage(socket);
  takeHead(request, head);
  request.method = head.first;
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
  response._onPendingData = (bytes) => onWaiting(connection, bytes);
  response.shouldKeepAlive = head.keepsAlive;
  response[kUnique] = server.uniqueHeaders;
  announce(connection, request, response);
  if (socket._httpMessage) connection.outgoing.push(response);
  else response.assignSocket(socket);
  response.on('finish', () => onFinish(connection, request, response));
  connection.requestCount += 1;
  ask(connection, request, response);
  return false;
}

function announce({ server, socket }, request, response) {
  const channels = channelsOf();
  if (channels.serverStart.hasSubscribers) channels.serverStart.publish({ request, response, socket, server });
  if (channels.serverCreated.hasSubscribers) channels.serverCreated.publish({ request, response });
}

/** Who answers, unless we do. */
function ask({ server, socket, requestCount }, request, response) {
  const isNew = request.httpVersionMajor === 1 && request.httpVersionMinor === 1;
  if (!isNew) {
    server.emit('request', request, response);
    return;
  }
  if (server.requireHostHeader && request.headers.host === undefined) {
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
  const { expect } = request.headers;
  if (expect === undefined) {
    server.emit('request', request, response);
  } else if (CONTINUE.test(expect)) {
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

/** The request is whole. */
function onEnd(connection, trailers) {
  const { parser } = connection;
  const request = parser.incoming;
  connection.begunAt = 0;
  connection.hasHead = false;
  if (request === null || request.upgrade) return;
  request.complete = true;
  request._addHeaderLines(trailers);
  request.push(null);
}

/** An answer is through. */
function onFinish(connection, request, response) {
  const { server, socket, parser, incoming, outgoing } = connection;
  const channels = channelsOf();
  if (channels.serverFinish.hasSubscribers) channels.serverFinish.publish({ request, response, socket, server });
  incoming.shift();
  // The listener did not read the body, and the next request follows it.
  if (!request._consumed && !request.readableDidRead) request._dump();
  response.detachSocket(socket);
  if (parser.incoming === request) forget(parser, request);
  nextTick(closeLater, response);
  if (response._last) {
    if (typeof socket.destroySoon === 'function') socket.destroySoon();
    else socket.end();
  } else if (outgoing.length > 0) {
    outgoing.shift().assignSocket(socket);
  } else if (server.keepAliveTimeout && typeof socket.setTimeout === 'function') {
    socket.setTimeout(server.keepAliveTimeout + server.keepAliveTimeoutBuffer);
    connection.waitsForNext = true;
  }
}

/** Until its end a request is the connection's. */
function forget(parser, request) {
  if (request.readableEnded) parser.incoming = null;
  else request.on('end', () => { if (parser.incoming === request) parser.incoming = null; });
}

/** Answers that wait for their turn are more, or less, now. */
function onWaiting(connection, bytes) {
  connection.waitingBytes += bytes;
  if (connection.isPaused && connection.waitingBytes < connection.socket.writableHighWaterMark) onDrain(connection);
}

function onDrain(connection) {
  const { socket } = connection;
  if (connection.isPaused && connection.waitingBytes <= socket.writableHighWaterMark) {
    connection.isPaused = socket._paused = false;
    socket.resume();
  }
  const message = socket._httpMessage;
  if (message && !message.finished && message.outputSize === 0 && message.writableNeedDrain) message._flush();
}

function onSocketEnd(connection) {
  const { parser, socket, server, incoming, outgoing } = connection;
  const error = parser.finish();
  if (error !== undefined) {
    fail(connection, error);
  } else if (!server.httpAllowHalfOpen) {
    abort(incoming);
    if (socket.writable) socket.end();
  } else if (outgoing.length > 0) {
    outgoing.at(-1)._last = true;
  } else if (socket._httpMessage) {
    socket._httpMessage._last = true;
  } else if (socket.writable) {
    socket.end();
  }
}

function onClose(connection) {
  connection.all.delete(connection);
  abort(connection.incoming);
  if (connection.socket.parser === connection.parser) connection.socket.parser = null;
  freeParser(connection.parser);
}

function abort(incoming) {
  for (const request of incoming.splice(0)) request.destroy(new ConnResetException('aborted'));
}

/** Something is wrong with what came; the program hears of it, or a line says so to the client. */
function fail(connection, error) {
  const { server, socket, listeners } = connection;
  socket.off('error', listeners.error);
  if (socket.listenerCount('error') === 0) socket.on('error', nop);
  if (server.emit('clientError', error, socket)) return;
  if (socket.writable && !socket._httpMessage?._headerSent) {
    socket.write(`HTTP/1.1 ${REFUSALS[error.code] ?? '400 Bad Request'}\r\nConnection: close\r\n\r\n`, 'latin1');
  }
  socket.destroy(error);
}

module.exports = { connect, fail };
