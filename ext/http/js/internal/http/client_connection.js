// Request and response on a client connection. In: a request, a socket. Out: 'response',
// 'information', 'upgrade' and similar events; the socket is returned to the agent, or destroyed.
'use strict';

const { nextTick } = require('process');
const { bind } = require('internal/async_context');
const { ConnResetException } = require('internal/errors');
const { freeParser, takeParser } = require('internal/http/parser');
const { IncomingMessage, takeHead } = require('internal/http/incoming');
const { channelsOf } = require('internal/http/channels');

const nop = () => {};
const isInformational = (status) => status >= 100 && status < 200 && status !== 101;

/** Sends the request over that socket. */
function attachSocket(request, socket) {
  const parser = takeParser({
    isResponses: true,
    headBytesMax: request.maxHeaderSize,
    isLenient: request.insecureHTTPParser,
    headersMax: request.maxHeadersCount,
    joinDuplicateHeaders: request.joinDuplicateHeaders,
  });
  parser.answers(request.method);
  parser.socket = socket;
  // The connection may be reused: events are emitted in the async context of this request.
  parser.onHead = bind((head, isUpgrade) => onHead(request, head, isUpgrade));
  parser.onBody = bind((bytes) => {
    const response = parser.incoming;
    if (response !== null && !response._dumped && !response.push(bytes)) socket.pause();
  });
  parser.onEnd = bind((trailers) => onEnd(request, trailers));
  request.socket = socket;
  request.parser = parser;
  socket.parser = parser;
  socket._httpMessage = request;
  const listeners = {
    error: (error) => onError(request, error),
    data: (bytes) => onData(request, bytes),
    end: () => onSocketEnd(request),
    close: () => onClose(request),
    drain: () => onDrain(request),
  };
  request.stopListening = (...names) => { for (const name of names) socket.off(name, listeners[name]); };
  for (const name of Object.keys(listeners)) socket.on(name, listeners[name]);
  if (request.timeout !== undefined || request.agent?.options?.timeout) listenForTimeout(request);
  request.emit('socket', socket);
}

const ALL = ['error', 'data', 'end', 'close', 'drain'];

function emitError(request, error) {
  const channels = channelsOf();
  if (channels.clientError.hasSubscribers) channels.clientError.publish({ request, error });
  request.emit('error', error);
}

/** Once; the first error counts. */
function fail(request, error) {
  const { socket } = request;
  if (socket._hadError) return;
  socket._hadError = true;
  emitError(request, error);
}

function onError(request, error) {
  const { socket, parser } = request;
  fail(request, error);
  parser?.finish();
  request.stopListening('data', 'end');
  socket.destroy();
}

function onDrain(request) {
  if (request.outputSize === 0 && request.writableNeedDrain) request._flush();
}

function onSocketEnd(request) {
  const { socket, parser } = request;
  if (!request.res && !socket._hadError) fail(request, new ConnResetException('socket hang up'));
  parser?.finish();
  socket.end();
}

function onClose(request) {
  const { parser } = request;
  // Where the end of the connection is the end of the body.
  parser?.finish();
  request.destroyed = true;
  const response = request.res;
  if (response) {
    if (!response.complete) response.destroy(new ConnResetException('aborted'));
    close(request);
    if (!response.aborted && response.readable) response.push(null);
  } else {
    fail(request, new ConnResetException('socket hang up'));
    close(request);
  }
  request.outputData.length = 0;
  release(request);
}

/** The parser is for another from now on. */
function release(request) {
  const { parser, socket } = request;
  if (!parser) return;
  request.parser = null;
  if (socket?.parser === parser) socket.parser = null;
  freeParser(parser);
}

function close(request) {
  if (request._closed) return;
  request._closed = true;
  request.emit('close');
}

function onData(request, bytes) {
  const { socket, parser } = request;
  const outcome = parser.execute(bytes);
  if (typeof outcome !== 'number') {
    request.stopListening('data', 'end');
    socket.destroy();
    fail(request, outcome);
    return;
  }
  const response = parser.incoming;
  if (response?.upgrade) upgrade(request, response, bytes.subarray(outcome));
}

/** The program goes on with another protocol. */
function upgrade(request, response, head) {
  const { socket, method } = request;
  request.res = response;
  request.stopListening(...ALL);
  stopTimeout(request);
  release(request);
  const event = method === 'CONNECT' ? 'connect' : 'upgrade';
  if (request.listenerCount(event) === 0) {
    socket.on('error', nop);
    socket.destroy();
    request.destroyed = true;
    close(request);
    return;
  }
  request.upgradeOrConnect = true;
  // It is no agent's any more.
  socket.emit('agentRemove');
  socket._httpMessage = null;
  socket.readableFlowing = null;
  request.emit(event, response, socket, head);
  request.destroyed = true;
  close(request);
}

/** True: another protocol follows. */
function onHead(request, head, isUpgrade) {
  const { socket, parser } = request;
  if (request.res && !isInformational(request.res.statusCode)) {
    // Two answers to one request.
    parser.stop();
    socket.destroy();
    return false;
  }
  const response = new IncomingMessage(socket);
  takeHead(response, head);
  response.statusCode = head.status;
  response.statusMessage = head.first;
  response.joinDuplicateHeaders = parser.joinDuplicateHeaders;
  response.upgrade = isUpgrade;
  parser.incoming = response;
  if (isUpgrade) return true;
  if (isInformational(head.status)) {
    inform(request, response, head);
    return false;
  }
  if (request.shouldKeepAlive && !head.keepsAlive) request.shouldKeepAlive = false;
  request.res = response;
  response.req = request;
  const channels = channelsOf();
  if (channels.clientFinish.hasSubscribers) channels.clientFinish.publish({ request, response });
  response.on('end', () => onResponseEnd(request, response));
  request.onSilence = () => response.emit('timeout');
  socket.on('timeout', request.onSilence);
  request.once('finish', () => onRequestFinish(request));
  if (request.aborted || !request.emit('response', response)) response._dump();
  return false;
}

function inform(request, response, head) {
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

/** The answer is whole. */
function onEnd(request, trailers) {
  const response = request.parser?.incoming ?? null;
  if (response === null || response.upgrade) return;
  response.complete = true;
  response._addHeaderLines(trailers);
  response.push(null);
}

function onResponseEnd(request, response) {
  const { socket } = request;
  request._ended = true;
  stopTimeout(request);
  if (!request.shouldKeepAlive) {
    if (socket.writable) socket.destroySoon?.();
  } else if (request.writableFinished && !response.aborted) {
    giveBack(request);
  }
}

function onRequestFinish(request) {
  if (request.shouldKeepAlive && request._ended) giveBack(request);
}

/** The connection is free for another request. */
function giveBack(request) {
  const { socket } = request;
  if (request.isGivenBack) return;
  request.isGivenBack = true;
  request.stopListening(...ALL);
  socket.on('error', nop);
  release(request);
  if (request.timeoutCb) {
    socket.setTimeout(0, request.timeoutCb);
    request.timeoutCb = null;
  }
  request.destroyed = true;
  nextTick(() => {
    socket.off('error', nop);
    close(request);
    socket.emit('free');
  });
}

/** 'timeout' of the socket is the request's. */
function listenForTimeout(request) {
  if (request.timeoutCb) return;
  request.timeoutCb = () => request.emit('timeout');
  const listen = (socket) => {
    if (request.timeoutCb) socket.once('timeout', request.timeoutCb);
  };
  if (request.socket) listen(request.socket);
  else request.once('socket', listen);
}

function stopTimeout(request) {
  if (request.timeoutCb && request.socket) request.socket.off('timeout', request.timeoutCb);
  if (request.onSilence) request.socket.off('timeout', request.onSilence);
}

module.exports = { attachSocket, listenForTimeout };
