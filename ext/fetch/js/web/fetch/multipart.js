// Forms as bodies. In: a FormData, or bytes with their type. Out: bytes (as a Blob of its parts),
// or a FormData. What is no form is a TypeError. Absent: what a form holds (web/fetch/form_data).
'use strict';

const { Blob, isBlob } = require('internal/blob');
const { FormData, entriesOf } = require('web/fetch/form_data');

const LINE = [13, 10];
const PARTS_MAX = 100_000;

const escape = (text) => text.replace(/\n/g, '%0A').replace(/\r/g, '%0D').replace(/"/g, '%22');
const normal = (text) => text.replace(/\r\n?|\n/g, '\r\n');

function render(form) {
  const boundary = `----formdata-${`${Math.floor(Math.random() * 1e11)}`.padStart(11, '0')}`;
  const parts = [];
  for (const [name, value] of entriesOf(form)) {
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${escape(normal(name))}"`;
    if (isBlob(value)) {
      const type = value.type || 'application/octet-stream';
      parts.push(`${head}; filename="${escape(value.name)}"\r\nContent-Type: ${type}\r\n\r\n`, value, '\r\n');
    } else {
      parts.push(`${head}\r\n\r\n${normal(value)}\r\n`);
    }
  }
  parts.push(`--${boundary}--\r\n`);
  return { blob: new Blob(parts), boundary };
}

function parse(bytes, type) {
  const essence = type?.essence;
  if (essence === 'multipart/form-data') return parseMultipart(bytes, type.params.get('boundary'));
  if (essence === 'application/x-www-form-urlencoded') {
    const form = new FormData();
    // A byte order mark is a letter of a name as any other.
    const text = new (require('web/encoding').TextDecoder)('utf-8', { ignoreBOM: true }).decode(bytes);
    const { URLSearchParams } = require('web/url_search_params');
    // A mark of a question in front belongs to the first name.
    for (const [name, value] of new URLSearchParams(`&${text}`)) form.append(name, value);
    return form;
  }
  throw new TypeError('Content-Type was not one of "multipart/form-data" or "application/x-www-form-urlencoded".');
}

const wrong = () => new TypeError('Failed to parse body as FormData.');

function parseMultipart(bytes, boundary) {
  if (boundary === null || boundary.length === 0 || boundary.length > 70) throw wrong();
  const { Buffer } = require('buffer');
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const mark = Buffer.from(`--${boundary}`, 'latin1');
  const form = new FormData();
  let at = body.indexOf(mark);
  if (at === -1) throw wrong();
  for (let count = 0; count <= PARTS_MAX; count++) {
    at += mark.length;
    if (body[at] === 0x2d && body[at + 1] === 0x2d) return form;
    if (body[at] !== LINE[0] || body[at + 1] !== LINE[1]) throw wrong();
    const headEnd = body.indexOf('\r\n\r\n', at);
    if (headEnd === -1) throw wrong();
    const start = headEnd + 4;
    const end = body.indexOf(Buffer.concat([Buffer.from(LINE), mark]), start);
    if (end === -1) throw wrong();
    append(form, body.subarray(Math.min(at + 2, headEnd), headEnd).toString('utf8'), body.subarray(start, end));
    at = end + 2;
  }
  throw wrong();
}

function append(form, head, value) {
  const headers = new Map();
  for (const line of head.split('\r\n')) {
    const colon = line.indexOf(':');
    if (colon === -1) throw wrong();
    headers.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim());
  }
  const disposition = headers.get('content-disposition') ?? '';
  const word = (name) => {
    const found = new RegExp(`;\\s*${name}="([^"]*)"`, 'i').exec(disposition)?.[1];
    return found?.replace(/%0A/gi, '\n').replace(/%0D/gi, '\r').replace(/%22/g, '"');
  };
  const [name, filename] = [word('name'), word('filename')];
  if (!/^form-data(?:;|$)/i.test(disposition) || name === undefined) throw wrong();
  if (filename === undefined) {
    form.append(name, new (require('web/encoding').TextDecoder)('utf-8', { ignoreBOM: true }).decode(value));
    return;
  }
  const { File } = require('internal/file');
  form.append(name, new File([value], filename, { type: headers.get('content-type') ?? 'text/plain' }));
}

module.exports = { parse, render };
