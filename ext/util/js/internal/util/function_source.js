// Source text of transpiled functions: programs send functions as strings to browsers and workers.
// In: the engine's text. Out: equivalent code without the transpiler's helpers, see
// crates/transpile. Absent: the original TypeScript.
'use strict';

/** A property of the helpers, or of imports; its comment has what the program has instead. */
const READ = /P\d*(?:\.meta)?\[\/\*P:([^*]*)\*\/"(?:[^"\\]|\\.)*"\]/.source;
/** The same without a comment: the program has the property's name. */
const PLAIN = /P\d*\.[\w$]+/.source;
/** Before a call without receiver: the statement before it may lack a semicolon. */
const SEMICOLON = /(?:\/\*P\*\/;)?/.source;

/** Transpiled code and its replacement, applied in this order. `P` is the helpers' prefix. */
const REPLACEMENTS = [
  [/P\.after\((?:Pc\d+=)?P\.save\(/g, 'await'],
  [/\),await P\.load\(\)(?:,Pc\d+=P)?\)/g, ''],
  [/\{let Pc\d+=P;/g, ''],
  [/Pc\d+=P\.recover\(Pc\d+\);/g, ''],
  [/ P\.resolve\(\)/g, ''],
  [/(?:\/\*P\*\/)?P\.(?:bind|resolve|each)\((?:\/\*P,\*\/\()?/g, ''],
  [/(?:\/\*P,\*\/\))?\/\*P\*\/[)}]/g, ''],
  [new RegExp(`\\/\\*P\\*\\/: (?:${READ}|${PLAIN})`), ''],
  [new RegExp(`${SEMICOLON}\\(0,${READ}\\)`), '$1'],
  [new RegExp(READ), '$1'],
  [/P\.(import|source|defer)\(/g, (_, word) => (word === 'import' ? 'import(' : `import.${word}(`)],
  [/P\.meta\b/g, 'import.meta'],
  [/Parguments\b/g, 'arguments'],
  [/ Pdefault(?=\()/g, ''],
  [new RegExp(`${SEMICOLON}\\(0,P\\d+\\.([\\w$]+)\\)`), '$1'],
  [/P\d+\.([\w$]+)/g, '$1'],
].map(([pattern, replacement]) => [new RegExp(pattern.source.replaceAll('P', '\\$r[\\d_]*'), 'g'), replacement]);

module.exports = function restore(text) {
  return REPLACEMENTS.reduce((changed, [pattern, replacement]) => changed.replace(pattern, replacement), text);
};
