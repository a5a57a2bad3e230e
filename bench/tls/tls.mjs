// TLS between two processes, each on a core of its own: handshakes, bulk data, requests over HTTPS
// and HTTP/2. Then algorithms of node:crypto alone. Out: one line of JSON, a number for each
// measurement, or why this runtime has none.
import { spawn } from 'node:child_process';
import crypto from 'node:crypto';
import { readFileSync } from 'node:fs';
import http2 from 'node:http2';
import https from 'node:https';
import { availableParallelism } from 'node:os';
import process from 'node:process';
import tls from 'node:tls';

const SECONDS = 3;
/** Of one measurement; what takes longer hangs. */
const ENDS_WITHIN_MS = 60_000;
const CONNECTIONS = 16;
const STREAMS = 100;
/** Time of one algorithm with one size. */
const CRYPTO_MS = 200;
const CRYPTO_BYTES = { '64 B': 64, '1 KiB': 1024, '1 MiB': 1024 ** 2 };
const BULK_BYTES = 1024 ** 3;
const CHUNK = Buffer.alloc(256 * 1024, 'x');
const read = (name) => readFileSync(new URL(name, import.meta.url));

const role = process.argv[2];
if (role === 'server') serve();
else if (role === 'client') await measure(JSON.parse(process.argv[3]));
else main();

/** Starts a copy of this program, on that core if there are several. */
function start(core, ...args) {
  const program = [process.execPath, ...process.execArgv];
  // deno runs files by a command.
  if (typeof Deno !== 'undefined') program.push('run', '-A');
  program.push(process.argv[1], ...args);
  if (availableParallelism() > 1) program.unshift('taskset', '-c', String(core));
  return spawn(program[0], program.slice(1), { stdio: ['pipe', 'pipe', 'inherit'] });
}

function main() {
  const server = start(0, 'server');
  server.stdout.once('data', (ports) => {
    const client = start(1, 'client', String(ports).trim());
    client.stdout.pipe(process.stdout);
    client.on('exit', (code) => {
      server.kill();
      process.exitCode = code ?? 1;
    });
  });
}

function serve() {
  const options = { key: read('key.pem'), cert: read('certificate.pem') };
  const handshakes = tls.createServer(options, (socket) => {
    socket.on('error', () => {});
    socket.resume();
    socket.end('x');
  });
  const download = tls.createServer(options, (socket) => {
    let left = BULK_BYTES;
    const send = () => {
      while (left > 0) {
        left -= CHUNK.length;
        if (!socket.write(CHUNK)) {
          socket.once('drain', send);
          return;
        }
      }
      socket.end();
    };
    socket.resume();
    send();
  });
  const upload = tls.createServer({ ...options, allowHalfOpen: true }, (socket) => {
    socket.on('data', () => {});
    socket.on('end', () => socket.end('x'));
  });
  const requests = https.createServer(options, (request, response) => response.end('hello'));
  const streams = http2.createSecureServer(options, (request, response) => response.end('hello'));
  const servers = { handshakes, download, upload, requests, streams };
  const ports = {};
  for (const [name, server] of Object.entries(servers)) {
    server.listen(0, '127.0.0.1', () => {
      ports[name] = server.address().port;
      if (Object.keys(ports).length === Object.keys(servers).length) console.log(JSON.stringify(ports));
    });
  }
}

async function measure(ports) {
  const ca = read('certificate.pem');
  const options = { host: '127.0.0.1', servername: 'localhost', ca };
  const handshakes = { ...options, port: ports.handshakes };
  const measurements = {
    'full handshake, µs': () => meanTime(() => handshake(handshakes)),
    'resumed handshake, µs': async () => {
      const session = await firstSession(handshakes);
      return meanTime(() => handshake({ ...handshakes, session }));
    },
    '1 GiB from the server, ms': () => download({ ...options, port: ports.download }),
    '1 GiB to the server, ms': () => upload({ ...options, port: ports.upload }),
    'request, µs': () => requests({ ...options, port: ports.requests }),
    'HTTP/2 request, µs': () => streams({ ...options, port: ports.streams }),
    ...algorithms(),
  };
  const results = {};
  for (const [name, measurement] of Object.entries(measurements)) {
    try {
      results[name] = await inTime(measurement());
    } catch (error) {
      results[name] = String(error.message).split('\n')[0];
    }
  }
  console.log(JSON.stringify(results));
  process.exit(0);
}

function inTime(promise) {
  const late = new Promise((resolve, reject) => {
    setTimeout(() => reject(new Error('not in time')), ENDS_WITHIN_MS).unref();
  });
  return Promise.race([promise, late]);
}

function firstSession(options) {
  return new Promise((resolve, reject) => {
    const socket = tls.connect(options);
    socket.once('session', (session) => {
      socket.destroy();
      resolve(session);
    });
    socket.on('error', reject);
    socket.resume();
  });
}

function handshake(options) {
  return new Promise((resolve, reject) => {
    const socket = tls.connect(options);
    socket.on('error', reject);
    // The server sends a byte, after which the handshake is done on both sides.
    socket.once('data', () => {
      if (options.session && !socket.isSessionReused()) reject(new Error('the session was not resumed'));
      socket.destroy();
      resolve();
    });
  });
}

/** Time by the number of completed calls, of which several run at once, in microseconds. */
async function meanTime(once, lanes = CONNECTIONS) {
  const begin = performance.now();
  let count = 0;
  await Promise.all(Array.from({ length: lanes }, async () => {
    while (performance.now() - begin < SECONDS * 1000) {
      await once();
      count += 1;
    }
  }));
  return ((performance.now() - begin) * 1000) / count;
}

function download(options) {
  return new Promise((resolve, reject) => {
    let received = 0;
    let begin;
    const socket = tls.connect(options, () => { begin = performance.now(); });
    socket.on('data', (bytes) => { received += bytes.length; });
    socket.on('end', () => (received === BULK_BYTES ? resolve(performance.now() - begin) : reject(new Error(`${received} bytes`))));
    socket.on('error', reject);
  });
}

function upload(options) {
  return new Promise((resolve, reject) => {
    const socket = tls.connect(options, () => {
      const begin = performance.now();
      let left = BULK_BYTES;
      const send = () => {
        while (left > 0) {
          left -= CHUNK.length;
          if (!socket.write(CHUNK)) {
            socket.once('drain', send);
            return;
          }
        }
        socket.end();
      };
      socket.once('data', () => resolve(performance.now() - begin));
      send();
    });
    socket.on('error', reject);
  });
}

async function requests(options) {
  const agent = new https.Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const once = () => new Promise((resolve, reject) => {
    https.get({ ...options, agent, path: '/' }, (response) => {
      response.resume();
      response.on('end', resolve);
    }).on('error', reject);
  });
  const result = await meanTime(once);
  agent.destroy();
  return result;
}

async function streams(options) {
  const client = http2.connect(`https://localhost:${options.port}`, options);
  const once = () => new Promise((resolve, reject) => {
    const stream = client.request({ ':path': '/' });
    stream.on('end', resolve);
    stream.on('error', reject);
    stream.resume();
  });
  const result = await meanTime(once, STREAMS);
  client.close();
  return result;
}

/** Measures microseconds of a call, for each algorithm and size. */
function algorithms() {
  const [key, iv] = [Buffer.alloc(32, 1), Buffer.alloc(12, 2)];
  const encrypt = (name) => (bytes) => {
    const cipher = crypto.createCipheriv(name, key, iv, { authTagLength: 16 });
    cipher.update(bytes);
    cipher.final();
    cipher.getAuthTag();
  };
  const ed25519 = crypto.generateKeyPairSync('ed25519').privateKey;
  const rsa = crypto.generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  const calls = {
    'AES-256-GCM': encrypt('aes-256-gcm'),
    'ChaCha20-Poly1305': encrypt('chacha20-poly1305'),
    'SHA-256': (bytes) => crypto.createHash('sha256').update(bytes).digest(),
    'Ed25519 sign': (bytes) => crypto.sign(null, bytes, ed25519),
    'RSA-2048 sign': (bytes) => crypto.sign('sha256', bytes, rsa),
  };
  const results = {};
  for (const [name, call] of Object.entries(calls)) {
    for (const [size, count] of Object.entries(CRYPTO_BYTES)) {
      const bytes = Buffer.alloc(count, 'x');
      results[`${name}, ${size}, µs`] = async () => callTime(() => call(bytes));
    }
  }
  return results;
}

function callTime(call) {
  for (const end = performance.now() + CRYPTO_MS / 4; performance.now() < end;) call();
  const begin = performance.now();
  let count = 0;
  while (performance.now() - begin < CRYPTO_MS) {
    call();
    count += 1;
  }
  return ((performance.now() - begin) * 1000) / count;
}
