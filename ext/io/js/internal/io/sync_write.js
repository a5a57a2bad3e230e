// Synchronous write stream to a file, as Node's SyncWriteStream: `process.stdout` when it is
// redirected to a file. In: a file descriptor. Out: the bytes are written before `write` returns.

'use strict';

const { Writable } = require('stream');

function SyncWriteStream(fd, options) {
  Reflect.apply(Writable, this, [{ autoDestroy: true }]);
  this.fd = fd;
  this.readable = false;
  this.autoClose = options?.autoClose ?? true;
}
Object.setPrototypeOf(SyncWriteStream.prototype, Writable.prototype);
Object.setPrototypeOf(SyncWriteStream, Writable);

SyncWriteStream.prototype._write = function _write(chunk, encoding, callback) {
  const errno = internalBinding('stream_handle').writeFd(this.fd, chunk);
  if (errno < 0) {
    const { UVException } = require('internal/errors');
    callback(new UVException({ errno, syscall: 'write' }));
    return;
  }
  callback();
};

SyncWriteStream.prototype._destroy = function _destroy(error, callback) {
  if (this.fd === null) {
    callback(error);
    return;
  }
  if (this.autoClose) {
    require('fs').closeSync(this.fd);
  }
  this.fd = null;
  callback(error);
};

SyncWriteStream.prototype.destroySoon = SyncWriteStream.prototype.destroy;

module.exports = SyncWriteStream;
