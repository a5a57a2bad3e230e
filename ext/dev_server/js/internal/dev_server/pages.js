// Pages of a server: HTML files in its routes. In: the server's options. Out: handlers of routes.
// In development pages are read when they are first requested and stay up to date; else they are
// built once. Absent: the graph (crates/bundler/src/dev), WebSockets (ext/websocket).
'use strict';

/**
 * `createBrowserSockets` makes the sockets of browsers from their handlers, `exchangeOf` returns
 * the exchange of a request.
 */
function createPages({ isDevelopment, development, createBrowserSockets, exchangeOf }) {
  const constants = require('internal/dev_server/constants').constants();
  const plugins = new (require('internal/dev_server/plugins').ServerPlugins)();
  if (!isDevelopment) return new (require('internal/dev_server/static_pages').StaticPages)(constants, plugins);
  const options = typeof development === 'object' && development !== null ? development : {};
  const settings = { hmr: options.hmr !== false, console: options.console === true };
  const { DevelopmentPages } = require('internal/dev_server/development_pages');
  return new DevelopmentPages(settings, constants, plugins, createBrowserSockets, exchangeOf);
}

module.exports = { createPages };
