// What a diagnostic report takes from /proc: proc_pid_limits(5), proc_pid_maps(5), proc_pid_io(5).
// Out: limits in Node's names, paths of the loaded libraries, blocks that a thread read and wrote.
'use strict';

/** Node's name of a limit by the kernel's. */
const LIMITS = {
  'Max core file size': 'core_file_size_blocks',
  'Max data size': 'data_seg_size_bytes',
  'Max file size': 'file_size_blocks',
  'Max locked memory': 'max_locked_memory_bytes',
  'Max resident set': 'max_memory_size_bytes',
  'Max open files': 'open_files',
  'Max stack size': 'stack_size_bytes',
  'Max cpu time': 'cpu_time_seconds',
  'Max processes': 'max_user_processes',
  'Max address space': 'virtual_memory_bytes',
};

function read(name) {
  try {
    return require('fs').readFileSync(`/proc/${name}`, 'latin1').split('\n');
  } catch {
    // There may be no /proc.
    return [];
  }
}

const parseLimit = (text) => (text === 'unlimited' ? text : Number(text));

function processLimits() {
  const limits = {};
  for (const line of read('self/limits')) {
    const [, kernelName, soft, hard] = /^(.*?) {2,}(\S+) +(\S+)/.exec(line) ?? [];
    if (Object.hasOwn(LIMITS, kernelName ?? '')) limits[LIMITS[kernelName]] = { soft: parseLimit(soft), hard: parseLimit(hard) };
  }
  return limits;
}

function sharedObjects() {
  const paths = read('self/maps').map((line) => /\s(\/.*\.so(?:\..*)?)$/.exec(line)?.[1]);
  return [...new Set(paths)].filter((path) => path !== undefined);
}

/** The unit of getrusage(2). */
const BLOCK_BYTES = 512;

/** As `ru_inblock` and `ru_oublock` of this thread. */
function threadFsActivity() {
  const bytes = Object.fromEntries(read('thread-self/io').map((line) => line.split(': ')));
  const blocks = (name) => Math.floor(Number(bytes[name] ?? 0) / BLOCK_BYTES);
  return { reads: blocks('read_bytes'), writes: blocks('write_bytes') };
}

module.exports = { threadFsActivity, processLimits, sharedObjects };
