// Runs the programs of bun's HTTP, WebSocket and HTMLRewriter guides unchanged, and asks them what
// the guide says. In: the directory `docs/guides` of the npm package `bun-types`, and the program
// to run them with. Out: the table of docs/compatibility/guides.md. Absent: programs that are parts
// of one (`// ...`), and those that need a host of the internet; they are only checked for syntax.
// Usage: rusk conformance/guides.mjs GUIDES PROGRAM
import { spawn, spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import process from 'node:process';

const [guides, program] = process.argv.slice(2);
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const text = async (path, init, port = 3000) => (await fetch(`http://127.0.0.1:${port}${path}`, init)).text();

const expect = (found, wanted) => {
  const isRight = wanted instanceof RegExp ? wanted.test(found) : found === wanted;
  if (!isRight) throw new Error(`expected ${wanted}, found ${JSON.stringify(found)}`);
};

/** The first bytes of a response that does not end. */
async function first(path) {
  const controller = new AbortController();
  const response = await fetch(`http://127.0.0.1:3000${path}`, { signal: controller.signal });
  const { value } = await response.body.getReader().read();
  controller.abort();
  return new TextDecoder().decode(value);
}

function messages(port, options, send, count) {
  return new Promise((resolve, reject) => {
    const received = [];
    const socket = new WebSocket(`ws://127.0.0.1:${port}/`, options);
    socket.onopen = () => send?.(socket);
    socket.onerror = (event) => reject(new Error(event.message));
    socket.onmessage = ({ data }) => {
      received.push(data);
      if (received.length < count) return;
      socket.close();
      resolve(received.join());
    };
  });
}

/** [guide, number of the block, what is checked, the check]. Without a check: only the syntax. */
const ROWS = [
  ['http/simple', 0, 'a response', async () => expect(await text('/'), 'Welcome to Bun!')],
  ['http/server', 0, 'file, redirect, JSON, form, 404', async () => {
    expect(await text('/'), 'Welcome to Bun!');
    expect(await text('/abc'), /Response.redirect/);
    expect(await text('/api'), '{"some":"buns","for":"you"}');
    expect(await text('/api/post', { method: 'POST', body: '{"a":1}' }), '{"success":true,"data":{"a":1}}');
    const form = new FormData();
    form.set('someField', 'x');
    expect(await text('/form', { method: 'POST', body: form }), 'Success');
    expect(await text('/none'), 'Page not found');
  }],
  ['http/cluster', 0, 'one of several processes', async () => expect(await text('/', {}, 8080), /^Hello from Bun #\w+!\n$/)],
  ['http/cluster', 1, 'starts a process for each core'],
  ['http/fetch', 0, 'needs a host'],
  ['http/fetch', 1, 'needs a host'],
  ['http/fetch-unix', 0, 'needs a server'],
  ['http/fetch-unix', 1, 'needs a server'],
  ['http/file-uploads', 0, 'a page', async () => expect(await text('/', {}, 4000), '<p>page</p>')],
  ['http/file-uploads', 1, 'an upload', async () => {
    const form = new FormData();
    form.set('name', 'n');
    form.set('profilePicture', new Blob(['image']), 'a.png');
    expect(await text('/action', { method: 'POST', body: form }, 4000), 'Success');
  }],
  ['http/hot', 0, 'a response', async () => expect(await text('/'), /./)],
  ['http/proxy', 0, 'needs a host'],
  ['http/proxy', 1, 'needs a host'],
  ['http/proxy', 2, 'needs a host'],
  ['http/sse', 0, 'the first event of a generator', async () => expect(await first('/events'), /^data: connected at \d+\n\n$/)],
  ['http/sse', 1, 'the first event of a stream', async () => expect(await first('/events'), /^data: connected at \d+\n\n$/)],
  ['http/stream-file', 0, 'runs', 'end'],
  ['http/stream-file', 1, 'runs', 'end'],
  ['http/stream-file', 2, 'a file by its path', async (directory) => expect(await text(join(directory, 'index.html')), '<p>page</p>')],
  ['http/stream-iterator', 0, 'an async generator', async () => expect(await text('/'), 'Hello, world!\n')],
  ['http/stream-iterator', 1, 'an async iterator', async () => expect(await text('/'), 'Hello, world!')],
  ['http/stream-node-streams-in-bun', 0, 'a stream of Node', async () => expect(await text('/'), 'Hello, world!')],
  ['http/tls', 0, 'HTTPS', async () => expect(await secure({}), 'Welcome to Bun!')],
  ['http/tls', 1, 'a certificate of the client', async () => expect(await secure({ cert: pem('certificate.pem'), key: pem('key.pem') }), 'Welcome to Bun!')],
  ['websocket/simple', 0, 'an answer', async () => {
    expect(await messages(3000, {}, (socket) => socket.send('hi'), 1), 'You said: hi');
    expect(await text('/'), 'Hello world!');
  }],
  ['websocket/context', 0, 'a message, printed', async (directory, output) => {
    await new Promise((resolve) => {
      const socket = new WebSocket('ws://127.0.0.1:3000/');
      socket.onopen = () => { socket.send('hi'); setTimeout(() => { socket.close(); resolve(); }, 200); };
    });
    expect(output(), /Received hi from 0\.\d+/);
  }],
  ['websocket/context', 1, 'a part of a program'],
  ['websocket/pubsub', 0, 'a part of a program: `getUsernameFromCookies`'],
  ['websocket/compression', 0, 'a part of a program'],
  ['websocket/compression', 1, 'a part of a program'],
  ['websocket/compression', 2, 'a part of a program'],
  ['html-rewriter/extract-links', 0, 'needs a host'],
  ['html-rewriter/extract-links', 1, 'needs a host'],
  ['html-rewriter/extract-social-meta', 0, 'runs', 'end'],
];

const pem = (name) => readFileSync(join(root, 'bench/tls', name));

function secure(options) {
  const { promise, resolve, reject } = Promise.withResolvers();
  import('node:https').then(({ get }) => {
    get({ host: '127.0.0.1', port: 3000, rejectUnauthorized: false, ...options }, (response) => {
      let body = '';
      response.on('data', (piece) => { body += piece; });
      response.on('end', () => resolve(body));
    }).on('error', reject);
  });
  return promise;
}

/** The TypeScript programs of a guide. */
function blocks(guide) {
  const source = readFileSync(join(guides, `${guide}.mdx`), 'utf8');
  return [...source.matchAll(/^```ts[^\n]*\n([^]*?)^```$/gm)].map(([, code]) => code.replaceAll(/ *\/\/ \[!code \+\+\]/g, ''));
}

async function run([guide, index, what, check]) {
  const directory = mkdtempSync(join(tmpdir(), 'guide-'));
  try {
    writeFileSync(join(directory, 'program.ts'), blocks(guide)[index]);
    writeFileSync(join(directory, 'index.html'), '<p>page</p>');
    for (const [name, source] of [['cert', 'certificate'], ['key', 'key'], ['ca1', 'certificate'], ['ca2', 'certificate']]) {
      copyFileSync(join(root, 'bench/tls', `${source}.pem`), join(directory, `${name}.pem`));
    }
    if (check === undefined) return syntax(directory);
    if (check === 'end') {
      const { status, stderr } = spawnSync(program, ['program.ts'], { cwd: directory, encoding: 'utf8', timeout: 10_000 });
      return status === 0 ? 'runs' : `fails: ${stderr.trim().split('\n').at(-1)}`;
    }
    return await withServer(directory, check);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** Whether the program is transpiled without an error. */
function syntax(directory) {
  const code = "const { readFileSync } = require('fs'); new Bun.Transpiler({ loader: 'ts' }).transformSync(readFileSync('program.ts', 'utf8'))";
  const { status, stderr } = spawnSync(program, ['-e', code], { cwd: directory, encoding: 'utf8', timeout: 10_000 });
  return status === 0 ? 'syntax checked' : `fails: ${stderr.trim().split('\n').at(-1)}`;
}

async function withServer(directory, check) {
  const server = spawn(program, ['program.ts'], { cwd: directory });
  let output = '';
  for (const stream of [server.stdout, server.stderr]) stream.on('data', (piece) => { output += piece; });
  try {
    await Promise.race([listening(), new Promise((resolve) => { server.once('exit', resolve); })]);
    await check(directory, () => output);
    return 'runs';
  } catch (error) {
    return `fails: ${error.message} ${output.trim().split('\n').at(-1)}`;
  } finally {
    const ended = new Promise((resolve) => { server.once('exit', resolve); });
    if (server.exitCode === null) {
      server.kill('SIGKILL');
      await ended;
    }
  }
}

/** Until one of the guides' ports is open. */
async function listening() {
  for (let attempt = 0; attempt < 200; attempt++) {
    for (const port of [3000, 4000, 8080]) {
      const isOpen = await new Promise((resolve) => {
        const socket = connect(port, '127.0.0.1', () => { socket.destroy(); resolve(true); });
        socket.on('error', () => resolve(false));
      });
      if (isOpen) return;
    }
    await new Promise((resolve) => { setTimeout(resolve, 25); });
  }
}

console.log('| guide | program | checked | result |\n|---|--:|---|---|');
for (const row of ROWS) console.log(`| \`${row[0]}\` | ${row[1] + 1} | ${row[2]} | ${await run(row)} |`);
process.exit(0);
