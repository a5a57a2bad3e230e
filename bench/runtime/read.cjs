// Reads many small files as strings. In: the directory of their directories, `sync` or `promises`.
// Out: one line of JSON, milliseconds by name.
'use strict';
const fs = require('fs');
const path = require('path');

const [top, way] = process.argv.slice(2);
const files = [];
for (const folder of fs.readdirSync(top)) {
  for (const file of fs.readdirSync(path.join(top, folder))) files.push(path.join(top, folder, file));
}

async function promises() {
  const TOGETHER = 64;
  let bytes = 0;
  for (let at = 0; at < files.length; at += TOGETHER) {
    const texts = await Promise.all(files.slice(at, at + TOGETHER).map((file) => fs.promises.readFile(file, 'utf8')));
    for (const text of texts) bytes += text.length;
  }
  return bytes;
}

function sync() {
  let bytes = 0;
  for (const file of files) bytes += fs.readFileSync(file, 'utf8').length;
  return bytes;
}

const began = performance.now();
Promise.resolve(way === 'sync' ? sync() : promises()).then((bytes) => {
  const took = performance.now() - began;
  if (bytes !== files.length * 100) throw new Error(`expected 100 bytes in each of ${files.length} files, found ${bytes}`);
  console.log(JSON.stringify({ [way]: took }));
});
