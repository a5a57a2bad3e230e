// node:process: the global object `process`. In: start values from the binding, and the modules in
// internal/process, each loaded on first use. Out: the object. Absent: the permission model, the
// inspector, addons; their methods throw.

'use strict';

const EventEmitter = require('events');
const start = internalBinding('process').start();
const { version, versions } = require('internal/process/versions');

/**
 * `process.constructor`. As in Node it can be called without `new`, which test runners do on a copy
 * of the object, and returns its `this`.
 */
function process() {
  return new.target === undefined ? this ?? globalThis : undefined;
}

const prototype = Object.create(EventEmitter.prototype, {
  constructor: { value: process, writable: true, enumerable: false, configurable: true },
});
process.prototype = prototype;
const self = Object.create(prototype);

/** Defines data properties with Node's attributes. */
function define(values, attributes) {
  for (const name of Object.keys(values)) {
    Object.defineProperty(self, name, { value: values[name], ...attributes });
  }
}

/** Defines a property whose value is created on first read. */
function lazy(name, make, attributes = { enumerable: true, writable: true }) {
  Object.defineProperty(self, name, {
    configurable: true,
    enumerable: attributes.enumerable,
    get() {
      const value = make();
      Object.defineProperty(self, name, { value, configurable: true, ...attributes });
      return value;
    },
    set: attributes.writable === false ? undefined : (value) => {
      Object.defineProperty(self, name, { value, configurable: true, enumerable: attributes.enumerable, writable: true });
    },
  });
}

/**
 * Defines a standard stream, created on first read. It stays an accessor, as in Node: jest copies
 * `process` deeply, and a copy of the stream would not be the stream.
 */
function stream(name) {
  Object.defineProperty(self, name, {
    configurable: true,
    enumerable: true,
    get: () => require('internal/process/stdio').get(name),
  });
}

Object.defineProperty(self, Symbol.toStringTag, { value: 'process', configurable: false, enumerable: false, writable: true });
/** Inserts the script's absolute path after the path of the executable. */
function argv() {
  const { script } = require('internal/modules/main_module');
  const { argv: [executable, ...rest] } = start;
  return script === undefined ? start.argv : [executable, require('path').resolve(...script), ...rest];
}

define({ version }, { configurable: true, enumerable: true, writable: false });
define({ versions, arch: start.arch, platform: 'linux' }, { configurable: true, enumerable: true, writable: false });
lazy('release', () => require('internal/process/versions').release, { enumerable: true, writable: false });
define({ pid: start.pid }, { configurable: true, enumerable: true, writable: false });
define({ argv0: start.argv0 }, { configurable: false, enumerable: true, writable: false });

EventEmitter.call(self);
self.domain = null;
lazy('argv', argv);
self.execArgv = start.execArgv;
self.execPath = start.execPath;
self.debugPort = 9229;

lazy('env', () => require('internal/process/env').env);
Object.defineProperty(self, 'mainModule', {
  configurable: true,
  enumerable: true,
  get: () => require('internal/modules/main_module').value,
  set: (value) => Object.defineProperty(self, 'mainModule', { value, configurable: true, enumerable: true, writable: true }),
});

lazy('config', () => require('internal/process/versions').getConfig(), { enumerable: true, writable: false });
lazy('features', () => require('internal/process/versions').features, { enumerable: true, writable: false });
lazy('allowedNodeEnvironmentFlags', () => require('internal/process/allowed_flags').allowedFlags());
lazy('report', () => require('internal/process/report').report, { enumerable: true, writable: false });
lazy('finalization', () => require('internal/process/finalization').createFinalization());
stream('stdin');
stream('stdout');
stream('stderr');
Object.defineProperty(self, 'ppid', { configurable: true, enumerable: true, get: () => internalBinding('process').ppid() });
Object.defineProperty(self, 'sourceMapsEnabled', {
  configurable: true,
  enumerable: true,
  get: () => require('internal/process/execution').sourceMapsEnabled(),
});
Object.defineProperty(self, 'title', {
  configurable: true,
  enumerable: true,
  get: () => require('internal/process/per_thread').getTitle(),
  set: (value) => require('internal/process/per_thread').setTitle(value),
});

// The exit code: checked when it is set.
let exitCode;
Object.defineProperty(self, 'exitCode', {
  configurable: false,
  enumerable: true,
  get: () => exitCode,
  set(value) {
    if (value !== null && value !== undefined) {
      let number = value;
      if (typeof value === 'string' && value !== '' && Number.isInteger(+value)) {
        number = +value;
      }
      require('internal/validators').validateInteger(number, 'code');
    }
    exitCode = value;
  },
});
Object.defineProperty(self, '_exiting', { configurable: true, enumerable: true, writable: true, value: false });

const methods = () => require('internal/process/per_thread');
const execution = () => require('internal/process/execution');

/** Each method loads its module when it is called. */
const functions = {
  abort() { internalBinding('process').abort(); },
  chdir(directory) { methods().chdir(directory); },
  cwd() { return methods().cwd(); },
  umask(mask) { return methods().umask(mask); },
  uptime() { return methods().uptime(); },
  kill(pid, signal) { return methods().kill(pid, signal); },
  _kill(pid, signal) { return internalBinding('process').kill(pid, signal); },
  cpuUsage(previous) { return methods().cpuUsage(previous); },
  threadCpuUsage(previous) { return methods().threadCpuUsage(previous); },
  resourceUsage() { return methods().resourceUsage(); },
  constrainedMemory() { return internalBinding('process').constrainedMemory(); },
  availableMemory() { return internalBinding('process').availableMemory(); },
  execve(execPath, args, env) { methods().execve(execPath, args, env); },
  loadEnvFile(path) { methods().loadEnvFile(path); },
  getuid() { return internalBinding('process').ids()[0]; },
  geteuid() { return internalBinding('process').ids()[1]; },
  getgid() { return internalBinding('process').ids()[2]; },
  getegid() { return internalBinding('process').ids()[3]; },
  getgroups() { return require('internal/process/credentials').getgroups(); },
  setuid(id) { require('internal/process/credentials').setuid(id); },
  seteuid(id) { require('internal/process/credentials').seteuid(id); },
  setgid(id) { require('internal/process/credentials').setgid(id); },
  setegid(id) { require('internal/process/credentials').setegid(id); },
  setgroups(groups) { require('internal/process/credentials').setgroups(groups); },
  initgroups(user, extraGroup) { require('internal/process/credentials').initgroups(user, extraGroup); },
  exit(code) { execution().exit(code, arguments.length !== 0); },
  reallyExit(code) { internalBinding('process').exit(code | 0); },
  emitWarning(warning, type, code, ctor) { require('internal/process/warning').emitWarning(warning, type, code, ctor); },
  _tickCallback() {},
  _fatalException(error, fromPromise) { return execution().onUncaught(error, fromPromise); },
  setUncaughtExceptionCaptureCallback(callback) { execution().setCaptureCallback(callback); },
  addUncaughtExceptionCaptureCallback(callback) { execution().addCaptureCallback(callback); },
  hasUncaughtExceptionCaptureCallback() { return execution().hasCaptureCallback(); },
  setSourceMapsEnabled(value) { execution().setSourceMapsEnabled(value); },
  getBuiltinModule(id) { return execution().getBuiltinModule(id); },
  getActiveResourcesInfo() { return execution().getActiveResourcesInfo(); },
  _getActiveHandles() { return execution().getActiveHandles(); },
  _getActiveRequests() { return execution().getActiveRequests(); },
  binding(name) { return execution().binding(name); },
  _linkedBinding(name) { return execution().linkedBinding(name); },
  dlopen(...args) { require('internal/addons').dlopen(...args); },
  ref(value) { execution().ref(value); },
  unref(value) { execution().unref(value); },
  openStdin() {
    self.stdin.resume();
    return self.stdin;
  },
  _rawDebug(...args) { internalBinding('process').writeError(`${require('internal/util/inspect').format(...args)}\n`); },
  _debugProcess() { execution().noInspector('process._debugProcess'); },
  _debugEnd() { execution().noInspector('process._debugEnd'); },
  _startProfilerIdleNotifier() {},
  _stopProfilerIdleNotifier() {},
};
Object.assign(self, functions);

// The native queue's function, without a wrapper: the fastest way to schedule a tick.
const { nextTick } = internalBinding('queues');
self.nextTick = nextTick;

self.hrtime = function hrtime(time) {
  return methods().hrtime(time);
};
self.hrtime.bigint = function bigint() {
  return methods().hrtimeBigint();
};
self.memoryUsage = function memoryUsage() {
  return methods().memoryUsage();
};
self.memoryUsage.rss = function rss() {
  return internalBinding('process').rss();
};
Object.defineProperty(self, 'moduleLoadList', { value: [], configurable: false, enumerable: true, writable: false });
self._preload_modules = [];

module.exports = self;

// The default listener, which a program can remove.
if (start.showsWarnings) {
  self.on('warning', function onWarning(warning) { require('internal/process/warning').onWarning(warning); });
}
if (!start.isWorker) require('internal/process/signal_events').installSignalEvents(self);
internalBinding('process').setLifecycleHooks({
  beforeExit: () => execution().beforeExit(),
  exit: () => execution().onLoopEnd(),
  code: () => self.exitCode | 0,
  uncaught: (error, fromPromise) => execution().callFatalException(error, fromPromise),
  rejections: (list) => require('internal/process/promises').unhandled(list),
  handled: (list) => require('internal/process/promises').handled(list),
});
