// FileHandle of fs.promises: an open file as an object, as in Node's lib/internal/fs/promises.js.
// In: a file descriptor. Out: methods that return promises, and streams over it. It is reference
// counted: `close` waits for pending operations. A collected handle is closed with a warning. It is
// transferable to other threads.
'use strict';

const EventEmitter = require('events');
const { codes, aggregateTwoErrors } = require('internal/errors');
const { SymbolAsyncDispose } = require('internal/util');
const {
  binding, getOptions, isUtf8, parseFileMode, toUnixTimestamp, validateBufferArray, validateObject, validateOffsetLengthRead, validateOwner,
  validatePosition, validateStringAfterArrayBufferView,
} = require('internal/fs/utils');
const { encodeString, normalizePosition, writeRange } = require('internal/fs/read_write');
const { decodeBytes } = require('internal/fs/callbacks');
const { getStatsFromBinding } = require('internal/fs/stats');
const { validateBuffer, validateInteger } = require('internal/validators');
const { dataCloneError, kCheckTransfer, kTransfer, kTransferToThread } = require('internal/messaging/transfer');

const kFd = Symbol('kFd');
const kRefs = Symbol('kRefs');
const kRef = Symbol('kRef');
const kUnref = Symbol('kUnref');
const kClosePromise = Symbol('kClosePromise');
const kCloseResolve = Symbol('kCloseResolve');
const kCloseReject = Symbol('kCloseReject');
const kLocked = Symbol('kLocked');
const kIsTransferred = Symbol('kIsTransferred');

/** A promise of an asynchronous call: `begin` gets its callback. */
function callAsync(begin) {
  return new Promise((resolve, reject) => begin((error, value) => {
    if (error) reject(error);
    else resolve(value);
  }));
}

let finalizationRegistry;
let nextAsyncId = 1e6;

/** Closes a handle that is collected while it is open. */
function registerForCollection(handle, fd) {
  finalizationRegistry ??= new FinalizationRegistry((number) => {
    // The end of the runtime has closed it, and the number may be that of another file.
    if (binding.runs() !== true) return;
    const { emitWarning } = require('process');
    emitWarning(`Closing file descriptor ${number} on garbage collection`);
    try {
      binding.close(number);
    } catch (error) {
      emitWarning(error);
    }
  });
  finalizationRegistry.register(handle, fd, handle);
}

class FileHandle extends EventEmitter {
  #asyncId = nextAsyncId++;

  constructor(fd) {
    super();
    this[kFd] = fd;
    this[kRefs] = 1;
    this[kClosePromise] = null;
    registerForCollection(this, fd);
    this.close = close;
  }

  getAsyncId() { return this.#asyncId; }
  get fd() { return this[kFd]; }

  appendFile(data, options) { return fsCall(writeFileHandle, this, data, options); }
  chmod(mode) { return fsCall(fchmod, this, mode); }
  chown(uid, gid) { return fsCall(fchown, this, uid, gid); }
  datasync() { return fsCall(fdatasync, this); }
  sync() { return fsCall(fsync, this); }
  read(buffer, offset, length, position) { return fsCall(read, this, buffer, offset, length, position); }
  readv(buffers, position) { return fsCall(readv, this, buffers, position); }
  readFile(options) { return fsCall(readFileHandle, this, options); }
  readLines(options = undefined) {
    const { createInterface } = require('readline');
    return createInterface({ input: this.createReadStream(options), crlfDelay: Infinity });
  }
  stat(options) { return fsCall(fstat, this, options); }
  truncate(len = 0) { return fsCall(ftruncate, this, len); }
  utimes(atime, mtime) { return fsCall(futimes, this, atime, mtime); }
  write(buffer, offset, length, position) { return fsCall(write, this, buffer, offset, length, position); }
  writev(buffers, position) { return fsCall(writev, this, buffers, position); }
  writeFile(data, options) { return fsCall(writeFileHandle, this, data, options); }
  readableWebStream(options) { return createReadableStream(this, options); }
  createReadStream(options = undefined) {
    return new (require('internal/fs/streams').ReadStream)(undefined, { ...options, fd: this });
  }
  createWriteStream(options = undefined) {
    return new (require('internal/fs/streams').WriteStream)(undefined, { ...options, fd: this });
  }
  async [SymbolAsyncDispose]() { await this.close(); }

  [kCheckTransfer]() {
    if (this[kFd] === -1 || this[kRefs] !== 1 || this[kClosePromise]) throw dataCloneError('Cannot transfer FileHandle while in use');
  }

  [kTransfer]() { return { data: { fd: release(this) }, deserializeInfo: 'internal/fs/promises:FileHandle' }; }

  [kTransferToThread]() { return { fd: release(this) }; }

  [kRef]() { this[kRefs]++; }
  [kUnref]() {
    this[kRefs]--;
    if (this[kRefs] === 0) closeFd(this).then(this[kCloseResolve], this[kCloseReject]);
  }
}

function close() {
  if (this[kFd] === -1) return Promise.resolve();
  if (this[kClosePromise]) return this[kClosePromise];
  this[kRefs]--;
  const onEnd = this[kRefs] === 0 ? closeFd(this) : new Promise((resolve, reject) => {
    this[kCloseResolve] = resolve;
    this[kCloseReject] = reject;
  });
  this[kClosePromise] = onEnd.finally(() => { this[kClosePromise] = undefined; });
  this.emit('close');
  return this[kClosePromise];
}
Object.defineProperty(close, 'name', { __proto__: null, value: 'close', configurable: true });

/** Releases the descriptor, for another handle. */
function release(handle) {
  const fd = handle[kFd];
  handle[kFd] = -1;
  handle[kIsTransferred] = true;
  finalizationRegistry.unregister(handle);
  return fd;
}

/** The handle of a transferred descriptor. */
function deserialize({ fd }) { return new FileHandle(fd); }

/** Closes the descriptor. */
function closeFd(handle) {
  const fd = handle[kFd];
  handle[kFd] = -1;
  finalizationRegistry.unregister(handle);
  return callAsync((done) => binding.close(fd, done));
}

/** Calls `work` with a handle, which is ref'd until the result is there. */
async function fsCall(work, handle, ...args) {
  if (handle?.[kRefs] === undefined) throw new codes.ERR_INTERNAL_ASSERTION('handle must be an instance of FileHandle');
  if (handle[kFd] === -1) {
    const error = new Error(handle[kIsTransferred] ? 'The FileHandle has been transferred' : 'file closed');
    error.code = 'EBADF';
    error.syscall = work.name;
    throw error;
  }
  try {
    handle[kRef]();
    return await work(handle, ...args);
  } finally {
    handle[kUnref]();
  }
}

// --- Operations. The names of these functions are `syscall` in errors.

async function fchmod(handle, mode) {
  mode = parseFileMode(mode, 'mode');
  return callAsync((done) => binding.fchmod(handle[kFd], mode, done));
}

async function fchown(handle, uid, gid) {
  validateOwner(uid, gid);
  return callAsync((done) => binding.fchown(handle[kFd], uid, gid, done));
}

async function fdatasync(handle) {
  return callAsync((done) => binding.sync(handle[kFd], true, done));
}

async function fsync(handle) {
  return callAsync((done) => binding.sync(handle[kFd], false, done));
}

function fstat(handle, options = { __proto__: null, bigint: false }) {
  const { bigint } = options;
  return new Promise((resolve, reject) => binding.fstat(handle[kFd], bigint, (error) => {
    if (error) reject(error);
    else resolve(getStatsFromBinding(bigint));
  }));
}

async function ftruncate(handle, len = 0) {
  validateInteger(len, 'len');
  return callAsync((done) => binding.ftruncate(handle[kFd], len, done));
}

async function futimes(handle, atime, mtime) {
  atime = toUnixTimestamp(atime, 'atime');
  mtime = toUnixTimestamp(mtime, 'mtime');
  return callAsync((done) => binding.futimes(handle[kFd], atime, mtime, done));
}

async function read(handle, bufferOrParams, offset, length, position) {
  let buffer = bufferOrParams;
  if (!ArrayBuffer.isView(buffer)) {
    if (bufferOrParams !== undefined) validateObject(bufferOrParams, 'options', 1);
    ({
      buffer = require('buffer').Buffer.alloc(16384), offset = 0, length = buffer.byteLength - offset, position = null,
    } = bufferOrParams ?? {});
    validateBuffer(buffer);
  }
  if (offset !== null && typeof offset === 'object') {
    ({ offset = 0, length = buffer.byteLength - offset, position = null } = offset);
  }
  if (offset == null) offset = 0;
  else validateInteger(offset, 'offset', 0);
  length ??= buffer.byteLength - offset;
  if (length === 0) return { __proto__: null, bytesRead: length, buffer };
  if (buffer.byteLength === 0) throw new codes.ERR_INVALID_ARG_VALUE('buffer', buffer, 'is empty and cannot be written');
  validateOffsetLengthRead(offset, length, buffer.byteLength);
  if (position == null) position = -1;
  validatePosition(position, 'position', length);
  const bytesRead = (await callAsync((done) => binding.read(handle[kFd], buffer, offset, length, position, done))) || 0;
  return { __proto__: null, bytesRead, buffer };
}

async function readv(handle, buffers, position) {
  validateBufferArray(buffers);
  const bytesRead = (await callAsync((done) => binding.readv(handle[kFd], buffers, normalizePosition(position), done))) || 0;
  return { __proto__: null, bytesRead, buffers };
}

async function write(handle, buffer, offset, length, position) {
  if (buffer?.byteLength === 0) return { __proto__: null, bytesWritten: 0, buffer };
  let bytesWritten;
  if (ArrayBuffer.isView(buffer)) {
    if (typeof offset === 'object' && offset !== null) {
      ({ offset = 0, length = buffer.byteLength - offset, position = null } = offset);
    }
    [offset, length] = writeRange(buffer, offset, length);
    bytesWritten = await callAsync((done) => binding.write(handle[kFd], buffer, offset, length, normalizePosition(position), done));
  } else {
    validateStringAfterArrayBufferView(buffer, 'buffer');
    const content = encodeString(buffer, length);
    bytesWritten = await callAsync((done) => binding.write(handle[kFd], content, 0, content.length, normalizePosition(offset), done));
  }
  return { __proto__: null, bytesWritten: bytesWritten || 0, buffer };
}

async function writev(handle, buffers, position) {
  validateBufferArray(buffers);
  if (buffers.length === 0) return { __proto__: null, bytesWritten: 0, buffers };
  const bytesWritten = (await callAsync((done) => binding.writev(handle[kFd], buffers, normalizePosition(position), done))) || 0;
  return { __proto__: null, bytesWritten, buffers };
}

function checkAborted(signal) {
  if (!signal?.aborted) return;
  const { AbortError } = require('internal/errors');
  throw new AbortError(undefined, { cause: signal.reason });
}

async function readFileHandle(handle, options) {
  options = getOptions(options, { __proto__: null, flag: 'r' });
  const { encoding, signal } = options;
  checkAborted(signal);
  const asString = isUtf8(encoding);
  const content = await callAsync((done) => binding.readFile(handle[kFd], 0, asString, done));
  checkAborted(signal);
  return asString ? content : decodeBytes(content, encoding);
}

async function writeFileHandle(handle, data, options) {
  return require('internal/fs/promises').writeToHandle(handle, data, options);
}
Object.defineProperty(writeFileHandle, 'name', { __proto__: null, value: 'writeFile', configurable: true });

// --- web stream

function createReadableStream(handle, options = {}) {
  if (handle[kFd] === -1) throw new codes.ERR_INVALID_STATE('The FileHandle is closed');
  if (handle[kClosePromise]) throw new codes.ERR_INVALID_STATE('The FileHandle is closing');
  if (handle[kLocked]) throw new codes.ERR_INVALID_STATE('The FileHandle is locked');
  validateObject(options, 'options');
  const { type = 'bytes', autoClose = false } = options;
  require('internal/validators').validateBoolean(autoClose, 'options.autoClose');
  if (type !== 'bytes') {
    require('process').emitWarning(
      `A non-"bytes" options.type has no effect. A byte-oriented steam is always created.`, 'ExperimentalWarning');
  }
  handle[kLocked] = true;
  const { ReadableStream } = require('web/streams');
  let controller;
  const onEnd = async () => {
    handle.removeListener('close', onClose);
    handle[kUnref]();
    if (autoClose) await handle.close();
  };
  const onClose = () => {
    try { controller.close(); } catch { /* closed already */ }
    controller.byobRequest?.respond(0);
    // A pending close waits for this.
    handle[kUnref]();
  };
  const readable = new ReadableStream({
    type: 'bytes',
    autoAllocateChunkSize: 16384,
    start(own) { controller = own; },
    async pull(own) {
      const { view } = own.byobRequest;
      const { bytesRead } = await handle.read(view, 0, view.byteLength);
      if (bytesRead === 0) {
        own.close();
        await onEnd();
      }
      own.byobRequest?.respond(bytesRead);
    },
    cancel: onEnd,
  });
  handle[kRef]();
  handle.once('close', onClose);
  return readable;
}

module.exports = { FileHandle, aggregateTwoErrors, fsCall, checkAborted, kFd, kRef, kUnref, callAsync, deserialize };
