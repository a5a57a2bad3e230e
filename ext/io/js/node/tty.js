// `node:tty`: terminals as streams. In: the file descriptor of a terminal. Out: a readable stream
// with raw mode; a writable stream with size, colors and cursor movement. The size is updated on
// SIGWINCH.

'use strict';

const { codes: { ERR_INVALID_FD, ERR_TTY_INIT_FAILED }, UVException } = require('internal/errors');
const { Pipe } = require('internal/io/pipe');
const { getColorDepth, hasColors } = require('internal/tty');

const binding = internalBinding('tty');
const { uv: { UV_EBADF } } = internalBinding('stream_handle');

/** The largest file descriptor: `2 ** 31 - 1`. */
const FD_MAX = 2147483647;

function isatty(fd) {
  return Number.isInteger(fd) && fd >= 0 && fd <= FD_MAX && binding.isTerminal(fd);
}

function validateFd(fd) {
  if (!(Number.isInteger(fd) && fd >= 0 && fd <= FD_MAX)) {
    throw new ERR_INVALID_FD(fd);
  }
  const errno = binding.check(fd);
  if (errno < 0) {
    const { getSystemErrorName, getSystemErrorMessage } = require('util');
    throw new ERR_TTY_INIT_FAILED({ errno, code: getSystemErrorName(errno), message: getSystemErrorMessage(errno), syscall: 'uv_tty_init' });
  }
}

class ReadStreamClass extends Pipe {
  isRaw = false;
  isTTY = true;

  constructor(fd, options) {
    validateFd(fd);
    super({ highWaterMark: 0, ...options, fd, isShared: true, writable: false, name: 'TTYWrap' });
    Object.defineProperty(this, 'fd', { value: fd, writable: true, configurable: true, enumerable: true });
  }

  setRawMode(flag) {
    const isRaw = !!flag;
    const errno = this._handle === null ? UV_EBADF : binding.setRaw(this.fd, isRaw);
    if (errno < 0) {
      this.emit('error', new UVException({ errno, syscall: 'setRawMode' }));
      return this;
    }
    this.isRaw = isRaw;
    return this;
  }
}

class WriteStreamClass extends Pipe {
  isTTY = true;

  constructor(fd) {
    validateFd(fd);
    super({ fd, isShared: true, isSync: true, readable: false, name: 'TTYWrap' });
    Object.defineProperty(this, 'fd', { value: fd, writable: true, configurable: true, enumerable: true });
    const size = binding.size(fd);
    if (typeof size !== 'number') {
      [this.columns, this.rows] = size;
    }
  }

  _refreshSize() {
    const { columns, rows } = this;
    const size = binding.size(this.fd);
    if (typeof size === 'number') {
      this.emit('error', new UVException({ errno: size, syscall: 'getWindowSize' }));
    } else if (size[0] !== columns || size[1] !== rows) {
      [this.columns, this.rows] = size;
      this.emit('resize');
    }
  }

  getWindowSize() {
    return [this.columns, this.rows];
  }

  cursorTo(x, y, callback) {
    return require('readline').cursorTo(this, x, y, callback);
  }

  moveCursor(dx, dy, callback) {
    return require('readline').moveCursor(this, dx, dy, callback);
  }

  clearLine(direction, callback) {
    return require('readline').clearLine(this, direction, callback);
  }

  clearScreenDown(callback) {
    return require('readline').clearScreenDown(this, callback);
  }
}
WriteStreamClass.prototype.isTTY = true;
WriteStreamClass.prototype.getColorDepth = getColorDepth;
WriteStreamClass.prototype.hasColors = hasColors;

/** A constructor that can be called without `new`. */
function callable(Class, name) {
  const constructor = function (fd, options) {
    return Reflect.construct(Class, [fd, options], new.target ?? Class);
  };
  Object.defineProperty(constructor, 'name', { value: name });
  constructor.prototype = Class.prototype;
  Object.defineProperty(Class.prototype, 'constructor', { value: constructor, writable: true, configurable: true, enumerable: false });
  return Object.setPrototypeOf(constructor, Pipe);
}

module.exports = { isatty, ReadStream: callable(ReadStreamClass, 'ReadStream'), WriteStream: callable(WriteStreamClass, 'WriteStream') };
