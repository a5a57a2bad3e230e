// `Bun.serve`, and a program that exports what to serve. In: options. Out: a Server, listening.
'use strict';

const { checkOptions } = require('internal/serve/options');
const { Server } = require('internal/serve/server');

function serve(options) {
  return new Server(checkOptions(options));
}

/** Serves the default export of the entry point, if it has a `fetch` function or routes, as bun. */
function serveExport(value) {
  if (value instanceof Server || !require('worker_threads').isMainThread) return;
  const hasRoutes = typeof value.routes === 'object' && value.routes !== null;
  if (typeof value.fetch !== 'function' && !hasRoutes) return;
  const server = serve(value);
  globalThis.console.debug(`Started ${server.development ? 'development ' : ''}server: ${server.port === undefined ? server.url : server.url.origin}`);
}

module.exports = { serve, serveExport };
