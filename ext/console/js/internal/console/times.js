// `console.time`, `timeLog` and `timeEnd`. In: a console, a label. Out: the elapsed time in Node's
// format: milliseconds, seconds, or minutes and hours separated by colons.
'use strict';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

function now() {
  return require('process').hrtime();
}

function start(target, label) {
  if (target._times.has(label)) {
    require('process').emitWarning(`Label '${label}' already exists for console.time()`);
    return;
  }
  target._times.set(label, now());
}

function elapsed(target, label, method) {
  const startTime = target._times.get(label);
  if (startTime === undefined) {
    require('process').emitWarning(`No such label '${label}' for console.${method}()`);
    return undefined;
  }
  const [seconds, nanoseconds] = require('process').hrtime(startTime);
  return formatTime(seconds * 1000 + nanoseconds / 1e6);
}

function end(target, label, write) {
  const duration = elapsed(target, label, 'timeEnd');
  if (duration === undefined) return;
  target._times.delete(label);
  write(target, label, duration);
}

function log(target, label, data, write) {
  const duration = elapsed(target, label, 'timeLog');
  if (duration !== undefined) write(target, label, duration, data);
}

function pad(value) {
  return `${value}`.padStart(2, '0');
}

function formatTime(ms) {
  if (ms < SECOND) return `${Number(ms.toFixed(3))}ms`;
  if (ms < MINUTE) return `${(ms / SECOND).toFixed(3)}s`;
  const hours = Math.floor(ms / HOUR);
  const minutes = Math.floor(ms % HOUR / MINUTE);
  const [seconds, fraction] = (ms % MINUTE / SECOND).toFixed(3).split('.');
  const leading = hours === 0 ? minutes : `${hours}:${pad(minutes)}`;
  return `${leading}:${pad(seconds)}.${fraction} (${hours === 0 ? '' : 'h:m'}m:ss.mmm)`;
}

module.exports = { end, formatTime, log, start };
