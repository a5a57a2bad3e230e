// `Bun.serve`, and a program that exports what to serve. In: options. Out: a Server, listening.
'use strict';

const { checkOptions } = require('internal/serve/options');
const { Server } = require('internal/serve/server');

/** With `--hot`: servers by id or address, and how many of each the current code has asked for. */
let kept;
let asked;

/** Called before each evaluation of the program. */
function keepServers() {
  kept ??= new Map();
  asked = new Map();
}

function serve(options) {
  const checked = checkOptions(options);
  if (kept === undefined) return new Server(checked);
  const name = checked.id ?? checked.unix ?? `${checked.hostname ?? ''}:${checked.port}`;
  // Several may have any free port.
  const count = (asked.get(name) ?? 0) + 1;
  asked.set(name, count);
  const key = `${name}#${count}`;
  const known = kept.get(key);
  if (known !== undefined && Server.isListening(known)) {
    Server.replace(known, options);
    return known;
  }
  const server = new Server(checked);
  kept.set(key, server);
  return server;
}

/** Serves the default export of the entry point, if it has a `fetch` function or routes, as bun. */
function serveExport(value) {
  if (value instanceof Server || !require('worker_threads').isMainThread) return;
  const hasRoutes = typeof value.routes === 'object' && value.routes !== null;
  if (typeof value.fetch !== 'function' && !hasRoutes) return;
  require('internal/bun_use').useBun();
  const server = serve(value);
  globalThis.console.debug(`Started ${server.development ? 'development ' : ''}server: ${server.port === undefined ? server.url : server.url.origin}`);
}

module.exports = { keepServers, serve, serveExport };
