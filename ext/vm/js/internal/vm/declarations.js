// Names that scripts of a context declare: one of `let`, `const` or a class is nobody else's. In: a
// script that is to run. Out: the names that become properties; an error where a name is taken.
// Absent: two of `let`, `const` or classes, and what no context is around: the engine refuses those
// itself.
'use strict';

const { check, declared } = internalBinding('vm');

const WORDS = /\b(?:var|function|let|const|class)\b/;

/** What was asked last: one script is run in many contexts. */
let last = { source: undefined };

function declaredBy(source) {
  if (last.source !== source) {
    const [variables, functions, lexical] = declared(source);
    last = { source, properties: [...functions, ...variables], lexical };
  }
  return last;
}

class Declarations {
  #properties = new Set();
  #lexical = new Set();

  /** `evaluate` runs a text that does not parse in the context, whose error that is to be. */
  begin(source, name, line, evaluate) {
    if (!WORDS.test(source)) return [];
    const { properties, lexical } = declaredBy(source);
    const again = lexical.find((key) => this.#properties.has(key));
    if (again !== undefined) refuse(`var ${again};`, source, name, line, evaluate);
    const hidden = properties.find((key) => this.#lexical.has(key));
    if (hidden !== undefined) refuse(`let ${hidden};`, source, name, line, evaluate);
    for (const key of properties) this.#properties.add(key);
    for (const key of lexical) this.#lexical.add(key);
    return properties;
  }
}

/** Together with the declaration that was there first, the text does not parse. */
function refuse(declaration, source, name, line, evaluate) {
  const whole = `${declaration}${source}`;
  try {
    check(whole, name, line);
  } catch {
    try {
      evaluate(whole);
    } catch (error) {
      // As in Node, it is the script as a whole that is refused.
      const { lineAt } = require('internal/stack/shown');
      Reflect.set(error, 'stack', `${lineAt(`${name}:${line}`, source.split(/\r?\n/, 1)[0], '', 1)}\n${error.stack}`);
      throw error;
    }
  }
}

module.exports = { Declarations };
