// HTMLBundle: what an import of an HTML file is. In: the file's path. Out: an object that
// `Bun.serve` takes as a route.
'use strict';

/** Paths below it belong to the server. */
const PREFIX = '/_rusk/';

class HTMLBundle {
  constructor(path) { Object.defineProperty(this, 'index', { value: path, enumerable: true }); }

  get files() { return undefined; }

  get [Symbol.toStringTag]() { return 'HTMLBundle'; }
}

const known = new Map();

/** One object for each file. */
function htmlBundle(path) {
  let bundle = known.get(path);
  if (bundle === undefined) known.set(path, bundle = new HTMLBundle(path));
  return bundle;
}

function isHtmlBundle(value) { return value instanceof HTMLBundle; }

module.exports = { PREFIX, htmlBundle, isHtmlBundle };
