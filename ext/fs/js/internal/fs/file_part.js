// A stretch of a file that a Blob is made of. In: a path, where; the bytes are read when they are
// asked for. Out: the bytes, as long as the file is what it was when the blob was made; else the
// error that the platform has for that. Absent: keeping the file open.
'use strict';

const { binding } = require('internal/fs/utils');
const { codes } = require('internal/errors');

function unreadable() {
  const { DOMException } = require('web/dom_exception');
  return new DOMException('The blob could not be read', 'NotReadableError');
}

class FilePart {
  #path;
  #start;
  #whole;

  /** `whole`: the stats of the file, with BigInts. */
  constructor(path, whole, start, length) {
    this.#path = path;
    this.#whole = whole;
    this.#start = start;
    this.length = length;
  }

  static open(path) {
    const fs = require('fs');
    try {
      const whole = fs.statSync(path, { bigint: true });
      return new FilePart(path, whole, 0, Number(whole.size));
    } catch {
      const error = new TypeError('Unable to open file as blob');
      error.code = new codes.ERR_INVALID_ARG_VALUE('path', path).code;
      throw error;
    }
  }

  subarray(from, to) {
    return new FilePart(this.#path, this.#whole, this.#start + from, to - from);
  }

  #check({ ino, size, mtimeNs }) {
    if (ino !== this.#whole.ino || size !== this.#whole.size || mtimeNs !== this.#whole.mtimeNs) throw unreadable();
  }

  /** The bytes from one place in the stretch to another. */
  async read(from, to) {
    const { exports: promises } = require('internal/fs/promises');
    let handle;
    try {
      handle = await promises.open(this.#path);
      this.#check(await handle.stat({ bigint: true }));
      const bytes = new Uint8Array(to - from);
      for (let at = 0; at < bytes.length;) {
        const { bytesRead } = await handle.read(bytes, at, bytes.length - at, this.#start + from + at);
        if (bytesRead === 0) throw unreadable();
        at += bytesRead;
      }
      return bytes;
    } catch {
      throw unreadable();
    } finally {
      await handle?.close();
    }
  }

  /** All of them, at once. */
  readSync() {
    const fs = require('fs');
    const fd = binding.open(this.#path, 0, 0);
    try {
      this.#check(fs.fstatSync(fd, { bigint: true }));
      const bytes = new Uint8Array(this.length);
      for (let at = 0; at < bytes.length;) {
        const count = fs.readSync(fd, bytes, at, bytes.length - at, this.#start + at);
        if (count === 0) throw unreadable();
        at += count;
      }
      return bytes;
    } finally {
      fs.closeSync(fd);
    }
  }
}

module.exports = { FilePart };
