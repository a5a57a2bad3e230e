// Strings whose declarations are global, and what their `import()` is: `-e`, `-p`, standard input,
// scripts of `node:vm`. In: a text. Out: the text that the engine is to have in its place. Absent:
// who evaluates it.
'use strict';

const loader = internalBinding('loader');

/**
 * Names of ours that stand in such strings begin so; no two scripts share one, for a script's stay
 * as long as the global object.
 */
const PREFIX = '$r';
let count = 0;

/**
 * What a text is: [text, the name of its own object or undefined]; undefined: it is a module, which
 * waits under `path`.
 * @param given 'script' (JavaScript for certain), 'commonjs', 'module', or '': the text says it
 */
function prepare(source, name, path, given) {
  return loader.prepareScript(source, name, path, given, `${PREFIX}${++count}_`);
}

/**
 * Gives a script its own object, where it has a name for one. `evaluate`: into the same global
 * names.
 */
function provide(evaluate, name, own) {
  if (name !== undefined) evaluate(`let ${name}; (own) => { ${name} = own; }`)(own);
}

module.exports = { prepare, provide };
