// Diagnostic report (`process.report`). In: an error, whose stack is included. Out: a report with
// Node's sections header, JavaScript stack, environment and resource usage. Absent: native stacks,
// libuv's handles; reports on signals and fatal errors throw.

'use strict';

const { codes: { ERR_FEATURE_UNAVAILABLE_ON_PLATFORM } } = require('internal/errors');
const { validateBoolean, validateObject, validateString } = require('internal/validators');

const settings = { directory: '', filename: '', compact: false, excludeNetwork: false, excludeEnv: false, signal: 'SIGUSR2' };

function header(process, event, trigger) {
  const os = require('os');
  const now = new Date();
  return {
    reportVersion: 5,
    event,
    trigger,
    filename: null,
    dumpEventTime: now.toISOString().replace(/\.\d+/, ''),
    dumpEventTimeStamp: String(now.getTime()),
    processId: process.pid,
    threadId: 0,
    cwd: process.cwd(),
    commandLine: [process.argv0, ...process.execArgv, ...process.argv.slice(1)],
    nodejsVersion: process.version,
    // Packages with addons detect glibc by it; without it they assume musl.
    glibcVersionRuntime: internalBinding('os').libraryVersion(),
    wordSize: 64,
    arch: process.arch,
    platform: process.platform,
    componentVersions: process.versions,
    release: process.release,
    osName: os.type(),
    osRelease: os.release(),
    osVersion: os.version(),
    osMachine: os.machine(),
    cpus: os.cpus().map(({ model, speed, times }) => ({ model, speed, ...times })),
    host: os.hostname(),
  };
}

function getReport(error) {
  const process = require('process');
  if (error !== undefined) {
    validateObject(error, 'err');
  }
  const cause = error ?? new Error('JavaScript Callstack');
  const [message, ...stack] = String(cause.stack).split('\n');
  const memory = process.memoryUsage();
  const usage = process.resourceUsage();
  return {
    header: header(process, 'JavaScript API', 'GetReport'),
    javascriptStack: { message, stack: stack.map((line) => line.trim()), errorProperties: {} },
    javascriptHeap: { totalMemory: memory.heapTotal, usedMemory: memory.heapUsed, externalMemory: memory.external },
    nativeStack: [],
    resourceUsage: {
      rss: memory.rss,
      userCpuSeconds: usage.userCPUTime / 1e6,
      kernelCpuSeconds: usage.systemCPUTime / 1e6,
      maxRss: usage.maxRSS,
      pageFaults: { IORequired: usage.majorPageFault, IONotRequired: usage.minorPageFault },
      fsActivity: { reads: usage.fsRead, writes: usage.fsWrite },
    },
    libuv: [],
    workers: [],
    environmentVariables: settings.excludeEnv ? undefined : { ...process.env },
    userLimits: {},
    sharedObjects: [],
  };
}

function writeReport(file, error) {
  const isNamed = typeof file === 'string';
  const cause = isNamed ? error : file;
  const process = require('process');
  const report = getReport(cause);
  const name = (isNamed && file) || settings.filename || `report.${Date.now()}.${process.pid}.0.001.json`;
  report.header.filename = name;
  const path = require('path').resolve(settings.directory, name);
  require('fs').writeFileSync(path, `${JSON.stringify(report, null, settings.compact ? 0 : 2)}\n`);
  return name;
}

const report = { writeReport, getReport };

function property(name, check) {
  Object.defineProperty(report, name, {
    enumerable: true,
    configurable: true,
    get: () => settings[name],
    set(value) {
      check(value, name);
      settings[name] = value;
    },
  });
}

for (const name of ['directory', 'filename', 'signal']) {
  property(name, validateString);
}
for (const name of ['compact', 'excludeNetwork', 'excludeEnv']) {
  property(name, validateBoolean);
}
for (const name of ['reportOnFatalError', 'reportOnSignal', 'reportOnUncaughtException']) {
  Object.defineProperty(report, name, {
    enumerable: true,
    configurable: true,
    get: () => false,
    set(value) {
      validateBoolean(value, 'trigger');
      if (value) {
        throw new ERR_FEATURE_UNAVAILABLE_ON_PLATFORM(`process.report.${name}`);
      }
    },
  });
}

module.exports = report;
