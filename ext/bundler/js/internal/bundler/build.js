// `Bun.build`. In: options with plugins. Out: a promise of the outputs and messages; an
// AggregateError of the messages if the build failed. The bundler runs on its own threads and
// asks the plugins by events.
'use strict';

const binding = internalBinding('bundler');
const { invalidArgType } = require('internal/bun/environment');
const { artifactsOf } = require('internal/bundler/artifact');
const { BuildPlugins } = require('internal/bundler/plugins');
const { messageOf } = require('internal/bundler/messages');
const { memoryFiles, normalize } = require('internal/bundler/options');

/** Builds with plugins, by what gives up on plugins that never answer. */
const running = new Set();

function onBeforeExit() {
  for (const giveUp of running) giveUp();
}

function build(config) {
  if (typeof config !== 'object' || config === null) throw invalidArgType('Expected a config object to be passed to Bun.build');
  // Options are checked before the call returns.
  normalize(config);
  const list = pluginsOf(config);
  const plugins = new BuildPlugins(config);
  return run(config, plugins, plugins.setUp(list));
}

function pluginsOf({ plugins }) {
  if (plugins === undefined || plugins === null) return [];
  if (!Array.isArray(plugins)) throw invalidArgType('plugins must be an array');
  for (const plugin of plugins.flat(Infinity)) require('internal/bundler/rollup_plugin').checkPlugin(plugin);
  return plugins.flat(Infinity).filter(Boolean);
}

async function run(own, plugins, isSetUp) {
  await isSetUp;
  try {
    return await runSetUp(own, plugins);
  } finally {
    await plugins.dispose();
  }
}

async function runSetUp(own, plugins) {
  // `setup` may have changed options.
  const options = normalize(own);
  const files = await memoryFiles(own.files);
  const { resolve } = require('path');
  for (let index = 0; index < files.length; index += 2) plugins.files.set(resolve(files[index]), files[index + 1]);
  await plugins.start();
  const result = await bundle({ ...options, ...plugins.filters() }, files, plugins);
  if (plugins.output !== undefined) await runOutputHooks(plugins.output, result, options);
  const metafile = result.metafile === undefined ? undefined : fromOutdir(JSON.parse(result.metafile), own);
  const output = outputOf({ ...result, metafile }, options);
  await writeMetafile(own.outdir, typeof own.metafile === 'string' ? own.metafile : own.metafile?.json, metafile && JSON.stringify(metafile));
  await writeMetafile(own.outdir, own.metafile?.markdown, result.markdown);
  const failures = await plugins.end(output);
  if (failures.length > 0) output.success = false;
  for (const message of failures) output.logs.push(messageOf(['build-plugin', message, []], 'error'));
  if (!output.success && own.throw !== false) throw new AggregateError(output.logs.filter(({ level }) => level === 'error'), 'Bundle failed');
  return output;
}

/** The metafile with names of outputs as in Bun: from the directory of the output. */
function fromOutdir(metafile, { outdir, naming }) {
  const { relative, resolve } = require('path');
  const nameOf = (file) => {
    const name = relative(outdir ?? '.', resolve(file));
    return name[0] === '.' || (naming === undefined && name.includes('/')) ? name : `./${name}`;
  };
  const rename = ({ cssBundle, imports, ...output }) => ({
    ...output,
    imports: imports.map((one) => (Object.hasOwn(metafile.outputs, one.path) ? { ...one, path: nameOf(one.path) } : one)),
    ...(cssBundle !== undefined && { cssBundle: nameOf(cssBundle) }),
  });
  return { ...metafile, outputs: Object.fromEntries(Object.entries(metafile.outputs).map(([file, output]) => [nameOf(file), rename(output)])) };
}

/** What a hook throws is an error of the build. */
async function runOutputHooks(hooks, result, options) {
  try {
    if (result.errors.length > 0 || options.compile !== undefined) await hooks.close();
    else await hooks.run(result.files, options);
  } catch (error) {
    const plugin = error?.plugin === undefined ? '' : `plugin \`${error.plugin}\`: `;
    result.errors.push(['build-plugin', `${plugin}${error?.message ?? String(error)}`, []]);
  }
}

/** A metafile with a path is written, too. */
async function writeMetafile(outdir, path, text) {
  if (typeof path !== 'string' || text === undefined) return;
  const fs = require('fs/promises');
  const { dirname, resolve } = require('path');
  const file = resolve(outdir ?? '.', path);
  await fs.mkdir(dirname(file), { recursive: true });
  await fs.writeFile(file, text);
}

function outputOf({ files, errors, warnings, metafile }, { entrypoints }) {
  const logs = [...errors.map((parts) => messageOf(parts, 'error')), ...warnings.map((parts) => messageOf(parts, 'warning'))];
  const output = { outputs: artifactsOf(files, entrypoints), success: errors.length === 0, logs };
  if (metafile !== undefined) output.metafile = metafile;
  return output;
}

/** Runs the bundler. Out: a promise of its files, errors and warnings. */
function bundle(options, files, plugins) {
  const { promise, resolve } = Promise.withResolvers();
  let handle;
  // The loop is kept alive by what the plugins wait for, not by the build that waits for them.
  const onIdle = () => {
    if (plugins.idle(handle)) handle.setRef(false);
  };
  const answered = () => handle.setRef(true);
  const giveUp = () => {
    if (!plugins.idle(handle)) return;
    plugins.giveUp(handle);
    answered();
  };
  const events = {
    __proto__: null,
    resolve(request, filters, path, importer, namespace, resolveDir, kind) {
      plugins.resolve(handle, request, filters, { path, importer, namespace, resolveDir, kind }).then(answered);
    },
    load(request, filters, path, namespace, loader) {
      plugins.load(handle, request, filters, { path, namespace, loader }).then(answered);
    },
    idle: onIdle,
    done(outputs, errors, warnings, metafile, markdown) {
      running.delete(giveUp);
      if (running.size === 0) process.removeListener('beforeExit', onBeforeExit);
      resolve({ files: outputs, errors, warnings, metafile, markdown });
    },
  };
  if (options.onResolve.length + options.onLoad.length > 0) {
    if (running.size === 0) process.on('beforeExit', onBeforeExit);
    running.add(giveUp);
  }
  handle = binding.start(JSON.stringify(options), files, (kind, ...values) => { events[kind](...values); });
  return promise;
}

module.exports = { build };
