// Names of files that tell of a process, as Node makes them: kind, date, local time, process,
// thread, number.
'use strict';

let sequence = 0;

/** `diagnosticName('CPU', 'cpuprofile')`. */
function diagnosticName(kind, extension, date = now()) {
  const number = String(++sequence).padStart(3, '0');
  const { threadId } = require('worker_threads');
  return `${kind}.${date}.${require('process').pid}.${threadId}.${number}.${extension}`;
}

/** Local time. */
function now() {
  const [date, time] = new Date(Date.now() - new Date().getTimezoneOffset() * 60e3).toISOString().split(/[T.]/);
  return `${date.replaceAll('-', '')}.${time.replaceAll(':', '')}`;
}

module.exports = diagnosticName;
