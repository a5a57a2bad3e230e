// Pages of a server in production: built when they are first requested, then from memory, minified,
// with an ETag. In: paths of HTML files. Out: responses.
'use strict';

const binding = internalBinding('dev_server');

const ASSET_PREFIX = '/_rusk/static/';
const IMMUTABLE = 'public, max-age=31536000, immutable';

class StaticPages {
  #constants;
  /** By path: a promise of the HTML, as a file. */
  #pages = new Map();
  /** By name: bytes, content type and ETag. */
  #files = new Map();

  #plugins;

  constructor(constants, plugins) {
    this.#constants = constants;
    this.#plugins = plugins;
  }

  /** The handler of a route. */
  handlerOf({ index }) {
    return async (request) => {
      let page = this.#pages.get(index);
      if (page === undefined) this.#pages.set(index, page = this.#build(index));
      return respond(request, await page, 'no-cache');
    };
  }

  /** The handler of all paths below the prefix. */
  onRequest = (request) => {
    const { pathname } = new URL(request.url);
    const file = pathname.startsWith(ASSET_PREFIX) ? this.#files.get(decodeURIComponent(pathname.slice(ASSET_PREFIX.length))) : undefined;
    return file === undefined ? new Response(null, { status: 404 }) : respond(request, file, IMMUTABLE);
  };

  async #build(path) {
    const { availableParallelism } = require('os');
    await this.#plugins.start();
    const built = await new Promise((resolve) => {
      binding.build(path, resolve, ASSET_PREFIX, require('process').cwd(), this.#constants, availableParallelism(), this.#plugins.number);
    });
    if (typeof built === 'string') {
      this.#pages.delete(path);
      throw new Error(built);
    }
    for (let index = 0; index < built.length; index += 2) this.#files.set(built[index], fileOf(built[index], built[index + 1]));
    return this.#files.get(built[0]);
  }

  stop() { this.#plugins.close(); }
}

function fileOf(name, bytes) {
  const { typeOfPath } = require('internal/dev_server/types');
  return { bytes, type: typeOfPath(name), etag: `"${Bun.hash(bytes).toString(16)}"` };
}

function respond(request, { bytes, type, etag }, cacheControl) {
  const headers = { 'content-type': type, 'cache-control': cacheControl, etag };
  if (request.headers.get('if-none-match') === etag) return new Response(null, { status: 304, headers });
  return new Response(bytes, { headers });
}

module.exports = { StaticPages };
