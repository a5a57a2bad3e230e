// Pages of a server in development. In: paths of HTML files, changes of files. Out: responses, and
// messages to the browsers that show a page.
'use strict';

const binding = internalBinding('dev_server');
const { FileWatcher } = require('internal/dev_server/file_watcher');
const { typeOfPath } = require('internal/dev_server/types');
const { performance } = require('perf_hooks');

const ASSET_PREFIX = '/_rusk/asset/';
const WORKER_PREFIX = '/_rusk/worker/';
const PAGE = /^\/_rusk\/page\/(\d+)\.(js|css|js\.map)$/;
const NO_STORE = { 'cache-control': 'no-store' };

class DevelopmentPages {
  #settings;
  #graph;
  /**
   * The last use of the graph, which is locked while it reads files. Plugins answer on this thread,
   * so nothing here may wait for the lock: uses follow each other.
   */
  #queue;
  #constants;
  #plugins;
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

  constructor(settings, constants, plugins, createBrowserSockets, exchangeOf) {
    this.#settings = settings;
    this.#exchangeOf = exchangeOf;
    this.#sockets = createBrowserSockets(this.#handlers());
    this.#constants = constants;
    this.#plugins = plugins;
    this.#queue = this.#create();
    this.#watcher = new FileWatcher((path) => this.#onChange(path));
  }

  async #create() {
    try {
      await this.#plugins.start();
    } catch (error) {
      globalThis.console.error(error);
    }
    this.#graph = binding.create(...this.#options());
  }

  #options() {
    const { availableParallelism } = require('os');
    return [require('process').cwd(), this.#constants, availableParallelism(), this.#plugins.number];
  }

  /** The handler of a route. */
  handlerOf({ index }) {
    return async () => {
      const page = await this.#open(index);
      return this.#use(() => {
        this.#report(page);
        return new Response(binding.html(this.#graph, page), { headers: { 'content-type': 'text/html;charset=utf-8', ...NO_STORE } });
      });
    };
  }

  /** Runs what uses the graph when all that came before is done. */
  #use(run) {
    const result = this.#queue.then(run);
    this.#queue = result.catch(() => {});
    return result;
  }

  #open(path) {
    let page = this.#pages.get(path);
    if (page === undefined) {
      page = this.#use(() => new Promise((resolve) => {
        binding.openPage(this.#graph, path, (number) => {
          this.#watcher.watch(binding.directories(this.#graph));
          resolve(number);
        });
      }));
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
    return this.#use(() => this.#respond(url));
  };

  #respond(url) {
    const page = PAGE.exec(url.pathname);
    if (page !== null && Number(page[1]) < this.#pages.size) return this.#part(Number(page[1]), page[2]);
    if (url.pathname.startsWith(WORKER_PREFIX)) return this.#worker(decodeURIComponent(url.pathname.slice(WORKER_PREFIX.length)));
    if (url.pathname.startsWith(ASSET_PREFIX)) {
      const name = decodeURIComponent(url.pathname.slice(ASSET_PREFIX.length));
      const bytes = binding.asset(this.#graph, name);
      if (bytes !== undefined) return new Response(bytes, { headers: { 'content-type': typeOfPath(name) } });
    }
    return new Response(null, { status: 404 });
  }

  /** The bundle of a worker, made for each request. */
  async #worker(name) {
    const path = binding.workerFile(this.#graph, name);
    if (path === undefined) return new Response(null, { status: 404 });
    const built = await new Promise((resolve) => { binding.buildWorker(path, resolve, ...this.#options()); });
    if (typeof built !== 'string') return new Response(built[1], { headers: { 'content-type': typeOfPath('worker.js'), ...NO_STORE } });
    globalThis.console.error(built);
    return new Response(built, { status: 500, headers: NO_STORE });
  }

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
        this.#use(() => {
          const current = binding.version(this.#graph);
          if (server !== this.#id || Number(version) !== current) socket.send(JSON.stringify({ type: 'reload', version: current }));
        });
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
      const started = performance.now();
      await this.#use(async () => {
        const messages = await new Promise((resolve) => { binding.update(this.#graph, paths, resolve); });
        for (let index = 0; index < messages.length; index += 2) this.#send(messages[index], messages[index + 1]);
        this.#watcher.watch(binding.directories(this.#graph));
        const report = this.#updateReport(paths, messages, performance.now() - started);
        // Messages leave at the end of this turn of the loop. The program that reads the report
        // would delay them, where there are few processors.
        if (report !== '') setImmediate(() => globalThis.console.error(report));
      });
    }
    this.#updating = undefined;
  }

  /** Says that changes were noticed; errors say more. */
  #updateReport(paths, messages, milliseconds) {
    const pages = messages.filter((_, index) => index % 2 === 0);
    if (pages.length === 0 || pages.some((page) => binding.errors(this.#graph, page) !== '')) return '';
    const { basename } = require('path');
    return `Reloaded in ${Math.round(milliseconds)} ms: ${paths.map((path) => basename(path)).join(', ')}`;
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
    this.#plugins.close();
    if (this.#graph !== undefined) binding.remove(this.#graph);
  }
}

module.exports = { DevelopmentPages };
