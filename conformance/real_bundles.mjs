// Programs with real packages, bundled by several bundlers: each bundle is run by node and has to
// print what the program prints. In: a directory with the packages of `PACKAGES` in node_modules,
// the bundlers. Out: a table of the sizes of bundles and of processor times, lower quartiles.
// Usage: rusk conformance/real_bundles.mjs DIRECTORY RUSK BUN ESBUILD ROLLDOWN
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import process from 'node:process';

const [directory, ...programs] = process.argv.slice(2).map((path) => resolve(path));
const ROUNDS = 4;
const NODE_ENV = 'process.env.NODE_ENV';

/** Components that import each other, as applications with one file for each have them. */
function application(count) {
  const files = {};
  for (let number = 0; number < count; number++) {
    const children = [2 * number + 1, 2 * number + 2].filter((child) => child < count);
    files[`app/c${number}.jsx`] = [
      "import { memo, useMemo, useState } from 'react';",
      ...children.map((child) => `import { C${child} } from './c${child}.jsx';`),
      `export const C${number} = memo(function C${number}({ depth }) {`,
      `  const [text] = useState('item ${number}');`,
      '  const label = useMemo(() => text.toUpperCase() + depth, [text, depth]);',
      `  return <section data-n={${number}}><h2>{label}</h2>${children.map((child) => `<C${child} depth={depth + 1} />`).join('')}</section>;`,
      '});',
    ].join('\n');
  }
  return files;
}

const HASH = "import { createHash } from 'node:crypto';\nconst show = (text) => console.log(text.length, createHash('sha256').update(text).digest('hex'));\n";

const PROJECTS = [
  {
    name: 'react-dom server',
    entry: 'server.jsx',
    files: { 'server.jsx': "import { renderToString } from 'react-dom/server';\nconst list = Array.from({ length: 50 }, (_, n) => <li key={n} className={n % 2 ? 'odd' : undefined}>{n}</li>);\nconsole.log(renderToString(<main id=\"a\"><h1>Hello &amp; welcome</h1><ul>{list}</ul></main>));\n" },
  },
  {
    name: 'React, 500 modules',
    entry: 'app.jsx',
    files: { ...application(500), 'app.jsx': `${HASH}import { renderToString } from 'react-dom/server';\nimport { C0 } from './app/c0.jsx';\nshow(renderToString(<C0 depth={0} />));\n` },
  },
  {
    name: 'three.js',
    entry: 'three.mjs',
    files: { 'three.mjs': "import * as THREE from 'three';\nconst scene = new THREE.Scene();\nconst box = new THREE.Mesh(new THREE.TorusKnotGeometry(10, 3, 40, 8), new THREE.MeshBasicMaterial({ color: 0xff8800 }));\nbox.rotation.set(1, 2, 3);\nscene.add(box);\nscene.updateMatrixWorld(true);\nconst ray = new THREE.Raycaster(new THREE.Vector3(0, 0, 50), new THREE.Vector3(0.1, 0.05, -1).normalize());\nconsole.log(box.matrixWorld.elements.map((n) => n.toFixed(6)).join(), ray.intersectObjects(scene.children).map((hit) => hit.distance.toFixed(5)).join(), JSON.stringify(scene.toJSON()).replace(/[0-9a-f]{8}-[0-9a-f-]{27}/gi, 'id').length, Object.keys(THREE).length);\n" },
  },
  {
    name: 'lodash-es',
    entry: 'lodash.mjs',
    files: { 'lodash.mjs': "import * as all from 'lodash-es';\nimport { chunk, debounce, groupBy, merge, orderBy, template, words, cloneDeep, isEqual } from 'lodash-es';\nconst people = [{ n: 'b', a: 3 }, { n: 'a', a: 3 }, { n: 'c', a: 1 }];\nconsole.log(JSON.stringify([chunk([1, 2, 3], 2), groupBy(people, 'a'), merge({ a: { b: 1 } }, { a: { c: [1] } }), orderBy(people, ['a', 'n'], ['desc', 'asc']), template('x <%= y %>')({ y: 7 }), words('aBc d-e'), isEqual(cloneDeep(people), people), typeof debounce, Object.keys(all).length, all.chain([3, 1]).sort().value()]));\n" },
  },
  {
    name: 'rxjs',
    entry: 'rxjs.mjs',
    files: { 'rxjs.mjs': "import { from, interval, lastValueFrom, merge, of, range } from 'rxjs';\nimport { bufferCount, catchError, concatMap, delay, filter, map, mergeMap, reduce, scan, take, toArray } from 'rxjs/operators';\nconst sums = await lastValueFrom(range(1, 20).pipe(filter((n) => n % 2), map((n) => n * n), scan((a, b) => a + b, 0), bufferCount(3), toArray()));\nconst later = await lastValueFrom(merge(interval(1).pipe(take(3)), of('x').pipe(delay(20))).pipe(toArray()));\nconst failed = await lastValueFrom(from([1, 2]).pipe(mergeMap((n) => { if (n > 1) throw new Error('two'); return of(n); }), catchError((error) => of(error.message)), concatMap((value) => [value, value]), reduce((all, one) => [...all, one], [])));\nconsole.log(JSON.stringify([sums, later, failed]));\n" },
  },
  {
    name: 'Express',
    entry: 'express.mjs',
    files: { 'express.mjs': "import express from 'express';\nconst app = express();\napp.use(express.json());\napp.get('/hello/:name', (request, response) => response.json({ hello: request.params.name, query: request.query }));\napp.post('/sum', (request, response) => response.send(String(request.body.numbers.reduce((a, b) => a + b))));\nconst server = app.listen(0, '127.0.0.1', async () => {\n  const url = `http://127.0.0.1:${server.address().port}`;\n  const get = await (await fetch(`${url}/hello/ann?a[b]=1`)).text();\n  const post = await (await fetch(`${url}/sum`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{\"numbers\":[1,2,39]}' })).text();\n  const missing = (await fetch(`${url}/nothing`)).status;\n  console.log(get, post, missing);\n  server.close();\n  server.closeAllConnections();\n});\n" },
  },
];

/** The command of each bundler, for node as an ES module, minified. */
const COMMANDS = {
  rusk: (entry, out) => ['build', entry, `--outfile=${out}`, '--target=node', '--minify', '--define', `${NODE_ENV}="production"`],
  bun: (entry, out) => ['build', entry, `--outfile=${out}`, '--target=node', '--minify', '--define', `${NODE_ENV}="production"`],
  // As its documentation says: packages in CommonJS need `require`.
  esbuild: (entry, out) => [entry, '--bundle', '--format=esm', '--platform=node', '--jsx=automatic', '--minify', '--log-level=error', `--define:${NODE_ENV}="production"`, '--banner:js=import{createRequire as __r}from"node:module";const require=__r(import.meta.url);', `--outfile=${out}`],
  rolldown: (entry, out) => [entry, '--format', 'esm', '--platform', 'node', '--minify', '--logLevel', 'silent', '--transform.define', `${NODE_ENV}:'production'`, '--file', out],
};

const SETTINGS = { cwd: directory, encoding: 'utf8', timeout: 60_000, env: { ...process.env, NODE_ENV: 'production', NO_COLOR: '1' } };

/** Runs a bundler; out: its processor time in milliseconds. */
function bundle(program, args) {
  const { status, stdout, stderr } = spawnSync('bash', ['-c', 'TIMEFORMAT="%U %S"; time "$@"', '-', program, ...args], SETTINGS);
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}\n${stdout}${stderr}`);
  const [user, system] = stderr.trim().split('\n').at(-1).split(' ');
  return (Number(user) + Number(system)) * 1000;
}

function output(program, file) {
  const { status, stdout, stderr } = spawnSync(program, [file], SETTINGS);
  if (status !== 0) throw new Error(`${program} ${file}\n${stdout}${stderr}`);
  return stdout;
}

const lowerQuartile = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 4)];
const names = Object.keys(COMMANDS);
console.log(`| program | equal | ${names.map((name) => `${name}, bytes`).join(' | ')} | ${names.map((name) => `${name}, ms`).join(' | ')} |`);
console.log(`|---|---|${'--:|'.repeat(2 * names.length)}`);
for (const { name, entry, files } of PROJECTS) {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(directory, path, '..'), { recursive: true });
    writeFileSync(join(directory, path), text);
  }
  const expected = output(programs[0], entry);
  const [equal, sizes, times] = [[], [], names.map(() => [])];
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, bundler] of names.entries()) {
      const out = join(directory, 'out', bundler, 'bundle.mjs');
      rmSync(join(out, '..'), { recursive: true, force: true });
      mkdirSync(join(out, '..'), { recursive: true });
      times[index].push(bundle(programs[index], COMMANDS[bundler](entry, out)));
      if (round > 0) continue;
      sizes.push(statSync(out).size);
      let found;
      try { found = output('node', out); } catch (error) { if (process.env.SHOW === '1') console.error(String(error)); }
      if (found === expected) equal.push(bundler);
    }
  }
  const isEqual = equal.length === names.length ? 'all' : equal.join(', ');
  const row = [name, isEqual, ...sizes.map((bytes) => bytes.toLocaleString('en')), ...times.map((all) => lowerQuartile(all).toFixed(0))];
  console.log(`| ${row.join(' | ')} |`);
}
