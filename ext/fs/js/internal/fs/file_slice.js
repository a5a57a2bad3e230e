// File slice: a range of a file as a part of a Blob (`fs.openAsBlob`). In: a path, a range. Out:
// the bytes, read on demand; NotReadableError if the file has changed since the Blob was created.
// Absent: holding the file open.
'use strict';

const { binding } = require('internal/fs/utils');
const { codes } = require('internal/errors');

function notReadableError() {
  const { DOMException } = require('web/dom_exception');
  return new DOMException('The blob could not be read', 'NotReadableError');
}

class FileSlice {
  #path;
  #start;
  #fileStats;

  /** `fileStats`: with BigInts. */
  constructor(path, fileStats, start, length) {
    this.#path = path;
    this.#fileStats = fileStats;
    this.#start = start;
    this.length = length;
  }

  static open(path) {
    const fs = require('fs');
    try {
      const fileStats = fs.statSync(path, { bigint: true });
      return new FileSlice(path, fileStats, 0, Number(fileStats.size));
    } catch {
      const error = new TypeError('Unable to open file as blob');
      error.code = new codes.ERR_INVALID_ARG_VALUE('path', path).code;
      throw error;
    }
  }

  subarray(from, to) {
    return new FileSlice(this.#path, this.#fileStats, this.#start + from, to - from);
  }

  #check({ ino, size, mtimeNs }) {
    if (ino !== this.#fileStats.ino || size !== this.#fileStats.size || mtimeNs !== this.#fileStats.mtimeNs) throw notReadableError();
  }

  /** The bytes of a subrange. */
  async read(from, to) {
    const { exports: promises } = require('internal/fs/promises');
    let handle;
    try {
      handle = await promises.open(this.#path);
      this.#check(await handle.stat({ bigint: true }));
      const bytes = new Uint8Array(to - from);
      for (let at = 0; at < bytes.length;) {
        const { bytesRead } = await handle.read(bytes, at, bytes.length - at, this.#start + from + at);
        if (bytesRead === 0) throw notReadableError();
        at += bytesRead;
      }
      return bytes;
    } catch {
      throw notReadableError();
    } finally {
      await handle?.close();
    }
  }

  /** All bytes, synchronously. */
  readSync() {
    const fs = require('fs');
    const fd = binding.open(this.#path, 0, 0);
    try {
      this.#check(fs.fstatSync(fd, { bigint: true }));
      const bytes = new Uint8Array(this.length);
      for (let at = 0; at < bytes.length;) {
        const count = fs.readSync(fd, bytes, at, bytes.length - at, this.#start + at);
        if (count === 0) throw notReadableError();
        at += count;
      }
      return bytes;
    } finally {
      fs.closeSync(fd);
    }
  }
}

module.exports = { FileSlice };
