//! CPU profiles: `--cpu-prof`, `node:v8`, `node:inspector`. In: programs that are busy in a
//! function, for so long that the sampler has its turn on a busy machine too. Out: the profile has
//! its name and its line, in the file as it was written.

use std::process::Command;

use rusk_testkit::project::Project;

const WORK: &str = "interface Unused { a: number }

export function spin(duration: number): number {
  let sum = 0;
  for (const end = Date.now() + duration; Date.now() < end;) sum += Math.sqrt(sum + end);
  return sum;
}
";

/// Prints whether `spin` has samples, whether they are on its own lines, and whether the deltas
/// fill the whole time. Other functions of the file are not looked at: a sample can fall on the
/// evaluation of the module, which is on its first line.
const SUMMARY: &str = "
export function summary(text) {
  const { nodes, samples, timeDeltas, startTime, endTime } = JSON.parse(text);
  const own = nodes.filter(({ callFrame: { url, functionName } }) => url.endsWith('work.ts') && functionName === 'spin');
  const hits = own.flatMap(({ positionTicks = [] }) => positionTicks.map(({ line }) => line));
  const total = timeDeltas.reduce((sum, delta) => sum + delta, 0);
  console.log(hits.length > 0, hits.every((line) => line >= 3 && line <= 6),
    samples.length > 20, samples.length === timeDeltas.length, Math.abs(endTime - startTime - total) < 20e3);
}
";

#[track_caller]
fn check(program: &str, flags: &[&str]) {
    let project = Project::new();
    project.write("work.ts", WORK);
    project.write("summary.mjs", SUMMARY);
    project.write("main.mjs", program);
    let mut command = Command::new(env!("CARGO_BIN_EXE_rusk"));
    command.args(flags).arg("main.mjs").current_dir(project.path()).env_clear().env("PATH", "/usr/bin:/bin");
    let output = command.output().expect("rusk starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert_eq!(text(&output.stderr), "");
    assert_eq!(text(&output.stdout), "true true true true true\n");
}

#[test]
fn a_flag_writes_a_profile_when_the_program_exits() {
    let program = "
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { summary } from './summary.mjs';
const run = (code) => execFileSync(process.execPath, ['--cpu-prof', '--cpu-prof-dir=out', '-e', code]);
const busy = `import('./work.ts').then(({ spin }) => { spin(500); END })`;
run(busy.replace('END', 'process.exitCode = 0'));
run(busy.replace('END', 'process.exit(0)'));
const names = readdirSync('out');
if (names.length !== 2 || !names.every((name) => /^CPU\\.\\d{8}\\.\\d{6}\\.\\d+\\.0\\.001\\.cpuprofile$/.test(name))) throw new Error(names);
summary(readFileSync(`out/${names[0]}`, 'utf8'));
";
    check(program, &[]);
}

#[test]
fn a_program_profiles_a_part_of_itself() {
    let program = "
import { startCpuProfile } from 'node:v8';
import { spin } from './work.ts';
import { summary } from './summary.mjs';
const outer = startCpuProfile();
const handle = startCpuProfile();
spin(500);
summary(handle.stop());
if (handle.stop() !== undefined || JSON.parse(outer.stop()).samples.length < 20) throw new Error('stopped');
";
    check(program, &[]);
}

#[test]
fn a_worker_is_profiled_from_outside() {
    let program = "
import { Worker } from 'node:worker_threads';
import { once } from 'node:events';
import { summary } from './summary.mjs';
const worker = new Worker(`
  const { parentPort } = require('worker_threads');
  const work = import('./work.ts');
  parentPort.on('message', async () => { (await work).spin(500); parentPort.postMessage('done'); });
`, { eval: true });
await once(worker, 'online');
const handle = await worker.startCpuProfile();
worker.postMessage('go');
await once(worker, 'message');
summary(await handle.stop());
await worker.terminate();
";
    check(program, &[]);
}

#[test]
fn an_inspector_session_takes_longer_intervals_only() {
    let program = "
import { Session } from 'node:inspector/promises';
import { spin } from './work.ts';
import { summary } from './summary.mjs';
const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.setSamplingInterval', { interval: 4000 });
await session.post('Profiler.start');
spin(1000);
const { profile } = await session.post('Profiler.stop');
if (profile.timeDeltas.slice(1, -1).some((delta) => delta < 4000)) throw new Error('too fast');
summary(JSON.stringify(profile));
";
    check(program, &[]);
}
