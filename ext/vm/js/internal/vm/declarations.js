// Global declarations of a context's scripts: a name of `let`, `const` or a class can be declared
// once. In: a script that is to run. Out: the names that become properties; an error where a name
// is declared already. Absent: two lexical declarations of one name, and scripts without a context:
// the engine rejects those itself.
'use strict';

const { checkSyntax, globalDeclarations } = internalBinding('vm');

const KEYWORDS = /\b(?:var|function|let|const|class)\b/;

/** The last result: a script often runs in many contexts. */
let last = { source: undefined };

function declarationsOf(source) {
  if (last.source !== source) {
    const [variables, functions, lexical] = globalDeclarations(source);
    last = { source, properties: [...functions, ...variables], lexical };
  }
  return last;
}

class Declarations {
  #properties = new Set();
  #lexical = new Set();

  /**
   * Adds those of a script. `evaluate` evaluates a source with a syntax error in the context, so
   * that the error is the context's.
   */
  add(source, name, line, evaluate) {
    if (!KEYWORDS.test(source)) return [];
    const { properties, lexical } = declarationsOf(source);
    const redeclared = lexical.find((key) => this.#properties.has(key));
    if (redeclared !== undefined) throwRedeclared(`var ${redeclared};`, source, name, line, evaluate);
    const shadowed = properties.find((key) => this.#lexical.has(key));
    if (shadowed !== undefined) throwRedeclared(`let ${shadowed};`, source, name, line, evaluate);
    for (const key of properties) this.#properties.add(key);
    for (const key of lexical) this.#lexical.add(key);
    return properties;
  }
}

/** The source together with the first declaration has the wanted syntax error. */
function throwRedeclared(declaration, source, name, line, evaluate) {
  const combined = `${declaration}${source}`;
  try {
    checkSyntax(combined, name, line);
  } catch {
    try {
      evaluate(combined);
    } catch (error) {
      // In Node the error's position is the script's begin.
      const { arrowMessage } = require('internal/stack/engine_errors');
      Reflect.set(error, 'stack', `${arrowMessage(`${name}:${line}`, source.split(/\r?\n/, 1)[0], '', 1)}\n${error.stack}`);
      throw error;
    }
  }
}

module.exports = { Declarations };
