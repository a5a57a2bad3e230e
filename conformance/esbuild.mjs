// esbuild's end-to-end tests with `rusk build`: flags are translated, and each output is run as the
// test says. Arguments: a checkout of esbuild, rusk. Prints the counts as JSON, failures with
// SHOW=1. Left out: tests of esbuild's own messages, and of flags that rusk does not have.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const [checkout, rusk] = process.argv.slice(2);
const top = mkdtempSync(join(tmpdir(), 'rusk-esbuild-'));
const file = (name, text) => writeFileSync(join(top, name), text);

/** Flags of esbuild as those of rusk; null: there is none. */
const translate = `
const PLAIN = new Set(['--minify', '--minify-syntax', '--minify-whitespace', '--minify-identifiers', '--splitting', '--keep-names']);
const IGNORED = /^--(?:log-level|color|tree-shaking=true|bundle$|charset|legal-comments|target=es(?:next|20(?:2[0-9]|1[6-9]))$|target=node1[0-9]|log-limit|outbase)/;
const NAMED = { 'outfile': 'outfile', 'outdir': 'outdir', 'format': 'format', 'external': 'external', 'conditions': 'conditions', 'public-path': 'public-path', 'metafile': 'metafile', 'jsx-factory': 'jsx-factory', 'jsx-fragment': 'jsx-fragment', 'jsx-import-source': 'jsx-import-source', 'packages': 'packages' };
exports.translate = (words) => {
  const out = words.includes('--bundle') ? [] : ['--no-bundle'];
  if (!words.some((word) => word.startsWith('--platform='))) out.push('--target=browser');
  for (const word of words) {
    const [, name, value] = /^--([\\w-]+)[=:](.*)$/s.exec(word) ?? [];
    if (!word.startsWith('--')) out.push(word);
    else if (PLAIN.has(word)) out.push(word);
    else if (word === '--sourcemap') out.push('--sourcemap=linked');
    else if (name === 'sourcemap' && ['inline', 'external', 'linked'].includes(value)) out.push(word);
    else if (name === 'platform' && ['node', 'browser'].includes(value)) out.push('--target=' + value);
    else if (name === 'define') out.push('--define', value);
    else if (name === 'drop') out.push('--drop', value);
    else if (name === 'loader' && /^\\.\\w+=(?:js|jsx|ts|tsx|json|text|file|dataurl|base64|css|binary)$/.test(value)) out.push('--loader', value.replace('=', ':').replace('binary', 'bytes'));
    else if (name === 'banner' && value.startsWith('js=')) out.push('--banner', value.slice(3));
    else if (name === 'footer' && value.startsWith('js=')) out.push('--footer', value.slice(3));
    else if (name === 'jsx' && value === 'automatic') out.push('--jsx-runtime=automatic');
    else if (name === 'entry-names' || name === 'chunk-names' || name === 'asset-names') out.push('--' + name.replace('names', 'naming') + '=' + value + '.[ext]');
    else if (NAMED[name] !== undefined) out.push('--' + NAMED[name] + '=' + value);
    else if (!IGNORED.test(word)) return { unsupported: word.replace(/[=:].*$/s, '') };
  }
  return { words: out };
};
`;

const adapter = `#!${process.execPath}
const { spawnSync } = require('child_process');
const { translate } = require(${JSON.stringify(join(top, 'translate.js'))});
const { words } = translate(process.argv.slice(2));
const ended = spawnSync(${JSON.stringify(rusk)}, ['build', ...words], { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, NODE_ENV: '', NO_COLOR: '1' } });
if (ended.status !== 0) process.stderr.write(ended.stderr);
process.exit(ended.status ?? 1);
`;

const stub = `
const fs = require('fs');
exports.dirname = ${JSON.stringify(top)};
exports.buildBinary = () => ${JSON.stringify(join(top, 'adapter'))};
exports.removeRecursiveSync = (path) => fs.rmSync(path, { recursive: true, force: true });
exports.writeFileAtomic = (path, text) => fs.writeFileSync(path, text);
const { translate } = require('./translate.js');
const counts = { passed: 0, failed: 0, leftOut: {} };
globalThis.count = (result) => {
  if (typeof result === 'string') counts.leftOut[result] = (counts.leftOut[result] ?? 0) + 1;
  else counts[result ? 'passed' : 'failed']++;
};
globalThis.leftOut = (args, options) => (options && options.expectedStderr ? 'messages' : translate(args).unsupported);
process.on('exit', () => { fs.writeFileSync(${JSON.stringify(join(top, 'counts.json'))}, JSON.stringify(counts)); });
`;

const source = readFileSync(join(checkout, 'scripts/end-to-end-tests.js'), 'utf8');
const replaced = [
  ['function test(args, files, options) {\n  return async () => {', 'function test(args, files, options) {\n  return async () => {\n    const reason = leftOut(args, options); if (reason) return reason;'],
  ['success => { if (!success) allTestsPassed = false }', 'success => { count(success); if (!success) allTestsPassed = false }'],
  ['() => allTestsPassed = false', '() => { count(false); allTestsPassed = false }'],
  ['let batch = 32', 'let batch = 4'],
  ['const seconds = 30', 'const seconds = 1'],
];
let text = source;
for (const [from, to] of replaced) {
  if (!text.includes(from)) throw new Error(`the checkout has no \`${from}\``);
  text = text.replaceAll(from, () => to);
}
// Output to stdout and watch mode are tested by messages.
text = text.replace(/function (testStdout|testWatch\w*)\((.*?)\) \{\n {2}return async \(\) => \{/g, (head, name) => `${head}\n    return '${name}';`);
file('translate.js', translate);
file('adapter', adapter);
file('esbuild.js', stub);
file('tests.js', text);
chmodSync(join(top, 'adapter'), 0o755);
const ended = spawnSync(process.execPath, ['tests.js'], { cwd: top, encoding: 'utf8', maxBuffer: 1 << 28 });
if (process.env.SHOW) process.stderr.write(ended.stderr);
console.log(readFileSync(join(top, 'counts.json'), 'utf8'));
rmSync(top, { recursive: true, force: true });
