// Options `stdin`, `stdout`, `stderr` and `stdio` of `Bun.spawn`. In: the options. Out: for each
// file descriptor an entry with its number for the binding and the value of the subprocess's
// property; bytes or a stream for stdin. Absent: reading and writing (subprocess_output.js,
// subprocess_stdin.js).
'use strict';

const { isBlob } = require('internal/blob');
const { toUint8Array } = require('internal/bun/bytes');
const { invalidArgType } = require('internal/bun/environment');
const { stdio: { IGNORE, INPUT_FILE, PIPE, SOCKET_FD } } = internalBinding('child_process');

const INVALID_STRING = "stdio must be an array of 'inherit', 'pipe', 'ignore', Bun.file(pathOrFd), number, or null";
const INVALID_VALUE = "stdio must be an array of 'inherit', 'ignore', or null";

/**
 * An entry for one option.
 *
 * @returns {{ number: number, bytes?: Uint8Array, stream?: ReadableStream, value?: any, opened?:
 *   number, isOwnedByProgram?: boolean }} `number`: for the binding; `bytes`, `stream`: the input;
 *   `value`: the subprocess's property; `opened`: a file descriptor to close after the spawn
 */
function toEntry(option, index, isSync) {
  if (option === null) return { number: IGNORE, value: index > 2 ? null : undefined };
  if (option === undefined) return { number: IGNORE, value: null };
  if (typeof option === 'string') return fromString(option, index);
  if (typeof option === 'number') return fromFd(option, index);
  if (typeof option !== 'object') throw invalidArgType(INVALID_VALUE);
  if (isBlob(option)) return fromBlob(option, index);
  const view = toUint8Array(option);
  if (view !== undefined) {
    if (index !== 0) throw invalidArgType(index > 2 ? `ArrayBufferView cannot be used for stdio[${index}] yet` : 'ArrayBufferView cannot be used for stdout/stderr yet');
    return { number: INPUT_FILE, bytes: view };
  }
  return fromBody(option, index, isSync) ?? fromStream(option, index, isSync);
}

function fromString(option, index) {
  const isExtra = index > 2;
  switch (option) {
    case 'inherit': return { number: index, value: isExtra ? null : undefined };
    case 'ignore': return { number: IGNORE, value: isExtra ? null : undefined };
    case 'pipe':
    case 'overlapped': return { number: isExtra ? SOCKET_FD : PIPE };
    case 'socket-fd': if (isExtra) return { number: SOCKET_FD, isOwnedByProgram: true };
  }
  throw invalidArgType(INVALID_STRING);
}

function fromFd(option, index) {
  const number = Math.trunc(option);
  if (!(Math.abs(number) < 2 ** 31)) throw invalidArgType(`file descriptor must be a valid integer, received: ${option}`);
  if (number < 0) throw invalidArgType('file descriptor must be a positive integer');
  if (number === index) return { number, value: index > 2 ? number : undefined };
  if (index === 0 && number < 3) throw invalidArgType('stdout and stderr cannot be used for stdin');
  if (index < 3 && number === 0) throw invalidArgType('stdin cannot be used for stdout or stderr');
  return { number, value: number };
}

function fromBlob(blob, index) {
  const { FileRef } = require('internal/bun/file');
  if (FileRef.is(blob) && (index > 0 || FileRef.isWholeFile(blob))) return fromFile(FileRef.targetOf(blob), index);
  if (index > 2) throw invalidArgType(`Blob cannot be used for stdio[${index}] yet`);
  if (index > 0) throw invalidArgType('Blobs are immutable, and cannot be used for stdout/stderr');
  return { number: INPUT_FILE, bytes: FileRef.is(blob) ? FileRef.readSync(blob) : require('internal/blob').bytesOf(blob) };
}

/** A path is opened here; it is written from its beginning and not truncated. */
function fromFile(path, index) {
  if (typeof path === 'number') return { number: path, value: path === index ? undefined : path };
  const { O_CREAT, O_RDONLY, O_RDWR, O_WRONLY } = require('internal/fs/utils').constants;
  const flags = index === 0 ? O_RDONLY : index > 2 ? O_RDWR | O_CREAT : O_WRONLY | O_CREAT;
  const number = require('internal/fs/sync').openSync(path, flags, 0o666);
  return { number, opened: number, value: index > 2 ? null : undefined };
}

/** The body of a Response or Request. */
function fromBody(option, index, isSync) {
  const body = require('web/fetch/body').bodyOf(option);
  if (body === undefined) return undefined;
  if (index !== 0) throw invalidArgType('Blobs are immutable, and cannot be used for stdout/stderr');
  if (body === null) return { number: IGNORE };
  if (body.isUnusable) {
    const error = new TypeError('Body already used');
    error.code = 'ERR_BODY_ALREADY_USED';
    throw error;
  }
  const content = body.take();
  return content instanceof Uint8Array ? { number: INPUT_FILE, bytes: content } : { ...fromStream(content, index, isSync), value: undefined };
}

function fromStream(option, index, isSync) {
  const { ReadableStream } = require('web/streams');
  const isIterable = typeof option[Symbol.asyncIterator] === 'function';
  if (!(option instanceof ReadableStream) && !isIterable) throw invalidArgType(INVALID_VALUE);
  if (index !== 0) throw invalidArgType('ReadableStream cannot be used for stdout/stderr');
  if (isSync) throw invalidArgType("'stdin' ReadableStream cannot be used in sync mode");
  const stream = option instanceof ReadableStream ? option : ReadableStream.from(option);
  if (stream.locked) throw require('web/streams/webidl_utils').invalidState('ReadableStream is locked');
  return { number: PIPE, stream, value: stream };
}

const SYNC_DEFAULTS = [IGNORE, PIPE, PIPE];
const DEFAULTS = [IGNORE, PIPE, 2];
const NAMES = ['stdin', 'stdout', 'stderr'];

const { isArray } = Array;

/**
 * Numbers of stdin, stdout and stderr for the binding's fast path; undefined: an option is not
 * 'pipe', 'inherit', 'ignore', null or absent.
 */
function fastStdio(options, isSync) {
  const { stdio } = options;
  const defaults = isSync ? SYNC_DEFAULTS : DEFAULTS;
  let numbers;
  if (isArray(stdio)) {
    if (stdio.length > 3) return undefined;
    numbers = [fastNumber(stdio[0], 0, defaults), fastNumber(stdio[1], 1, defaults), fastNumber(stdio[2], 2, defaults)];
  } else {
    if (stdio !== undefined) return undefined;
    numbers = [fastNumber(options.stdin, 0, defaults), fastNumber(options.stdout, 1, defaults), fastNumber(options.stderr, 2, defaults)];
  }
  return numbers[0] === undefined || numbers[1] === undefined || numbers[2] === undefined ? undefined : numbers;
}

function fastNumber(option, index, defaults) {
  if (typeof option === 'string') {
    switch (option) {
      case 'pipe': return PIPE;
      case 'inherit': return index;
      case 'ignore': return IGNORE;
    }
    return undefined;
  }
  return option === undefined ? defaults[index] : option === null ? IGNORE : undefined;
}

/** Entries for all options. */
function stdioEntries(options, isSync) {
  const { stdio } = options;
  const isList = stdio !== undefined && stdio !== null;
  if (isList && !Array.isArray(stdio)) throw invalidArgType('stdio must be an array');
  const defaults = isSync ? SYNC_DEFAULTS : DEFAULTS;
  const entries = [];
  try {
    for (let index = 0; index < 3; index++) {
      const option = isList ? stdio[index] : options[NAMES[index]];
      entries.push(option === undefined ? { number: defaults[index] } : toEntry(option, index, isSync));
    }
    for (let index = 3; isList && index < stdio.length; index++) entries.push(toEntry(stdio[index], index, isSync));
  } catch (error) {
    closeOpened(entries);
    throw error;
  }
  return entries;
}

/** Closes files opened for the child, which has its own descriptors after the spawn. */
function closeOpened(entries) {
  for (const { opened } of entries) if (opened !== undefined) require('internal/fs/sync').closeSync(opened);
}

module.exports = { closeOpened, fastStdio, stdioEntries };
