// Subprocess stdin: Bun's `FileSink` for `stdin: 'pipe'`, and piping of a ReadableStream with
// back-pressure. In: strings and bytes; or a stream. Out: writes to the child's pipe. Absent: input
// that is complete at the start: the child reads it from a file in memory.
'use strict';

const { concatArrayBuffers, toUint8Array } = require('internal/bun/bytes');
const { invalidArgType } = require('internal/bun/environment');

/** Default high-water mark, in bytes. */
const HIGH_WATER_MARK = 16 * 1024;

const internals = {};

const writeError = (errno) => require('internal/bun/spawn_error').systemError(errno, 'write');

/** Marks a promise as handled, so that its rejection is not reported as unhandled. */
function markHandled(promise) {
  promise.catch(() => {});
  return promise;
}

function toBytes(chunk) {
  const view = typeof chunk === 'string' ? new (require('web/encoding').TextEncoder)().encode(chunk) : toUint8Array(chunk);
  if (view !== undefined) return view;
  const error = invalidArgType('write() expects a string, ArrayBufferView, or ArrayBuffer');
  if (chunk === null || chunk === undefined) error.code = 'ERR_STREAM_NULL_VALUES';
  throw error;
}

class FileSink {
  #handle;
  #highWaterMark = HIGH_WATER_MARK;
  #buffered = [];
  #size = 0;
  #timer;
  /** While the pipe is full: the promise that writes return, and the size it resolves to. */
  #pendingWrite;
  #pendingCount = 0;
  #isEnding = false;

  constructor(token, handle) {
    if (token !== internals) throw new (require('internal/errors').codes.ERR_ILLEGAL_CONSTRUCTOR)();
    this.#handle = handle;
  }

  static {
    internals.create = (handle) => new FileSink(internals, handle);
    internals.detach = (sink) => sink.#detach();
  }

  start(options) {
    const highWaterMark = options?.highWaterMark;
    if (typeof highWaterMark === 'number' && highWaterMark > 0) this.#highWaterMark = highWaterMark;
  }

  /** Returns the chunk's length; while the pipe is full, a promise of the bytes written in all. */
  write(chunk) {
    const view = toBytes(chunk);
    if (this.#handle.isClosed || this.#isEnding) return true;
    // Copied, because the program may change its bytes later.
    this.#buffered.push(typeof chunk === 'string' ? view : view.slice());
    this.#size += view.length;
    if (this.#size >= this.#highWaterMark) {
      const written = this.#flushBuffer();
      if (typeof written !== 'number') return written;
    } else {
      this.#timer ??= require('timers').setImmediate(() => this.#flushBuffer());
    }
    return this.#pendingWrite?.promise ?? view.length;
  }

  #flushBuffer() {
    require('timers').clearImmediate(this.#timer);
    this.#timer = undefined;
    const [chunks, size] = [this.#buffered, this.#size];
    if (size === 0) return this.#pendingWrite?.promise ?? 0;
    [this.#buffered, this.#size] = [[], 0];
    const bytes = chunks.length === 1 ? chunks[0] : concatArrayBuffers(chunks, Infinity, true);
    let errno;
    const isDone = this.#handle.write(bytes, (result) => {
      errno = result;
      if (this.#pendingWrite !== undefined) this.#onWritten(result);
    });
    if (isDone && this.#pendingWrite === undefined) return errno < 0 ? markHandled(Promise.reject(writeError(errno))) : size;
    if (this.#pendingWrite === undefined) {
      this.#pendingWrite = { ...Promise.withResolvers(), size: 0 };
      markHandled(this.#pendingWrite.promise);
    }
    this.#pendingWrite.size += size;
    this.#pendingCount++;
    return this.#pendingWrite.promise;
  }

  /** Completion of a write that was queued. */
  #onWritten(errno) {
    if (--this.#pendingCount > 0 && errno === 0) return;
    const { resolve, reject, size } = this.#pendingWrite;
    [this.#pendingWrite, this.#pendingCount] = [undefined, 0];
    if (errno < 0) reject(writeError(errno));
    else resolve(size);
    if (this.#isEnding) this.#handle.close();
  }

  flush() {
    return this.#handle.isClosed ? undefined : this.#flushBuffer();
  }

  end() {
    if (this.#handle.isClosed) return 0;
    if (this.#isEnding) return this.#pendingWrite?.promise ?? 0;
    const written = this.#flushBuffer();
    this.#isEnding = true;
    if (this.#pendingWrite === undefined) this.#handle.close();
    return written;
  }

  close() { this.end(); }

  /**
   * Called when the child has exited. A queued write fails by itself, or a descendant of the child
   * reads it.
   */
  #detach() {
    if (this.#pendingWrite === undefined) this.#handle.close();
  }

  ref() { this.#handle.ref(); }
  unref() { this.#handle.unref(); }
}
Object.defineProperty(FileSink.prototype, Symbol.toStringTag, { __proto__: null, configurable: true, value: 'FileSink' });

/** Pipes a ReadableStream to the child. */
class StreamPipe {
  #handle;
  #reader;
  #isClosed = false;

  constructor(stream, handle) {
    this.#handle = handle;
    this.#reader = stream.getReader();
    this.#run();
  }

  async #run() {
    for (;;) {
      let result;
      try {
        result = await this.#reader.read();
      } catch {
        // An error of the stream belongs to its owner; the child reads the end of file.
        this.#end();
        return;
      }
      if (result.done || this.#isClosed) break;
      try {
        await this.#write(toBytes(result.value));
      } catch (error) {
        this.#stop(error);
        return;
      }
    }
    this.#end();
  }

  async #write(bytes) {
    const { promise, resolve } = Promise.withResolvers();
    this.#handle.write(bytes, resolve);
    const errno = await promise;
    if (errno < 0) throw writeError(errno);
  }

  #stop(reason) {
    if (!this.#isClosed) markHandled(this.#reader.cancel(reason));
    this.#end();
  }

  #end() {
    this.#isClosed = true;
    this.#handle.close();
  }

  /** Called when the child has exited. */
  detach() { this.#stop(undefined); }

  setRef(isRef) {
    if (isRef) this.#handle.ref();
    else this.#handle.unref();
  }
}

module.exports = { FileSink, StreamPipe, createSink: internals.create, detach: internals.detach };
