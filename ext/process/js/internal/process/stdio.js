// The three standard streams. In: descriptors 0 to 2, as the program was given them. Out: a stream
// each, of the kind that fits: terminals, files and pipes are written at once, as in Node on Linux.
// A descriptor that is closed gives a stream that swallows or ends.

'use strict';

const binding = internalBinding('stream_handle');

/** They outlive who ends or destroys them: others of the process write there too. */
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

function output(fd) {
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

function input(fd) {
  const stream = makeReadable(fd);
  stream.fd ??= fd;
  // A program that pauses it and has nothing else to do ends.
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

module.exports = { stdin: () => input(0), stdout: () => output(1), stderr: () => output(2) };
