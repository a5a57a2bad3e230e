// Several streams as one duplex: written to the first, read from the last. In: what `pipeline`
// takes. Out: a Duplex, destroyed when one of them fails. Absent: the way between them
// (pipeline.js).
'use strict';

const Duplex = require('internal/streams/duplex');
const { pipeline } = require('internal/streams/pipeline');
const { destroyer } = require('internal/streams/destroy');
const { eos } = require('internal/streams/end-of-stream');
const { AbortError, codes: { ERR_INVALID_ARG_VALUE, ERR_MISSING_ARGS } } = require('internal/errors');
const {
  isNodeStream, isReadable, isReadableStream, isTransformStream, isWebStream, isWritable, isWritableStream,
} = require('internal/streams/utils');

const mayRead = (stream) => !!(isReadable(stream) || isReadableStream(stream) || isTransformStream(stream));
const mayWrite = (stream) => !!(isWritable(stream) || isWritableStream(stream) || isTransformStream(stream));

function compose(...given) {
  if (given.length === 0) {
    throw new ERR_MISSING_ARGS('streams');
  }
  if (given.length === 1) {
    return Duplex.from(given[0]);
  }
  const streams = [...given];
  const last = streams.length - 1;
  for (const index of [0, last]) {
    if (typeof streams[index] === 'function') {
      streams[index] = Duplex.from(streams[index]);
    }
  }
  streams.forEach((stream, index) => {
    if (!isNodeStream(stream) && !isWebStream(stream)) {
      return;
    }
    if (index < last && !mayRead(stream)) {
      throw new ERR_INVALID_ARG_VALUE(`streams[${index}]`, given[index], 'must be readable');
    }
    if (index > 0 && !mayWrite(stream)) {
      throw new ERR_INVALID_ARG_VALUE(`streams[${index}]`, given[index], 'must be writable');
    }
  });
  return whole(streams);
}

/** Callbacks that wait, one of a kind. */
class Waiting {
  drain = null;
  finish = null;
  readable = null;
  /** undefined: nobody waits for the end yet; null: it is over. */
  close = undefined;

  wake(name) {
    const callback = this[name];
    if (callback) {
      this[name] = null;
      callback();
    }
  }
}

function whole(streams) {
  const waiting = new Waiting();
  const head = streams[0];
  const tail = pipeline(streams, (error) => {
    const { close } = waiting;
    waiting.close = null;
    if (close) {
      close(error);
    } else if (error) {
      duplex.destroy(error);
    } else if (!readable && !writable) {
      duplex.destroy();
    }
  });
  const writable = mayWrite(head);
  const readable = mayRead(tail);
  const duplex = new Duplex({
    writableObjectMode: !!head?.writableObjectMode,
    readableObjectMode: !!tail?.readableObjectMode,
    writable,
    readable,
  });
  if (writable) {
    if (isNodeStream(head)) {
      writeNode(duplex, head, waiting);
    } else if (isWebStream(head)) {
      writeWeb(duplex, head, waiting);
    }
    eos(isTransformStream(tail) ? tail.readable : tail, () => waiting.wake('finish'));
  }
  if (readable) {
    if (isNodeStream(tail)) {
      readNode(duplex, tail, waiting);
    } else if (isWebStream(tail)) {
      readWeb(duplex, tail);
    }
  }
  duplex._destroy = (given, callback) => {
    const error = given || waiting.close === null ? given : new AbortError();
    waiting.readable = null;
    waiting.drain = null;
    waiting.finish = null;
    if (isNodeStream(tail)) {
      destroyer(tail, error);
    }
    if (waiting.close === null) {
      callback(error);
    } else {
      waiting.close = callback;
    }
  };
  return duplex;
}

function writeNode(duplex, head, waiting) {
  duplex._write = (chunk, encoding, callback) => {
    if (head.write(chunk, encoding)) {
      callback();
    } else {
      waiting.drain = callback;
    }
  };
  duplex._final = (callback) => {
    head.end();
    waiting.finish = callback;
  };
  head.on('drain', () => waiting.wake('drain'));
}

function writeWeb(duplex, head, waiting) {
  const writer = (isTransformStream(head) ? head.writable : head).getWriter();
  duplex._write = async (chunk, encoding, callback) => {
    try {
      await writer.ready;
      writer.write(chunk).catch(() => {});
      callback();
    } catch (error) {
      callback(error);
    }
  };
  duplex._final = async (callback) => {
    try {
      await writer.ready;
      writer.close().catch(() => {});
      waiting.finish = callback;
    } catch (error) {
      callback(error);
    }
  };
}

function readNode(duplex, tail, waiting) {
  tail.on('readable', () => waiting.wake('readable'));
  tail.on('end', () => duplex.push(null));
  duplex._read = () => {
    for (;;) {
      const chunk = tail.read();
      if (chunk === null) {
        waiting.readable = duplex._read;
        return;
      }
      if (!duplex.push(chunk)) {
        return;
      }
    }
  };
}

function readWeb(duplex, tail) {
  const reader = (isTransformStream(tail) ? tail.readable : tail).getReader();
  duplex._read = async () => {
    for (;;) {
      try {
        const { value, done } = await reader.read();
        if (done) {
          duplex.push(null);
          return;
        }
        if (!duplex.push(value)) {
          return;
        }
      } catch {
        return;
      }
    }
  };
}

/** The method of streams to read from. */
function composeWith(source, stream, options) {
  const { validateObject, validateAbortSignal } = require('internal/validators');
  if (options != null) {
    validateObject(options, 'options');
  }
  if (options?.signal != null) {
    validateAbortSignal(options.signal, 'options.signal');
  }
  if (isNodeStream(stream) && !isWritable(stream)) {
    throw new ERR_INVALID_ARG_VALUE('stream', stream, 'must be writable');
  }
  const made = compose(source, stream);
  if (options?.signal) {
    require('internal/streams/add-abort-signal').addAbortSignalNoValidate(options.signal, made);
  }
  return made;
}

module.exports = { compose, composeWith };
