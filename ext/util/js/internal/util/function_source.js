// What a function's text was before it was transpiled: programs send strings of functions to
// browsers and workers. In: the text that the engine has. Out: one that says the same and names
// nothing of ours, see crates/transpile. Absent: local names of imports; what TypeScript looked
// like.
'use strict';

/**
 * What stands in changed strings, and what stood there, in the order in which it is looked for. `P`
 * is the prefix.
 */
const CHANGES = [
  [/P\.after\((?:Pc\d+=)?P\.note\(/g, 'await'],
  [/\),await P\.noted\(\)(?:,Pc\d+=P)?\)/g, ''],
  [/\{let Pc\d+=P;/g, ''],
  [/Pc\d+=P\.recover\(Pc\d+\);/g, ''],
  [/ P\.held\(\)/g, ''],
  [/(?:\/\*P\*\/)?P\.(?:given|held|each)\((?:\/\*P,\*\/\()?/g, ''],
  [/(?:\/\*P,\*\/\))?\/\*P\*\/[)}]/g, ''],
  [/P\.(import|source|defer)\(/g, (_, word) => (word === 'import' ? 'import(' : `import.${word}(`)],
  [/P\.meta\b/g, 'import.meta'],
  [/Parguments\b/g, 'arguments'],
  [/\/\*P\*\/: P\d*\.[\w$]+/g, ''],
  [/(?:\/\*P\*\/;)?\(0,P\d+\.([\w$]+)\)/g, '$1'],
  [/P\d+\.([\w$]+)/g, '$1'],
].map(([pattern, stood]) => [new RegExp(pattern.source.replaceAll('P', '\\$r[\\d_]*'), 'g'), stood]);

module.exports = function restore(text) {
  return CHANGES.reduce((changed, [pattern, stood]) => changed.replace(pattern, stood), text);
};
