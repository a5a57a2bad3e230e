// Stop-watches of a console. In: a console, a label. Out: how long it was, as Node writes it:
// milliseconds, seconds, or minutes and hours apart by colons.
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

function passed(target, label, method) {
  const began = target._times.get(label);
  if (began === undefined) {
    require('process').emitWarning(`No such label '${label}' for console.${method}()`);
    return undefined;
  }
  const [seconds, nanoseconds] = require('process').hrtime(began);
  return formatTime(seconds * 1000 + nanoseconds / 1e6);
}

function end(target, label, write) {
  const text = passed(target, label, 'timeEnd');
  if (text === undefined) return;
  target._times.delete(label);
  write(target, label, text);
}

function log(target, label, data, write) {
  const text = passed(target, label, 'timeLog');
  if (text !== undefined) write(target, label, text, data);
}

function pad(value) {
  return `${value}`.padStart(2, '0');
}

function formatTime(ms) {
  if (ms < SECOND) return `${Number(ms.toFixed(3))}ms`;
  if (ms < MINUTE) return `${(ms / SECOND).toFixed(3)}s`;
  const hours = Math.floor(ms / HOUR);
  const minutes = Math.floor(ms % HOUR / MINUTE);
  const [seconds, rest] = (ms % MINUTE / SECOND).toFixed(3).split('.');
  const start = hours === 0 ? minutes : `${hours}:${pad(minutes)}`;
  return `${start}:${pad(seconds)}.${rest} (${hours === 0 ? '' : 'h:m'}m:ss.mmm)`;
}

module.exports = { end, formatTime, log, start };
