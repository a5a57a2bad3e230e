// Modules whose text is in their address: `data:`. In: an URL. Out: a record. Others are refused,
// as Node does.
'use strict';

const { SourceRecord, SyntheticRecord } = require('internal/esm/record');
const fail = require('internal/esm/failure');
const loader = internalBinding('loader');

function make(url, type) {
  const format = formatOf(url, type);
  const text = textOf(url);
  if (format === 'json') return new SyntheticRecord(url, ['default'], (record) => { record.bindings.default = JSON.parse(text); });
  return new SourceRecord(url, undefined, loader.parseModule(url, text, true));
}

/** `json` or `module`, where the attribute says the same. */
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

/** What a `data:` address holds. */
function textOf(url) {
  const [, parameters, body] = /^data:[^,;]*((?:;[^,]*)?),(.*)$/s.exec(url);
  const raw = /#/.test(body) ? body.slice(0, body.indexOf('#')) : body;
  return /;base64$/i.test(parameters)
    ? new TextDecoder().decode(Uint8Array.fromBase64(decodeURIComponent(raw)))
    : decodeURIComponent(raw);
}

module.exports = { formatOf, make, textOf };
