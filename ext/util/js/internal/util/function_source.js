// Source text of transpiled functions: programs send functions as strings to browsers and workers.
// In: the engine's text. Out: equivalent code without the transpiler's helpers, see
// crates/transpile. Absent: local names of imports; the original TypeScript.
'use strict';

/** Transpiled code and its replacement, applied in this order. `P` is the helpers' prefix. */
const REPLACEMENTS = [
  [/P\.after\((?:Pc\d+=)?P\.save\(/g, 'await'],
  [/\),await P\.load\(\)(?:,Pc\d+=P)?\)/g, ''],
  [/\{let Pc\d+=P;/g, ''],
  [/Pc\d+=P\.recover\(Pc\d+\);/g, ''],
  [/ P\.resolve\(\)/g, ''],
  [/(?:\/\*P\*\/)?P\.(?:bind|resolve|each)\((?:\/\*P,\*\/\()?/g, ''],
  [/(?:\/\*P,\*\/\))?\/\*P\*\/[)}]/g, ''],
  [/P\.(import|source|defer)\(/g, (_, word) => (word === 'import' ? 'import(' : `import.${word}(`)],
  [/P\.meta\b/g, 'import.meta'],
  [/Parguments\b/g, 'arguments'],
  [/\/\*P\*\/: P\d*\.[\w$]+/g, ''],
  [/(?:\/\*P\*\/;)?\(0,P\d+\.([\w$]+)\)/g, '$1'],
  [/P\d+\.([\w$]+)/g, '$1'],
].map(([pattern, replacement]) => [new RegExp(pattern.source.replaceAll('P', '\\$r[\\d_]*'), 'g'), replacement]);

module.exports = function restore(text) {
  return REPLACEMENTS.reduce((changed, [pattern, replacement]) => changed.replace(pattern, replacement), text);
};
