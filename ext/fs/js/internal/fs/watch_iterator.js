// `fs.promises.watch`: the events of a watcher as an async iterator. In: a path and options. Out:
// an async iterator with a bounded queue of events. Absent: the watcher (watchers.js).
'use strict';

const { AbortError, codes } = require('internal/errors');
const { getValidatedPath } = require('internal/fs/utils');
const {
  validateAbortSignal, validateBoolean, validateIgnoreOption, validateInteger, validateObject, validateOneOf,
} = require('internal/validators');

/** The default of `maxQueue`. */
const kQueueMax = 2048;

async function* watch(filename, options = {}) {
  validateObject(options, 'options');
  const { persistent = true, recursive = false, encoding = 'utf8', maxQueue = kQueueMax, overflow = 'ignore', signal, ignore } = options;
  validateBoolean(persistent, 'options.persistent');
  validateBoolean(recursive, 'options.recursive');
  validateInteger(maxQueue, 'options.maxQueue');
  validateOneOf(overflow, 'options.overflow', ['ignore', 'error']);
  validateAbortSignal(signal, 'options.signal');
  validateIgnoreOption(ignore, 'options.ignore');
  if (encoding && !require('buffer').Buffer.isEncoding(encoding) && encoding !== 'buffer') {
    throw new codes.ERR_INVALID_ARG_VALUE('options.encoding', encoding, 'is invalid encoding');
  }
  const path = getValidatedPath(filename);
  if (signal?.aborted) throw new AbortError(undefined, { cause: signal.reason });
  const watcher = require('internal/fs/watchers').watch(path, { persistent, recursive, encoding, ignore });
  yield* iterate(watcher, { signal, maxQueue, overflow });
}

async function* iterate(watcher, { signal, maxQueue = kQueueMax, overflow = 'ignore' }) {
  const queue = [];
  let failure;
  let isClosed = false;
  let wake = () => {};
  watcher.on('change', (eventType, filename) => {
    if (queue.length < maxQueue) {
      queue.push({ __proto__: null, eventType, filename });
    } else if (overflow === 'error') {
      failure ??= new codes.ERR_FS_WATCH_QUEUE_OVERFLOW(maxQueue);
    } else {
      require('process').emitWarning('fs.watch maxQueue exceeded');
    }
    wake();
  });
  watcher.on('error', (error) => {
    failure ??= error;
    wake();
  });
  watcher.on('close', () => {
    isClosed = true;
    wake();
  });
  const onAbort = () => {
    failure ??= new AbortError(undefined, { cause: signal.reason });
    wake();
  };
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    for (;;) {
      while (queue.length > 0 && failure === undefined) yield queue.shift();
      if (failure !== undefined) throw failure;
      if (isClosed) return;
      await new Promise((resolve) => { wake = resolve; });
    }
  } finally {
    watcher.close();
    signal?.removeEventListener('abort', onAbort);
  }
}

module.exports = { iterate, watch };
