// Runs the commands, programs and examples of bun's bundler guides with another program. In: the
// directory `docs/bundler` of the npm package `bun-types`, the program. Out: a table of the guides,
// and what fails. Commands and programs are run in a project that has every file they name;
// examples are checked for what their guide says of them. Absent: other platforms, and what
// `ABSENT` lists.
// Usage: rusk conformance/bundler_guides.mjs GUIDES PROGRAM
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';

const [guides, program] = process.argv.slice(2);

/** What rusk does not have, by a word of a command or program. */
const ABSENT = [
  [/windows|darwin|arm64|baseline|modern|musl/, 'other platforms'],
  [/--bytecode|bytecode|jitPolicy|jit-policy/i, 'bytecode'],
  [/--check|check: true/, 'type checks'],
  [/react-compiler|reactCompiler/i, 'the React Compiler'],
  [/--app\b/, 'Bake'],
  [/sqlite/, 'SQLite'],
  [/autoload-?(?:tsconfig|package)/i, 'settings of executables'],
  [/--watch/, 'watch mode, which does not end'],
  [/path\.join\("out"/, 'parts of programs'],
  [/<entrypoint>/, 'parts of commands'],
  [/tailwind|\.svelte|sveltePlugin/, 'other packages'],
  [/uploadTo|10_000|napi|native-addon/, 'services, native plugins'],
  [/optimizeImports/, 'optimizeImports'],
];

const STUB = 'export const value: number = 1;\nconsole.log(value);\n';
const FILES = {
  'index.html': '<!doctype html><html><head><link rel="stylesheet" href="./styles.css"></head><body><script type="module" src="./app.ts"></script></body></html>',
  'about.html': '<script type="module" src="./app.ts"></script>',
  'styles.css': 'body { color: red }',
  'shared.ts': 'export const shared = "shared";',
  'entry-a.ts': 'import { shared } from "./shared.ts";\nconsole.log(shared);',
  'entry-b.ts': 'import { shared } from "./shared.ts";\nconsole.log(shared);',
  'src/index.ts': 'import { BUILD_ID } from "./generated";\nimport { API_URL } from "./config";\nconsole.log(BUILD_ID, API_URL);',
  'src/generated.ts': 'export const BUILD_ID = "", BUILD_TIME = 0;',
  'src/config.ts': 'export const API_URL = "", DEBUG = true;',
  'src/lazy.ts': 'export function hello() { console.log("Lazy module loaded"); }',
  'src/entry.ts': 'const lazy = await import("./lazy.ts");\nlazy.hello();',
  'public/one.txt': 'one',
  'public/sub/two.txt': 'two',
  'such-bun.js': 'console.log(1);',
  'package.json': '{ "name": "guide" }',
};
for (const name of ['cli.ts', 'index.ts', 'index.tsx', 'index.jsx', 'app.ts', 'app.tsx', 'server.ts', 'server/index.ts', 'src/cli.ts', 'path/to/my/app.ts', 'my-worker.ts', 'cli.tsx', 'hello.ts', 'entry.ts', 'pages/a.tsx', 'pages/b.tsx', 'pages/index.tsx', 'pages/settings.tsx']) FILES[name] = STUB;

function makeProject(files) {
  const directory = mkdtempSync(join(tmpdir(), 'guide-'));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, name)), { recursive: true });
    writeFileSync(join(directory, name), text);
  }
  return directory;
}

function run(directory, words, env = {}) {
  const [command, ...rest] = words;
  const { status, stdout, stderr } = spawnSync(command, rest, { cwd: directory, encoding: 'utf8', timeout: 60_000, env: { ...process.env, NO_COLOR: '1', ...env } });
  return { status, stdout, stderr };
}

/** The blocks of a guide: `{ language, title, code }`. */
function blocksOf(guide) {
  const source = readFileSync(join(guides, `${guide}.mdx`), 'utf8');
  return [...source.matchAll(/^ *```(\w*)([^\n]*)\n([^]*?)^ *```/gm)].map(([, language, head, code]) => ({
    language,
    title: /title="([^"]*)"/.exec(head)?.[1] ?? head.replace(/icon="[^"]*"/, '').trim(),
    code: code.replaceAll(/ *\/\/ \[!code [^\]]*\]/g, ''),
  }));
}

const last = (text) => text.trim().split('\n').slice(0, 3).join(' / ');

function commandsOf(blocks) {
  const shell = blocks.filter(({ language }) => ['bash', 'sh'].includes(language));
  return shell.flatMap(({ code }) => code.replaceAll('\\\n', ' ').split('\n').map((line) => line.trim())).filter((line) => /^([A-Z_]+=\S+ )*bun build /.test(line));
}

/** Programs that build something and are complete. */
function programsOf(blocks) {
  return blocks.filter(({ language, code }) => ['ts', 'js'].includes(language) && /^\s*(?:import[^\n]*\n+)*(?:\/\/[^\n]*\n|const \w+ = |try \{\s*const \w+ = )*\s*await Bun\.build\(\{/.test(code) && !/\/\* ?(?:\.\.\.)? ?\*\/|\.\.\.\n|myPlugin/.test(code));
}

const absent = (text) => ABSENT.find(([pattern]) => pattern.test(text))?.[1];

function checkAll(guide) {
  const blocks = blocksOf(guide);
  const counts = { commands: 0, programs: 0, absent: [], failures: [] };
  const note = (kind, text, result) => {
    const reason = absent(text);
    if (reason !== undefined) counts.absent.push(reason);
    else if (result().status === 0) counts[kind]++;
    else counts.failures.push(`${text.trim().split('\n')[0]}: ${last(result().stderr)}`);
  };
  for (const line of commandsOf(blocks)) {
    note('commands', line, once(() => {
      const directory = makeProject(FILES);
      const found = run(directory, ['bash', '-c', `bun() { "$RUSK" "$@"; }; ${line}`], { RUSK: program });
      rmSync(directory, { recursive: true });
      return found;
    }));
  }
  for (const { code } of programsOf(blocks)) {
    note('programs', code, once(() => {
      const directory = makeProject({ ...FILES, 'build.ts': code });
      const found = run(directory, [program, 'build.ts']);
      rmSync(directory, { recursive: true });
      return found;
    }));
  }
  return counts;
}

function once(call) {
  let result;
  return () => result ??= call();
}

function expect(found, wanted) {
  const isRight = wanted instanceof RegExp ? wanted.test(found) : found === wanted;
  if (!isRight) throw new Error(`expected ${wanted}, found ${JSON.stringify(found)}`);
}

function output(directory, words, env) {
  const { status, stdout, stderr } = run(directory, words, env);
  if (status !== 0) throw new Error(last(stderr) || `exit code ${status}`);
  return stdout;
}

/** Code of a guide's blocks with this title, in order. */
const titled = (guide, title) => blocksOf(guide).filter((block) => block.title === title).map(({ code }) => code);

async function serve(directory, words, check) {
  const child = spawn(words[0], words.slice(1), { cwd: directory, env: { ...process.env, NO_COLOR: '1', PORT: '0', BUN_PORT: '0' }, stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    let text = '';
    const url = await new Promise((resolve, reject) => {
      child.once('exit', () => reject(new Error('the server ended')));
      child.stdout.on('data', (chunk) => {
        text += chunk;
        const found = /https?:\/\/localhost:\d+/.exec(text);
        if (found !== null) resolve(found[0]);
      });
    });
    await check(async (path) => (await fetch(new URL(path, url))).text());
  } finally {
    child.kill();
  }
}

/** [guide, what is checked, the check]. */
const EXAMPLES = [
  ['index', 'modules that entry points share are one chunk', (directory) => {
    output(directory, [program, 'build', 'entry-a.ts', 'entry-b.ts', '--outdir', 'out', '--splitting']);
    expect(readdirSync(join(directory, 'out')).length, 3);
  }],
  ['index', 'files in memory', (directory) => {
    const code = blocksOf('index').find(({ code }) => code.includes('import { greet }'));
    writeFileSync(join(directory, 'build.ts'), code.code);
    expect(output(directory, [program, 'build.ts']), /Hello, /);
  }],
  ['index', 'feature flags', (directory) => {
    const input = titled('index', 'Input').find((code) => code.includes('bun:bundle'));
    writeFileSync(join(directory, 'feature.ts'), `${input}\nconsole.log(mode);`);
    expect(output(directory, [program, 'build', 'feature.ts', '--feature', 'PREMIUM', '--minify']), /^(?!.*free).*premium/s);
    expect(output(directory, [program, 'build', 'feature.ts', '--minify']), /^(?!.*premium).*free/s);
  }],
  ['css', 'every stylesheet of the guide is bundled', (directory) => {
    const sheets = blocksOf('css').filter(({ language, title, code }) => ['css', 'scss'].includes(language) && title === 'styles.css' && !code.includes('Invalid!'));
    for (const [index, { code }] of sheets.entries()) {
      writeFileSync(join(directory, `sheet${index}.css`), code);
      output(directory, [program, 'build', `sheet${index}.css`]);
    }
  }],
  ['css', 'names of CSS modules differ', (directory) => {
    for (const name of ['styles.module.css', 'other-styles.module.css']) writeFileSync(join(directory, name), titled('css', name)[0]);
    writeFileSync(join(directory, 'app.ts'), titled('css', 'app.tsx')[1]);
    output(directory, [program, 'build', 'app.ts', '--outdir=out']);
    expect(output(directory, [program, 'out/app.js']).match(/button_?\w*/g).filter((name) => name !== 'button').length, 2);
  }],
  ['loaders', 'JSON, TOML, YAML and text are their values', (directory) => {
    const inputs = { json: 'json', toml: 'toml', yaml: 'yaml', txt: 'txt' };
    const code = Object.keys(inputs).map((end) => `import ${end} from './input.${end}';\nconsole.log(JSON.stringify(${end}));`);
    for (const end of Object.keys(inputs)) writeFileSync(join(directory, `input.${end}`), blocksOf('loaders').find(({ language, title }) => language === end && title === 'Input').code);
    writeFileSync(join(directory, 'index.ts'), code.join('\n'));
    output(directory, [program, 'build', 'index.ts', '--outdir=out']);
    expect(output(directory, [program, 'out/index.js']), /^(\{"name":"John Doe","age":35,"email":"johndoe@example.com"\}\n){3}"Hello, world!\\n"\n$/);
  }],
  ['macros', 'values of macros, and branches that they exclude', (directory) => {
    writeFileSync(join(directory, 'random.ts'), titled('macros', 'random.ts')[0]);
    writeFileSync(join(directory, 'cli.tsx'), titled('macros', 'cli.tsx')[0]);
    expect(output(directory, [program, 'build', 'cli.tsx']), /Your random number is (?!.*random\(\))/);
    writeFileSync(join(directory, 'returnFalse.ts'), titled('macros', 'returnFalse.ts')[0]);
    writeFileSync(join(directory, 'index.ts'), titled('macros', 'index.ts').find((code) => code.includes('returnFalse')));
    expect(output(directory, [program, 'build', 'index.ts', '--minify-syntax']), /^(?!.*eliminated)/s);
  }],
  ['plugins', '`onStart` and `onEnd` run', (directory) => {
    for (const [word, printed] of [['onStart example', /Bundle started!/], ['onEnd example', /Build completed with 1 files/]]) {
      writeFileSync(join(directory, 'build.ts'), titled('plugins', 'index.ts').find((code) => code.includes(word)));
      expect(output(directory, [program, 'build.ts']), printed);
    }
  }],
  ['plugins', 'a module of a namespace', (directory) => {
    const code = titled('plugins', 'index.ts').find((one) => one.includes('env plugin'));
    writeFileSync(join(directory, 'app.ts'), 'import env from "env";\nconsole.log(env.OWN);');
    writeFileSync(join(directory, 'build.ts'), code.includes('Bun.build(') ? code : `${code}\nBun.build({ entrypoints: ["./app.ts"], outdir: "./dist", plugins: [envPlugin] });`);
    output(directory, [program, 'build.ts'], { OWN: 'own value' });
    const built = ['dist', 'out'].find((name) => existsSync(join(directory, name, 'app.js')));
    expect(output(directory, [program, `${built}/app.js`]), 'own value\n');
  }],
  ['executables', 'an executable prints', (directory) => {
    writeFileSync(join(directory, 'cli.ts'), titled('executables', 'cli.ts')[0]);
    output(directory, [program, 'build', './cli.ts', '--compile', '--outfile', 'mycli']);
    expect(output(directory, ['./mycli']), 'Hello world!\n');
  }],
  ['executables', 'a server with its page', async (directory) => {
    for (const name of ['server.ts', 'index.html', 'app.ts', 'styles.css']) writeFileSync(join(directory, name), titled('executables', name).at(-1));
    writeFileSync(join(directory, 'server.ts'), titled('executables', 'server.ts').find((code) => code.includes('/api/hello')));
    output(directory, [program, 'build', '--compile', './server.ts', '--outfile', 'myapp']);
    await serve(directory, ['./myapp'], async (get) => {
      expect(await get('/api/hello'), '{"message":"Hello from API"}');
      const html = await get('/');
      expect(html, /<h1>Hello World<\/h1>/);
      expect(await get(/src="([^"]*)"/.exec(html)[1]), /Hello from the client!/);
    });
  }],
  ['executables', 'chunks of an executable', (directory) => {
    for (const name of ['src/entry.ts', 'src/lazy.ts']) writeFileSync(join(directory, name), titled('executables', name)[0]);
    output(directory, [program, 'build', '--compile', '--splitting', './src/entry.ts', '--outfile', './build/entry']);
    expect(output(directory, ['./build/entry']), 'Entrypoint loaded\nLazy module loaded\n');
  }],
  ['html-static', 'variables with a prefix are in the page', (directory) => {
    writeFileSync(join(directory, 'app.ts'), titled('html-static', 'app.ts').find((code) => code.includes('PUBLIC_API_URL')));
    output(directory, [program, 'build', './index.html', '--outdir=dist', '--env=PUBLIC_*'], { PUBLIC_API_URL: 'https://api.example.com' });
    const script = readdirSync(join(directory, 'dist')).find((name) => name.endsWith('.js'));
    expect(readFileSync(join(directory, 'dist', script), 'utf8'), /https:\/\/api\.example\.com/);
  }],
  ['html-static', 'pages by a pattern', (directory) => serve(directory, [program, './*.html', '--port=0'], async (get) => {
    expect(await get('/about'), /script/);
    expect(await get('/'), /stylesheet/);
  })],
  ['standalone-html', 'a page without other files', (directory) => {
    writeFileSync(join(directory, 'index.html'), FILES['index.html']);
    output(directory, [program, 'build', '--compile', '--target=browser', './index.html', '--outdir=dist']);
    expect(readdirSync(join(directory, 'dist')).join(), 'index.html');
  }],
  ['fullstack', 'a server that is built with its page', async (directory) => {
    writeFileSync(join(directory, 'src/index.ts'), 'import index from "../index.html";\nconst server = Bun.serve({ port: 0, routes: { "/": index } });\nconsole.log(String(server.url));');
    output(directory, [program, 'build', '--target=bun', '--production', '--outdir=dist', './src/index.ts']);
    await serve(directory, [program, 'dist/index.js'], async (get) => expect(await get('/'), /<link rel="stylesheet"/));
  }],
  ['minifier', 'every input of the guide is minified', (directory) => {
    const inputs = blocksOf('minifier').filter(({ language, title }) => ['ts', 'js', 'tsx', 'jsx'].includes(language) && /^Input/.test(title));
    // Some inputs are literals, and lines of which each begins where the last one would go on.
    const programs = inputs.filter(({ code }) => !/^\s*\[/m.test(code) && !/^\s*\{/.test(code));
    for (const [index, { code, language }] of programs.entries()) {
      writeFileSync(join(directory, `input${index}.${language}`), code);
      output(directory, [program, 'build', `input${index}.${language}`, '--minify', '--external=*']);
    }
  }],
];

const names = readdirSync(guides).filter((name) => name.endsWith('.mdx')).map((name) => name.slice(0, -4)).sort();
const failures = [];
console.log('| guide | commands | programs | absent |\n|---|--:|--:|---|');
for (const name of names) {
  const counts = checkAll(name);
  failures.push(...counts.failures.map((line) => `${name}: ${line}`));
  const reasons = [...new Set(counts.absent)].map((reason) => `${reason}: ${counts.absent.filter((one) => one === reason).length}`);
  console.log(`| \`${name}\` | ${counts.commands} | ${counts.programs} | ${reasons.join(', ')} |`);
}
console.log('\n| guide | example | result |\n|---|---|---|');
for (const [guide, what, check] of EXAMPLES) {
  const directory = makeProject(FILES);
  let result = 'works';
  try {
    await check(directory);
  } catch (error) {
    result = 'fails';
    failures.push(`${guide}, ${what}: ${error.message}`);
  }
  rmSync(directory, { recursive: true });
  console.log(`| \`${guide}\` | ${what} | ${result} |`);
}
if (failures.length > 0) console.error(`\n${failures.join('\n')}`);
process.exitCode = failures.length > 0 ? 1 : 0;
