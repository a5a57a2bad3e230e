// bun's bundler tests with `rusk build`: bun runs them, BUN_EXE is rusk, and again with bun itself.
// Arguments: a checkout of bun, rusk, a directory with the packages that the harness imports, bun.
// Prints the counts as JSON, the output of failures with SHOW=1. Left out: tests that bun marks as
// not done, and those that fail with bun, too.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';

const [checkout, rusk, packages, bun] = process.argv.slice(2);
const top = mkdtempSync(join(tmpdir(), 'rusk-bun-bundler-'));
const COPIED = ['bundler', 'harness.ts', 'preload.ts', 'tsconfig.json', 'package.json'];
/** They call `Bun.build` of the program that runs the tests, or need the network. */
const OTHERS = ['bun-build-api', 'bundler_plugin', 'bundler_npm', 'bundler_compile', 'cli'];

/** The result of each test of a file, and its output. */
function run(file, program) {
  const env = { ...process.env, BUN_EXE: program, BUN_BUNDLER_TEST_HIDE_SKIP: '1', NO_COLOR: '1', FORCE_COLOR: '0' };
  env.PATH = `${dirname(bun)}:${dirname(process.execPath)}:${env.PATH}`;
  const ended = spawnSync(bun, ['test', `./${file}`], { cwd: top, encoding: 'utf8', timeout: 300_000, maxBuffer: 1 << 28, env });
  const results = new Map();
  let from = 0;
  const output = ended.stdout + ended.stderr;
  for (const match of output.matchAll(/^\((pass|fail|todo|skip)\) (.*?)(?: \[[\d.]+ms\])?$/gm)) {
    const [, result, name] = match;
    // The summary repeats failures.
    if (!results.has(name)) results.set(name, { result, output: output.slice(from, match.index) });
    from = match.index + match[0].length;
  }
  return results;
}

for (const path of COPIED) cpSync(join(checkout, 'test', path), join(top, path), { recursive: true });
mkdirSync(join(top, 'node_modules'));
for (const name of readdirSync(packages)) if (!name.startsWith('.')) symlinkSync(join(packages, name), join(top, 'node_modules', name));
const files = readdirSync(join(top, 'bundler'), { recursive: true }).filter((path) => path.endsWith('.test.ts'));
const counts = { passed: 0, failed: 0, leftOut: {}, failures: [] };
for (const path of files.filter((file) => !OTHERS.includes(basename(file, '.test.ts'))).sort()) {
  const expected = run(join('bundler', path), bun);
  for (const [name, { result, output }] of run(join('bundler', path), rusk)) {
    const known = expected.get(name)?.result;
    const reason = result === 'pass' || known === 'pass' ? undefined : known === 'fail' ? 'fail with bun' : 'marked by bun';
    if (reason !== undefined) {
      counts.leftOut[reason] = (counts.leftOut[reason] ?? 0) + 1;
      continue;
    }
    counts[result === 'pass' ? 'passed' : 'failed']++;
    if (result === 'pass') continue;
    counts.failures.push(name.replace('bundler > ', ''));
    if (process.env.SHOW) process.stderr.write(`== ${name}\n${output.trim().slice(-1500)}\n\n`);
  }
}
rmSync(top, { recursive: true, force: true });
console.log(JSON.stringify(counts));
