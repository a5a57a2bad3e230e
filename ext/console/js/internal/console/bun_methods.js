// What bun's `console` has and Node's has not: `console.write`, and the lines of
// standard input, `for await (const line of console)`. In: text and bytes; standard input. Out: the
// number of bytes; lines without their line feed. Absent: an end of a line at `\r`.
'use strict';

const { codes } = require('internal/errors');

/** Writes to standard output and returns the number of bytes. */
function write(chunks) {
  const bytes = require('buffer').Buffer.concat(chunks.map(toBytes));
  if (bytes.length > 0) require('process').stdout.write(bytes);
  return bytes.length;
}

function toBytes(chunk) {
  if (typeof chunk === 'string') return require('buffer').Buffer.from(chunk);
  const bytes = require('internal/bun/bytes').toUint8Array(chunk);
  if (bytes === undefined) throw new codes.ERR_INVALID_ARG_TYPE('chunk', ['string', 'ArrayBufferView', 'ArrayBuffer'], chunk);
  return bytes;
}

/**
 * What was read and no loop has taken yet, at which a later loop goes on: lines, the last one
 * first, and the begin of a line.
 */
const input = { reader: undefined, decoder: undefined, lines: [], tail: '', isAtEnd: false };

async function * lines() {
  for (;;) {
    if (input.lines.length > 0) yield input.lines.pop();
    else if (input.isAtEnd) return;
    else await readLines();
  }
}

async function readLines() {
  input.reader ??= require('internal/bun/file').stdin.stream().getReader();
  input.decoder ??= new (require('web/encoding').TextDecoder)();
  const { value, done } = await input.reader.read();
  input.isAtEnd = done;
  const text = done ? input.decoder.decode() : input.decoder.decode(value, { stream: true });
  const parts = text.split('\n');
  parts[0] = input.tail + parts[0];
  input.tail = parts.pop();
  if (done && input.tail !== '') parts.push(input.tail);
  input.lines = parts.reverse();
}

module.exports = { lines, write };
