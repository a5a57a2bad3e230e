// Request and response on a client connection. In: a request, a socket. Out: 'response',
// 'information', 'upgrade' and similar events; the socket is returned to the agent, or destroyed.
'use strict';

const { nextTick } = require('process');
const { bind } = require('internal/async_context');
const { ConnResetException } = require('internal/errors');
const { allocParser, freeParser } = require('internal/http/parser');
const { IncomingMessage, setHead } = require('internal/http/incoming');
const { diagnosticsChannels } = require('internal/http/channels');
const { kEndMeasurement } = require('internal/http/symbols');

const nop = () => {};
const isInformational = (status) => status >= 100 && status < 200 && status !== 101;

/** Sends the request over that socket. */
function attachSocket(request, socket) {
  const parser = allocParser({
    isResponses: true,
    headBytesMax: request.maxHeaderSize,
    isLenient: request.insecureHTTPParser,
    headersMax: request.maxHeadersCount,
    joinDuplicateHeaders: request.joinDuplicateHeaders,
    method: request.method,
  });
  parser.socket = socket;
  // The connection may be reused: events are emitted in the async context of this request.
  parser.onHeadersComplete = bind((head, isUpgrade) => parserOnIncomingClient(request, head, isUpgrade));
  parser.onBody = bind((bytes) => {
    const response = parser.incoming;
    if (response !== null && !response._dumped && !response.push(bytes)) socket.pause();
  });
  parser.onMessageComplete = bind((trailers) => parserOnMessageComplete(request, trailers));
  request.socket = socket;
  request.parser = parser;
  socket.parser = parser;
  socket._httpMessage = request;
  for (const name of SOCKET_EVENTS) socket.on(name, LISTENERS[name]);
  if (request.timeout !== undefined || request.agent?.options?.timeout) listenSocketTimeout(request);
  request.emit('socket', socket);
}

/** The listeners of a socket while a request has it. */
const LISTENERS = {
  error(error) { socketErrorListener(this._httpMessage, error); },
  data(bytes) { socketOnData(this._httpMessage, bytes); },
  end() { onSocketEnd(this._httpMessage); },
  close() { socketCloseListener(this._httpMessage); },
  drain() { socketOnDrain(this._httpMessage); },
};
const SOCKET_EVENTS = Object.keys(LISTENERS);

function removeListeners(socket, names) {
  for (const name of names) socket.off(name, LISTENERS[name]);
}

function emitError(request, error) {
  const channels = diagnosticsChannels();
  if (channels.clientError.hasSubscribers) channels.clientError.publish({ request, error });
  request.emit('error', error);
}

const kEmittedError = Symbol('emitted-error');

/** Emits only the first error of a connection: what follows is its consequence. */
function emitFirstError(request, error) {
  const { socket } = request;
  if (socket[kEmittedError]) return;
  socket[kEmittedError] = socket._hadError = true;
  emitError(request, error);
}

function socketErrorListener(request, error) {
  const { socket, parser } = request;
  emitFirstError(request, error);
  parser?.finish();
  removeListeners(socket, ['data', 'end']);
  socket.destroy();
}

function socketOnDrain(request) {
  if (request.outputSize === 0 && request.writableNeedDrain) request._flush();
}

function onSocketEnd(request) {
  const { socket, parser } = request;
  if (!request.res && !socket._hadError) emitFirstError(request, new ConnResetException('socket hang up'));
  parser?.finish();
  socket.end();
}

function socketCloseListener(request) {
  const { parser } = request;
  // The end of the connection may be the end of the body.
  parser?.finish();
  request.destroyed = true;
  const response = request.res;
  if (response) {
    if (!response.complete) response.destroy(new ConnResetException('aborted'));
    emitClose(request);
    if (!response.aborted && response.readable) response.push(null);
  } else {
    emitFirstError(request, new ConnResetException('socket hang up'));
    emitClose(request);
  }
  request.outputData.length = 0;
  releaseParser(request);
}

/** Returns the parser to the pool. */
function releaseParser(request) {
  const { parser, socket } = request;
  if (!parser) return;
  request.parser = null;
  if (socket?.parser === parser) socket.parser = null;
  freeParser(parser);
}

function emitClose(request) {
  if (request._closed) return;
  request._closed = true;
  request.emit('close');
}

function socketOnData(request, bytes) {
  const { socket, parser } = request;
  const result = parser.execute(bytes);
  if (typeof result !== 'number') {
    removeListeners(socket, ['data', 'end']);
    socket.destroy();
    emitFirstError(request, result);
    return;
  }
  const response = parser.incoming;
  if (response?.upgrade) emitUpgrade(request, response, bytes.subarray(result));
}

/** Gives the socket to the program after CONNECT or an upgrade. */
function emitUpgrade(request, response, head) {
  const { socket, method } = request;
  request.res = response;
  removeListeners(socket, SOCKET_EVENTS);
  removeTimeoutListeners(request);
  releaseParser(request);
  const event = method === 'CONNECT' ? 'connect' : 'upgrade';
  if (request.listenerCount(event) === 0) {
    socket.on('error', nop);
    socket.destroy();
    request.destroyed = true;
    emitClose(request);
    return;
  }
  request.upgradeOrConnect = true;
  // The agent no longer owns the socket.
  socket.emit('agentRemove');
  socket._httpMessage = null;
  socket.readableFlowing = null;
  request.emit(event, response, socket, head);
  request.destroyed = true;
  emitClose(request);
}

/** Creates the response of a head. Returns whether the connection switches the protocol. */
function parserOnIncomingClient(request, head, isUpgrade) {
  const { socket, parser } = request;
  if (request.res && !isInformational(request.res.statusCode)) {
    // A second response to one request.
    parser.stop();
    socket.destroy();
    return false;
  }
  const response = new IncomingMessage(socket);
  setHead(response, head);
  response.statusCode = head.status;
  response.statusMessage = head.firstToken;
  response.joinDuplicateHeaders = parser.joinDuplicateHeaders;
  response.upgrade = isUpgrade;
  parser.incoming = response;
  if (isUpgrade) return true;
  if (isInformational(head.status)) {
    emitInformation(request, response, head);
    return false;
  }
  if (request.shouldKeepAlive && !head.shouldKeepAlive) request.shouldKeepAlive = false;
  request.res = response;
  response.req = request;
  const channels = diagnosticsChannels();
  if (request[kEndMeasurement] !== undefined) {
    const { statusCode, statusMessage, headers } = response;
    request[kEndMeasurement]({ res: { statusCode, statusMessage, headers } });
  }
  if (channels.clientFinish.hasSubscribers) channels.clientFinish.publish({ request, response });
  response.on('end', () => responseOnEnd(request, response));
  request._responseOnTimeout = () => response.emit('timeout');
  socket.on('timeout', request._responseOnTimeout);
  request.once('finish', () => requestOnFinish(request));
  if (request.aborted || !request.emit('response', response)) response._dump();
  return false;
}

function emitInformation(request, response, head) {
  if (head.status === 100) request.emit('continue');
  request.emit('information', {
    statusCode: response.statusCode,
    statusMessage: response.statusMessage,
    httpVersion: response.httpVersion,
    httpVersionMajor: response.httpVersionMajor,
    httpVersionMinor: response.httpVersionMinor,
    headers: response.headers,
    rawHeaders: response.rawHeaders,
  });
  request.parser.incoming = null;
}

/** The response is complete. */
function parserOnMessageComplete(request, trailers) {
  const response = request.parser?.incoming ?? null;
  if (response === null || response.upgrade) return;
  response.complete = true;
  response._addHeaderLines(trailers);
  response.push(null);
}

function responseOnEnd(request, response) {
  const { socket } = request;
  request._ended = true;
  removeTimeoutListeners(request);
  if (!request.shouldKeepAlive) {
    if (socket.writable) socket.destroySoon?.();
  } else if (request.writableFinished && !response.aborted) {
    responseKeepAlive(request);
  }
}

function requestOnFinish(request) {
  if (request.shouldKeepAlive && request._ended) responseKeepAlive(request);
}

/** Returns the socket to the agent. */
function responseKeepAlive(request) {
  const { socket } = request;
  if (request._isSocketFree) return;
  request._isSocketFree = true;
  removeListeners(socket, SOCKET_EVENTS);
  socket.on('error', nop);
  releaseParser(request);
  if (request.timeoutCb) {
    socket.setTimeout(0, request.timeoutCb);
    request.timeoutCb = null;
  }
  request.destroyed = true;
  nextTick(() => {
    socket.off('error', nop);
    emitClose(request);
    socket.emit('free');
  });
}

/** Emits 'timeout' of the socket on the request, too. */
function listenSocketTimeout(request) {
  if (request.timeoutCb) return;
  request.timeoutCb = () => request.emit('timeout');
  const addListener = (socket) => {
    if (request.timeoutCb) socket.once('timeout', request.timeoutCb);
  };
  if (request.socket) addListener(request.socket);
  else request.once('socket', addListener);
}

function removeTimeoutListeners(request) {
  if (request.timeoutCb && request.socket) request.socket.off('timeout', request.timeoutCb);
  if (request._responseOnTimeout) request.socket.off('timeout', request._responseOnTimeout);
}

module.exports = { attachSocket, listenSocketTimeout };
