// Runs one file of the web-platform-tests in this process. In: the directory of the tests, the
// file's path in it, optionally a variant. Out: a line for each subtest on standard output: `pass`
// or `fail`, its name and its message, as JSON. Exit code 0 if the harness completed.
// @ts-check
'use strict';
const fs = require('fs');
const path = require('path');
const vm = require('vm');

const [root, name, variant = ''] = process.argv.slice(2);
/** @type {any} */
const globals = globalThis;

/** @param {string} address */
function located(address) {
  const file = address.replace('/resources/WebIDLParser.js', '/resources/webidl2/lib/webidl2.js');
  return file.startsWith('/') ? path.join(root, file) : path.join(root, path.dirname(name), file);
}

/** @param {string} file */
function run(file) {
  let text = fs.readFileSync(file, 'utf8');
  // Elements need a document; the same table also tests URL.
  if (file.endsWith('toascii.window.js')) text = text.replace('["url", "a", "area"]', '["url"]');
  vm.runInThisContext(text, { filename: file });
}

const text = fs.readFileSync(path.join(root, name), 'utf8');
const heads = [...text.matchAll(/^\/\/ META: (\w+)=(.+)$/gm)].map(([, key, value]) => ({ key, value: value.trim() }));

globals.self = globals;
globals.Window = Object.getPrototypeOf(globals).constructor;
globals.GLOBAL = { isWindow: () => false, isWorker: () => false, isShadowRealm: () => false };
globals.location = new URL(`http://wpt/${name.replace(/\.js$/, '.html')}${variant}`);
const title = heads.find(({ key }) => key === 'title');
if (title) globals.META_TITLE = title.value;
if (heads.some(({ value }) => value === '/common/gc.js')) globals.gc ??= () => {};
globals.fetch = async (/** @type {string} */ address) => {
  const bytes = await fs.promises.readFile(located(String(address)));
  return {
    ok: true,
    json: async () => JSON.parse(bytes.toString()),
    text: async () => bytes.toString(),
    bytes: async () => new Uint8Array(bytes),
    arrayBuffer: async () => new Uint8Array(bytes).buffer,
  };
};

run(path.join(root, 'resources/testharness.js'));
const keepsAlive = setInterval(() => {}, 1000);
globals.add_completion_callback((/** @type {any[]} */ tests, /** @type {any} */ harness) => {
  clearInterval(keepsAlive);
  const line = (/** @type {any} */ test) =>
    JSON.stringify([test.status === 0 ? 'pass' : 'fail', `${variant}${test.name}`, test.message ?? '']);
  const lines = tests.map((test) => `${line(test)}\n`).join('');
  fs.writeSync(1, lines);
  if (harness.status !== 0) fs.writeSync(2, `Error: the harness ended with ${harness.status}: ${harness.message}\n`);
  process.exit(harness.status === 0 ? 0 : 1);
});
for (const { key, value } of heads) if (key === 'script') run(located(value));
run(path.join(root, name));
