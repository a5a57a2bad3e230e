// Runs one test file: preloads, the file itself, its tests. In: a path, settings. Out: events, and
// whether it has passed. Absent: the order of tests (execute.js).
'use strict';

const main = require('internal/modules/main_module');
const { Execution, nextTurn, settle } = require('internal/test_files/execute');
const events = require('internal/test_files/events');
const nodeTest = require('internal/test_files/node_test');
const { begin, collect, collection } = require('internal/test_files/tree');
const { beginFile, endFile, state } = require('internal/expect/state');
const { evaluateEntry, importDynamic } = require('internal/esm');
const { toUrl } = require('internal/modules/file_url');

const { setTimeout, clearTimeout, setInterval, clearInterval } = globalThis;
const binding = internalBinding('test_runner');
const { now } = binding;
const loader = internalBinding('loader');

/** A timer that keeps the event loop alive while a test waits for something that never comes. */
const KEEP_ALIVE_MS = 0x7fffffff;

/** How often a file says that its event loop runs. */
const HEARTBEAT_MS = 1000;

/** So often in turn a file that loads has nothing to wait for. */
const IDLE_BEATS_MAX = 2;

function beat() {
  if (current?.isLoading) endStuckLoad(current);
  events.add({ t: 'alive' });
  events.flush();
}

/** Ends the loading of a file that waits for a promise which nothing can settle. */
function endStuckLoad(run) {
  timers.keepAlive.unref();
  run.idleBeats = binding.hasOpenHandles() ? 0 : run.idleBeats + 1;
  timers.keepAlive.ref();
  if (run.idleBeats < IDLE_BEATS_MAX) return;
  run.endLoad(new Error('the file does not load: a top-level `await`, or an async function of `describe`, waits for a promise that nothing settles'));
}

/** The file that is running. */
let current;

/** Timers of the file that waits for the event loop; most files never do. */
let timers;

/** The file that runs, and those after it, wait for the event loop. */
let isWaiting = false;

/** The function that has called has returned, and a file still runs. */
function wait() {
  isWaiting = true;
  if (current !== undefined && timers === undefined) startTimers();
}

function startTimers() {
  timers = { keepAlive: setTimeout(() => {}, KEEP_ALIVE_MS), heartbeat: setInterval(beat, HEARTBEAT_MS) };
  timers.heartbeat.unref();
}

function clearTimers() {
  if (timers === undefined) return;
  clearTimeout(timers.keepAlive);
  clearInterval(timers.heartbeat);
  timers = undefined;
}

/** What a file has done so far. */
class FileRun {
  failures = 0;
  /** Errors that belong to no test. */
  errors = 0;
  execution = undefined;
  /** Whether coverage is counted. */
  isCounted = false;
  isLoading = true;
  /** Fails the load. @type {(error: Error) => void} */
  endLoad = undefined;
  idleBeats = 0;
}

function onUncaught(error) {
  if (current === undefined) return false;
  if (current.execution?.onUncaught(error)) return true;
  current.errors++;
  events.add({ t: 'error', e: events.describeError(error) });
  events.flush();
  return true;
}

let hasLifecycleHooks = false;

/** `process` is loaded when it is first used; until then these do its part. */
function installLifecycleHooks() {
  if (hasLifecycleHooks || require.isLoaded('process')) return;
  hasLifecycleHooks = true;
  const loaded = (id) => {
    require('process');
    return require(id);
  };
  binding.setLifecycleHooks({
    beforeExit() {},
    exit: () => 0,
    code: () => 0,
    uncaught: (error, isRejection) => loaded('internal/process/execution').callFatalException(error, isRejection),
    rejections: (list) => loaded('internal/process/promises').unhandled(list),
    handled: (list) => loaded('internal/process/promises').handled(list),
  });
}

/**
 * @param {Preloads} preloads those of the files that share this global object
 * @returns {Promise<boolean>} whether all has passed
 */
async function runFile(path, index, settings, preloads, isLast) {
  const run = current = new FileRun();
  const start = now();
  run.isCounted = settings.coverageRoot !== undefined;
  installLifecycleHooks();
  main.runnerHandler = onUncaught;
  nodeTest.isActive = true;
  events.watchBuiltins();
  events.addFile(index);
  events.post();
  if (isWaiting) startTimers();
  beginFile(path, { isCi: settings.isCi, updatesSnapshots: settings.updatesSnapshots, hasColors: settings.hasColors, seed: settings.seed, global: globalThis, setDefaultTimeout, setRetries });
  collection.defaultTimeout = collection.lateTimeout = collection.retry = undefined;
  main.path = path;
  main.script = [loader.currentDir(), path];
  collection.refusesOnly = settings.isCi && !settings.onlyMarked;
  const root = begin({ isConcurrent: settings.concurrentFiles?.includes(index) || undefined });
  const isLoaded = await load(path, preloads) && run.errors === 0;
  const execution = run.execution = new Execution(root, executionOptions(settings));
  if (isLoaded) {
    await execution.run(preloads.hasHooks ? () => preloads.begin(execution) : undefined);
    run.hasUnrun = execution.hasUnrun;
  }
  if (isLast && preloads.hasBegun) await preloads.end(execution);
  run.execution = undefined;
  clearTimers();
  if (isLast) isWaiting = false;
  reportEnd(run, path, start);
  return run.errors === 0;
}

/** Of `jest.setTimeout` and `jest.retryTimes`. */
function setDefaultTimeout(milliseconds) { require('internal/test_files/definitions').setDefaultTimeout(milliseconds); }
function setRetries(count) { collection.retry = count; }

function executionOptions(settings) {
  return {
    timeout: settings.timeout,
    retry: settings.retry,
    runsTodo: settings.runsTodo,
    onlyMarked: settings.onlyMarked,
    isConcurrent: settings.isConcurrent,
    maxConcurrency: settings.maxConcurrency,
    pattern: settings.pattern === undefined ? undefined : new RegExp(settings.pattern),
    shuffle: settings.seed === undefined ? undefined : require('internal/test_files/shuffle').makeShuffle(settings.seed),
  };
}

/** Loads preloads and the file, then runs the functions of its groups. */
async function load(path, preloads) {
  const run = current;
  const { promise, reject } = Promise.withResolvers();
  run.endLoad = reject;
  try {
    await Promise.race([loadFile(path, preloads), promise]);
    return true;
  } catch (error) {
    run.errors++;
    events.add({ t: 'error', e: events.describeError(error), k: 'load' });
    return false;
  } finally {
    run.isLoading = false;
    collection.isClosed = true;
  }
}

async function loadFile(path, preloads) {
  if (!preloads.isEmpty) await preloads.load();
  if (path[0] === '/' && internalBinding('expect').mayHoist(path)) await require('internal/expect/hoisted_file').prepare(path);
  const evaluation = path[0] === '/' ? evaluateEntry(toUrl(path), importer()) : importModule(path);
  if (evaluation !== undefined) await evaluation;
  await collect();
  preloads.surround(collection.root);
  if (!settle()) await nextTurn();
  if (nodeTest.end !== undefined) await nodeTest.finish();
}

/** A path, or the name of a package, as `--preload` resolves it. */
function importModule(name) {
  const filename = name[0] === '/' ? name : resolvePreload(name);
  return importDynamic(filename[0] === '/' ? toUrl(filename) : filename, importer(), undefined);
}

const importer = () => `${loader.currentDir()}/[test]`;

function resolvePreload(name) {
  const Module = require('module');
  return Module._resolveFilename(name, Module.preloader());
}

/** Closes the file: snapshots, mocks; names what it has left open. */
function reportEnd(run, path, start) {
  let result;
  try {
    result = endFile({ allTestsRan: run.hasUnrun === false });
  } catch (error) {
    result = { assertions: state.assertions, snapshots: undefined, problems: [error] };
  }
  for (const problem of result.problems) {
    run.errors++;
    events.add({ t: 'error', e: events.describeError(problem) });
  }
  events.add({ t: 'file-end', ms: now() - start, a: result.assertions, snapshots: result.snapshots, open: openHandles(), x: exitCode(), coverage: run.isCounted ? require('internal/test_files/coverage').takeCounts() : undefined, changed: hasChangedGlobal() });
  events.post();
  current = undefined;
  main.runnerHandler = undefined;
}

/** Whether the next file needs another global object; undefined: that is not looked at. */
function hasChangedGlobal() { return binding.isWatched() ? require('internal/test_files/reuse').hasLoadedBuiltins() : undefined; }

function exitCode() { return require.isLoaded('process') ? Number(require('process').exitCode ?? 0) || undefined : undefined; }

/** Kinds of what keeps the event loop alive, with numbers. */
function openHandles() {
  if (!binding.hasOpenHandles()) return undefined;
  const counts = {};
  for (const kind of require('process').getActiveResourcesInfo()) {
    if (kind === 'PipeWrap' || kind === 'TTYWrap') continue;
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  const atLeast = (kind, count) => { if (count > (counts[kind] ?? 0)) counts[kind] = count; };
  const [children, workers] = binding.openCounts();
  atLeast('ProcessWrap', children);
  atLeast('Worker', workers);
  if (require.isLoaded('internal/serve/server')) atLeast('Server', require('internal/serve/server').countListening());
  return Object.keys(counts).length > 0 ? counts : undefined;
}

module.exports = { importModule, runFile, wait };
