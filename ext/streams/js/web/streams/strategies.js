// ByteLengthQueuingStrategy and CountQueuingStrategy. In: { highWaterMark }. Out: the strategies of
// the Streams Standard, 7.
'use strict';

const { finishClass, isObject, noPrivateMember, typeError, wrongType } = require('web/streams/webidl_utils');

function markFrom(init) {
  if (init === undefined || !isObject(init)) {
    throw wrongType('init', 'Object', init);
  }
  const { highWaterMark } = init;
  if (highWaterMark === undefined) {
    throw typeError('ERR_MISSING_OPTION', 'init.highWaterMark is required');
  }
  return +highWaterMark;
}

// One function for all of them; arrows, which cannot be constructed.
const byteLength = Object.defineProperty((chunk) => chunk.byteLength, 'name', { value: 'size' });
const count = Object.defineProperty(() => 1, 'name', { value: 'size' });

class ByteLengthQueuingStrategy {
  #mark;

  constructor(init) {
    this.#mark = markFrom(init);
  }

  get highWaterMark() {
    if (!isObject(this) || !(#mark in this)) {
      throw noPrivateMember();
    }
    return this.#mark;
  }

  get size() {
    if (!isObject(this) || !(#mark in this)) {
      throw noPrivateMember();
    }
    return byteLength;
  }
}

class CountQueuingStrategy {
  #mark;

  constructor(init) {
    this.#mark = markFrom(init);
  }

  get highWaterMark() {
    if (!isObject(this) || !(#mark in this)) {
      throw noPrivateMember();
    }
    return this.#mark;
  }

  get size() {
    if (!isObject(this) || !(#mark in this)) {
      throw noPrivateMember();
    }
    return count;
  }
}

finishClass(ByteLengthQueuingStrategy, ({ highWaterMark }) => ({ highWaterMark }));
finishClass(CountQueuingStrategy, ({ highWaterMark }) => ({ highWaterMark }));

module.exports = { ByteLengthQueuingStrategy, CountQueuingStrategy };
