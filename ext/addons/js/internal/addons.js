// Loads native addons (`process.dlopen`, `require` of a `.node` file). In: a module, a path. Out:
// the addon's exports in the module, or an error with Node's code that says what the addon needs.
'use strict';

const { codes, genericNodeError } = require('internal/errors');
const { validateInt32, validateObject } = require('internal/validators');

const binding = internalBinding('addons');

/** `RTLD_LAZY` of dlopen(3), Node's default. */
const LAZY = 1;

let hasBegun = false;

function dlopen(module, filename, flags = LAZY) {
  if (arguments.length < 2) throw new codes.ERR_MISSING_ARGS('module', 'filename');
  if (isDisabled()) {
    throw genericNodeError('Cannot load native addon because loading addons is disabled.', { code: 'ERR_DLOPEN_DISABLED' });
  }
  validateInt32(flags, 'flags');
  validateObject(module, 'module');
  const path = `${filename}`;
  const exports = module.exports;
  validateObject(exports, 'exports', 4 | 2);
  if (!hasBegun) {
    hasBegun = true;
    binding.begin(require('internal/addons/helpers'), require('process').versions.node);
    require('internal/util/externals').addressOf = binding.externalAddress;
    if (require('internal/options').getOptionValue('--report-on-fatalerror')) require('internal/process/report').prepareFatalReport();
  }
  const [outcome, value] = binding.load(path, flags, urlOf(path), exports);
  if (outcome !== 'ok') throw refusal(path, outcome, value);
  if (value !== undefined && value !== exports) module.exports = value;
}

function isDisabled() {
  return require('internal/options').getOptionValue('--addons') === false;
}

function urlOf(path) {
  return require('path').isAbsolute(path) ? require('url').pathToFileURL(path).href : path;
}

/** What a package uses that cannot be loaded, and what can be used instead. */
const ALTERNATIVES = {
  __proto__: null,
  'better-sqlite3': 'use bun:sqlite, whose API is nearly the same, or the package sqlite3',
  canvas: 'use @napi-rs/canvas',
  leveldown: 'use classic-level',
  microtime: 'use process.hrtime.bigint()',
  deasync: 'use Atomics.wait with a worker',
  fibers: 'use async functions',
};

/** What can be done about a package of which no alternative is known. */
const ADVICE = {
  __proto__: null,
  cpp: 'use a release of it, or another package, that is built on Node-API',
  uv: 'run the program with Node, or use a package that does the same without an addon',
  'node-api': 'use an earlier release of it',
  version: 'use an earlier release of it',
};

function refusal(path, kind, value) {
  const code = 'ERR_DLOPEN_FAILED';
  if (kind === 'dlopen') return genericNodeError(value, { code });
  if (kind === 'no-register') return genericNodeError(`Module did not self-register: '${path}'.`, { code });
  const name = packageOf(path);
  const uses = {
    cpp: `the C++ API of V8 and Node (${value})`,
    uv: `functions of libuv that are not here (${value})`,
    'node-api': `functions of Node-API that are not here (${value})`,
    version: `version ${value} of Node-API; 10 is the newest here`,
  }[kind];
  const instead = ALTERNATIVES[name] ?? ADVICE[kind];
  const message = `${path}: the addon ${name === undefined ? '' : `of the package ${name} `}cannot be loaded: it uses ${uses}; ${instead}`;
  warnOnce(path, message);
  return genericNodeError(message, { code });
}

/** The name of the package that a file belongs to. */
function packageOf(path) {
  return /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1];
}

/**
 * Once in a process. Packages often catch the error and print advice of their own, which does not
 * help.
 */
function warnOnce(path, message) {
  if (!binding.isFirstRefusal(path)) return;
  require('process').emitWarning(message, 'AddonWarning');
}

module.exports = { dlopen };
