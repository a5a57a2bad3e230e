// Frames of events between a test file's process and the process of `run`, within the file's
// standard output. In: events; or chunks of output. Out: bytes; or events and the text between
// them. A frame is FF 0F, the length of its body as 32 bits, and the event in V8's format: FF is in
// no UTF-8 text. Absent: errors as values (error_values.js).
'use strict';

const { Buffer } = require('buffer');

const MARK = Buffer.from([0xff, 0x0f]);
const HEAD_BYTES = MARK.length + 4;

/** A longer body is not an event, but output that looks like a frame. */
const BODY_BYTES_MAX = 256 * 1024 * 1024;

function renderFrame(event) {
  const body = require('v8').serialize(event);
  const head = Buffer.alloc(HEAD_BYTES);
  MARK.copy(head);
  head.writeUInt32BE(body.length, MARK.length);
  return Buffer.concat([head, body]);
}

class FrameReader {
  #rest = Buffer.alloc(0);

  /** @returns {({ text: string } | { event: object })[]} what is complete */
  read(chunk) {
    let bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const items = [];
    for (;;) {
      const start = bytes.indexOf(MARK);
      if (start !== 0) {
        const end = start === -1 ? withoutPartialMark(bytes) : start;
        if (end > 0) items.push({ text: bytes.toString('utf8', 0, end) });
        bytes = bytes.subarray(end);
        if (start === -1) break;
        continue;
      }
      const frame = readFrame(bytes);
      if (frame === undefined) break;
      if (frame.item !== undefined) items.push(frame.item);
      bytes = bytes.subarray(frame.length);
    }
    this.#rest = bytes;
    return items;
  }

  /** What is left when the process has ended. */
  end() {
    const rest = this.#rest;
    this.#rest = Buffer.alloc(0);
    return rest.length === 0 ? [] : [{ text: rest.toString() }];
  }
}

function withoutPartialMark(bytes) {
  return bytes.at(-1) === MARK[0] ? bytes.length - 1 : bytes.length;
}

/** Undefined where it is incomplete; without an item where it is damaged. */
function readFrame(bytes) {
  if (bytes.length < HEAD_BYTES) return undefined;
  const length = bytes.readUInt32BE(MARK.length);
  if (length > BODY_BYTES_MAX) return { item: undefined, length: MARK.length };
  if (bytes.length < HEAD_BYTES + length) return undefined;
  const body = bytes.subarray(HEAD_BYTES, HEAD_BYTES + length);
  try {
    const event = require('v8').deserialize(body);
    return typeof event?.type === 'string' ? { item: { event }, length: HEAD_BYTES + length } : { item: undefined, length: MARK.length };
  } catch {
    return { item: undefined, length: MARK.length };
  }
}

module.exports = { FrameReader, renderFrame };
