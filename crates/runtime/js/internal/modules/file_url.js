// Conversion between paths and file URLs for the module loader, without the URL parser. In: a path
// or an URL. Out: the other.
'use strict';

module.exports = {
  /** `file:///a%20b`. */
  toUrl(path) {
    if (/^[\w\-./~@+]*$/.test(path)) return `file://${path}`;
    const text = encodeURI(path).replace(/%5B/g, '[').replace(/%5D/g, ']').replace(/%7C/g, '|');
    return `file://${text.replace(/[?#\\]/g, encodeURIComponent)}`;
  },

  /** An absolute path; undefined: not the URL of a local file. */
  toPath(url) {
    if (typeof url !== 'string') {
      if (url === null || typeof url !== 'object' || typeof url.href !== 'string') return undefined;
      url = url.href;
    }
    if (url[0] === '/') return url;
    const match = /^file:(?:\/\/(?:localhost)?)?(\/[^?#]*)/i.exec(url);
    if (match === null) return undefined;
    try {
      return decodeURIComponent(match[1]);
    } catch {
      return undefined;
    }
  },

  /** `?query#fragment` of an URL. */
  suffixOf(url) { return /[?#].*$/s.exec(url)?.[0] ?? ''; },
};
