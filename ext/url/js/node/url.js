// `node:url`: exports of the WHATWG URL API (web/url, internal/url) and the legacy API
// (internal/url/legacy).
'use strict';

const internal = require('internal/url');
const { Url, format, parse, resolve, resolveObject } = require('internal/url/legacy');

module.exports = {
  Url,
  parse,
  resolve,
  resolveObject,
  format,
  URL: internal.URL,
  URLSearchParams: internal.URLSearchParams,
  domainToASCII: internal.domainToASCII,
  domainToUnicode: internal.domainToUnicode,
  pathToFileURL: internal.pathToFileURL,
  fileURLToPath: internal.fileURLToPath,
  fileURLToPathBuffer: internal.fileURLToPathBuffer,
  urlToHttpOptions: internal.urlToHttpOptions,
};

require('internal/util').defineLazyProperties(module.exports, 'web/url_pattern', ['URLPattern']);
