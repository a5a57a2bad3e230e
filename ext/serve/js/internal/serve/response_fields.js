// Fields of a response, as text. In: a header list, whose names and values were checked. Out: field
// lines and flags. Fields that are about the connection are the server's: length and coding follow
// from the body, and `Connection: close` is a flag.
'use strict';

const { flag } = internalBinding('serve');

/** `length`: of `Content-Length`, for responses to HEAD; undefined if there is none. */
function renderFields(list) {
  const result = { text: '', flags: 0, length: undefined, etag: undefined };
  for (const [key, { name, value }] of list.entries) {
    switch (key) {
      case 'content-length':
        if (/^\d{1,15}$/.test(value)) result.length = Number(value);
        continue;
      case 'transfer-encoding':
      case 'keep-alive':
        continue;
      case 'connection':
        if (/(?:^|,)\s*close\s*(?:,|$)/i.test(value)) result.flags |= flag.CLOSES;
        continue;
      case 'set-cookie':
        for (const cookie of list.cookies) result.text += `${name}: ${cookie}\r\n`;
        continue;
      case 'date': result.flags |= flag.HAS_DATE; break;
      case 'last-modified': result.flags |= flag.HAS_LAST_MODIFIED; break;
      case 'etag':
        result.flags |= flag.HAS_ETAG;
        result.etag = value;
        break;
    }
    result.text += `${name}: ${value}\r\n`;
  }
  return result;
}

module.exports = { renderFields };
