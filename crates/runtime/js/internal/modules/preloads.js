// Preloaded modules (`--require`, `--preload`, `--loader`, `--import`). In: kinds and names
// alternately; kinds are `internal` (a module of the runtime), `require`, `either`, `loader`,
// `import`. Out: all modules were evaluated and the continuation was called, synchronously unless
// one awaits. The order is Node's: requires, hooks, imports. Absent: the main program.
'use strict';

const loader = internalBinding('loader');

function run(flags, then) {
  const steps = [];
  for (let index = 0; index < flags.length; index += 2) steps.push([flags[index], flags[index + 1]]);
  const named = (kind) => steps.filter((step) => step[0] === kind).map((step) => step[1]);
  for (const name of named('internal')) require(name);
  const required = steps.filter(([kind]) => kind === 'require' || kind === 'either');
  return requireAll(required, 0, () => {
    const hooks = named('loader');
    if (hooks.length > 0) registerAll(hooks);
    return importAll(named('import'), 0, then);
  });
}

/** Requires them in sequence. */
function requireAll(steps, index, then) {
  if (index === steps.length) return then();
  const [kind, name] = steps[index];
  const Module = require('module');
  const next = () => requireAll(steps, index + 1, then);
  const filename = kind === 'either' ? Module._resolveFilename(pathOf(name), Module.preloader()) : undefined;
  // Only files can be ES modules that await.
  if (filename?.[0] === '/') return importOne(require('internal/modules/file_url').toUrl(filename), next);
  Module._preloadModules([name]);
  return next();
}

function pathOf(name) { return name.startsWith('file:') ? require('internal/modules/file_url').toPath(name) ?? name : name; }

function registerAll(names) {
  warnOfLoaders(names);
  const { register } = require('internal/esm/hooks_thread');
  const directory = require('internal/modules/file_url').toUrl(`${loader.currentDir()}/`);
  for (const name of names) register(name, directory);
}

function warnOfLoaders(names) {
  const calls = names.map((name) => `register(${JSON.stringify(name)}, pathToFileURL("./"));`).join(' ');
  const source = `import { register } from "node:module"; import { pathToFileURL } from "node:url"; ${calls}`;
  require('internal/process/warning').emitWarning(
    `\`--experimental-loader\` may be removed in the future; instead use \`register()\`:\n--import 'data:text/javascript,${encodeURI(source)}'`,
    'ExperimentalWarning',
  );
}

/** Imports them in sequence. */
function importAll(names, index, then) {
  if (index === names.length) return then();
  return importOne(names[index], () => importAll(names, index + 1, then));
}

function importOne(specifier, then) { return require('internal/esm').run(specifier, `${loader.currentDir()}/[preload]`, then); }

module.exports = { run };
