// Where a terminal's cursor goes, and what is cleared. In: a stream, numbers, a callback. Out: what
// the stream's `write` says.
'use strict';

const process = require('process');
const { codes: { ERR_INVALID_ARG_VALUE, ERR_INVALID_CURSOR_POS } } = require('internal/errors');
const { validateFunction } = require('internal/validators');
const { CSI } = require('internal/readline/utils');

function send(stream, code, callback) {
  if (stream === null || stream === undefined || code === '') {
    if (typeof callback === 'function') {
      process.nextTick(callback, null);
    }
    return true;
  }
  return stream.write(code, callback);
}

function check(callback) {
  if (callback !== undefined) {
    validateFunction(callback, 'callback');
  }
}

function cursorTo(stream, x, yGiven, callbackGiven) {
  check(callbackGiven);
  const [y, callback] = typeof yGiven === 'function' ? [undefined, yGiven] : [yGiven, callbackGiven];
  if (Number.isNaN(x)) {
    throw new ERR_INVALID_ARG_VALUE('x', x);
  }
  if (Number.isNaN(y)) {
    throw new ERR_INVALID_ARG_VALUE('y', y);
  }
  const hasX = typeof x === 'number';
  const hasY = typeof y === 'number';
  if (stream === null || stream === undefined || (!hasX && !hasY)) {
    return send(null, '', callback);
  }
  if (!hasX) {
    throw new ERR_INVALID_CURSOR_POS();
  }
  return send(stream, hasY ? CSI`${y + 1};${x + 1}H` : CSI`${x + 1}G`, callback);
}

function moveCode(dx, dy) {
  const across = dx < 0 ? CSI`${-dx}D` : dx > 0 ? CSI`${dx}C` : '';
  const down = dy < 0 ? CSI`${-dy}A` : dy > 0 ? CSI`${dy}B` : '';
  return across + down;
}

function moveCursor(stream, dx, dy, callback) {
  check(callback);
  return send(stream, moveCode(dx, dy), callback);
}

const clearCode = (direction) =>
  (direction < 0 ? CSI.kClearToLineBeginning : direction > 0 ? CSI.kClearToLineEnd : CSI.kClearLine);

function clearLine(stream, direction, callback) {
  check(callback);
  return send(stream, clearCode(direction), callback);
}

function clearScreenDown(stream, callback) {
  check(callback);
  return send(stream, CSI.kClearScreenDown, callback);
}

module.exports = { cursorTo, moveCursor, clearLine, clearScreenDown, moveCode, clearCode };
