// HTTP and WebSocket servers under load: the server on one core, the load on another. In: wrk on
// PATH; BENCH_PACKAGES, a directory with the frameworks; BENCH_LOAD, the WebSocket load program;
// BENCH_SECONDS. Out: one line of JSON, a number for each measurement, or why there is none; times
// are those of the whole divided by the number of requests, so that fewer is better.
import { execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import process from 'node:process';
import { SERVERS } from './servers.mjs';

const SECONDS = Number(process.env.BENCH_SECONDS ?? 3);
const CONNECTIONS = 32;
const IDLE_CONNECTIONS = 10_000;
/** A server is idle when it has had nothing to do for so long. */
const SETTLES_MS = 4000;
/** A connection that has waited longer is a failure. wrk's own 2 s are less than what some of 32
 * large responses take on a busy machine; how long they take is in the 99th percentile. */
const RESPONSE_SECONDS_MAX = 30;
const SERVER_CORE = '0';
const LOAD_CORE = '1';
const only = process.env.BENCH_ROWS?.split(',');

/** [name, server, path, whether a body is sent]. */
const REQUESTS = [
  ['Bun.serve string', 'bun', '/string'],
  ['Bun.serve static', 'bun', '/static'],
  ['Bun.serve empty function', 'bun', '/empty'],
  ['Bun.serve JSON', 'bun', '/json', true],
  ['Bun.serve parameter', 'bun', '/users/42'],
  ['Bun.serve 1 MiB file', 'bun', '/file'],
  ['Bun.serve 10 MiB stream', 'bun', '/stream'],
  ['node:http hello', 'node', '/'],
  ['express', 'express', '/'],
  ['fastify', 'fastify', '/'],
  ['koa', 'koa', '/'],
  ['hono', 'hono', '/'],
];
/** Each with one process, then with two: they have both cores, and share them with the load. */
const CORES = [['cluster', 'cluster'], ['reusePort', 'reuse']];
/** [name, what the load program sends, arguments]. */
const SOCKETS = [
  ['echo 64 B', 'echo', ['64']],
  ['echo 64 KiB', 'echo', ['65536']],
  ['publish to 1,000', 'publish', ['1000']],
];

if (process.argv[2] === 'serve') await SERVERS[process.argv[3]]();
else await main();

async function main() {
  const results = {};
  const rows = REQUESTS.filter(([name, server]) => has(name, server));
  for (const kind of new Set(rows.map(([, server]) => server))) {
    const own = rows.filter(([, server]) => server === kind);
    await attempt(results, own.map(([name]) => `${name}, µs`), () => withServer(kind, (port) => {
      for (const [name, , path, isPost] of own) Object.assign(results, load(name, port, path, isPost));
    }));
  }
  for (const [name, what, values] of SOCKETS.filter((row) => has(row[0], 'bun'))) {
    const row = `WebSocket ${name}, µs`;
    await attempt(results, [row], () => withServer('bun', (port) => {
      results[row] = Number(loadProgram([what, port, SECONDS, ...values]));
    }));
  }
  for (const kind of ['bun', 'node']) {
    if (has(`memory ${kind}`, kind)) await attempt(results, [`${nameOf(kind)} idle, MiB`], async () => Object.assign(results, await memory(kind)));
  }
  if (availableParallelism() > 1) {
    for (const [name, kind] of CORES.filter((row) => has(row[0], row[1] === 'reuse' ? 'bun' : 'node'))) {
      await attempt(results, [`${name}, one process, µs`], async () => Object.assign(results, await cores(name, kind)));
    }
  }
  if (process.versions.rusk !== undefined && has('without an engine', 'bun')) await withoutEngine(results);
  console.log(JSON.stringify(results));
  process.exit(0);
}

/** What a server or a load fails with stands in its rows. */
async function attempt(results, names, body) {
  try {
    await body();
  } catch (error) {
    for (const name of names) results[name] ??= String(error.message).split('\n')[0];
  }
}

/** Whether this row is asked for, and this runtime has the server. */
function has(name, server) {
  return (only === undefined || only.includes(name)) && (server !== 'bun' || typeof Bun !== 'undefined');
}

/**
 * Calls `body` with the port of a server in a process of its own, and its process ID. `core`: null
 * for any.
 */
function withServer(kind, body, core = SERVER_CORE) {
  const program = [process.execPath, ...process.execArgv];
  // deno runs files by a command.
  if (typeof Deno !== 'undefined') program.push('run', '-A', '--no-check', '-q');
  program.push(process.argv[1], 'serve', kind);
  return withProgram(program, body, core);
}

async function withProgram(program, body, core) {
  const command = availableParallelism() > 1 && core !== null ? ['taskset', '-c', core, ...program] : program;
  const server = spawn(command[0], command.slice(1), { stdio: ['pipe', 'pipe', 'pipe'] });
  let complaint = '';
  server.stderr.on('data', (text) => { complaint += text; });
  try {
    const port = await new Promise((resolve, reject) => {
      server.stdout.once('data', (text) => resolve(String(text).trim()));
      server.once('close', (code) => {
        const line = complaint.split('\n').find((text) => /[Ee]rror/.test(text)) ?? `it has ended with ${code}`;
        // eslint-disable-next-line no-control-regex
        reject(new Error(line.replace(/\x1b\[[\d;]*m/g, '').replace(/\S*\/(?=[\w.-])/g, '')));
      });
    });
    return await body(port, server.pid);
  } finally {
    // A group of processes ends when its input does.
    server.stdin.end();
    server.kill('SIGKILL');
  }
}

/** The server's core without an engine: a static response, and a handler in Rust. */
async function withoutEngine(results) {
  for (const [name, program] of [['Bun.serve static', 'serve-static'], ['Bun.serve string', 'serve-handler']]) {
    const row = `${name}, core without an engine`;
    await attempt(results, [`${row}, µs`], () => withProgram([process.env.BENCH_LOAD, 'bench', program], (port) => {
      Object.assign(results, load(row, port, '/static', false));
    }, SERVER_CORE));
  }
}

/**
 * A handler that computes for about a millisecond, by one process and by two. The load shares the
 * cores: it takes one or two hundredths of them.
 */
async function cores(name, kind) {
  const times = {};
  for (const [count, label] of [[1, 'one process'], [2, 'two processes']]) {
    process.env.BENCH_WORKERS = String(count);
    await withServer(kind, (port) => {
      wrk(port, '/', false, 0.5, true);
      const { requests, seconds } = wrk(port, '/', false, SECONDS, true);
      times[label] = seconds * 1e6 / requests;
    }, null);
  }
  return {
    [`${name}, one process, µs`]: times['one process'],
    [`${name}, two processes, µs`]: times['two processes'],
    [`${name}, two processes relative to one`]: times['two processes'] / times['one process'],
  };
}

/** Runs the load of a row: first half a second that does not count. */
function load(name, port, path, isPost) {
  wrk(port, path, isPost, 0.5);
  const { requests, seconds, p99 } = wrk(port, path, isPost, SECONDS);
  return { [`${name}, µs`]: seconds * 1e6 / requests, [`${name}, p99 µs`]: p99 };
}

function wrk(port, path, isPost, seconds, isAnyCore = false) {
  const script = isPost ? ['-s', 'post.lua'] : ['-s', 'report.lua'];
  const run = isAnyCore ? (program, values) => execFileSync(program, values, { encoding: 'utf8' }) : onLoadCore;
  const output = run('wrk', ['-t1', `-c${CONNECTIONS}`, `-d${Math.max(1, Math.round(seconds))}s`, '--timeout', `${RESPONSE_SECONDS_MAX}s`, ...script, `http://127.0.0.1:${port}${path}`]);
  const report = JSON.parse(output.trim().split('\n').at(-1));
  if (report.failures > 0 || report.requests === 0) throw new Error(`${path}: ${report.requests} requests, ${report.failures} failures`);
  return report;
}

function loadProgram(values) {
  return onLoadCore(process.env.BENCH_LOAD, ['bench', 'load-sockets', ...values.map(String)]);
}

function onLoadCore(program, values) {
  const command = availableParallelism() > 1 ? ['taskset', '-c', LOAD_CORE, program, ...values] : [program, ...values];
  return execFileSync(command[0], command.slice(1), { encoding: 'utf8' });
}

function nameOf(kind) { return kind === 'bun' ? 'Bun.serve' : 'node:http'; }

function pause(ms) { return new Promise((resolve) => { setTimeout(resolve, ms); }); }

/**
 * Resident memory of a server: idle, with idle connections, right after many requests, and when it
 * is idle again.
 */
async function memory(kind) {
  const path = kind === 'bun' ? '/string' : '/';
  const name = nameOf(kind);
  return withServer(kind, async (port, pid) => {
    await pause(SETTLES_MS);
    const idle = resident(pid);
    // The program prints a line when the connections are open, and closes them when its input ends.
    const held = spawn(process.env.BENCH_LOAD, ['bench', 'load-sockets', 'hold', port, '0', String(IDLE_CONNECTIONS)], { stdio: ['pipe', 'pipe', 'inherit'] });
    await new Promise((resolve) => { held.stdout.once('data', resolve); });
    await pause(SETTLES_MS);
    const holding = resident(pid);
    held.stdin.end();
    await new Promise((resolve) => { held.once('exit', resolve); });
    let requests = 0;
    const wanted = Number(process.env.BENCH_MEMORY_REQUESTS ?? 1_000_000);
    while (requests < wanted) requests += wrk(port, path, false, 2).requests;
    const busy = resident(pid);
    await pause(SETTLES_MS);
    return {
      [`${name} idle, MiB`]: idle,
      [`${name} 10,000 connections, MiB`]: holding,
      [`${name} after a million requests, MiB`]: busy,
      [`${name} idle after a million requests, MiB`]: resident(pid),
    };
  });
}

function resident(pid) {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;
}
