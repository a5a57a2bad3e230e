// node:os: information about the operating system, the computer and the user. In: system calls and
// /proc, through the binding. Out: Node's functions and constants. Environment variables (HOME,
// TMPDIR) are read at each call.

'use strict';

const binding = internalBinding('os');
const { codes: { ERR_SYSTEM_ERROR }, hideStackFrames } = require('internal/errors');
const { validateInt32 } = require('internal/validators');
const { constants } = require('internal/os/constants');

/** ERR_SYSTEM_ERROR of a failed call. */
function systemError(errno, syscall) {
  const { getSystemErrorName, getSystemErrorMessage } = require('util');
  return new ERR_SYSTEM_ERROR({ syscall, code: getSystemErrorName(errno), message: getSystemErrorMessage(errno), errno });
}

const check = hideStackFrames((result, syscall) => {
  if (typeof result === 'number' && result < 0) {
    throw systemError(result, syscall);
  }
  return result;
});

let cachedUname;
const uname = () => (cachedUname ??= check(binding.uname(), 'uv_os_uname'));

const hostname = () => uname()[1];
const type = () => uname()[0];
const release = () => uname()[2];
const version = () => uname()[3];
const machine = () => uname()[4];
const arch = () => require('process').arch;
const platform = () => 'linux';
const endianness = () => (new Uint8Array(new Uint16Array([1]).buffer)[0] === 1 ? 'LE' : 'BE');
const uptime = () => check(binding.uptime(), 'uv_uptime');
const totalmem = () => binding.memory()[0];
const freemem = () => binding.memory()[1];
const availableParallelism = () => binding.parallelism();

function homedir() {
  const home = require('internal/process/env').read('HOME');
  if (home) {
    return home;
  }
  return check(binding.user(-1), 'uv_os_homedir')[3];
}

function loadavg() {
  return binding.loadAverages();
}

/** One entry for each CPU: model, speed in MHz, and times in milliseconds. */
function cpus() {
  const flat = binding.cpus();
  const entries = [];
  for (let index = 0; index < flat.length; index += 7) {
    const [model, speed, user, nice, sys, idle, irq] = flat.slice(index, index + 7);
    entries.push({ model, speed, times: { user, nice, sys, idle, irq } });
  }
  return entries;
}

/** Prefix length of a netmask, for the CIDR notation. */
function prefixOf(mask) {
  const parts = mask.includes(':')
    ? mask.split(':').map((part) => parseInt(part || '0', 16).toString(2).padStart(16, '0'))
    : mask.split('.').map((part) => Number(part).toString(2).padStart(8, '0'));
  return /^1*/.exec(parts.join(''))[0].length;
}

function networkInterfaces() {
  const flat = check(binding.interfaces(), 'uv_interface_addresses');
  const interfaces = {};
  for (let index = 0; index < flat.length; index += 7) {
    const [name, address, netmask, family, mac, internal, scopeid] = flat.slice(index, index + 7);
    const cidr = family === 'IPv6' ? `${address}/${prefixOf6(netmask)}` : `${address}/${prefixOf(netmask)}`;
    const entry = { address, netmask, family, mac, internal, cidr };
    if (family === 'IPv6') {
      entry.scopeid = scopeid;
    }
    (interfaces[name] ??= []).push(entry);
  }
  return interfaces;
}

/** The same for an IPv6 netmask, which may be abbreviated with `::`. */
function prefixOf6(mask) {
  const [front, back] = mask.split('::');
  const count = (groups) => (groups ? groups.split(':').length : 0);
  const zeros = back === undefined ? 0 : 8 - count(front) - count(back);
  const full = [front, ...new Array(zeros).fill('0'), back].filter((part) => part !== undefined && part !== '');
  return prefixOf(full.join(':'));
}

function tmpdir() {
  const { read } = require('internal/process/env');
  const directory = read('TMPDIR') || read('TMP') || read('TEMP') || '/tmp';
  return directory.length > 1 && directory.endsWith('/') ? directory.slice(0, -1) : directory;
}

function getPriority(pid) {
  if (pid === undefined) {
    pid = 0;
  } else {
    validateInt32(pid, 'pid');
  }
  const [errno, value] = binding.getPriority(pid);
  check(errno, 'uv_os_getpriority');
  return value;
}

function setPriority(pid, priority) {
  if (priority === undefined) {
    priority = pid;
    pid = 0;
  }
  validateInt32(pid, 'pid');
  validateInt32(priority, 'priority', -20, 19);
  check(binding.setPriority(pid, priority), 'uv_os_setpriority');
}

function userInfo(options) {
  if (typeof options !== 'object') {
    options = null;
  }
  let encoding = 'utf8';
  if (options !== null && options.encoding !== undefined) {
    encoding = options.encoding;
  }
  const [username, uid, gid, homedir, shell] = check(binding.user(-1), 'uv_os_get_passwd');
  const encode = (value) => {
    if (value === null || encoding === 'utf8' || typeof encoding !== 'string') {
      return value;
    }
    const { Buffer } = require('buffer');
    const bytes = Buffer.from(value);
    return encoding === 'buffer' || !Buffer.isEncoding(encoding) ? bytes : bytes.toString(encoding);
  };
  return { uid, gid, username: encode(username), homedir: encode(homedir), shell: encode(shell) };
}

const getters = {
  availableParallelism, arch, endianness, freemem, homedir, hostname, platform, release, tmpdir, totalmem, type, uptime, version,
  machine,
};
for (const name of Object.keys(getters)) {
  const getter = getters[name];
  getter[Symbol.toPrimitive] = () => getter();
}

module.exports = {
  arch, availableParallelism, cpus, endianness, freemem, getPriority, homedir, hostname, loadavg, networkInterfaces, platform, release,
  setPriority, tmpdir, totalmem, type, userInfo, uptime, version, machine,
};

Object.defineProperties(module.exports, {
  constants: { value: constants, configurable: false, enumerable: true, writable: false },
  EOL: { value: '\n', configurable: true, enumerable: true, writable: false },
  devNull: { value: '/dev/null', configurable: true, enumerable: true, writable: false },
});
