// multipart/form-data and urlencoded bodies, RFC 7578. In: a FormData, or bytes with their MIME
// type. Out: a Blob, or a FormData; a TypeError for a malformed body.
'use strict';

const { Blob, isBlob } = require('internal/blob');
const { FormData, entriesOf } = require('web/fetch/form_data');

const CRLF = [13, 10];
const PARTS_MAX = 100_000;

const escapeName = (string) => string.replace(/\n/g, '%0A').replace(/\r/g, '%0D').replace(/"/g, '%22');
const normalizeNewlines = (string) => string.replace(/\r\n?|\n/g, '\r\n');

function render(form) {
  const boundary = `----formdata-${`${Math.floor(Math.random() * 1e11)}`.padStart(11, '0')}`;
  const parts = [];
  for (const [name, value] of entriesOf(form)) {
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${escapeName(normalizeNewlines(name))}"`;
    if (isBlob(value)) {
      const type = value.type || 'application/octet-stream';
      parts.push(`${head}; filename="${escapeName(value.name)}"\r\nContent-Type: ${type}\r\n\r\n`, value, '\r\n');
    } else {
      parts.push(`${head}\r\n\r\n${normalizeNewlines(value)}\r\n`);
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
    // A byte order mark is part of the first name.
    const text = new (require('web/encoding').TextDecoder)('utf-8', { ignoreBOM: true }).decode(bytes);
    const { URLSearchParams } = require('web/url_search_params');
    // The `&` keeps a leading `?` as part of the first name.
    for (const [name, value] of new URLSearchParams(`&${text}`)) form.append(name, value);
    return form;
  }
  throw new TypeError('Content-Type was not one of "multipart/form-data" or "application/x-www-form-urlencoded".');
}

/** bun's `FormData.from`: text, bytes or a Blob, of a multipart body with its boundary. */
function fromText(input, boundary) {
  const { codes } = require('internal/errors');
  const { bytesOf, isBlob } = require('internal/blob');
  const bytes = isBlob(input) ? bytesOf(input) : typeof input === 'string' ? Buffer.from(input) : toBytes(input);
  if (bytes === undefined) throw new codes.ERR_INVALID_ARG_TYPE('input', ['string', 'Blob', 'ArrayBuffer', 'ArrayBufferView'], input);
  if (boundary === undefined) return parse(bytes, { essence: 'application/x-www-form-urlencoded' });
  return parseMultipart(bytes, `${boundary}`);
}

function toBytes(value) { return require('internal/bun/bytes').toUint8Array(value); }

const malformed = () => new TypeError('Failed to parse body as FormData.');

function parseMultipart(bytes, boundary) {
  if (boundary === null || boundary.length === 0 || boundary.length > 70) throw malformed();
  const { Buffer } = require('buffer');
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const delimiter = Buffer.from(`--${boundary}`, 'latin1');
  const form = new FormData();
  let offset = body.indexOf(delimiter);
  if (offset === -1) throw malformed();
  for (let count = 0; count <= PARTS_MAX; count++) {
    offset += delimiter.length;
    if (body[offset] === 0x2d && body[offset + 1] === 0x2d) return form;
    if (body[offset] !== CRLF[0] || body[offset + 1] !== CRLF[1]) throw malformed();
    const headEnd = body.indexOf('\r\n\r\n', offset);
    if (headEnd === -1) throw malformed();
    const start = headEnd + 4;
    const end = body.indexOf(Buffer.concat([Buffer.from(CRLF), delimiter]), start);
    if (end === -1) throw malformed();
    appendPart(form, body.subarray(Math.min(offset + 2, headEnd), headEnd).toString('utf8'), body.subarray(start, end));
    offset = end + 2;
  }
  throw malformed();
}

function appendPart(form, head, value) {
  const headers = new Map();
  for (const line of head.split('\r\n')) {
    const colon = line.indexOf(':');
    if (colon === -1) throw malformed();
    headers.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim());
  }
  const disposition = headers.get('content-disposition') ?? '';
  const parameter = (name) => {
    const value = new RegExp(`;\\s*${name}="([^"]*)"`, 'i').exec(disposition)?.[1];
    return value?.replace(/%0A/gi, '\n').replace(/%0D/gi, '\r').replace(/%22/g, '"');
  };
  const [name, filename] = [parameter('name'), parameter('filename')];
  if (!/^form-data(?:;|$)/i.test(disposition) || name === undefined) throw malformed();
  if (filename === undefined) {
    form.append(name, new (require('web/encoding').TextDecoder)('utf-8', { ignoreBOM: true }).decode(value));
    return;
  }
  const { File } = require('internal/file');
  form.append(name, new File([value], filename, { type: headers.get('content-type') ?? 'text/plain' }));
}

module.exports = { fromText, parse, render };
