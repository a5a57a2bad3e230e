// The same benchmark as src/main.rs, with Node's own resolver. Run with --expose-internals.
// @ts-check
'use strict';
const fs = require('node:fs');
const { createRequire, builtinModules } = require('node:module');
const { pathToFileURL } = require('node:url');
const { defaultResolve } = require('internal/modules/esm/resolve');

process.noDeprecation = true;
const builtins = new Set(builtinModules);
const lines = fs.readFileSync(process.argv[2], 'utf8').split('\n').filter((line) => line !== '');
const questions = lines.map((line) => {
  const [kind, file, ...specifier] = line.split('\t');
  return { kind, file, url: pathToFileURL(file).href, specifier: specifier.join('\t') };
});

const passes = [];
for (let pass = 0; pass < Number(process.argv[3]); pass++) {
  const began = process.hrtime.bigint();
  const found = { files: 0, builtins: 0, failures: 0 };
  for (const { kind, file, url, specifier } of questions) {
    try {
      const answer = kind === 'require'
        ? createRequire(file).resolve(specifier)
        : defaultResolve(specifier, { parentURL: url }).url;
      if (answer.startsWith('file:') || answer.startsWith('/')) found.files++;
      else if (answer.startsWith('node:') || builtins.has(answer)) found.builtins++;
      else found.builtins++;
    } catch {
      found.failures++;
    }
  }
  passes.push({ ns: Number(process.hrtime.bigint() - began), ...found });
}
console.log(JSON.stringify({ passes }));
