// Soak test of servers: requests, uploads, downloads, aborts, upgrades and nonsense at random, to
// `Bun.serve` and `node:http` in the same process, for some minutes. In: minutes. Out: a line of
// JSON at the end with the number of each operation. The program fails if an answer is wrong or
// missing, or if a descriptor, a request or a WebSocket is left.
import { readdirSync } from 'node:fs';
import { Agent, createServer, request } from 'node:http';
import { connect } from 'node:net';
import { once } from 'node:events';
import support from '../soak_support.cjs';

const { check, inTime, one, pause, random } = support;

const [minutes] = process.argv.slice(2);
const LANES = 8;
/** Connections that are kept alive, and what the engine opens on demand. */
const OWN_DESCRIPTORS = 4 * LANES;
const BODY_BYTES_MAX = 200_000;
/** Each is no request that is answered with success. */
const NONSENSE = [
  'GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello',
  'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
  `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`,
  '\0\0\0\0\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n',
];
/** Each ends before the request does. */
const BEGINNINGS = ['GET', 'GET / HTTP/1.1\r\nHo', 'POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\nx'];

const counts = {};
const bytes = (count) => new Uint8Array(count).fill(count & 255);

const web = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  routes: { '/static': new Response('static'), '/users/:id': ({ params }) => new Response(params.id) },
  async fetch(incoming, server) {
    const { pathname } = new URL(incoming.url);
    if (pathname === '/socket') return server.upgrade(incoming) ? undefined : new Response('no', { status: 400 });
    if (pathname === '/echo') return new Response(await incoming.bytes());
    if (pathname === '/stream') return new Response(endless());
    if (pathname === '/throws') throw new Error('as planned');
    return new Response('found');
  },
  error() { return new Response('failed', { status: 500 }); },
  websocket: { message(socket, message) { socket.send(message); } },
});

function endless() {
  return new ReadableStream({
    async pull(controller) {
      await pause(0);
      controller.enqueue(bytes(10_000));
    },
  });
}

const node = createServer((incoming, response) => {
  if (incoming.url === '/echo') incoming.pipe(response);
  else if (incoming.url === '/late') setTimeout(() => response.end('late'), 20);
  else response.writeHead(200, { 'X-Answer': 'yes' }).end('found');
  incoming.on('error', () => {});
  response.on('error', () => {});
}).listen(0, '127.0.0.1');
await once(node, 'listening');
const nodePort = node.address().port;
const agent = new Agent({ keepAlive: true, maxSockets: LANES });

const nodeRequest = (options) => request({ port: nodePort, host: '127.0.0.1', agent, ...options });

async function bodyOf(response) {
  let count = 0;
  for await (const chunk of response) count += chunk.length;
  return count;
}

/** Sends text over a connection of its own; resolves to what comes back. */
async function raw(port, text, isEnded) {
  const socket = connect(port, '127.0.0.1');
  let answer = '';
  socket.on('data', (chunk) => { answer += chunk; }).on('error', () => {});
  const closed = new Promise((resolve) => { socket.on('close', resolve); });
  socket.write(text);
  if (!isEnded) {
    await pause(random(20));
    socket.destroy();
  }
  await inTime(closed, JSON.stringify(text.slice(0, 30)));
  return answer;
}

const JOBS = {
  async requests() {
    const [path, wanted] = one([['/static', 'static'], ['/users/42', '42'], ['/', 'found']]);
    check(await (await fetch(new URL(path, web.url))).text() === wanted, path);
  },
  async uploads() {
    const count = random(BODY_BYTES_MAX);
    const back = await (await fetch(new URL('/echo', web.url), { method: 'POST', body: bytes(count) })).bytes();
    check(back.length === count && back.every((byte) => byte === (count & 255)), `${count} bytes`);
  },
  async errors() {
    const response = await fetch(new URL('/throws', web.url));
    check(response.status === 500 && await response.text() === 'failed', 'an error');
  },
  async cancelled() {
    const response = await fetch(new URL('/stream', web.url));
    const reader = response.body.getReader();
    for (let left = random(5); left > 0; left--) await reader.read();
    await reader.cancel();
  },
  async aborted() {
    const controller = new AbortController();
    const answer = fetch(new URL(one(['/stream', '/echo']), web.url), { method: 'POST', body: bytes(random(BODY_BYTES_MAX)), signal: controller.signal });
    setTimeout(() => controller.abort(), random(5));
    await inTime(answer.then((response) => response.bytes()).catch((error) => check(error.name === 'AbortError', error)), 'an abort');
  },
  async sockets() {
    const socket = new WebSocket(new URL('/socket', web.url.href.replace('http', 'ws')));
    socket.binaryType = 'arraybuffer';
    await inTime(new Promise((resolve, reject) => Object.assign(socket, { onopen: resolve, onerror: reject })), 'an upgrade');
    for (let left = random(10); left > 0; left--) {
      const count = random(BODY_BYTES_MAX);
      const answer = new Promise((resolve) => { socket.onmessage = ({ data }) => resolve(data); });
      socket.send(bytes(count));
      check((await inTime(answer, 'an echo')).byteLength === count, `an echo of ${count} bytes`);
    }
    const closed = new Promise((resolve) => { socket.onclose = resolve; });
    if (random(2) === 0) socket.terminate();
    else socket.close(1000, 'done');
    await inTime(closed, 'a close');
  },
  async nonsense() {
    const answer = await raw(one([web.port, nodePort]), `${one(NONSENSE)}`, false);
    check(!/^HTTP\/1.1 200/.test(answer) || answer.includes('found'), answer);
  },
  async beginnings() { await raw(one([web.port, nodePort]), one(BEGINNINGS), false); },
  async pipelines() {
    const count = 1 + random(10);
    const last = 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
    const answer = await raw(one([web.port, nodePort]), 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(count) + last, true);
    check(answer.split('HTTP/1.1 200').length === count + 2, `${count} and one requests: ${answer}`);
  },
  async node() {
    const count = random(BODY_BYTES_MAX);
    const sent = nodeRequest({ path: '/echo', method: 'POST' });
    sent.end(bytes(count));
    const [response] = await inTime(once(sent, 'response'), 'a response');
    check(await inTime(bodyOf(response), 'a body') === count, `${count} bytes of node:http`);
  },
  async nodeAborted() {
    const sent = nodeRequest({ path: one(['/late', '/echo']), method: 'POST' }).on('error', () => {});
    const closed = new Promise((resolve) => { sent.on('close', resolve); });
    if (random(2) === 0) sent.end(bytes(random(BODY_BYTES_MAX)));
    else sent.write('beginning');
    await pause(random(10));
    sent.destroy();
    await inTime(closed, 'a destroyed request');
  },
};

async function lane(ends) {
  const names = Object.keys(JOBS);
  while (performance.now() < ends) {
    const name = one(names);
    await JOBS[name]();
    counts[name] = (counts[name] ?? 0) + 1;
  }
}

async function work(forMinutes) {
  const ends = performance.now() + forMinutes * 60_000;
  await Promise.all(Array.from({ length: LANES }, () => lane(ends)));
  await pause(1000);
  check(web.pendingRequests === 0 && web.pendingWebSockets === 0, `${web.pendingRequests} requests and ${web.pendingWebSockets} WebSockets are left`);
  return readdirSync('/proc/self/fd').length;
}

const first = await work(minutes / 10);
const last = await work(minutes * 9 / 10);
check(last <= first + OWN_DESCRIPTORS, `${last} descriptors are left, ${first} at first`);
console.log(JSON.stringify(counts));
process.exit(0);
