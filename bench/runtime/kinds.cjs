// Programs for workers that will be terminated: each a source text, and whether it exits by itself.
'use strict';

module.exports = [
  ['', true],
  ['process.exit(3)', true],
  ['throw new Error("x")', true],
  ['require("worker_threads").parentPort.postMessage(new Array(1e4).fill({ a: 1 }))', true],
  ['while (true);', false],
  ['setInterval(() => {}, 1)', false],
  ['Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)', false],
  ['const fs = require("fs"); (function next() { fs.readFile(process.execPath, next) })(); fs.openSync("/dev/null"); fs.open("/dev/zero", () => {})', false],
  ['const { exec, spawn } = require("child_process"); spawn("sleep", ["0.05"]); setInterval(() => exec("true"), 5)', false],
  ['const { Worker } = require("worker_threads"); new Worker("while (true);", { eval: true })', false],
  ['const { gzip } = require("zlib"); (function next() { gzip(Buffer.alloc(1e5), next) })()', false],
  ['require("worker_threads").parentPort.on("message", () => {}); console.log("waits")', false],
];
