// Tests of matchers, mocks and snapshots that bun and jest have, under `rusk test`. In: a work
// directory, rusk, and flags: `--bun CHECKOUT`, `--jest CHECKOUT --packages NODE_MODULES`,
// `--oracle BUN`. Out: differences on standard error, one JSON object on standard output. bun's
// tests run beside bun; jest's pass under jest. Absent: the text of jest's messages, as messages
// follow bun's; the reasons of differences (docs/compatibility/test-suites.md).

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

const BUN_TESTS = 'test/js/bun/test';
const JEST_TESTS = 'packages/expect/src/__tests__';
const TEST_FILE = /\.test\.(?:ts|js|tsx)$/;

/** What `../` of jest's tests is here. */
const JEST_INDEX = "import { expect } from 'bun:test';\nexport { expect };\nexport default expect;\n";

/** Matchers of snapshots that only check whether there was an error. */
const JEST_TEXTS = `import { expect } from 'bun:test';
function throws(received) {
  let error = this.promise ? received : undefined;
  try { if (!this.promise) received(); } catch (thrown) { error = thrown; }
  return { pass: error !== undefined, message: () => 'expected an error' };
}
const passes = () => ({ pass: true });
expect.extend({
  toThrowErrorMatchingSnapshot: throws, toThrowErrorMatchingInlineSnapshot: throws,
  toMatchSnapshot: passes, toMatchInlineSnapshot: passes,
});
`;

const ENTITIES = { lt: '<', gt: '>', quot: '"', apos: "'", '#10': ' ', amp: '&' };

function attribute(head, name) {
  const text = new RegExp(`(?:^|\\s)${name}="([^"]*)"`).exec(head)?.[1] ?? '';
  return text.replace(/&(lt|gt|quot|apos|#10|amp);/g, (_, entity) => ENTITIES[entity]).replace(/\s+/g, ' ').trim();
}

/** Reads a JUnit report: whether each test passes. The order of groups differs in the reports. */
function parse(report) {
  const verdicts = new Map();
  for (const part of report.split('<testcase ').slice(1)) {
    const end = part.indexOf('>');
    const head = part.slice(0, end);
    const inside = head.endsWith('/') ? '' : part.slice(end).split('</testcase>')[0];
    if (inside.includes('<skipped')) continue;
    const groups = attribute(head, 'classname').split(' > ').filter((group) => group !== '' && !TEST_FILE.test(group)).sort();
    const name = [...groups, attribute(head, 'name')].join(' > ');
    let free = name;
    for (let number = 2; verdicts.has(free); number++) free = `${name} (${number})`;
    verdicts.set(free, !/<failure|<error/.test(inside));
  }
  return verdicts;
}

function runFile(program, directory, name, flags = []) {
  const report = path.join(directory, 'report.xml');
  fs.rmSync(report, { force: true });
  const { CI, ...env } = process.env;
  const words = ['test', '--reporter=junit', '--reporter-outfile=report.xml', ...flags, `./${name}`];
  spawnSync(program, words, { cwd: directory, env: { ...env, NO_COLOR: '1' }, timeout: 120_000 });
  const text = fs.existsSync(report) ? fs.readFileSync(report, 'utf8') : '';
  const verdicts = parse(text.replaceAll(directory, '[dir]'));
  return verdicts.size > 0 ? verdicts : new Map([['(the file loads)', false]]);
}

const testFiles = (directory) => fs.readdirSync(directory, { recursive: true }).filter((name) => TEST_FILE.test(name) && !name.startsWith('node_modules')).sort();

/** Each program with a copy of its own, as tests write snapshots, at the same path. */
function compareBun({ bun, oracle, rusk }, directory) {
  const run = (program) => {
    fs.rmSync(directory, { recursive: true, force: true });
    fs.cpSync(path.join(bun, BUN_TESTS), directory, { recursive: true });
    fs.writeFileSync(path.join(directory, 'package.json'), '{}\n');
    return new Map(testFiles(directory).map((name) => [name, runFile(program, directory, name)]));
  };
  const theirs = run(oracle);
  const ours = run(rusk);
  return [...theirs].map(([name, verdicts]) => compare('bun', name, verdicts, ours.get(name)));
}

function runJest({ jest, packages, rusk }, directory) {
  fs.rmSync(directory, { recursive: true, force: true });
  fs.cpSync(path.join(jest, JEST_TESTS), path.join(directory, 'src/__tests__'), { recursive: true });
  fs.rmSync(path.join(directory, 'src/__tests__/tsconfig.json'), { force: true });
  fs.writeFileSync(path.join(directory, 'src/index.ts'), JEST_INDEX);
  fs.writeFileSync(path.join(directory, 'texts.ts'), JEST_TEXTS);
  fs.writeFileSync(path.join(directory, 'package.json'), '{}\n');
  fs.symlinkSync(packages, path.join(directory, 'node_modules'));
  return testFiles(path.join(directory, 'src')).map((file) => {
    const name = `src/${file}`;
    const ours = runFile(rusk, directory, name, ['--preload', './texts.ts']);
    return compare('jest', name, new Map([...ours.keys()].map((key) => [key, true])), ours);
  });
}

const passing = (verdicts) => [...verdicts.values()].filter(Boolean).length;

function compare(suite, name, theirs, ours) {
  const differences = [...theirs].filter(([key, passes]) => passes && ours.get(key) !== true).map(([key]) => key);
  console.error(`${suite} ${name}: ${passing(ours)} of ${passing(theirs)} pass`);
  for (const key of differences) console.error(`    ${key}`);
  return [name, { expected: passing(theirs), passed: passing(ours), differences }];
}

function sum(files) {
  const count = (key) => files.reduce((total, [, file]) => total + file[key], 0);
  return { expected: count('expected'), passed: count('passed'), files: Object.fromEntries(files) };
}

const [work, rusk, ...rest] = process.argv.slice(2);
const flags = { rusk: path.resolve(rusk), oracle: 'bun' };
for (let at = 0; at < rest.length; at += 2) flags[rest[at].slice(2)] = path.resolve(rest[at + 1]);
fs.mkdirSync(work, { recursive: true });
const result = { date: new Date().toISOString().slice(0, 10) };
if (flags.bun !== undefined) result.bun = sum(compareBun(flags, path.join(work, 'bun')));
if (flags.jest !== undefined) result.jest = sum(runJest(flags, path.join(work, 'jest')));
console.log(JSON.stringify(result, null, 2));
