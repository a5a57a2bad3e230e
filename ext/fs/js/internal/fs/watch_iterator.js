// fs.promises.watch: what a watcher tells, one at a time. In: a path and options. Out: an async
// iterator; what is told while nobody asks waits in a queue with an end. Absent: watching;
// watchers.js does it.
'use strict';

const { AbortError, codes } = require('internal/errors');
const { getValidatedPath } = require('internal/fs/utils');
const {
  validateAbortSignal, validateBoolean, validateIgnoreOption, validateInteger, validateObject, validateOneOf,
} = require('internal/validators');

/** Events that wait, at most, where a program does not say. */
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
  let failed;
  let isOver = false;
  let wake = () => {};
  watcher.on('change', (eventType, filename) => {
    if (queue.length < maxQueue) {
      queue.push({ __proto__: null, eventType, filename });
    } else if (overflow === 'error') {
      failed ??= new codes.ERR_FS_WATCH_QUEUE_OVERFLOW(maxQueue);
    } else {
      require('process').emitWarning('fs.watch maxQueue exceeded');
    }
    wake();
  });
  watcher.on('error', (error) => {
    failed ??= error;
    wake();
  });
  watcher.on('close', () => {
    isOver = true;
    wake();
  });
  const onAbort = () => {
    failed ??= new AbortError(undefined, { cause: signal.reason });
    wake();
  };
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    for (;;) {
      while (queue.length > 0 && failed === undefined) yield queue.shift();
      if (failed !== undefined) throw failed;
      if (isOver) return;
      await new Promise((resolve) => { wake = resolve; });
    }
  } finally {
    watcher.close();
    signal?.removeEventListener('abort', onAbort);
  }
}

module.exports = { iterate, watch };
