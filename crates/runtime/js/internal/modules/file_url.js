// Paths and file URLs, as far as the loader needs them: no parser of URLs is loaded for it. In: a
// path or an URL. Out: the other.
'use strict';

module.exports = {
  /** `file:///a%20b`. */
  toUrl(path) {
    if (/^[\w\-./~@+]*$/.test(path)) return `file://${path}`;
    const text = encodeURI(path).replace(/%5B/g, '[').replace(/%5D/g, ']').replace(/%7C/g, '|');
    return `file://${text.replace(/[?#\\]/g, encodeURIComponent)}`;
  },

  /** Absolute; undefined for what names no file of this machine. */
  toPath(place) {
    if (typeof place !== 'string') {
      if (place === null || typeof place !== 'object' || typeof place.href !== 'string') return undefined;
      place = place.href;
    }
    if (place[0] === '/') return place;
    const found = /^file:(?:\/\/(?:localhost)?)?(\/[^?#]*)/i.exec(place);
    if (found === null) return undefined;
    try {
      return decodeURIComponent(found[1]);
    } catch {
      return undefined;
    }
  },

  /** `?query#fragment` of an URL. */
  suffixOf(url) { return /[?#].*$/s.exec(url)?.[0] ?? ''; },
};
