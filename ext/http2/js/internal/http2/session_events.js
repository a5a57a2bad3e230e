// What a native session reports: streams, headers, data, and events of the connection. In: a flat
// list of events. Out: streams, and events of streams and sessions.
'use strict';

const { nextTick } = require('process');
const { codes: { ERR_HTTP2_SESSION_ERROR } } = require('internal/errors');
const { constants } = require('internal/http2/constants');
const { NghttpError, parseHeaderString, toHeaderObject } = require('internal/http2/util');
const { settingsObject } = require('internal/http2/settings');
const { kHandle, kOptions, kOrigin, kRemoteSettings, kState, kType, kUpdateTimer } = require('internal/http2/symbols');

const { event } = internalBinding('http2_session');
const { NGHTTP2_NO_ERROR, NGHTTP2_REFUSED_STREAM, NGHTTP2_SESSION_SERVER } = constants;

const ERR_PROTO = -505;
const ERR_STREAM_CLOSED = -510;
const ERR_CALLBACK_FAILURE = -902;
const category = { REQUEST: 0, RESPONSE: 1, PUSH_RESPONSE: 2, HEADERS: 3 };
/** The server does not answer for that origin. */
const HTTP_MISDIRECTED = 421;
const END_STREAM = 1;
const END_HEADERS = 4;

const toBuffer = (bytes) => require('buffer').Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

const originSetOf = (session) => require('internal/http2/session').originSetOf(session);

/** By the number of the event: how many values follow it, and what they do. */
const handlers = [];
const on = (number, count, handler) => { handlers[number] = { count, handler }; };

/** What was received while earlier events wait, by session. */
const kQueue = Symbol('kQueue');

function handleEvents(session, events, start) {
  const queue = session[kQueue];
  if (queue !== undefined) queue.push([events, start]);
  else handleNow(session, events, start);
}

function handleNow(session, events, start) {
  for (let index = start; index < events.length;) {
    if (session.destroyed) return;
    const kind = events[index];
    // Programs get headers in the next tick, and what follows them after that.
    if (session[kState].emitsHeaders && kind !== event.HEADERS) {
      (session[kQueue] ??= []).unshift([events, index]);
      nextTick(handleQueue, session);
      return;
    }
    const { count, handler } = handlers[kind];
    handler(session, events[index + 1], events[index + 2], events[index + 3], events[index + 4]);
    index += 1 + count;
  }
}

function handleQueue(session) {
  session[kState].emitsHeaders = false;
  while (session[kQueue] !== undefined) {
    const [events, start] = session[kQueue].shift();
    if (session[kQueue].length === 0) session[kQueue] = undefined;
    const queue = session[kQueue];
    session[kQueue] = undefined;
    handleNow(session, events, start);
    // The rest of that list is before the others.
    if (queue !== undefined) (session[kQueue] ??= []).push(...queue);
    if (session[kState].emitsHeaders) {
      nextTick(handleQueue, session);
      return;
    }
  }
}

function emitHeaders(session, target, ...args) {
  session[kState].emitsHeaders = true;
  nextTick(() => {
    session[kState].emitsHeaders = false;
    target.emit(...args);
  });
}

on(event.HEADERS, 4, (session, id, kind, endsStream, list) => {
  session[kUpdateTimer]();
  const { raw, sensitive } = parseHeaderString(list);
  const headers = toHeaderObject(raw, sensitive);
  const flags = END_HEADERS | (endsStream ? END_STREAM : 0);
  const stream = session[kState].streams.get(id);
  if (stream === undefined) {
    if (kind === category.REQUEST) acceptStream(session, id, headers, flags, raw);
    return;
  }
  if (stream.destroyed) return;
  if (headers[':status'] === HTTP_MISDIRECTED && session.encrypted && stream[kOrigin]) originSetOf(session).delete(stream[kOrigin]);
  stream.runInContext(() => emitHeaders(session, stream, headersEvent(kind, headers[':status'], endsStream), headers, flags, raw));
  if (endsStream) stream.runInContext(() => stream.push(null));
});

function headersEvent(kind, status, endsStream) {
  const isInformational = status !== undefined && status < 200;
  if (kind === category.RESPONSE) return !endsStream && isInformational ? 'headers' : 'response';
  if (kind === category.PUSH_RESPONSE) return 'push';
  if (status !== undefined) return isInformational ? 'headers' : 'response';
  return endsStream ? 'trailers' : 'headers';
}

function acceptStream(session, id, headers, flags, raw) {
  if (session[kType] !== NGHTTP2_SESSION_SERVER) return;
  const handle = session[kHandle].stream(id);
  if (session.closed) {
    handle.rstStream(NGHTTP2_REFUSED_STREAM);
    return;
  }
  const { ServerHttp2Stream } = require('internal/http2/server_stream');
  const stream = new ServerHttp2Stream(session, handle, id, {}, headers);
  const endsStream = Boolean(flags & END_STREAM);
  if (endsStream) stream[kState].endAfterHeaders = stream[kState].hasEnded = true;
  if (headers[':method'] === 'HEAD') {
    // The response has no content.
    stream.end();
    stream[kState].isHeadRequest = true;
  }
  const channel = require('internal/http2/channels').server.created;
  if (channel.hasSubscribers) channel.publish({ stream, headers });
  emitHeaders(session, session, 'stream', stream, headers, flags, raw);
  if (endsStream) stream.push(null);
}

on(event.PUSH_PROMISE, 3, (session, _id, promised, list) => {
  session[kUpdateTimer]();
  const { raw, sensitive } = parseHeaderString(list);
  const handle = session[kHandle].stream(promised);
  if (session.closed) {
    handle.rstStream(NGHTTP2_REFUSED_STREAM);
    return;
  }
  const { ClientHttp2Stream } = require('internal/http2/client_stream');
  const stream = new ClientHttp2Stream(session, handle, promised, {});
  stream.end();
  emitHeaders(session, session, 'stream', stream, toHeaderObject(raw, sensitive), END_HEADERS, raw);
});

on(event.DATA, 2, (session, id, bytes) => {
  session[kUpdateTimer]();
  const stream = session[kState].streams.get(id);
  stream?.runInContext(() => stream.receive(toBuffer(bytes)));
});

on(event.STREAM_ENDED, 1, (session, id) => {
  const stream = session[kState].streams.get(id);
  if (stream !== undefined && !stream.destroyed) stream.runInContext(() => stream.receiveEnd());
});

on(event.STREAM_CLOSED, 2, (session, id, code) => {
  const stream = session[kState].streams.get(id);
  stream?.runInContext(() => stream.onClosed(code));
});
on(event.WRITTEN, 2, (session, id, chunks) => {
  session[kUpdateTimer]();
  session[kState].streams.get(id)?.onWritten(chunks);
});
on(event.TRAILERS_WANTED, 1, (session, id) => session[kState].streams.get(id)?.onTrailersWanted());

on(event.PRIORITY, 4, (session, id, parent, weight, isExclusive) => {
  const target = session[kState].streams.get(id) ?? session;
  if (!target.destroyed) target.emit('priority', id, parent, weight, Boolean(isExclusive));
});

on(event.SETTINGS, 1, (session, numbers) => {
  session[kUpdateTimer]();
  const wanted = session[kOptions].remoteCustomSettings ?? [];
  session[kRemoteSettings] = settingsObject(numbers, (id) => wanted.includes(id));
  session.emit('remoteSettings', session.remoteSettings);
});
on(event.SETTINGS_ACKNOWLEDGED, 0, (session) => session[kHandle].settingsAcknowledged());

on(event.PING, 1, (session, payload) => {
  session[kUpdateTimer]();
  session.emit('ping', toBuffer(payload));
});
on(event.PING_ACKNOWLEDGED, 1, (session, payload) => {
  // There was no ping.
  if (!session[kHandle].pingAcknowledged(toBuffer(payload))) session.destroy(new NghttpError(ERR_PROTO));
});

on(event.GOAWAY, 3, (session, code, lastStream, bytes) => {
  const state = session[kState];
  state.goawayCode = code;
  state.goawayLastStreamID = lastStream;
  session.emit('goaway', code, lastStream, bytes.byteLength > 0 ? toBuffer(bytes) : undefined);
  if (session.destroyed) return;
  if (code === NGHTTP2_NO_ERROR) {
    session.close();
  } else {
    // There was no error on this side.
    session.destroy(new ERR_HTTP2_SESSION_ERROR(code), NGHTTP2_NO_ERROR);
  }
});

on(event.ALTSVC, 3, (session, id, origin, value) => {
  session[kUpdateTimer]();
  session.emit('altsvc', value, origin, id);
});

on(event.ORIGIN, 1, (session, list) => {
  if (!session.encrypted) return;
  session[kUpdateTimer]();
  const origins = list.split('\0').slice(0, -1);
  for (const origin of origins) originSetOf(session).add(origin);
  session.emit('origin', origins);
});

on(event.INVALID_FRAME, 2, (session, _id, error) => {
  if (error === ERR_PROTO || error === ERR_STREAM_CLOSED) session.destroy(new NghttpError(error));
});

on(event.FRAME_NOT_SENT, 3, (session, id, type, error) => {
  const target = session[kState].streams.get(id) ?? session;
  target[kUpdateTimer]();
  const code = error === constants.NGHTTP2_ERR_FRAME_SIZE_ERROR ? constants.NGHTTP2_FRAME_SIZE_ERROR : constants.NGHTTP2_INTERNAL_ERROR;
  target.emit('frameError', type, code, id);
  // A GOAWAY frame of the peer, which says more, may be under way.
  setImmediate(() => {
    session[kState].streams.get(id)?.close(code);
    session.close();
  });
});

/** GOAWAY is in the output. */
on(event.TERMINATED, 1, (session, code) => nextTick(() => session.destroy(undefined, code)));

on(event.FAILED, 1, (session, error) => {
  session.destroy(new NghttpError(error, error === ERR_CALLBACK_FAILURE ? 'ERR_HTTP2_TOO_MANY_INVALID_FRAMES' : undefined));
});

module.exports = { handleEvents };
