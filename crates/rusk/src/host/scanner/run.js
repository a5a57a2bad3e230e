// Runs a security scanner: its input from standard input, its answer to file descriptor 3.
const { readFileSync, writeSync } = require('node:fs');

const input = JSON.parse(readFileSync(0, 'utf8'));

function answer(value) {
  const bytes = Buffer.from(JSON.stringify(value));
  for (let at = 0; at < bytes.length;) at += writeSync(3, bytes, at);
}

async function scan() {
  const module = await import(input.module);
  const scanner = module.scanner ?? module.default?.scanner;
  if (typeof scanner?.scan !== 'function') throw new Error('it exports no `scanner` with `scan()`');
  if (scanner.version !== '1') throw new Error(`its \`version\` is ${scanner.version}, expected '1'`);
  const advisories = await scanner.scan({ packages: input.packages });
  if (!Array.isArray(advisories)) throw new Error('`scan()` returned no array');
  answer({ advisories });
}

scan().then(
  () => process.exit(0),
  (error) => {
    answer({ error: String(error?.message ?? error) });
    process.exit(0);
  },
);
