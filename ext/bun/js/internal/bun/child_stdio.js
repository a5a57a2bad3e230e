// What becomes of a child's descriptors. In: what a program says of each. Out: a number for the
// native half, and what the program finds in its place; bytes or a stream for its input. Absent:
// reading and writing (child_output.js, child_input.js).
'use strict';

const { isBlob } = require('internal/blob');
const { viewOf } = require('internal/bun/bytes');
const { wrongType } = require('internal/bun/program');
const { BYTES, IGNORE, NUMBER, PIPE } = require('internal/child_process/descriptors');

const BAD_WORD = "stdio must be an array of 'inherit', 'pipe', 'ignore', Bun.file(pathOrFd), number, or null";
const BAD_VALUE = "stdio must be an array of 'inherit', 'ignore', or null";

/** Out: `number`, and of `bytes`, `stream`, `shown`, `opened` and `isCallers` what there is. */
function place(wanted, index, isSync) {
  if (wanted === null) return { number: IGNORE, shown: index > 2 ? null : undefined };
  if (wanted === undefined) return { number: IGNORE, shown: null };
  if (typeof wanted === 'string') return ofWord(wanted, index);
  if (typeof wanted === 'number') return ofNumber(wanted, index);
  if (typeof wanted !== 'object') throw wrongType(BAD_VALUE);
  if (isBlob(wanted)) return ofBlob(wanted, index);
  const view = viewOf(wanted);
  if (view !== undefined) {
    if (index !== 0) throw wrongType(index > 2 ? `ArrayBufferView cannot be used for stdio[${index}] yet` : 'ArrayBufferView cannot be used for stdout/stderr yet');
    return { number: BYTES, bytes: view };
  }
  return ofBody(wanted, index, isSync) ?? ofStream(wanted, index, isSync);
}

function ofWord(word, index) {
  const isOther = index > 2;
  switch (word) {
    case 'inherit': return { number: index, shown: isOther ? null : undefined };
    case 'ignore': return { number: IGNORE, shown: isOther ? null : undefined };
    case 'pipe':
    case 'overlapped': return { number: isOther ? NUMBER : PIPE };
    case 'socket-fd': if (isOther) return { number: NUMBER, isCallers: true };
  }
  throw wrongType(BAD_WORD);
}

function ofNumber(wanted, index) {
  const number = Math.trunc(wanted);
  if (!(Math.abs(number) < 2 ** 31)) throw wrongType(`file descriptor must be a valid integer, received: ${wanted}`);
  if (number < 0) throw wrongType('file descriptor must be a positive integer');
  if (number === index) return { number, shown: index > 2 ? number : undefined };
  if (index === 0 && number < 3) throw wrongType('stdout and stderr cannot be used for stdin');
  if (index < 3 && number === 0) throw wrongType('stdin cannot be used for stdout or stderr');
  return { number, shown: number };
}

function ofBlob(blob, index) {
  const { FileRef } = require('internal/bun/file');
  if (FileRef.is(blob) && (index > 0 || FileRef.isWhole(blob))) return ofFile(FileRef.placeOf(blob), index);
  if (index > 2) throw wrongType(`Blob cannot be used for stdio[${index}] yet`);
  if (index > 0) throw wrongType('Blobs are immutable, and cannot be used for stdout/stderr');
  return { number: BYTES, bytes: FileRef.is(blob) ? FileRef.readSync(blob) : require('internal/blob').bytesOf(blob) };
}

/** A path is opened here: written from its beginning, with nothing taken away behind. */
function ofFile(path, index) {
  if (typeof path === 'number') return { number: path, shown: path === index ? undefined : path };
  const { O_CREAT, O_RDONLY, O_RDWR, O_WRONLY } = require('internal/fs/utils').constants;
  const flags = index === 0 ? O_RDONLY : index > 2 ? O_RDWR | O_CREAT : O_WRONLY | O_CREAT;
  const number = require('internal/fs/sync').openSync(path, flags, 0o666);
  return { number, opened: number, shown: index > 2 ? null : undefined };
}

/** The body of an answer or a request. */
function ofBody(wanted, index, isSync) {
  const body = require('web/fetch/body').bodyOf(wanted);
  if (body === undefined) return undefined;
  if (index !== 0) throw wrongType('Blobs are immutable, and cannot be used for stdout/stderr');
  if (body === null) return { number: IGNORE };
  if (body.isUnusable) {
    const error = new TypeError('Body already used');
    error.code = 'ERR_BODY_ALREADY_USED';
    throw error;
  }
  const taken = body.take();
  return taken instanceof Uint8Array ? { number: BYTES, bytes: taken } : { ...ofStream(taken, index, isSync), shown: undefined };
}

function ofStream(wanted, index, isSync) {
  const { ReadableStream } = require('web/streams');
  const isIterable = typeof wanted[Symbol.asyncIterator] === 'function';
  if (!(wanted instanceof ReadableStream) && !isIterable) throw wrongType(BAD_VALUE);
  if (index !== 0) throw wrongType('ReadableStream cannot be used for stdout/stderr');
  if (isSync) throw wrongType("'stdin' ReadableStream cannot be used in sync mode");
  const stream = wanted instanceof ReadableStream ? wanted : ReadableStream.from(wanted);
  if (stream.locked) throw require('web/streams/webidl_utils').invalidState('ReadableStream is locked');
  return { number: PIPE, stream, shown: stream };
}

const SYNC_DEFAULTS = [IGNORE, PIPE, PIPE];
const DEFAULTS = [IGNORE, PIPE, 2];
const NAMES = ['stdin', 'stdout', 'stderr'];

const { isArray } = Array;

/**
 * What is to become of the three streams where each is what programs say of it mostly, which shows
 * nothing in its place; undefined: something is otherwise.
 */
function numbersOf(own, isSync) {
  const { stdio } = own;
  const defaults = isSync ? SYNC_DEFAULTS : DEFAULTS;
  let numbers;
  if (isArray(stdio)) {
    if (stdio.length > 3) return undefined;
    numbers = [numberOf(stdio[0], 0, defaults), numberOf(stdio[1], 1, defaults), numberOf(stdio[2], 2, defaults)];
  } else {
    if (stdio !== undefined) return undefined;
    numbers = [numberOf(own.stdin, 0, defaults), numberOf(own.stdout, 1, defaults), numberOf(own.stderr, 2, defaults)];
  }
  return numbers[0] === undefined || numbers[1] === undefined || numbers[2] === undefined ? undefined : numbers;
}

function numberOf(wanted, index, defaults) {
  if (typeof wanted === 'string') {
    switch (wanted) {
      case 'pipe': return PIPE;
      case 'inherit': return index;
      case 'ignore': return IGNORE;
    }
    return undefined;
  }
  return wanted === undefined ? defaults[index] : wanted === null ? IGNORE : undefined;
}

/** What is to become of each descriptor. */
function placesOf(own, isSync) {
  const { stdio } = own;
  const isList = stdio !== undefined && stdio !== null;
  if (isList && !Array.isArray(stdio)) throw wrongType('stdio must be an array');
  const defaults = isSync ? SYNC_DEFAULTS : DEFAULTS;
  const places = [];
  try {
    for (let index = 0; index < 3; index++) {
      const wanted = isList ? stdio[index] : own[NAMES[index]];
      places.push(wanted === undefined ? { number: defaults[index] } : place(wanted, index, isSync));
    }
    for (let index = 3; isList && index < stdio.length; index++) places.push(place(stdio[index], index, isSync));
  } catch (error) {
    closeOpened(places);
    throw error;
  }
  return places;
}

/** The child has its own by now. */
function closeOpened(places) {
  for (const { opened } of places) if (opened !== undefined) require('internal/fs/sync').closeSync(opened);
}

module.exports = { closeOpened, numbersOf, placesOf };
