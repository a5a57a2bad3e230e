// require('url'). In: strings. Out: addresses as the web has them, and as Node had them before
// (`parse`, `format`, `resolve`). Absent: how each is read; that is web/url and
// internal/url/legacy.
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
