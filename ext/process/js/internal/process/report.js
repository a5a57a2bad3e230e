// Diagnostic report (`process.report`). In: an error, whose stack is included. Out: a report in
// Node's form, returned or written; also on signals, uncaught exceptions and fatal errors of
// addons. Absent: native stacks; reports of workers; a report on fatal errors of the engine, which
// ends the process at once.

'use strict';

const { codes: { ERR_INVALID_ARG_TYPE, ERR_SYNTHETIC } } = require('internal/errors');
const { validateBoolean, validateSignalName, validateString } = require('internal/validators');
const { libuvHandles } = require('internal/process/report_of_handles');
const { processLimits, sharedObjects, threadFsActivity } = require('internal/process/report_of_kernel');

const { getOptionValue } = require('internal/options');
const diagnosticName = require('internal/process/diagnostic_name');

const textOption = (name) => getOptionValue(name) || '';
const isOption = (name) => getOptionValue(name) === true;

const settings = {
  directory: textOption('--report-directory') || textOption('--report-dir') || textOption('--diagnostic-dir'),
  filename: textOption('--report-filename'),
  compact: isOption('--report-compact'),
  excludeNetwork: isOption('--report-exclude-network'),
  excludeEnv: isOption('--report-exclude-env'),
  signal: textOption('--report-signal') || 'SIGUSR2',
  reportOnFatalError: isOption('--report-on-fatalerror'),
  reportOnSignal: false,
  reportOnUncaughtException: false,
};

const process = require('process');

function header(event, trigger) {
  const os = require('os');
  const now = new Date();
  const { threadId } = require('worker_threads');
  return {
    reportVersion: 5,
    event,
    trigger,
    filename: null,
    dumpEventTime: now.toISOString().replace(/\.\d+/, ''),
    dumpEventTimeStamp: String(now.getTime()),
    processId: process.pid,
    threadId,
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
    ...(settings.excludeNetwork ? {} : { networkInterfaces: networkInterfaces(os) }),
    host: os.hostname(),
  };
}

function networkInterfaces(os) {
  return Object.entries(os.networkInterfaces()).flatMap(([name, addresses]) => addresses.map(({ internal, mac, address, netmask, family, scopeid }) => ({
    name, internal, mac, address, netmask, family, ...(scopeid === undefined ? {} : { scopeid }),
  })));
}

/** The heap in V8's names. The engine's heap is one space. */
function javascriptHeap() {
  const v8 = require('v8');
  const heap = v8.getHeapStatistics();
  const spaces = v8.getHeapSpaceStatistics().map((space) => [space.space_name, {
    memorySize: space.space_size, committedMemory: space.space_size, capacity: space.space_size, used: space.space_used_size,
    available: space.space_available_size,
  }]);
  return {
    totalMemory: heap.total_heap_size,
    executableMemory: heap.total_heap_size_executable,
    totalCommittedMemory: heap.total_physical_size,
    availableMemory: heap.total_available_size,
    totalGlobalHandlesMemory: heap.total_global_handles_size,
    usedGlobalHandlesMemory: heap.used_global_handles_size,
    usedMemory: heap.used_heap_size,
    memoryLimit: heap.heap_size_limit,
    mallocedMemory: heap.malloced_memory,
    externalMemory: heap.external_memory,
    peakMallocedMemory: heap.peak_malloced_memory,
    nativeContextCount: heap.number_of_native_contexts,
    detachedContextCount: heap.number_of_detached_contexts,
    doesZapGarbage: heap.does_zap_garbage,
    heapSpaces: Object.fromEntries(spaces),
  };
}

/** Processor time in seconds, and in percent of the time since the start. */
function processorTime({ user, system }) {
  const percent = 1e-4 / process.uptime();
  return {
    userCpuSeconds: user / 1e6,
    kernelCpuSeconds: system / 1e6,
    cpuConsumptionPercent: (user + system) * percent,
    userCpuConsumptionPercent: user * percent,
    kernelCpuConsumptionPercent: system * percent,
  };
}

function resourceUsage() {
  const os = require('os');
  const usage = process.resourceUsage();
  return {
    free_memory: os.freemem(),
    total_memory: os.totalmem(),
    rss: process.memoryUsage.rss(),
    constrained_memory: process.constrainedMemory(),
    available_memory: process.availableMemory(),
    ...processorTime(process.cpuUsage()),
    maxRss: usage.maxRSS * 1024,
    pageFaults: { IORequired: usage.majorPageFault, IONotRequired: usage.minorPageFault },
    fsActivity: { reads: usage.fsRead, writes: usage.fsWrite },
  };
}

/** Own enumerable properties of an error, as Node writes them. */
function errorProperties(error) {
  return Object.fromEntries(Object.keys(error).map((name) => [name, String(error[name])]));
}

/** The stack of an error; of another value that was thrown, its text. */
function javascriptStack(error) {
  if (typeof error !== 'object' || error === null) return { message: String(error), errorProperties: {} };
  const [message, ...stack] = String(error.stack).split('\n');
  return { message, stack: stack.map((line) => line.trim()), errorProperties: errorProperties(error) };
}

function makeReport(event, trigger, error) {
  return {
    header: header(event, trigger),
    javascriptStack: javascriptStack(error),
    javascriptHeap: javascriptHeap(),
    nativeStack: [],
    resourceUsage: resourceUsage(),
    uvthreadResourceUsage: { ...processorTime(process.threadCpuUsage()), fsActivity: threadFsActivity() },
    libuv: libuvHandles(),
    workers: [],
    ...(settings.excludeEnv ? {} : { environmentVariables: { ...process.env } }),
    userLimits: processLimits(),
    sharedObjects: sharedObjects(),
  };
}

function checkError(error) {
  if (error === undefined) return new ERR_SYNTHETIC();
  if (error === null || typeof error !== 'object') throw new ERR_INVALID_ARG_TYPE('err', 'Object', error);
  return error;
}

function getReport(error) {
  return makeReport('JavaScript API', 'GetReport', checkError(error));
}

/** Writes a report and says so on standard error, as Node does. Returns the file's name. */
function write(event, trigger, file, error) {
  const fs = require('fs');
  const name = file || settings.filename || diagnosticName('report', 'json');
  const report = makeReport(event, trigger, error);
  report.header.filename = name;
  const text = render(report);
  if (name === 'stdout' || name === 'stderr') {
    fs.writeSync(name === 'stdout' ? 1 : 2, text);
    return name;
  }
  const isAlone = require('path').isAbsolute(name);
  try {
    const fd = fs.openSync(isAlone ? name : require('path').resolve(settings.directory, name), 'w');
    fs.writeSync(2, `\nWriting Node.js report to file: ${name}\n`);
    try {
      fs.writeFileSync(fd, text);
    } finally {
      fs.closeSync(fd);
    }
  } catch (failure) {
    const directory = settings.directory && ` directory: ${settings.directory}`;
    fs.writeSync(2, `\nFailed to open Node.js report file: ${name}${directory} (errno: ${-failure.errno})\n`);
    return '';
  }
  fs.writeSync(2, 'Node.js report completed\n');
  return name;
}

const render = (report) => `${JSON.stringify(report, null, settings.compact ? 0 : 2)}\n`;

/**
 * Hands over the report that a fatal error of an addon writes, without JavaScript. Placeholders
 * stand for what is known then only.
 */
function prepareFatalReport() {
  const binding = internalBinding('addons');
  if (!settings.reportOnFatalError) {
    binding.setFatalReport();
    return;
  }
  const report = makeReport('%EVENT%', 'FatalError', new ERR_SYNTHETIC());
  Object.assign(report.header, { filename: '%FILENAME%', dumpEventTime: '%TIME%', dumpEventTimeStamp: '%TIMESTAMP%' });
  // As Node has it for a thread that cannot run JavaScript.
  report.javascriptStack = { message: 'No stack.', stack: ['Unavailable.'], errorProperties: {} };
  delete report.javascriptHeap;
  const directory = require('path').resolve(settings.directory);
  binding.setFatalReport(render(report), directory, settings.filename || diagnosticName('report', 'json', '%DATE%'));
}

function writeReport(file, error) {
  if (typeof file === 'object' && file !== null) return write('JavaScript API', 'API', undefined, file);
  if (file !== undefined && typeof file !== 'string') throw new ERR_INVALID_ARG_TYPE('file', 'string', file);
  return write('JavaScript API', 'API', file, checkError(error));
}

function onSignal(signal) { write(signal, 'Signal', undefined, new ERR_SYNTHETIC()); }

/** Listens to the signal while reports on it are on. */
function listen() {
  process.removeListener(settings.signal, onSignal);
  if (settings.reportOnSignal) process.on(settings.signal, onSignal);
}

function onUncaught(error) { write('Exception', 'Exception', undefined, error); }

const report = { writeReport, getReport };

function property(name, check, change) {
  Object.defineProperty(report, name, {
    enumerable: true,
    configurable: true,
    get: () => settings[name],
    set(value) {
      check(value);
      if (change === undefined) settings[name] = value;
      else change(value);
      // The prepared report has the settings of its time.
      if (settings.reportOnFatalError && name !== 'reportOnFatalError') prepareFatalReport();
    },
  });
}

for (const name of ['directory', 'filename']) property(name, (value) => validateString(value, name));
for (const name of ['compact', 'excludeNetwork', 'excludeEnv']) property(name, (value) => validateBoolean(value, name));
property('signal', (value) => validateSignalName(value, 'signal'), (value) => {
  process.removeListener(settings.signal, onSignal);
  settings.signal = value;
  listen();
});
const checkTrigger = (value) => validateBoolean(value, 'trigger');
property('reportOnFatalError', checkTrigger, (value) => {
  settings.reportOnFatalError = value;
  prepareFatalReport();
});
property('reportOnSignal', checkTrigger, (value) => {
  settings.reportOnSignal = value;
  listen();
});
property('reportOnUncaughtException', checkTrigger, (value) => {
  settings.reportOnUncaughtException = value;
  require('internal/process/execution').setReportOnUncaught(value ? onUncaught : null);
});

report.reportOnSignal = isOption('--report-on-signal');
report.reportOnUncaughtException = isOption('--report-uncaught-exception');

module.exports = { report, prepareFatalReport };
