// `process.stdin`, `process.stdout` and `process.stderr`, as in Node's
// lib/internal/bootstrap/switches/is_main_thread.js. In: file descriptors 0 to 2. Out: a stream of
// the descriptor's type; terminals, files and pipes are written synchronously, as in Node on Linux.
// For a closed descriptor, a stream that discards writes or is at its end.

'use strict';

const binding = internalBinding('stream_handle');

/** `end` and `destroy` do not close the descriptor: other code of the process writes there too. */
function dummyDestroy(error, callback) {
  callback(error);
  this._undestroy?.();
  if (!this._writableState.emitClose) {
    process().nextTick(() => this.emit('close'));
  }
}

const process = () => require('process');

function makeWritable(fd) {
  const kind = binding.kind(fd);
  if (kind === 'TTY') {
    const { WriteStream } = require('tty');
    const stream = new WriteStream(fd);
    stream._type = 'tty';
    return stream;
  }
  if (kind === 'FILE') {
    const SyncWriteStream = require('internal/io/sync_write');
    const stream = new SyncWriteStream(fd, { autoClose: false });
    stream._type = 'fs';
    return stream;
  }
  if (kind === 'PIPE' || kind === 'TCP') {
    const { Pipe } = require('internal/io/pipe');
    const stream = new Pipe({ fd, isShared: true, isSync: true, readable: false, isSocket: false, name: kind === 'TCP' ? 'TCPSocketWrap' : 'PipeWrap' });
    Object.defineProperty(stream, 'fd', { value: fd, writable: true, configurable: true, enumerable: true });
    stream._type = 'pipe';
    return stream;
  }
  const { Writable } = require('stream');
  return new Writable({ write: (chunk, encoding, callback) => callback() });
}

function createOutput(fd) {
  const stream = makeWritable(fd);
  stream.fd ??= fd;
  stream._isStdio = true;
  stream.destroySoon = stream.destroy;
  stream._destroy = dummyDestroy;
  if (stream.isTTY) {
    process().on('SIGWINCH', () => stream._refreshSize());
  }
  return stream;
}

function makeReadable(fd) {
  const kind = binding.kind(fd);
  if (kind === 'TTY') {
    const { ReadStream } = require('tty');
    return new ReadStream(fd);
  }
  if (kind === 'FILE') {
    const { ReadStream } = require('fs');
    return new ReadStream(null, { fd, autoClose: false });
  }
  if (kind === 'PIPE' || kind === 'TCP') {
    const { Pipe } = require('internal/io/pipe');
    const stream = new Pipe({ fd, isShared: true, writable: kind === 'TCP', isSocket: kind === 'TCP', name: kind === 'TCP' ? 'TCPSocketWrap' : 'PipeWrap' });
    Object.defineProperty(stream, 'fd', { value: fd, writable: true, configurable: true, enumerable: true });
    stream._type = 'pipe';
    return stream;
  }
  const { Readable } = require('stream');
  const stream = new Readable({ read() {} });
  stream.push(null);
  return stream;
}

function createInput(fd) {
  const stream = makeReadable(fd);
  stream.fd ??= fd;
  // A paused stdin does not keep the event loop alive.
  stream.on('pause', () => process().nextTick(() => stopReading(stream)));
  return stream;
}

function stopReading(stream) {
  const handle = stream._handle;
  if (handle?.reading && !stream.readableFlowing) {
    stream._readableState.reading = false;
    handle.readStop();
  }
}

const makers = { stdin: () => createInput(0), stdout: () => createOutput(1), stderr: () => createOutput(2) };

/** Streams that were read, by name, with their handles. */
const made = new Map();

function get(name) {
  let known = made.get(name);
  if (known === undefined) {
    const stream = makers[name]();
    known = { stream, handle: stream._handle };
    made.set(name, known);
  }
  return known.stream;
}

/**
 * Has streams made again for the next program in this global object.
 * @returns {boolean} false: one of them may still be in use
 */
function forget() {
  const { Pipe } = require('internal/io/pipe');
  for (const [name, { stream, handle }] of made) {
    if (name === 'stdin' || !(stream instanceof Pipe) || stream._handle !== handle || handle.writeQueueSize > 0) return false;
  }
  for (const { handle } of made.values()) {
    require('internal/process/active_resources').remove(handle);
    handle.close();
  }
  made.clear();
  return true;
}

module.exports = { forget, get };
