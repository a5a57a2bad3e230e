// HTTP and WebSocket servers under load: the server on one core, the load on another. In: wrk on
// PATH; BENCH_PACKAGES, a directory with the frameworks; BENCH_LOAD, the WebSocket load program;
// BENCH_SECONDS. Out: one line of JSON, a number for each measurement; times are those of the whole
// divided by the number of requests, so that fewer is better.
import { execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import process from 'node:process';
import { SERVERS } from './servers.mjs';

const SECONDS = Number(process.env.BENCH_SECONDS ?? 3);
const CONNECTIONS = 32;
const IDLE_CONNECTIONS = 10_000;
const SERVER_CORE = '0';
const LOAD_CORE = '1';
const only = process.env.BENCH_ROWS?.split(',');

/** [name, server, path, whether a body is sent]. */
const REQUESTS = [
  ['Bun.serve string', 'bun', '/string'],
  ['Bun.serve static', 'bun', '/static'],
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
    await withServer(kind, (port) => {
      for (const [name, , path, isPost] of rows.filter(([, server]) => server === kind)) {
        Object.assign(results, load(name, port, path, isPost));
      }
    });
  }
  for (const [name, what, values] of SOCKETS.filter((row) => has(row[0], 'bun'))) {
    await withServer('bun', (port) => {
      results[`WebSocket ${name}, µs`] = Number(loadProgram([what, port, SECONDS, ...values]));
    });
  }
  for (const kind of ['bun', 'node']) {
    if (has(`memory ${kind}`, kind)) Object.assign(results, await memory(kind));
  }
  console.log(JSON.stringify(results));
  process.exit(0);
}

/** Whether this row is asked for, and this runtime has the server. */
function has(name, server) {
  return (only === undefined || only.includes(name)) && (server !== 'bun' || typeof Bun !== 'undefined');
}

/** Calls `body` with the port of a server in a process of its own, and its process ID. */
async function withServer(kind, body) {
  const program = [process.execPath, ...process.execArgv];
  // deno runs files by a command.
  if (typeof Deno !== 'undefined') program.push('run', '-A');
  program.push(process.argv[1], 'serve', kind);
  if (availableParallelism() > 1) program.unshift('taskset', '-c', SERVER_CORE);
  const server = spawn(program[0], program.slice(1), { stdio: ['pipe', 'pipe', 'inherit'] });
  try {
    const port = await new Promise((resolve, reject) => {
      server.stdout.once('data', (text) => resolve(String(text).trim()));
      server.once('exit', (code) => reject(new Error(`${kind}: the server has ended with ${code}`)));
    });
    return await body(port, server.pid);
  } finally {
    server.kill('SIGKILL');
  }
}

/** Runs the load of a row: first half a second that does not count. */
function load(name, port, path, isPost) {
  wrk(port, path, isPost, 0.5);
  const { requests, seconds, p99 } = wrk(port, path, isPost, SECONDS);
  return { [`${name}, µs`]: seconds * 1e6 / requests, [`${name}, p99 µs`]: p99 };
}

function wrk(port, path, isPost, seconds) {
  const script = isPost ? ['-s', 'post.lua'] : ['-s', 'report.lua'];
  const output = onLoadCore('wrk', ['-t1', `-c${CONNECTIONS}`, `-d${Math.max(1, Math.round(seconds))}s`, ...script, `http://127.0.0.1:${port}${path}`]);
  const report = JSON.parse(output.trim().split('\n').at(-1));
  if (report.failures > 0 || report.requests === 0) throw new Error(`${path}: ${output}`);
  return report;
}

function loadProgram(values) {
  return onLoadCore(process.env.BENCH_LOAD, ['bench', 'load-sockets', ...values.map(String)]);
}

function onLoadCore(program, values) {
  const command = availableParallelism() > 1 ? ['taskset', '-c', LOAD_CORE, program, ...values] : [program, ...values];
  return execFileSync(command[0], command.slice(1), { encoding: 'utf8' });
}

/** Resident memory of a server: idle, with idle connections, after many requests. */
async function memory(kind) {
  const path = kind === 'bun' ? '/string' : '/';
  const name = kind === 'bun' ? 'Bun.serve' : 'node:http';
  return withServer(kind, async (port, pid) => {
    const idle = resident(pid);
    // The program prints a line when the connections are open, and closes them when its input ends.
    const held = spawn(process.env.BENCH_LOAD, ['bench', 'load-sockets', 'hold', port, '0', String(IDLE_CONNECTIONS)], { stdio: ['pipe', 'pipe', 'inherit'] });
    await new Promise((resolve) => { held.stdout.once('data', resolve); });
    await new Promise((resolve) => { setTimeout(resolve, 200); });
    const holding = resident(pid);
    held.stdin.end();
    await new Promise((resolve) => { held.once('exit', resolve); });
    let requests = 0;
    const wanted = Number(process.env.BENCH_MEMORY_REQUESTS ?? 1_000_000);
    while (requests < wanted) requests += wrk(port, path, false, 2).requests;
    return {
      [`${name} idle, MiB`]: idle,
      [`${name} 10,000 connections, MiB`]: holding,
      [`${name} after a million requests, MiB`]: resident(pid),
    };
  });
}

function resident(pid) {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;
}
