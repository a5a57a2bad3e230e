// Pages of a server in development. In: paths of HTML files, changes of files. Out: responses, and
// messages to the browsers that show a page.
'use strict';

const binding = internalBinding('dev_server');
const { FileWatcher } = require('internal/dev_server/file_watcher');
const { typeOfPath } = require('internal/dev_server/types');

const ASSET_PREFIX = '/_rusk/asset/';
const PAGE = /^\/_rusk\/page\/(\d+)\.(js|css|js\.map)$/;
const NO_STORE = { 'cache-control': 'no-store' };

class DevelopmentPages {
  #settings;
  #graph;
  #watcher;
  /** By path: a promise of the page's number. */
  #pages = new Map();
  /** Their WebSockets, and the group that makes them. */
  #browsers = new Set();
  #sockets;
  #exchangeOf;
  /** Distinguishes this server from one that ran before on the same port. */
  #id = `${Math.random()}`.slice(2);
  /** Changes that are being read; then the next ones. */
  #updating;
  #changed = new Set();

  constructor(settings, constants, createBrowserSockets, exchangeOf) {
    this.#settings = settings;
    this.#exchangeOf = exchangeOf;
    this.#sockets = createBrowserSockets(this.#handlers());
    const { availableParallelism } = require('os');
    this.#graph = binding.create(require('process').cwd(), constants, availableParallelism());
    this.#watcher = new FileWatcher((path) => this.#onChange(path));
  }

  /** The handler of a route. */
  handlerOf({ index }) {
    return async () => {
      const page = await this.#open(index);
      this.#report(page);
      return new Response(binding.html(this.#graph, page), { headers: { 'content-type': 'text/html;charset=utf-8', ...NO_STORE } });
    };
  }

  #open(path) {
    let page = this.#pages.get(path);
    if (page === undefined) {
      page = new Promise((resolve) => {
        binding.openPage(this.#graph, path, (number) => {
          this.#watcher.watch(binding.directories(this.#graph));
          resolve(number);
        });
      });
      this.#pages.set(path, page);
    }
    return page;
  }

  #report(page) {
    const errors = binding.errors(this.#graph, page);
    if (errors !== '') globalThis.console.error(errors);
  }

  /** The handler of all paths below the prefix. */
  onRequest = (request) => {
    const url = new URL(request.url);
    if (url.pathname === '/_rusk/hmr') return this.#connect(request, Object.fromEntries(url.searchParams));
    const page = PAGE.exec(url.pathname);
    if (page !== null && Number(page[1]) < this.#pages.size) return this.#part(Number(page[1]), page[2]);
    if (url.pathname.startsWith(ASSET_PREFIX)) {
      const name = decodeURIComponent(url.pathname.slice(ASSET_PREFIX.length));
      const bytes = binding.asset(this.#graph, name);
      if (bytes !== undefined) return new Response(bytes, { headers: { 'content-type': typeOfPath(name) } });
    }
    return new Response(null, { status: 404 });
  };

  #connect(request, data) {
    if (this.#sockets.upgrade(request, this.#exchangeOf(request), { data })) return undefined;
    return new Response('expected a WebSocket', { status: 426 });
  }

  #part(page, kind) {
    const headers = { 'content-type': typeOfPath(`page.${kind}`), ...NO_STORE };
    if (kind === 'css') return new Response(binding.stylesheet(this.#graph, page), { headers });
    const settings = JSON.stringify({ ...this.#settings, server: this.#id }).slice(1, -1);
    const text = kind === 'js' ? binding.script(this.#graph, page, settings) : binding.scriptMap(this.#graph, page, settings);
    return new Response(text, { headers });
  }

  /** Handlers of the WebSockets of browsers. */
  #handlers() {
    const browsers = this.#browsers;
    return {
      idleTimeout: 0,
      open: (socket) => {
        browsers.add(socket);
        const { version, server } = socket.data;
        if (server !== this.#id || Number(version) !== binding.version(this.#graph)) {
          socket.send(JSON.stringify({ type: 'reload', version: binding.version(this.#graph) }));
        }
      },
      message: (socket, text) => this.#receive(JSON.parse(text)),
      close: (socket) => { browsers.delete(socket); },
    };
  }

  #receive({ type, level, text }) {
    if (type !== 'console' || !this.#settings.console) return;
    const { console } = globalThis;
    const write = level === 'error' || level === 'warn' ? console.error : console.log;
    write.call(console, `[browser] ${text}`);
  }

  #onChange(path) {
    this.#changed.add(path);
    this.#updating ??= this.#update();
  }

  async #update() {
    // All events of one save are there when the loop has read them.
    await undefined;
    while (this.#changed.size > 0) {
      const paths = Array.from(this.#changed);
      this.#changed.clear();
      const messages = await new Promise((resolve) => { binding.update(this.#graph, paths, resolve); });
      this.#watcher.watch(binding.directories(this.#graph));
      for (let index = 0; index < messages.length; index += 2) this.#send(messages[index], messages[index + 1]);
    }
    this.#updating = undefined;
  }

  #send(page, text) {
    for (const socket of this.#browsers) {
      if (Number(socket.data.page) === page) socket.send(text);
    }
    this.#report(page);
  }

  stop() {
    this.#watcher.close();
    for (const socket of this.#browsers) socket.terminate();
    binding.remove(this.#graph);
  }
}

module.exports = { DevelopmentPages };
