// `compose`: several streams as one duplex, written to the first and read from the last. In: what
// `pipeline` takes. Out: a Duplex, destroyed when one of them fails. Absent: the connection between
// them (pipeline.js).
'use strict';

const Duplex = require('internal/streams/duplex');
const { pipeline } = require('internal/streams/pipeline');
const { destroyer } = require('internal/streams/destroy');
const { eos } = require('internal/streams/end-of-stream');
const { AbortError, codes: { ERR_INVALID_ARG_VALUE, ERR_MISSING_ARGS } } = require('internal/errors');
const {
  isNodeStream, isReadable, isReadableStream, isTransformStream, isWebStream, isWritable, isWritableStream,
} = require('internal/streams/utils');

const isReadableSide = (stream) => !!(isReadable(stream) || isReadableStream(stream) || isTransformStream(stream));
const isWritableSide = (stream) => !!(isWritable(stream) || isWritableStream(stream) || isTransformStream(stream));

function compose(...streams) {
  if (streams.length === 0) {
    throw new ERR_MISSING_ARGS('streams');
  }
  if (streams.length === 1) {
    return Duplex.from(streams[0]);
  }
  const stages = [...streams];
  const last = stages.length - 1;
  for (const index of [0, last]) {
    if (typeof stages[index] === 'function') {
      stages[index] = Duplex.from(stages[index]);
    }
  }
  stages.forEach((stream, index) => {
    if (!isNodeStream(stream) && !isWebStream(stream)) {
      return;
    }
    if (index < last && !isReadableSide(stream)) {
      throw new ERR_INVALID_ARG_VALUE(`streams[${index}]`, streams[index], 'must be readable');
    }
    if (index > 0 && !isWritableSide(stream)) {
      throw new ERR_INVALID_ARG_VALUE(`streams[${index}]`, streams[index], 'must be writable');
    }
  });
  return composeStreams(stages);
}

/** Pending callbacks of the duplex, one of each kind. */
class PendingCallbacks {
  drain = null;
  finish = null;
  readable = null;
  /** undefined: no `_destroy` waits for the end; null: the pipeline has ended. */
  close = undefined;

  call(name) {
    const callback = this[name];
    if (callback) {
      this[name] = null;
      callback();
    }
  }
}

function composeStreams(streams) {
  const pending = new PendingCallbacks();
  const head = streams[0];
  const tail = pipeline(streams, (error) => {
    const { close } = pending;
    pending.close = null;
    if (close) {
      close(error);
    } else if (error) {
      duplex.destroy(error);
    } else if (!readable && !writable) {
      duplex.destroy();
    }
  });
  const writable = isWritableSide(head);
  const readable = isReadableSide(tail);
  const duplex = new Duplex({
    writableObjectMode: !!head?.writableObjectMode,
    readableObjectMode: !!tail?.readableObjectMode,
    writable,
    readable,
  });
  if (writable) {
    if (isNodeStream(head)) {
      connectNodeWritable(duplex, head, pending);
    } else if (isWebStream(head)) {
      connectWebWritable(duplex, head, pending);
    }
    eos(isTransformStream(tail) ? tail.readable : tail, () => pending.call('finish'));
  }
  if (readable) {
    if (isNodeStream(tail)) {
      connectNodeReadable(duplex, tail, pending);
    } else if (isWebStream(tail)) {
      connectWebReadable(duplex, tail);
    }
  }
  duplex._destroy = (destroyError, callback) => {
    const error = destroyError || pending.close === null ? destroyError : new AbortError();
    pending.readable = null;
    pending.drain = null;
    pending.finish = null;
    if (isNodeStream(tail)) {
      destroyer(tail, error);
    }
    if (pending.close === null) {
      callback(error);
    } else {
      pending.close = callback;
    }
  };
  return duplex;
}

function connectNodeWritable(duplex, head, pending) {
  duplex._write = (chunk, encoding, callback) => {
    if (head.write(chunk, encoding)) {
      callback();
    } else {
      pending.drain = callback;
    }
  };
  duplex._final = (callback) => {
    head.end();
    pending.finish = callback;
  };
  head.on('drain', () => pending.call('drain'));
}

function connectWebWritable(duplex, head, pending) {
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
      pending.finish = callback;
    } catch (error) {
      callback(error);
    }
  };
}

function connectNodeReadable(duplex, tail, pending) {
  tail.on('readable', () => pending.call('readable'));
  tail.on('end', () => duplex.push(null));
  duplex._read = () => {
    for (;;) {
      const chunk = tail.read();
      if (chunk === null) {
        pending.readable = duplex._read;
        return;
      }
      if (!duplex.push(chunk)) {
        return;
      }
    }
  };
}

function connectWebReadable(duplex, tail) {
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

/** `readable.compose`. */
function composeMethod(source, stream, options) {
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
  const result = compose(source, stream);
  if (options?.signal) {
    require('internal/streams/add-abort-signal').addAbortSignalNoValidate(options.signal, result);
  }
  return result;
}

module.exports = { compose, composeMethod };
