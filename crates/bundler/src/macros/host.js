// Evaluates macros for the bundler, which sends one request a line by a socket that is stdin: the
// importer, and calls. The answer is a line: for each call source text, or why there is none.
'use strict';

const { readSync, writeSync } = require('fs');
const { createRequire } = require('module');
const { pathToFileURL } = require('url');

const DEPTH_MAX = 500;

let input = Buffer.alloc(0);

/** The next line; null: the bundler has ended. */
function readLine() {
  for (;;) {
    const end = input.indexOf(10);
    if (end >= 0) {
      const line = input.subarray(0, end).toString();
      input = input.subarray(end + 1);
      return line;
    }
    const buffer = Buffer.alloc(1 << 16);
    const count = readSync(0, buffer);
    if (count === 0) return null;
    input = Buffer.concat([input, buffer.subarray(0, count)]);
  }
}

function writeLine(value) {
  let rest = Buffer.from(`${JSON.stringify(value)}\n`);
  while (rest.length > 0) rest = rest.subarray(writeSync(0, rest));
}

async function evaluate(importer, { specifier, name, values }) {
  const resolved = createRequire(importer).resolve(specifier);
  const url = resolved.startsWith('/') ? pathToFileURL(resolved).href : resolved;
  const macros = await import(url);
  const macro = macros[name];
  if (typeof macro !== 'function') throw new TypeError(`\`${specifier}\` has no function \`${name}\``);
  return textOf(await macro(...(0, eval)(`[${values}]`)), 0);
}

/** Source text of a value. */
async function textOf(value, depth) {
  if (depth > DEPTH_MAX) throw new TypeError('the result is nested too deeply, or in a cycle');
  switch (typeof value) {
    case 'undefined': return 'undefined';
    case 'boolean': return String(value);
    case 'number': return Object.is(value, -0) ? '-0' : String(value);
    case 'bigint': return `${value}n`;
    case 'string': return JSON.stringify(value);
    case 'object': return value === null ? 'null' : await textOfObject(value, depth);
    default: throw new TypeError(`a ${typeof value} cannot be the result of a macro`);
  }
}

async function textOfObject(value, depth) {
  if (value instanceof Response || value instanceof Blob) return await textOf(await contentOf(value), depth);
  if (ArrayBuffer.isView(value)) return textOf(Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64'), depth);
  if (value instanceof ArrayBuffer) return textOf(Buffer.from(value).toString('base64'), depth);
  if (value instanceof Date) return `new Date(${value.getTime()})`;
  if (typeof value.then === 'function') return await textOf(await value, depth + 1);
  const parts = [];
  if (Array.isArray(value)) {
    for (const element of value) parts.push(await textOf(element, depth + 1));
    return `[${parts.join(', ')}]`;
  }
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null && prototype[Symbol.toStringTag] !== 'Module') {
    throw new TypeError(`a ${value.constructor?.name ?? 'value'} cannot be the result of a macro`);
  }
  for (const key of Object.keys(value)) {
    parts.push(`${key === '__proto__' ? '["__proto__"]' : JSON.stringify(key)}: ${await textOf(value[key], depth + 1)}`);
  }
  return `({ ${parts.join(', ')} })`;
}

/** By its type: JSON, text, or bytes in base64. */
async function contentOf(body) {
  const type = body instanceof Response ? body.headers.get('content-type') ?? '' : body.type;
  if (/^application\/([\w.]+\+)?json\b/.test(type)) return JSON.parse(await body.text());
  if (type === '' || /^text\/|^application\/(javascript|xml)\b/.test(type)) return await body.text();
  return new Uint8Array(await body.arrayBuffer());
}

async function main() {
  for (let line = readLine(); line !== null; line = readLine()) {
    const { importer, calls } = JSON.parse(line);
    const answers = [];
    for (const call of calls) {
      try {
        answers.push({ text: await evaluate(importer, call) });
      } catch (error) {
        answers.push({ error: error instanceof Error ? `${error.name}: ${error.message}` : String(error) });
      }
    }
    writeLine(answers);
  }
  process.exit(0);
}

main();
