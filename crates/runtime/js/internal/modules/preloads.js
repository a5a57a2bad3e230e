// What is loaded before the program. In: words by turns, what to do and a name: `require`,
// `either`, `loader`, `import`. Out: all of it has run, and what is to follow was called: at once
// where nothing awaits. As in Node what is required comes first, then hooks, then what is imported.
// Absent: the program.
'use strict';

const loader = internalBinding('loader');

function run(words, then) {
  const steps = [];
  for (let index = 0; index < words.length; index += 2) steps.push([words[index], words[index + 1]]);
  const named = (kind) => steps.filter((step) => step[0] === kind).map((step) => step[1]);
  const first = steps.filter(([kind]) => kind === 'require' || kind === 'either');
  return requireAll(first, 0, () => {
    const hooks = named('loader');
    if (hooks.length > 0) registerAll(hooks);
    return importAll(named('import'), 0, then);
  });
}

/** One after the other, as they stand. */
function requireAll(steps, index, then) {
  if (index === steps.length) return then();
  const [kind, name] = steps[index];
  const Module = require('module');
  const next = () => requireAll(steps, index + 1, then);
  const found = kind === 'either' ? Module._resolveFilename(pathOf(name), Module.preloader()) : undefined;
  // Others than files are no modules that await.
  if (found?.[0] === '/') return importOne(require('internal/modules/file_url').toUrl(found), next);
  Module._preloadModules([name]);
  return next();
}

function pathOf(name) { return name.startsWith('file:') ? require('internal/modules/file_url').toPath(name) ?? name : name; }

function registerAll(names) {
  tellOfHooks(names);
  const { register } = require('internal/esm/hooks_thread');
  const folder = require('internal/modules/file_url').toUrl(`${loader.currentDir()}/`);
  for (const name of names) register(name, folder);
}

function tellOfHooks(names) {
  const calls = names.map((name) => `register(${JSON.stringify(name)}, pathToFileURL("./"));`).join(' ');
  const text = `import { register } from "node:module"; import { pathToFileURL } from "node:url"; ${calls}`;
  require('internal/process/warning').emitWarning(
    `\`--experimental-loader\` may be removed in the future; instead use \`register()\`:\n--import 'data:text/javascript,${encodeURI(text)}'`,
    'ExperimentalWarning',
  );
}

/** One after the other. */
function importAll(names, index, then) {
  if (index === names.length) return then();
  return importOne(names[index], () => importAll(names, index + 1, then));
}

function importOne(specifier, then) { return require('internal/esm').run(specifier, `${loader.currentDir()}/[preload]`, then); }

module.exports = { run };
