// rolldown's fixtures with `rusk build`: each that rolldown runs is bundled as it says, as it is
// and minified, and its own test, or the bundle alone, is run by node. Arguments: a checkout of
// rolldown, rusk, parts of names. Prints the counts as JSON, failures with SHOW=1. Left out:
// fixtures of rolldown's messages, and of options that rusk does not have.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, extname, join, relative } from 'node:path';

const [checkout, rusk, ...wanted] = process.argv.slice(2);
const top = mkdtempSync(join(tmpdir(), 'rusk-rolldown-'));
const counts = { passed: 0, failed: 0, leftOut: {}, failures: [] };

/** Options that say nothing of what a program does, or that are those of `rusk build` anyway. */
const IGNORED = new Set(['treeshake', 'optimization', 'tsconfig', 'legalComments', 'comments', 'generatedCode',
  'minifyInternalExports', 'preserveEntrySignatures', 'strictExecutionOrder', 'esModule', 'checks', 'topLevelVar',
  'sourcemap', 'dir', 'entryFilenames', 'chunkFilenames', 'assetFilenames', 'name', 'exports', 'strict', 'codeSplitting']);
const LOADERS = new Set(['js', 'jsx', 'ts', 'tsx', 'json', 'text', 'dataurl', 'base64', 'css']);

/** rolldown leaves modules of node in bundles for browsers. */
const BUILTINS = ['node:*', ...builtinModules].map((name) => `--external=${name}`);
/** What rolldown's own runner adds. */
const ASSERT = `--import=data:text/javascript,${encodeURIComponent("import assert from 'node:assert'; globalThis.assert = assert;")}`;

/** JSON with comments and commas at the end. */
const parse = (text) => JSON.parse(text
  .replace(/("(?:\\.|[^"\\])*")|\/\/.*|\/\*[\s\S]*?\*\//g, (_, string) => string ?? '')
  .replace(/,(\s*[}\]])/g, '$1'));

/** The arguments of a fixture, or why it is left out. */
function translate({ config = {}, expectExecuted = true, expectError }, directory) {
  if (expectError) return 'messages';
  if (!expectExecuted) return 'not run by rolldown';
  if (/(^|\/)\./.test(directory.slice(top.length))) return 'disabled by rolldown';
  const test = join(directory, '_test.mjs');
  if (existsSync(test) && /\b(readFileSync|readdirSync|readFile|readdir)\b/.test(readFileSync(test, 'utf8'))) return 'tests of the text of the output';
  const entries = config.input ?? [{ name: 'main', import: './main.js' }];
  if (new Set(entries.map((entry) => entry.name)).size < entries.length) return 'names of entry points';
  const platform = config.platform ?? (config.format === 'cjs' ? 'node' : 'browser');
  if (!['browser', 'node'].includes(platform)) return 'platform';
  const words = ['build', '--outdir=dist', `--target=${platform}`];
  if (platform === 'browser') words.push(...BUILTINS);
  for (const [key, value] of Object.entries(config)) {
    if (key === 'input' || key === 'platform' || IGNORED.has(key)) continue;
    else if (key === 'format' && ['esm', 'cjs', 'iife'].includes(value)) words.push(`--format=${value}`);
    else if (key === 'external' && Array.isArray(value)) value.forEach((name) => words.push(`--external=${name}`));
    else if (key === 'define') Object.entries(value).forEach(([name, text]) => words.push(`--define=${name}=${text}`));
    else if (key === 'minify') words.push(...(value === true ? ['--minify'] : []));
    else if (key === 'keepNames') words.push(...(value ? ['--keep-names'] : []));
    else if ((key === 'banner' || key === 'footer') && typeof value === 'string') words.push(`--${key}=${value}`);
    else if (key === 'resolve' && Object.keys(value).join() === 'conditionNames') value.conditionNames.forEach((name) => words.push(`--conditions=${name}`));
    else if (key === 'moduleTypes' && Object.values(value).every((loader) => LOADERS.has(loader))) {
      Object.entries(value).forEach(([extension, loader]) => words.push(`--loader=.${extension.replace(/^\./, '')}:${loader}`));
    } else return key;
  }
  if (config.format === undefined || config.format === 'esm') words.push('--splitting');
  const names = [];
  for (const entry of entries) {
    const path = ['', '.js', '.ts', '.tsx', '.jsx', '/index.js'].map((end) => entry.import + end)
      .find((one) => existsSync(join(directory, one)) && extname(one));
    if (path === undefined) return 'entry points that are no files';
    const stem = basename(path, extname(path));
    if (entry.name !== undefined && entry.name !== null && entry.name !== stem && entries.length > 1) return 'names of entry points';
    names.push(entry.name ?? stem);
    words.push(path.startsWith('.') ? path : `./${path}`);
  }
  words.push(`--entry-naming=${entries.length > 1 ? '[name]' : names[0]}.js`);
  return { words, outputs: names.map((name) => `./dist/${name}.js`) };
}

/** What went wrong, or undefined. */
function check(directory, { words, outputs }, more) {
  rmSync(join(directory, 'dist'), { recursive: true, force: true });
  const options = { cwd: directory, encoding: 'utf8', timeout: 30_000 };
  const built = spawnSync(rusk, [...words, ...more], { ...options, env: { ...process.env, NODE_ENV: '', NO_COLOR: '1' } });
  if (built.status !== 0) return `${built.stderr || built.signal}`;
  const test = join(directory, '_test.mjs');
  if (!existsSync(test)) writeFileSync(test, outputs.map((path) => `await import(${JSON.stringify(path)});\n`).join(''));
  const ended = spawnSync(process.execPath, [ASSERT, '_test.mjs'], options);
  return ended.status === 0 ? undefined : `${ended.stderr || ended.signal}`;
}

cpSync(join(checkout, 'crates/rolldown/tests'), top, { recursive: true, verbatimSymlinks: true });
const files = readdirSync(top, { recursive: true }).filter((path) => basename(path) === '_config.json').sort();
for (const file of files) {
  const directory = join(top, dirname(file));
  const name = relative(top, directory);
  if (wanted.length > 0 && !wanted.some((part) => name.includes(part))) continue;
  const plan = translate(parse(readFileSync(join(top, file), 'utf8')), directory);
  if (typeof plan === 'string') {
    counts.leftOut[plan] = (counts.leftOut[plan] ?? 0) + 1;
    continue;
  }
  for (const [way, more] of [['', []], [' (minified)', ['--minify']]]) {
    const failure = check(directory, plan, more);
    counts[failure === undefined ? 'passed' : 'failed']++;
    if (failure === undefined) continue;
    counts.failures.push(`${name}${way}`);
    if (process.env.SHOW) process.stderr.write(`== ${name}${way}\n${failure.trim().slice(0, 1500)}\n\n`);
  }
}
rmSync(top, { recursive: true, force: true });
console.log(JSON.stringify(counts));
