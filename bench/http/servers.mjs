// The servers that `http.mjs` puts under load, by name. Each prints its port when it listens.
import cluster from 'node:cluster';
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

const MEBIBYTE = 1024 ** 2;
const CHUNK = new Uint8Array(64 * 1024);
const HELLO = 'Hello, World!';
const packages = createRequire(join(process.env.BENCH_PACKAGES ?? process.cwd(), 'index.js'));

function bun() {
  const EMPTY = new Response();
  const file = join(mkdtempSync(join(tmpdir(), 'bench-http-')), 'file');
  writeFileSync(file, new Uint8Array(MEBIBYTE));
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    routes: {
      '/static': new Response(HELLO),
      // The function is called, and its response costs least.
      '/empty': () => EMPTY,
      '/users/:id': (request) => new Response(request.params.id),
      '/json': async (request) => Response.json({ sum: (await request.json()).numbers.length }),
      '/file': () => new Response(Bun.file(file)),
      '/stream': () => new Response(tenMebibytes()),
    },
    fetch(request, own) {
      if (request.headers.get('upgrade') !== null && own.upgrade(request)) return undefined;
      return new Response(HELLO);
    },
    websocket: {
      perMessageDeflate: false,
      open(socket) { socket.subscribe('all'); },
      message(socket, message) {
        if (message === 'publish') server.publish('all', message);
        else socket.send(message);
      },
    },
  });
  console.log(server.port);
}

/** About a millisecond of work. Not of time, or two processes on one core would seem to be two. */
function work() {
  let sum = 0;
  for (let left = 1_000_000; left > 0; left--) sum = Math.imul(sum, 31) + left | 0;
  return `${HELLO} ${sum}`;
}

/** Workers that share a port by the scheduling of the cluster. */
function clustered() {
  if (!cluster.isPrimary) return createServer((request, response) => response.end(work())).listen(0, '127.0.0.1');
  let listening = 0;
  cluster.on('listening', (worker, { port }) => {
    listening += 1;
    if (listening === count()) console.log(port);
  });
  for (let left = count(); left > 0; left--) cluster.fork();
  return endWithInput(() => { for (const worker of Object.values(cluster.workers)) worker.process.kill('SIGKILL'); });
}

/** Processes that share a port by SO_REUSEPORT; the kernel distributes connections. */
function reuse() {
  const port = Number(process.env.BENCH_PORT ?? 0);
  const server = Bun.serve({ port, reusePort: true, hostname: '127.0.0.1', fetch: () => new Response(work()) });
  if (port !== 0) {
    console.log(port);
    return process.stdin.on('end', () => process.exit()).resume();
  }
  if (count() === 1) return console.log(server.port);
  const env = { ...process.env, BENCH_PORT: String(server.port) };
  const other = spawn(process.execPath, process.argv.slice(1), { env, stdio: ['pipe', 'pipe', 'inherit'] });
  return other.stdout.once('data', () => console.log(server.port));
}

const count = () => Number(process.env.BENCH_WORKERS ?? 1);

function endWithInput(end) {
  process.stdin.on('end', () => { end(); process.exit(); }).resume();
}

function tenMebibytes() {
  let left = 10 * MEBIBYTE;
  return new ReadableStream({
    pull(controller) {
      controller.enqueue(CHUNK);
      left -= CHUNK.length;
      if (left === 0) controller.close();
    },
  });
}

function listen(server) {
  server.listen(0, '127.0.0.1', function listening() { console.log(this.address().port); });
}

export const SERVERS = {
  bun,
  cluster: clustered,
  reuse,
  node: () => listen(createServer((request, response) => response.end(HELLO))),
  express() {
    const app = packages('express')();
    app.get('/', (request, response) => response.send(HELLO));
    listen(createServer(app));
  },
  async fastify() {
    const app = packages('fastify')();
    app.get('/', () => HELLO);
    await app.listen({ port: 0, host: '127.0.0.1' });
    console.log(app.server.address().port);
  },
  koa() {
    const app = new (packages('koa'))();
    app.use((context) => { context.body = HELLO; });
    listen(createServer(app.callback()));
  },
  hono() {
    const app = new (packages('hono').Hono)();
    app.get('/', (context) => context.text(HELLO));
    listen(packages('@hono/node-server').createAdaptorServer({ fetch: app.fetch }));
  },
};
