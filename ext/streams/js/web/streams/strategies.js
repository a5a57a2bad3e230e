// ByteLengthQueuingStrategy and CountQueuingStrategy: the Streams Standard 7. In: { highWaterMark
// }. Out: the strategies.
'use strict';

const { finishClass, isObject, noPrivateMember, typeError, wrongType } = require('web/streams/webidl_utils');

function convertInit(init) {
  if (init === undefined || !isObject(init)) {
    throw wrongType('init', 'Object', init);
  }
  const { highWaterMark } = init;
  if (highWaterMark === undefined) {
    throw typeError('ERR_MISSING_OPTION', 'init.highWaterMark is required');
  }
  return +highWaterMark;
}

// One function for all instances. Arrow functions, which cannot be constructed.
const byteLengthSize = Object.defineProperty((chunk) => chunk.byteLength, 'name', { value: 'size' });
const countSize = Object.defineProperty(() => 1, 'name', { value: 'size' });

class ByteLengthQueuingStrategy {
  #highWaterMark;

  constructor(init) {
    this.#highWaterMark = convertInit(init);
  }

  get highWaterMark() {
    if (!isObject(this) || !(#highWaterMark in this)) {
      throw noPrivateMember();
    }
    return this.#highWaterMark;
  }

  get size() {
    if (!isObject(this) || !(#highWaterMark in this)) {
      throw noPrivateMember();
    }
    return byteLengthSize;
  }
}

class CountQueuingStrategy {
  #highWaterMark;

  constructor(init) {
    this.#highWaterMark = convertInit(init);
  }

  get highWaterMark() {
    if (!isObject(this) || !(#highWaterMark in this)) {
      throw noPrivateMember();
    }
    return this.#highWaterMark;
  }

  get size() {
    if (!isObject(this) || !(#highWaterMark in this)) {
      throw noPrivateMember();
    }
    return countSize;
  }
}

finishClass(ByteLengthQueuingStrategy, ({ highWaterMark }) => ({ highWaterMark }));
finishClass(CountQueuingStrategy, ({ highWaterMark }) => ({ highWaterMark }));

module.exports = { ByteLengthQueuingStrategy, CountQueuingStrategy };
