// Soak test of TLS and HTTP/2 for some minutes: servers and clients in one process, which connect,
// resume, fail and close at random. In: minutes. Out: a line of JSON at the end with the number of
// each operation. The program fails on a wrong answer, or if a descriptor leaks.
'use strict';
const fs = require('fs');
const http2 = require('http2');
const https = require('https');
const net = require('net');
const path = require('path');
const tls = require('tls');
const { check, inTime, one, pause, random } = require('../soak_support.cjs');

const [minutes] = process.argv.slice(2);
const LANES = 8;
/** Connections that are kept open for later requests, and those that close slowly. */
const OWN_DESCRIPTORS = 40;
/** How often garbage is collected: buffers that wait for the collector are half of the size. */
const COLLECTS_MS = 1000;

const read = (name) => fs.readFileSync(path.join(__dirname, name));
const [key, cert] = [read('key.pem'), read('certificate.pem')];
tls.setDefaultCACertificates([String(cert)]);

const counts = {};
const closed = (socket) => new Promise((resolve) => { socket.on('error', () => {}).on('close', resolve).resume(); });

const servers = {};
const sessions = [];

function listen(name, server) {
  servers[name] = server;
  server.on('tlsClientError', () => {}).on('sessionError', () => {});
  return new Promise((resolve) => { server.listen(0, '127.0.0.1', resolve); });
}

/** Answers with as many bytes as the path says; every tenth answer is cut off. */
function answer(request, response) {
  request.resume();
  request.on('error', () => {});
  response.on('error', () => {});
  const bytes = Number(request.url.slice(1)) || 5;
  if (random(10) === 0) {
    response.write('x');
    setImmediate(() => (response.stream ?? response.socket)?.destroy());
  } else {
    request.on('end', () => response.end(Buffer.alloc(bytes, 'x')));
  }
}

async function start() {
  await listen('echo', tls.createServer({ key, cert, handshakeTimeout: 300 }, (socket) => {
    socket.on('error', () => {});
    socket.pipe(socket);
  }));
  await listen('mutual', tls.createServer({ key, cert, ca: cert, requestCert: true, rejectUnauthorized: true }, (socket) => socket.on('error', () => {}).end('x')));
  await listen('https', https.createServer({ key, cert }, answer));
  await listen('http2', http2.createSecureServer({ key, cert, allowHTTP1: true }, answer));
  if (typeof Bun === 'undefined') return;
  servers.bun = Bun.serve({
    port: 0, http2: true, tls: { key, cert }, development: false,
    fetch: async (request) => {
      // The client may have gone.
      const text = await request.text().catch(() => '');
      if (random(10) === 0) throw new Error('thrown');
      return new Response('x'.repeat(Number(new URL(request.url).pathname.slice(1)) || text.length));
    },
    error: () => new Response('failed', { status: 500 }),
  });
}

const portOf = (name) => servers[name].port ?? servers[name].address().port;
const options = (name, more) => ({ port: portOf(name), host: '127.0.0.1', servername: 'localhost', ...more });
const urlOf = (name, target) => `https://localhost:${portOf(name)}/${target}`;

const JOBS = {
  /** Bytes to the server and back, over a new or a resumed session. */
  async echo() {
    const session = random(2) === 0 ? sessions.pop() : undefined;
    const socket = tls.connect(options('echo', { session, maxVersion: one(['TLSv1.2', 'TLSv1.3']) }));
    socket.on('session', (made) => { if (sessions.length < 20) sessions.push(made); });
    const sent = Buffer.alloc(1 + random(200_000), 'e');
    const end = closed(socket);
    let bytes = 0;
    socket.on('data', (chunk) => { bytes += chunk.length; if (bytes === sent.length) socket.end(); });
    socket.write(sent);
    await end;
    check(bytes === sent.length, `${bytes} of ${sent.length} bytes`);
  },
  /** The client leaves at some time. */
  async leave() {
    const socket = tls.connect(options('echo'));
    const end = closed(socket);
    socket.write(Buffer.alloc(random(100_000)));
    await pause(random(10));
    socket.destroy();
    await end;
  },
  async refused() {
    const kind = one([{ ca: [] }, { checkServerIdentity: () => new Error('another name') }, { maxVersion: 'TLSv1.2', ciphers: 'PSK' }]);
    const socket = tls.connect(options('echo', kind));
    const error = await new Promise((resolve, reject) => { socket.on('error', resolve).on('secureConnect', () => reject(new Error('accepted'))); });
    check(error instanceof Error, 'no error');
  },
  async mutual() {
    const hasCertificate = random(2) === 0;
    const socket = tls.connect(options('mutual', hasCertificate ? { key, cert } : {}));
    let bytes = 0;
    socket.on('data', (chunk) => { bytes += chunk.length; });
    await closed(socket);
    check(bytes === (hasCertificate ? 1 : 0), `${bytes} bytes`);
  },
  /** No TLS, half a handshake, or none. */
  async garbage() {
    const socket = net.connect(portOf(one(['echo', 'https', 'http2'])), '127.0.0.1');
    const end = closed(socket);
    const bytes = one([Buffer.from('GET / HTTP/1.1\r\n\r\n'), Buffer.from([22, 3, 1, 0, 5, 1]), Buffer.alloc(0), Buffer.alloc(300, 22)]);
    socket.write(bytes);
    setTimeout(() => socket.destroy(), random(500));
    await end;
  },
  async https() {
    const bytes = 1 + random(100_000);
    await new Promise((resolve) => {
      const request = https.get(urlOf('https', bytes), { agent: one([undefined, false]) }, (response) => { response.on('error', resolve).on('close', resolve).resume(); });
      request.on('error', resolve);
    });
  },
  async http2() {
    const client = http2.connect(urlOf('http2', ''), { ca: cert });
    client.on('error', () => {});
    await Promise.all(Array.from({ length: 1 + random(20) }, () => {
      const stream = client.request({ ':path': `/${random(50_000)}` });
      if (random(5) === 0) setTimeout(() => stream.close(http2.constants.NGHTTP2_CANCEL), random(5));
      return closed(stream);
    }));
    const end = new Promise((resolve) => { client.on('close', resolve); });
    one([() => client.close(), () => client.destroy()])();
    await end;
  },
  async fetch() {
    const name = one(['https', 'http2', ...(servers.bun ? ['bun', 'bun'] : [])]);
    const signal = random(5) === 0 ? AbortSignal.timeout(1 + random(5)) : undefined;
    const body = random(2) === 0 ? 'b'.repeat(1 + random(100_000)) : undefined;
    try {
      const response = await fetch(urlOf(name, random(100_000)), { method: body ? 'POST' : 'GET', body, signal });
      if (random(5) === 0) await response.body?.cancel();
      else await response.arrayBuffer();
    } catch (error) {
      check(error.cause !== undefined || error.name === 'TimeoutError' || error.name === 'AbortError', String(error.stack));
    }
  },
};

async function lane(end) {
  while (Date.now() < end) {
    const name = one(Object.keys(JOBS));
    await inTime(JOBS[name](), name);
    counts[name] = (counts[name] ?? 0) + 1;
  }
}

const descriptors = () => fs.readdirSync('/proc/self/fd').length;

(async () => {
  await start();
  const before = descriptors();
  if (typeof Bun !== 'undefined') setInterval(() => Bun.gc(true), COLLECTS_MS).unref();
  const end = Date.now() + Number(minutes) * 60_000;
  await Promise.all(Array.from({ length: LANES }, () => lane(end)));
  await pause(1000);
  check(descriptors() <= before + OWN_DESCRIPTORS, `${descriptors()} descriptors, ${before} at the beginning`);
  console.log(JSON.stringify(counts));
  process.exit(0);
})();
