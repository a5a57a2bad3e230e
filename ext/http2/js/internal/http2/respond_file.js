// Responses from files: `respondWithFile` and `respondWithFD`. In: a path, a descriptor or a
// FileHandle; a range; the options `statCheck` and `onError`. Out: headers with a length, then the
// content of the file.
'use strict';

const fs = require('fs');
const { codes: { ERR_HTTP2_SEND_FILE, ERR_HTTP2_SEND_FILE_NOSEEK, ERR_HTTP2_INVALID_STREAM, ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE } } = require('internal/errors');
const { FileHandle } = require('internal/fs/file_handle');
const { constants } = require('internal/http2/constants');
const { kState } = require('internal/http2/symbols');

const { NGHTTP2_INTERNAL_ERROR } = constants;

const CHUNK_BYTES = 64 * 1024;

/** Options and the types that they may have. */
const TYPES = { statCheck: 'function', getTrailers: 'function', onError: 'function' };

function validateFileOptions(options) {
  for (const name of ['offset', 'length']) {
    if (options[name] !== undefined && typeof options[name] !== 'number') throw new ERR_INVALID_ARG_VALUE(`options.${name}`, options[name]);
  }
  for (const [name, type] of Object.entries(TYPES)) {
    if (options[name] !== undefined && typeof options[name] !== type) throw new ERR_INVALID_ARG_VALUE(`options.${name}`, options[name]);
  }
}

function respondWithFd(stream, fd, headers, options) {
  const number = typeof fd === 'number' ? fd : fd instanceof FileHandle ? fd.fd : undefined;
  if (number === undefined) throw new ERR_INVALID_ARG_TYPE('fd', ['number', 'FileHandle'], fd);
  stream[kState].hasSentHeadersSoon = true;
  if (options.statCheck === undefined) {
    sendFd(stream, number, headers, options, false);
    return;
  }
  fs.fstat(number, (error, stat) => {
    if (stream.destroyed || stream.closed) return;
    if (error) {
      stream.destroy(error);
      return;
    }
    if (!prepareRange(stream, headers, options, stat)) return;
    sendFd(stream, number, headers, options, false);
  });
}

function respondWithPath(stream, path, headers, options) {
  fs.open(path, 'r', (error, fd) => {
    if (error) {
      onFileError(stream, options, error);
      return;
    }
    fs.fstat(fd, (failure, stat) => {
      const fail = (reason) => {
        fs.close(fd, () => {});
        if (reason) onFileError(stream, options, reason);
      };
      if (failure) return fail(failure);
      if (stream.destroyed || stream.closed) {
        fail();
        return stream.destroyed ? undefined : stream.destroy(new ERR_HTTP2_INVALID_STREAM());
      }
      if (stat.isDirectory()) return fail(new ERR_HTTP2_SEND_FILE());
      if (!stat.isFile() && (options.offset > 0 || options.length >= 0)) return fail(new ERR_HTTP2_SEND_FILE_NOSEEK());
      if (!stat.isFile() && options.length === undefined) options = { ...options, length: -1 };
      const range = { ...options };
      if (!prepareRange(stream, headers, range, stat)) return fail();
      return sendFd(stream, fd, headers, range, true);
    });
  });
}

function onFileError(stream, options, error) {
  if (typeof options.onError === 'function') options.onError(error);
  else stream.destroy(error);
}

/** Asks the program, then sets the length of the content. False: the program has responded. */
function prepareRange(stream, headers, options, stat) {
  const range = { offset: options.offset ?? 0, length: options.length ?? -1 };
  if (typeof options.statCheck === 'function') {
    const answer = Reflect.apply(options.statCheck, stream, [stat, headers, range]);
    if (answer === false || stream.headersSent || stream.destroyed || stream.closed) return false;
  }
  const offset = range.offset ?? 0;
  if (stat.isFile()) {
    const available = Math.max(stat.size - offset, 0);
    range.length = range.length === undefined || range.length < 0 ? available : Math.min(available, range.length);
    headers['content-length'] = range.length;
  }
  options.offset = offset;
  options.length = range.length;
  return true;
}

function sendFd(stream, fd, headers, options, isOwned) {
  const { offset, length, waitForTrailers } = options;
  try {
    stream.respond(headers, { waitForTrailers, sendDate: options.sendDate });
  } catch (error) {
    // There is no caller any more that could catch it, or close the file.
    if (!isOwned) throw error;
    fs.close(fd, () => {});
    stream.destroy(error);
    return;
  }
  const source = { stream, fd, isOwned, position: offset > 0 || length >= 0 ? offset ?? 0 : -1, left: length === undefined || length < 0 ? Infinity : length };
  stream[kState].isFile = true;
  pump(source);
}

/** Reads and writes one chunk after another. */
function pump(source) {
  const { stream, fd, position } = source;
  if (source.left === 0 || stream.destroyed || stream.closed) {
    finish(source);
    return;
  }
  const chunk = require('buffer').Buffer.allocUnsafe(Math.min(CHUNK_BYTES, source.left));
  fs.read(fd, chunk, 0, chunk.byteLength, position < 0 ? null : position, (error, count) => {
    if (error && !stream.destroyed) stream.close(NGHTTP2_INTERNAL_ERROR);
    if (error || count === 0 || stream.destroyed || stream.closed) {
      finish(source);
      return;
    }
    source.left -= count;
    if (position >= 0) source.position += count;
    stream.writeFile(chunk.subarray(0, count), () => pump(source));
  });
}

function finish({ stream, fd, isOwned }) {
  stream.endFile();
  if (isOwned) fs.close(fd, () => {});
}

module.exports = { respondWithFd, respondWithPath, validateFileOptions };
