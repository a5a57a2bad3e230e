// `pipeTo`: the Streams Standard's ReadableStreamPipeTo. In: slots of both streams, what is to be
// left alone, a signal. Out: a promise of the end. A chunk costs a microtask, no promise of ours
// but the sink's own. Absent: arguments of `pipeTo` but its options.
'use strict';

const core = require('web/streams/readable_core');
const { Writer, isClosing, abort } = require('web/streams/writable_core');
const { then, resolved, resolvedWith, deferred, dictionary, isObject, invalidState, wrongType } = require('web/streams/webidl_utils');

function pipeOptions(given) {
  const options = dictionary(given, 'options');
  if (options === undefined) {
    return { preventAbort: false, preventCancel: false, preventClose: false, signal: undefined };
  }
  const preventAbort = !!options.preventAbort;
  const preventCancel = !!options.preventCancel;
  const preventClose = !!options.preventClose;
  const { signal } = options;
  if (signal !== undefined && !(isObject(signal) && signal instanceof AbortSignal)) {
    throw wrongType('options.signal', 'AbortSignal', signal);
  }
  return { preventAbort, preventCancel, preventClose, signal };
}

class Pipe {
  isOver = false;
  /** A chunk that was read and waits for its microtask. */
  hasChunk = false;
  chunkValue = undefined;
  afterChunk = undefined;
  onAbort = undefined;
  source;
  target;
  options;
  reader;
  writer;
  writeChunk;
  step = this.step.bind(this);
  result = deferred();

  constructor(source, target, options) {
    this.source = source;
    this.target = target;
    this.options = options;
    this.reader = core.acquireReader(source);
    this.writer = new Writer(target);
    source.disturbed = true;
    this.writeChunk = () => {
      const chunk = this.chunkValue;
      this.chunkValue = undefined;
      this.hasChunk = false;
      this.writer.write(chunk, true);
      this.afterChunk?.();
      this.step();
    };
  }

  run() {
    const { signal } = this.options;
    if (signal !== undefined) {
      this.onAbort = () => this.abort(asOfTheWeb(signal.reason));
      if (signal.aborted) {
        this.onAbort();
        return this.result.promise;
      }
      signal.addEventListener('abort', this.onAbort);
    }
    this.watch();
    this.step();
    return this.result.promise;
  }

  abort(reason) {
    const { source, target, options } = this;
    this.shutDown(() => {
      const actions = [];
      if (!options.preventAbort) {
        actions.push(target.state === 'writable' ? abort(target, reason) : resolved);
      }
      if (!options.preventCancel) {
        actions.push(source.state === 'readable' ? core.cancel(source, reason) : resolved);
      }
      return both(actions);
    }, { reason });
  }

  /** Ends that come from outside, in the standard's order. */
  watch() {
    const { source, target, reader, writer, options } = this;
    const sourceFailed = (reason) => this.shutDown(options.preventAbort ? undefined : () => abort(target, reason), { reason });
    const targetFailed = (reason) => this.shutDown(options.preventCancel ? undefined : () => core.cancel(source, reason), { reason });
    const sourceClosed = () => this.shutDown(options.preventClose ? undefined : () => writer.closeOrGiveError());
    if (source.state === 'errored') {
      sourceFailed(source.storedError);
    } else {
      then(reader.closed.promise, undefined, sourceFailed);
    }
    if (target.state === 'errored') {
      targetFailed(target.storedError);
    } else {
      then(writer.closed.promise, undefined, targetFailed);
    }
    if (source.state === 'closed') {
      sourceClosed();
    } else {
      then(reader.closed.promise, sourceClosed, () => {});
    }
    if (isClosing(target) || target.state === 'closed') {
      targetFailed(invalidState('Destination WritableStream is closed'));
    }
  }

  step() {
    if (this.isOver || this.target.state !== 'writable') {
      return;
    }
    const { writer } = this;
    if (this.target.backpressure) {
      writer.onReady = () => {
        writer.onReady = undefined;
        then(resolved, this.step);
      };
      return;
    }
    core.read(this.reader, this);
  }

  // As a request to read.

  chunk(value) {
    this.hasChunk = true;
    this.chunkValue = value;
    // Not now: who enqueues does not expect a sink to be called within.
    then(resolved, this.writeChunk);
  }

  close() {}

  error() {}

  /** `failure`: { reason }, where it is one. */
  shutDown(action, failure) {
    if (this.isOver) {
      return;
    }
    this.isOver = true;
    const rest = () => {
      if (action === undefined) {
        this.finish(failure);
      } else {
        then(action(), () => this.finish(failure), (reason) => this.finish({ reason }));
      }
    };
    if (this.target.state === 'writable' && !isClosing(this.target)) {
      this.afterWrites(rest);
    } else {
      rest();
    }
  }

  /** When all that was read is written. */
  afterWrites(rest) {
    const { target } = this;
    const again = () => then(resolved, () => this.afterWrites(rest));
    if (this.hasChunk) {
      this.afterChunk = again;
    } else if (target.writes.length > 0) {
      target.writes.replaceLast(followed(target.writes.last(), again));
    } else if (target.writeUnderWay !== undefined) {
      target.writeUnderWay = followed(target.writeUnderWay, again);
    } else {
      then(resolved, rest);
    }
  }

  finish(failure) {
    this.writer.release();
    core.release(this.reader);
    if (this.onAbort !== undefined) {
      this.options.signal.removeEventListener('abort', this.onAbort);
    }
    if (failure === undefined) {
      this.result.resolve();
    } else {
      this.result.reject(failure.reason);
    }
  }
}

/** Errors of Node's own that say that something was aborted are exceptions of the web here. */
function asOfTheWeb(reason) {
  const { AbortError } = require('internal/errors');
  if (!(reason instanceof AbortError)) {
    return reason;
  }
  const { DOMException } = require('web/dom_exception');
  return new DOMException(reason.message, 'AbortError');
}

/** A request that also calls `next` when it is settled. */
function followed(request, next) {
  return {
    promise: request.promise,
    resolve() {
      request.resolve();
      next();
    },
    reject(reason) {
      request.reject(reason);
      next();
    },
  };
}

/** When all are done; fails with the first that fails. */
function both(promises) {
  const whole = deferred();
  let left = promises.length;
  if (left === 0) {
    return resolvedWith(undefined);
  }
  for (const promise of promises) {
    then(promise, () => {
      if (--left === 0) {
        whole.resolve();
      }
    }, whole.reject);
  }
  return whole.promise;
}

const pipe = (source, target, options) => new Pipe(source, target, options).run();

module.exports = { pipe, pipeOptions };
