// Transpilation of global scripts (`--eval`, `--print`, standard input, `vm.Script`), whose
// declarations are global and whose `import()` needs a runtime object. In: source text. Out: the
// source for the engine. Absent: evaluation.
'use strict';

const loader = internalBinding('loader');

/**
 * Prefix of generated names. Each script has its own, because global declarations live as long as
 * the global object.
 */
const PREFIX = '$r';
let count = 0;

/**
 * [source, the name of its runtime object or undefined]; undefined: an ES module, which the loader
 * stores under `path`.
 * @param format 'script' (certainly JavaScript), 'commonjs', 'module', or '': by its syntax
 */
function prepare(source, name, path, format) {
  return loader.prepareScript(source, name, path, format, `${PREFIX}${++count}_`);
}

/**
 * Declares the runtime object of a script under `name`, if it uses one. `evaluate` evaluates in the
 * script's global scope.
 */
function provide(evaluate, name, runtime) {
  if (name !== undefined) evaluate(`let ${name}; (runtime) => { ${name} = runtime; }`)(runtime);
}

module.exports = { prepare, provide };
