// Runs the programs of bun's guides of the test runner unchanged, and asks of the reports what the
// guides say. In: the directory `docs/guides` of the npm package `bun-types`, the program to run
// them with, a node_modules with the packages that the guides add. Out: the second table of
// docs/compatibility/guides.md. Absent: the other guides (guides.mjs).
// Usage: rusk conformance/test-guides.mjs GUIDES PROGRAM NODE_MODULES
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import process from 'node:process';

const [guides, program, packages] = process.argv.slice(2).map((path) => resolve(path));

/** A file with two tests, as the guide of running tests describes it. */
const MATH = `import { test, expect } from "bun:test";
test("add", () => { expect(2 + 2).toEqual(4); });
test("multiply", () => { expect(2 * 2).toEqual(4); });
`;

const FAILING = 'import { test, expect } from "bun:test";\nfor (const n of [1, 2, 3]) test("test " + n, () => { expect(n).toBe(0); });\n';

const COVERED = {
  'math.ts': 'export const add = (a: number, b: number) => {\n  return a + b;\n};\nexport const unused = () => {\n  return 1;\n};\n',
  'math.test.ts': 'import { test, expect } from "bun:test";\nimport { add } from "./math";\ntest("add", () => { expect(add(1, 2)).toBe(3); });\n',
};

const COMPONENT = 'export const MyComponent = () => <div data-testid="my-component">text</div>;\n';

/**
 * Of each guide: what is checked; its files, as text, or as the number of a block of code of the
 * guide; runs, as words of the command line, exit code, what the report has.
 */
const ROWS = [
  ['bail', '`--bail`, `--bail=2`', { 'a.test.ts': FAILING }, [
    ['--bail', 1, /Bailed out after 1 failure/], ['--bail=2', 1, /Bailed out after 2 failures/],
  ]],
  ['concurrent-test-glob', 'files that match run their tests at the same time', {
    'bunfig.toml': 1,
    'tests/unit/math.test.ts': 2,
    'tests/integration/concurrent-api.test.ts': `import { test, expect } from "bun:test";
const order: number[] = [];
test("first", async () => { await Bun.sleep(50); order.push(1); });
test("second", async () => { order.push(2); });
test.serial("both", () => { expect(order).toEqual([2, 1]); });
`,
  }, [['', 0, /5 pass/]]],
  ['coverage', 'a table; `coverage = true`', COVERED, [['--coverage', 0, /% Funcs \| % Lines [^]* math\.ts +\| +50\.00 /]]],
  ['coverage', '`coverage` in bunfig.toml', { ...COVERED, 'bunfig.toml': 2 }, [['', 0, /math\.ts +\| +50\.00 /]]],
  ['coverage-threshold', 'one threshold', { ...COVERED, 'bunfig.toml': 2 }, [['--coverage', 1, /1 pass/]]],
  ['coverage-threshold', 'of lines and functions', { ...COVERED, 'bunfig.toml': 5 }, [['--coverage', 1, /1 pass/]]],
  ['happy-dom', 'happy-dom by a preload', { 'happydom.ts': 1, 'bunfig.toml': 2, 'dom.test.ts': 3 }, [['', 0, /1 pass/]]],
  ['happy-dom', 'jsdom in the place of happy-dom', {
    'bunfig.toml': '[test]\npreload = "./jsdom.ts"\n',
    'jsdom.ts': 'import { JSDOM } from "jsdom";\nconst { window } = new JSDOM("<body></body>");\nObject.assign(globalThis, { window, document: window.document });\n',
    'dom.test.ts': `import { test, expect } from "bun:test";
test("set button text", () => {
  document.body.innerHTML = "<button>My button</button>";
  expect(document.querySelector("button")?.textContent).toEqual("My button");
});
`,
  }, [['', 0, /1 pass/]]],
  ['migrate-from-jest', 'the file, unchanged', { 'a.test.ts': 3 }, [['', 0, /1 pass/]]],
  ['mock-clock', '`setSystemTime`', { 'a.test.ts': 0 }, [['', 0, /1 pass/]]],
  ['mock-clock', 'in a hook', { 'a.test.ts': 'BLOCK1\ntest("year", () => { expect(new Date().getFullYear()).toBe(1999); });\n' }, [['', 0, /1 pass/]]],
  ['mock-clock', 'back to the real time', { 'a.test.ts': 'BLOCK2\ntest("year", () => { expect(new Date().getFullYear()).toBeGreaterThan(2020); });\n' }, [['', 0, /1 pass/]]],
  ['mock-functions', '`mock.calls`, `mock.results`', { 'a.test.ts': 3 }, [['', 0, /1 pass/]]],
  ['rerun-each', '10 times', { 'a.test.ts': MATH }, [['--rerun-each 10', 0, /20 pass/]]],
  ['run-tests', 'all files', { 'test.test.js': MATH, 'test2.test.js': MATH, 'test3.test.js': MATH }, [
    ['', 0, /6 pass[^]*Ran 6 tests across 3 files/], ['test3', 0, /2 pass[^]*across 1 file/], ['-t add', 0, /3 pass[^]*3 filtered out/],
  ]],
  ['run-tests', 'groups', { 'a.test.ts': 5 }, [['', 0, /math > add[^]*2 pass/]]],
  ['skip-tests', '`test.skip`', { 'test.test.ts': 0 }, [['', 0, /0 pass\n 1 skip\n 0 fail/]]],
  ['snapshot', 'written, compared, updated', { 'test/snap.test.ts': 0 }, [
    ['test/snap', 0, /\+1 added|1 snapshot added/], ['', 0, /1 snapshots?, 1 expect/], ['--update-snapshots', 0, /1 pass/],
  ]],
  ['spy-on', 'calls of a method', { 'a.test.ts': 1 }, [['', 0, /Sup I'm Leonardo and I like pizza[^]*1 pass/]]],
  ['svelte-test', 'Svelte by a plugin', { 'svelte-loader.ts': 1, 'bunfig.toml': 2, 'Counter.svelte': 3, 'hello-svelte.test.ts': 4 }, [['', 0, /1 pass/]]],
  ['testing-library', 'React with happy-dom and jest-dom', {
    'happydom.ts': 2, 'testing-library.ts': 3, 'bunfig.toml': 4, 'matchers.d.ts': 5, 'myComponent.test.tsx': 6, 'myComponent.tsx': COMPONENT,
  }, [['', 0, /1 pass/]]],
  ['timeout', '`--timeout`', { 'a.test.ts': 'import { test } from "bun:test";\ntest("slow", async () => { await Bun.sleep(2000); });\n' }, [
    ['--timeout 100', 1, /timed out after 100ms/], ['--timeout 3000', 0, /1 pass/],
  ]],
  ['todo-tests', 'without a body', { 'test.test.ts': 0 }, [['', 0, /0 pass\n 1 todo\n 0 fail/]]],
  ['todo-tests', 'with a body, `--todo`', { 'test.test.ts': 3 }, [['', 0, /1 todo/], ['--todo', 0, /not implemented[^]*1 todo\n 0 fail/]]],
  ['todo-tests', 'one that passes', { 'test.test.ts': 'import { test } from "bun:test";\ntest.todo("passes", () => {});\n' }, [['--todo', 1, /marked as todo but passes[^]*1 fail/]]],
  ['update-snapshots', '`--update-snapshots`', { 'test/snap.test.ts': 0, 'test/__snapshots__/snap.test.ts.snap': '// Bun Snapshot v1, https://bun.sh/docs/test/snapshots\n\nexports[`snapshot 1`] = `1`;\n' }, [
    ['', 1, /1 fail/], ['--update-snapshots', 0, /1 pass/], ['', 0, /1 pass/],
  ]],
  ['watch-mode', 'runs again after a change', { 'a.test.ts': MATH }, 'watch'],
];

/** Blocks of code of a guide, in its order. */
function blocks(guide) {
  const source = readFileSync(join(guides, 'test', `${guide}.mdx`), 'utf8');
  return [...source.matchAll(/^```[^\n]*\n([^]*?)^```$/gm)].map(([, code]) => code.replaceAll(/ *\/\/ \[!code \+\+\]/g, ''));
}

function write(directory, guide, files) {
  const code = blocks(guide);
  for (const [name, text] of Object.entries({ 'package.json': '{ "name": "guide", "private": true }\n', ...files })) {
    const path = join(directory, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof text === 'number' ? code[text] : text.replace(/^BLOCK(\d)/, (_, index) => code[index]));
  }
  if (packages !== undefined) symlinkSync(resolve(packages), join(directory, 'node_modules'));
}

async function run([guide, , files, runs]) {
  const directory = mkdtempSync(join(tmpdir(), 'test-guide-'));
  try {
    write(directory, guide, files);
    if (runs === 'watch') return await watch(directory);
    for (const [words, code, wanted] of runs) {
      const { CI, ...env } = process.env;
      const { status, stdout, stderr } = spawnSync(program, ['test', ...words.split(' ').filter(Boolean)], {
        cwd: directory, encoding: 'utf8', timeout: 60_000, env: { ...env, NO_COLOR: '1' },
      });
      const output = stdout + stderr;
      if (status !== code) return `fails: exit code ${status} of \`${words}\`: ${output.trim().split('\n').find((line) => /error/i.test(line)) ?? ''}`;
      if (!wanted.test(output)) return `fails: the report of \`${words}\` has no ${wanted}`;
    }
    return 'runs';
  } finally {
    rmSync(directory, { recursive: true });
  }
}

async function watch(directory) {
  const child = spawn(program, ['test', '--watch'], { cwd: directory, env: { ...process.env, NO_COLOR: '1' } });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => { output += piece; });
  const wait = async (count) => {
    for (let attempt = 0; attempt < 400; attempt++) {
      if ([...output.matchAll(/Ran \d+ tests?/g)].length >= count) return true;
      await new Promise((done) => { setTimeout(done, 25); });
    }
    return false;
  };
  try {
    if (!await wait(1)) return 'fails: no first report';
    await new Promise((done) => { setTimeout(done, 500); });
    writeFileSync(join(directory, 'a.test.ts'), `${MATH}test("third", () => {});\n`);
    return await wait(2) && /Ran 3 tests/.test(output) ? 'runs' : 'fails: no report after a change';
  } finally {
    child.kill('SIGKILL');
  }
}

console.log('| guide | checked | result |\n|---|---|---|');
for (const row of ROWS) console.log(`| \`test/${row[0]}\` | ${row[1]} | ${await run(row)} |`);
process.exit(0);
