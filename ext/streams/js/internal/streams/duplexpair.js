// Two duplex streams, each giving what is written to the other. In: options of both. Out: the two.
'use strict';

const process = require('process');
const Duplex = require('internal/streams/duplex');

const other = Symbol('kOtherSide');
const waiting = Symbol('kCallback');

class DuplexSide extends Duplex {
  constructor(options) {
    super(options);
    this[waiting] = null;
    this[other] = null;
  }

  _read() {
    const callback = this[waiting];
    if (callback) {
      this[waiting] = null;
      callback();
    }
  }

  _write(chunk, encoding, callback) {
    if (chunk.length === 0) {
      process.nextTick(callback);
    } else {
      this[other].push(chunk);
      this[other][waiting] = callback;
    }
  }

  _final(callback) {
    this[other].on('end', callback);
    this[other].push(null);
  }
}

function duplexPair(options) {
  const one = new DuplexSide(options);
  const two = new DuplexSide(options);
  one[other] = two;
  two[other] = one;
  return [one, two];
}

module.exports = duplexPair;
