// Sends a Response. In: an exchange, a Response. Out: calls of the server core; a body is sent as
// what it is: a string, bytes, a file by its path, a stream piece by piece, as fast as the client
// reads it.
'use strict';

const { responseParts } = require('web/fetch/response');
const { renderFields } = require('internal/serve/response_fields');

const binding = internalBinding('serve');

/**
 * Bytes that may wait to be written before a stream is read on: few, as they are copied. The
 * kernel's buffer has what the client reads next.
 */
const WAITING_BYTES_MAX = 64 * 1024;

/** Bytes that one stream writes before the event loop goes on. */
const TURN_BYTES_MAX = 1024 * 1024;

const { bodyField, isPlain, isJSON, list: listOf, status: statusOf, statusText: statusTextOf } = responseParts;

/** Throws if the body was used already. */
function respond(server, exchange, response) {
  if (exchange.isOver) return;
  if (statusOf(response) === 0) throw new TypeError('Response.error() cannot be sent');
  const body = bodyField(response);
  const cookies = exchange.cookieFields();
  const source = body === null ? undefined : body.takeSource();
  if (typeof source === 'string' && cookies === '' && isPlain(response)) {
    exchange.finish();
    binding.respondText(exchange.number, exchange.id, source, isJSON(response));
    server.forget(exchange);
    return;
  }
  if (body !== null && source === undefined) return respondStream(server, exchange, response, body.stream, cookies);
  const { FileRef } = require('internal/bun/file');
  if (source !== undefined && FileRef.is(source)) return respondFile(server, exchange, response, source, cookies);
  const { bytesOf, hasFiles, isBlob } = require('internal/blob');
  const isBlobSource = source !== undefined && isBlob(source);
  if (isBlobSource && hasFiles(source)) return respondStream(server, exchange, response, source.stream(), cookies);
  const { text, flags, length } = renderFields(listOf(response));
  exchange.finish();
  binding.respond(exchange.number, exchange.id, statusOf(response), statusTextOf(response), text + cookies, flags,
    isBlobSource ? bytesOf(source) : source, length);
  server.forget(exchange);
}

function respondFile(server, exchange, response, file, cookies) {
  const { FileRef } = require('internal/bun/file');
  const { target, begin, end } = FileRef.rangeOf(file);
  const { text, flags } = renderFields(listOf(response));
  const head = exchange.head();
  if (!binding.respondFile(exchange.number, exchange.id, statusOf(response), statusTextOf(response), text + cookies, flags, target, begin, end)) {
    // A pipe or a terminal is read as a stream; what is absent is an error of the handler.
    if (typeof target === 'number') return respondStream(server, exchange, response, file.stream(), cookies);
    checkFile(target);
    return respondStream(server, exchange, response, file.stream(), cookies);
  }
  exchange.finish(head);
  server.forget(exchange);
}

/** Throws what opening and reading would: then it is an error of the handler. */
function checkFile(path) {
  const fs = require('fs');
  const stats = fs.statSync(path, { throwIfNoEntry: false });
  if (stats?.isDirectory()) {
    const { errno: { EISDIR } } = require('os').constants;
    throw Object.assign(new Error('Cannot stream a directory as a response body'), { errno: -EISDIR, code: 'EISDIR', syscall: 'read', path });
  }
  // Another kind, a pipe, would wait to be opened.
  if (stats === undefined || stats.isFile()) fs.closeSync(fs.openSync(path));
}

/** Throws if the stream is locked. */
function respondStream(server, exchange, response, stream, cookies) {
  const reader = stream.getReader();
  const { text, flags, length } = renderFields(listOf(response));
  binding.begin(exchange.number, exchange.id, statusOf(response), statusTextOf(response), text + cookies, flags, length);
  server.remember(exchange);
  pump(server, exchange, reader);
}

/** Writes what the stream has, as fast as the client reads. */
async function pump(server, exchange, reader) {
  const { number, id } = exchange;
  let turnBytes = 0;
  exchange.onAbort = () => { reader.cancel(require('internal/serve/exchange').abortError()).catch(() => {}); };
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done || exchange.isOver) break;
      const chunk = toChunk(value);
      const waiting = binding.write(number, id, chunk);
      if (waiting < 0) break;
      turnBytes += chunk.length;
      if (waiting > WAITING_BYTES_MAX) {
        await exchange.drained();
        turnBytes = 0;
      } else if (turnBytes > TURN_BYTES_MAX) {
        // A stream that never waits lets others have their turn.
        await new Promise((resolve) => { setImmediate(resolve); });
        turnBytes = 0;
      }
    }
    if (exchange.isOver) return;
    exchange.finish();
    binding.end(number, id);
    server.forget(exchange);
  } catch (error) {
    server.forget(exchange);
    if (exchange.isOver) return;
    exchange.finish();
    // The head is sent: only the end of the connection tells the client.
    binding.abort(number, id);
    server.report(error);
  }
}

function toChunk(value) {
  if (typeof value === 'string' || ArrayBuffer.isView(value)) return value;
  if (value instanceof ArrayBuffer || value instanceof SharedArrayBuffer) return new Uint8Array(value);
  throw new TypeError('a chunk of a response body is a string, an ArrayBuffer or a view of one');
}

module.exports = { respond };
