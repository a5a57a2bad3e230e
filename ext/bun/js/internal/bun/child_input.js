// What a child reads. In: texts and bytes, piece by piece; or a stream. Out: `FileSink`, as bun has
// it for `stdin: 'pipe'`; or a stream that is pumped, no faster than the child takes it. Absent:
// bytes that are all there at the start: those lie in a file in memory.
'use strict';

const { concatArrayBuffers, viewOf } = require('internal/bun/bytes');
const { wrongType } = require('internal/bun/program');

/** Bytes that are kept before they are written. */
const KEPT = 16 * 1024;

const inner = {};

const failureOf = (errno) => require('internal/bun/spawn_failure').systemFailure(errno, 'write');

/** A promise whose rejection is nobody's fault who does not look at it. */
function quiet(promise) {
  promise.catch(() => {});
  return promise;
}

function bytesOf(piece) {
  const view = typeof piece === 'string' ? new (require('web/encoding').TextEncoder)().encode(piece) : viewOf(piece);
  if (view !== undefined) return view;
  const error = wrongType('write() expects a string, ArrayBufferView, or ArrayBuffer');
  if (piece === null || piece === undefined) error.code = 'ERR_STREAM_NULL_VALUES';
  throw error;
}

class FileSink {
  #handle;
  #highWaterMark = KEPT;
  #kept = [];
  #size = 0;
  #timer;
  /**
   * While the pipe does not take all: the promise that all who write get, and what it is to say.
   */
  #waiting;
  #underWay = 0;
  #ends = false;

  constructor(token, handle) {
    if (token !== inner) throw new (require('internal/errors').codes.ERR_ILLEGAL_CONSTRUCTOR)();
    this.#handle = handle;
  }

  static {
    inner.make = (handle) => new FileSink(inner, handle);
    inner.letGo = (sink) => sink.#letGo();
  }

  start(options) {
    const wanted = options?.highWaterMark;
    if (typeof wanted === 'number' && wanted > 0) this.#highWaterMark = wanted;
  }

  /** How many bytes the piece has; a promise of what is written in all while the pipe is full. */
  write(piece) {
    const view = bytesOf(piece);
    if (this.#handle.isClosed || this.#ends) return true;
    // What the program does to its bytes later is not to be written.
    this.#kept.push(typeof piece === 'string' ? view : view.slice());
    this.#size += view.length;
    if (this.#size >= this.#highWaterMark) {
      const written = this.#writeOut();
      if (typeof written !== 'number') return written;
    } else {
      this.#timer ??= require('timers').setImmediate(() => this.#writeOut());
    }
    return this.#waiting?.promise ?? view.length;
  }

  #writeOut() {
    require('timers').clearImmediate(this.#timer);
    this.#timer = undefined;
    const [pieces, size] = [this.#kept, this.#size];
    if (size === 0) return this.#waiting?.promise ?? 0;
    [this.#kept, this.#size] = [[], 0];
    const bytes = pieces.length === 1 ? pieces[0] : concatArrayBuffers(pieces, Infinity, true);
    let errno;
    const isDone = this.#handle.write(bytes, (result) => {
      errno = result;
      if (this.#waiting !== undefined) this.#told(result);
    });
    if (isDone && this.#waiting === undefined) return errno < 0 ? quiet(Promise.reject(failureOf(errno))) : size;
    if (this.#waiting === undefined) {
      this.#waiting = { ...Promise.withResolvers(), size: 0 };
      quiet(this.#waiting.promise);
    }
    this.#waiting.size += size;
    this.#underWay++;
    return this.#waiting.promise;
  }

  /** Of a write that waited. */
  #told(errno) {
    if (--this.#underWay > 0 && errno === 0) return;
    const { resolve, reject, size } = this.#waiting;
    [this.#waiting, this.#underWay] = [undefined, 0];
    if (errno < 0) reject(failureOf(errno));
    else resolve(size);
    if (this.#ends) this.#handle.close();
  }

  flush() {
    return this.#handle.isClosed ? undefined : this.#writeOut();
  }

  end() {
    if (this.#handle.isClosed) return 0;
    if (this.#ends) return this.#waiting?.promise ?? 0;
    const written = this.#writeOut();
    this.#ends = true;
    if (this.#waiting === undefined) this.#handle.close();
    return written;
  }

  close() { this.end(); }

  /**
   * The child has ended. What waits is told by the pipe itself, or read by one that the child has
   * left behind.
   */
  #letGo() {
    if (this.#waiting === undefined) this.#handle.close();
  }

  ref() { this.#handle.ref(); }
  unref() { this.#handle.unref(); }
}
Object.defineProperty(FileSink.prototype, Symbol.toStringTag, { __proto__: null, configurable: true, value: 'FileSink' });

/** A stream that a child reads. */
class Pump {
  #handle;
  #reader;
  #isOver = false;

  constructor(stream, handle) {
    this.#handle = handle;
    this.#reader = stream.getReader();
    this.#run();
  }

  async #run() {
    for (;;) {
      let piece;
      try {
        piece = await this.#reader.read();
      } catch {
        // What it failed of is for who made it; the child finds the end of its input.
        this.#end();
        return;
      }
      if (piece.done || this.#isOver) break;
      try {
        await this.#write(bytesOf(piece.value));
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
    if (errno < 0) throw failureOf(errno);
  }

  #stop(reason) {
    if (!this.#isOver) quiet(this.#reader.cancel(reason));
    this.#end();
  }

  #end() {
    this.#isOver = true;
    this.#handle.close();
  }

  /** The child has ended: nobody reads any more. */
  letGo() { this.#stop(undefined); }

  setRef(isRef) {
    if (isRef) this.#handle.ref();
    else this.#handle.unref();
  }
}

module.exports = { FileSink, Pump, letGo: inner.letGo, makeSink: inner.make };
