// The JavaScript programs of `cargo xtask bench spawn`: one script for rusk, bun, node and deno,
// each with its own API for starting a process. In: a method (`async` or `sync`) and `key=value`
// arguments, the same for every program of the benchmark. Out: one line of JSON with every sample
// in nanoseconds. A child that fails ends the run. Absent: the moment of exec and the children's
// CPU time, which these runtimes do not report; the timer.
// @ts-check

import process from "node:process";

const WARM_UP = 8;

/**
 * `ended` is a status, or the code of an error.
 * @typedef {{ ended: Promise<number | string>, closeInput: () => void }} Child
 * @typedef {{
 *   start: (path: string, pipes: boolean) => Child,
 *   run: (path: string, pipes: boolean) => number | string,
 * }} Runtime
 * @typedef {{
 *   method: string, child: string, open: number, touched: number, flight: number,
 *   count: number, pipes: boolean, failure: boolean,
 * }} Scenario
 * @typedef {{ call: number[], reaped: number[] }} Samples
 */

const now = () => Number(process.hrtime.bigint());

/** @returns {Promise<Runtime>} */
async function runtime() {
  if ("Bun" in globalThis) return bun(globalThis["Bun"]);
  if ("Deno" in globalThis) return deno(globalThis["Deno"]);
  return node(await import("node:child_process"));
}

/** @returns {Runtime} */
function bun(Bun) {
  const options = (pipes) => ({ stdio: pipes ? ["pipe", "pipe", "pipe"] : ["inherit", "inherit", "inherit"] });
  return {
    start(path, pipes) {
      const child = attempt(() => Bun.spawn([path], options(pipes)));
      if (typeof child === "string") return { ended: Promise.resolve(child), closeInput() {} };
      return { ended: child.exited, closeInput: () => pipes && child.stdin.end() };
    },
    run(path, pipes) {
      const done = attempt(() => Bun.spawnSync([path], options(pipes)));
      return typeof done === "string" ? done : done.exitCode;
    },
  };
}

/** @returns {Runtime} */
function deno(Deno) {
  const options = (pipes, stdin) => {
    const one = pipes ? "piped" : "inherit";
    return { stdin: stdin ?? one, stdout: one, stderr: one };
  };
  return {
    start(path, pipes) {
      const child = attempt(() => new Deno.Command(path, options(pipes)).spawn());
      if (typeof child === "string") return { ended: Promise.resolve(child), closeInput() {} };
      const closeInput = () => {
        if (!pipes) return;
        child.stdin.close().catch(() => {});
        child.stdout.cancel().catch(() => {});
        child.stderr.cancel().catch(() => {});
      };
      return { ended: child.status.then((status) => status.code), closeInput };
    },
    // A synchronous start cannot have a pipe as its stdin.
    run(path, pipes) {
      const done = attempt(() => new Deno.Command(path, options(pipes, pipes ? "null" : undefined)).outputSync());
      return typeof done === "string" ? done : done.code;
    },
  };
}

/** @returns {Runtime} */
function node({ spawn, spawnSync }) {
  const options = (pipes) => ({ stdio: pipes ? "pipe" : "inherit" });
  return {
    start(path, pipes) {
      const child = spawn(path, [], options(pipes));
      const ended = new Promise((resolve) => {
        child.once("exit", resolve);
        child.once("error", (error) => resolve(error.code));
      });
      const closeInput = () => {
        if (!pipes) return;
        for (const stream of child.stdio) stream.destroy();
      };
      return { ended, closeInput };
    },
    run(path, pipes) {
      const done = spawnSync(path, [], options(pipes));
      return done.error ? done.error["code"] : done.status;
    },
  };
}

/** The result of `call`, or the code of its error. */
function attempt(call) {
  try {
    return call();
  } catch (error) {
    return String(error.code ?? error.name);
  }
}

/** @param {Scenario} scenario @param {number | string} ended */
function check(scenario, ended) {
  const right = scenario.failure ? ended === "ENOENT" : ended === 0;
  if (!right) throw new Error(`ended with ${ended}`);
}

/**
 * @param {Runtime} own @param {Scenario} scenario
 * @param {number} count @param {Samples} samples
 */
function runSync(own, scenario, count, samples) {
  for (let index = 0; index < count; index++) {
    const began = now();
    check(scenario, own.run(scenario.child, scenario.pipes));
    const took = now() - began;
    samples.call.push(took);
    samples.reaped.push(took);
  }
}

/**
 * Starts `count` children with `flight` of them alive; the oldest is reaped before the next start.
 * A child's time is taken when its promise resolves, not when its turn comes.
 * @param {Runtime} own @param {Scenario} scenario @param {number} count @param {Samples} samples
 */
async function runAsync(own, scenario, count, samples) {
  /** @type {Promise<void>[]} */
  const alive = [];
  for (let index = 0; index < count; index++) {
    if (alive.length === scenario.flight) await alive.shift();
    const began = now();
    const child = own.start(scenario.child, scenario.pipes);
    samples.call.push(now() - began);
    alive.push(
      child.ended.then((ended) => {
        samples.reaped.push(now() - began);
        child.closeInput();
        check(scenario, ended);
      }),
    );
  }
  await Promise.all(alive);
}

/** @param {string[]} settings @returns {Scenario} */
function parse([method, ...settings]) {
  const values = Object.fromEntries(settings.map((setting) => setting.split("=")));
  const number = (name, otherwise) => Number(values[name] ?? otherwise);
  return {
    method,
    child: values.child ?? "/bin/true",
    open: number("open", 0),
    touched: number("touched", 0),
    flight: number("flight", 1),
    count: number("count", 100),
    pipes: values.stdio === "pipes",
    failure: values.watch === "failure",
  };
}

const scenario = parse(process.argv.slice(2));
const { openSync } = await import("node:fs");
for (let index = 0; index < scenario.open; index++) openSync("/dev/null", "r");
globalThis["touched"] = new Uint8Array(scenario.touched * 1048576).fill(1);

const own = await runtime();
const run = scenario.method === "sync" ? runSync : runAsync;
await run(own, scenario, Math.min(WARM_UP, scenario.count), { call: [], reaped: [] });
const samples = { call: [], reaped: [] };
const used = process.cpuUsage();
const began = now();
await run(own, scenario, scenario.count, samples);
const wall = now() - began;
const { user, system } = process.cpuUsage(used);
console.log(JSON.stringify({ ...samples, wall, parent_cpu: (user + system) * 1000 }));
