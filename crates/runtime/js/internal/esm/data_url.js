// Modules of `data:` URLs. In: an URL. Out: a record. Other schemes are refused with Node's error.
'use strict';

const { SourceRecord, SyntheticRecord } = require('internal/esm/record');
const fail = require('internal/esm/failure');
const loader = internalBinding('loader');

function createRecord(url, type) {
  const format = formatOf(url, type);
  const source = sourceOf(url);
  if (format === 'json') return new SyntheticRecord(url, ['default'], (record) => { record.bindings.default = JSON.parse(source); });
  return new SourceRecord(url, undefined, loader.parseModule(url, source, true));
}

/** `json` or `module`, if the import attribute matches. */
function formatOf(url, type) {
  const mime = /^data:([^,;]*)(?:;[^,]*)?,/.exec(url)?.[1];
  if (mime === undefined) {
    const scheme = /^[^:]*:/.exec(url)?.[0] ?? '';
    if (scheme === 'data:') throw fail('ERR_INVALID_URL', 'Invalid URL', TypeError);
    throw fail('ERR_UNSUPPORTED_ESM_URL_SCHEME', `Only URLs with a scheme in: file, data, and node are supported by the default ESM loader. Received protocol '${scheme}'`, Error);
  }
  const { checkKnown } = require('internal/esm/synthetic');
  if (mime === 'application/json') {
    checkKnown(type, url);
    if (type !== 'json') throw fail('ERR_IMPORT_ATTRIBUTE_MISSING', `Module "${url}" needs an import attribute of "type: json"`, TypeError);
    return 'json';
  }
  if (!/^(?:text|application)\/javascript$/.test(mime)) {
    throw fail('ERR_UNKNOWN_MODULE_FORMAT', `Unknown module format: ${mime === '' ? 'null' : mime} for URL ${url}`, RangeError);
  }
  checkKnown(type, url);
  if (type !== undefined) throw fail('ERR_IMPORT_ATTRIBUTE_TYPE_INCOMPATIBLE', `Module "${url}" is not of type "${type}"`, TypeError);
  return 'module';
}

/** The decoded body of a `data:` URL. */
function sourceOf(url) {
  const [, parameters, body] = /^data:[^,;]*((?:;[^,]*)?),(.*)$/s.exec(url);
  const raw = /#/.test(body) ? body.slice(0, body.indexOf('#')) : body;
  return /;base64$/i.test(parameters)
    ? new TextDecoder().decode(Uint8Array.fromBase64(decodeURIComponent(raw)))
    : decodeURIComponent(raw);
}

module.exports = { formatOf, createRecord, sourceOf };
