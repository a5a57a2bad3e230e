// `for await` over a stream. In: a stream, ours or an old one. Out: an async iterator of its
// chunks, which destroys the stream when the loop is left, if it is not told otherwise. Absent:
// reading ahead; the stream does that.
'use strict';

const { validateObject, validateBoolean } = require('internal/validators');
const { aggregateTwoErrors } = require('internal/errors');
const { destroyer } = require('internal/streams/destroy');
const { eos } = require('internal/streams/end-of-stream');

function iterator(stream, options) {
  if (options !== undefined) {
    validateObject(options, 'options');
    if (options.destroyOnReturn !== undefined) {
      validateBoolean(options.destroyOnReturn, 'options.destroyOnReturn');
    }
  }
  return createIterator(stream, options);
}

function createIterator(source, options) {
  const Readable = require('internal/streams/readable');
  const stream = typeof source.read === 'function' ? source : Readable.wrap(source, { objectMode: true });
  const made = chunks(stream, options);
  made.stream = stream;
  return made;
}

const nothing = () => {};

async function* chunks(stream, options) {
  let wake = nothing;
  const woken = () => {
    const call = wake;
    wake = nothing;
    call();
  };
  const sleep = (resolve) => {
    wake = resolve;
  };
  stream.on('readable', woken);
  /** undefined: not over; null: over; else why. */
  let end;
  const part = eos(stream, { writable: false }, (error) => {
    end = error ? aggregateTwoErrors(end, error) : null;
    woken();
  });
  try {
    for (;;) {
      const chunk = stream.destroyed ? null : stream.read();
      if (chunk !== null) {
        yield chunk;
      } else if (end) {
        throw end;
      } else if (end === null) {
        return;
      } else {
        await new Promise(sleep);
      }
    }
  } catch (error) {
    end = aggregateTwoErrors(end, error);
    throw end;
  } finally {
    if ((end || options?.destroyOnReturn !== false) && (end === undefined || stream._readableState.autoDestroy)) {
      destroyer(stream, null);
    } else {
      stream.off('readable', woken);
      part();
    }
  }
}

module.exports = { iterator, createIterator };
