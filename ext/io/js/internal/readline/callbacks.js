// Cursor movement and clearing of a terminal, as Node's internal/readline/callbacks. In: a stream,
// positions, a callback. Out: the result of the stream's `write`.
'use strict';

const process = require('process');
const { codes: { ERR_INVALID_ARG_VALUE, ERR_INVALID_CURSOR_POS } } = require('internal/errors');
const { validateFunction } = require('internal/validators');
const { CSI } = require('internal/readline/utils');

function write(stream, code, callback) {
  if (stream === null || stream === undefined || code === '') {
    if (typeof callback === 'function') {
      process.nextTick(callback, null);
    }
    return true;
  }
  return stream.write(code, callback);
}

function validateCallback(callback) {
  if (callback !== undefined) {
    validateFunction(callback, 'callback');
  }
}

function cursorTo(stream, x, yOrCallback, callbackArgument) {
  validateCallback(callbackArgument);
  const [y, callback] = typeof yOrCallback === 'function' ? [undefined, yOrCallback] : [yOrCallback, callbackArgument];
  if (Number.isNaN(x)) {
    throw new ERR_INVALID_ARG_VALUE('x', x);
  }
  if (Number.isNaN(y)) {
    throw new ERR_INVALID_ARG_VALUE('y', y);
  }
  const hasX = typeof x === 'number';
  const hasY = typeof y === 'number';
  if (stream === null || stream === undefined || (!hasX && !hasY)) {
    return write(null, '', callback);
  }
  if (!hasX) {
    throw new ERR_INVALID_CURSOR_POS();
  }
  return write(stream, hasY ? CSI`${y + 1};${x + 1}H` : CSI`${x + 1}G`, callback);
}

function moveCode(dx, dy) {
  const horizontal = dx < 0 ? CSI`${-dx}D` : dx > 0 ? CSI`${dx}C` : '';
  const vertical = dy < 0 ? CSI`${-dy}A` : dy > 0 ? CSI`${dy}B` : '';
  return horizontal + vertical;
}

function moveCursor(stream, dx, dy, callback) {
  validateCallback(callback);
  return write(stream, moveCode(dx, dy), callback);
}

const clearCode = (direction) =>
  (direction < 0 ? CSI.kClearToLineBeginning : direction > 0 ? CSI.kClearToLineEnd : CSI.kClearLine);

function clearLine(stream, direction, callback) {
  validateCallback(callback);
  return write(stream, clearCode(direction), callback);
}

function clearScreenDown(stream, callback) {
  validateCallback(callback);
  return write(stream, CSI.kClearScreenDown, callback);
}

module.exports = { cursorTo, moveCursor, clearLine, clearScreenDown, moveCode, clearCode };
