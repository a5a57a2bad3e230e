// Plugins of a server's pages: `[serve.static] plugins` of bunfig.toml. In: names of modules. Out:
// the number by which the binding knows them. Absent: `onStart` and `onEnd`, for there is no build
// that begins and ends.
'use strict';

class ServerPlugins {
  #names;
  #started;
  #handle;

  constructor() {
    const { plugins } = require('internal/dev_server/constants').settings();
    this.#names = [plugins ?? []].flat();
  }

  get isEmpty() { return this.#names.length === 0; }

  /** `undefined`: there are none. */
  get number() { return this.#handle?.number; }

  start() { return this.#started ??= this.#start(); }

  async #start() {
    if (this.isEmpty) return;
    const { BuildPlugins } = require('internal/bundler/plugins');
    const plugins = new BuildPlugins({});
    await plugins.setUp(await Promise.all(this.#names.map(load)));
    const events = {
      __proto__: null,
      resolve: (request, filters, path, importer, namespace, resolveDir, kind) => {
        plugins.resolve(this.#handle, request, filters, { path, importer, namespace, resolveDir, kind });
      },
      load: (request, filters, path, namespace, loader) => { plugins.load(this.#handle, request, filters, { path, namespace, loader }); },
      idle: () => { plugins.idle(this.#handle); },
      done() {},
    };
    const { serverPlugins } = internalBinding('bundler');
    this.#handle = serverPlugins(JSON.stringify(plugins.filters()), (kind, ...values) => { events[kind](...values); });
  }

  close() { this.#handle?.close(); }
}

/** The plugin that a module exports. */
async function load(name) {
  const { importDynamic } = require('internal/esm');
  const directory = require('process').cwd();
  const file = require('internal/bun/environment').resolveSync(name, directory);
  const { default: plugin } = await importDynamic(require('internal/modules/file_url').toUrl(file), `${directory}/`, undefined);
  const { checkPlugin } = require('internal/bundler/rollup_plugin');
  checkPlugin(plugin);
  return plugin;
}

module.exports = { ServerPlugins };
