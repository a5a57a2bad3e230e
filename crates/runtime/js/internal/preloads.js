// What is loaded before the program. In: words by turns, what to do and a name: `require`, `loader`, `import`. Out: all of it has run, and what is to follow was called:
// at once where nothing awaits. As in Node what is required comes first, then hooks, then what is imported. Absent: the program.
'use strict';

const loader = native('loader');

function run(words, then) {
  const named = (kind) => words.filter((_, index) => index % 2 === 1 && words[index - 1] === kind);
  const required = named('require');
  if (required.length > 0) require('module')._preloadModules(required);
  const hooks = named('loader');
  if (hooks.length > 0) registerAll(hooks);
  return importAll(named('import'), 0, then);
}

function registerAll(names) {
  tellOfHooks(names);
  const { register } = require('internal/esm/hooks_thread');
  const folder = require('internal/module_url').toUrl(`${loader.currentDir()}/`);
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
  return require('internal/esm').run(names[index], `${loader.currentDir()}/[preload]`, () => importAll(names, index + 1, then));
}

module.exports = { run };
