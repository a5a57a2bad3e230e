// `rusk ./index.html`: the development server of pages. In: the first file, further ones, globs and
// flags in `process.argv`. Out: a server that runs until a signal. One page answers all paths.
'use strict';

const path = require('path');
const { htmlBundle } = require('internal/dev_server/html_bundle');

const PORT_MAX = 65535;
/** Ports that are tried after a default one that is in use. */
const PORTS_TRIED = 10;
const SHORTCUTS = {
  __proto__: null,
  o(server) { open(server.url); },
  c() { globalThis.console.clear(); },
  q() { require('process').exit(0); },
  h() { globalThis.console.log('o + Enter  open in the browser\nc + Enter  clear the console\nq + Enter  quit'); },
};

const USAGE = `Usage: rusk [flags] <page.html> [page or glob...] [flags of the server]

Serves pages with the programs and stylesheets that they load, built again when a file changes.

Flags of the server, after the first page:
      --port=PORT              Port (default: BUN_PORT, PORT or 3000, or the next that is free)
      --hostname=NAME          Address to listen on (default: all)
      --console                Print in the terminal what pages write to their console
  -h, --help                   Show this help
`;

function start(name) {
  const process = require('process');
  const started = require('perf_hooks').performance.now();
  const { files, port, hostname, console } = parse([name, ...process.argv.slice(2)]);
  const routes = routesOf(files);
  const development = process.env.NODE_ENV === 'production' ? false : { hmr: true, console };
  const server = listen({ routes: Object.fromEntries(routes.map(([route, file]) => [route, htmlBundle(file)])), hostname, development }, port);
  report(server, routes, development !== false, require('perf_hooks').performance.now() - started);
  if (process.stdin.isTTY) readShortcuts(process.stdin, server);
}

function usage(message) {
  const process = require('process');
  process.stderr.write(`error[dev-server]: ${message}\n`);
  process.exit(2);
}

function checkPort(name, text) {
  if (text === undefined || (/^\d{1,5}$/.test(text) && Number(text) <= PORT_MAX)) return;
  usage(`${name} is \`${text}\`, expected a port from 0 to ${PORT_MAX}`);
}

function parse(words) {
  const process = require('process');
  const options = { files: [], port: undefined, hostname: undefined, console: false };
  for (let index = 0; index < words.length; index++) {
    const [word, given] = words[index].startsWith('--') ? words[index].split(/=(.*)/s) : [words[index]];
    if (word === '--help' || word === '-h') {
      process.stdout.write(USAGE);
      process.exit(0);
    }
    if (word === '--console') options.console = true;
    else if (word === '--port' || word === '--hostname') options[word.slice(2)] = given ?? words[++index];
    else if (word.startsWith('-')) usage(`unknown flag \`${word}\`, expected --port, --hostname, --console or --help`);
    else options.files.push(...filesOf(word));
  }
  for (const name of ['port', 'hostname']) {
    if (words.some((word) => word === `--${name}`) && options[name] === undefined) usage(`--${name} needs a value`);
  }
  checkPort('--port', options.port);
  for (const name of ['BUN_PORT', 'PORT']) if (options.port === undefined) checkPort(name, process.env[name]);
  options.files = Array.from(new Set(options.files));
  return options;
}

function filesOf(word) {
  const fs = require('fs');
  const file = path.resolve(word);
  if (fs.existsSync(file)) return [file];
  if (!/[*?[{]/.test(word)) usage(`there is no file \`${word}\``);
  const found = Array.from(new Bun.Glob(word.replace(/^\.\//, '')).scanSync({ absolute: true })).filter((one) => one.endsWith('.html') && !one.includes('/node_modules/'));
  if (found.length === 0) usage(`no HTML file matches \`${word}\``);
  return found.sort();
}

/** Routes below the directory that all files have in common. */
function routesOf(files) {
  if (files.length === 1) return [['/*', files[0]]];
  const directories = files.map((file) => path.dirname(file).split('/'));
  let depth = 0;
  while (directories.every((parts) => parts[depth] !== undefined && parts[depth] === directories[0][depth])) depth++;
  const root = directories[0].slice(0, depth).join('/');
  return files.map((file) => [`/${path.relative(root, file).replace(/\.html$/, '').replace(/(^|\/)index$/, '')}`, file]);
}

function listen(options, port) {
  const { env } = require('process');
  port ??= env.BUN_PORT ?? env.PORT ?? (require('internal/options').getOptionValue('--port') || undefined);
  const first = Number(port ?? 3000);
  const isFixed = port !== undefined;
  for (let tried = 0; ; tried++) {
    try {
      return Bun.serve({ ...options, port: first + tried });
    } catch (error) {
      if (error.code !== 'EADDRINUSE' || isFixed || tried === PORTS_TRIED) throw error;
    }
  }
}

function report(server, routes, isDevelopment, milliseconds) {
  let text = `${isDevelopment ? 'development server' : 'server of built pages'} ready in ${milliseconds.toFixed(0)} ms\n${server.url}\n`;
  if (routes.length > 1) {
    text += 'routes:\n';
    for (const [route, file] of routes) text += `  ${route}  ./${path.relative(require('process').cwd(), file)}\n`;
  }
  require('process').stdout.write(text);
}

function readShortcuts(stdin, server) {
  globalThis.console.log('press h + Enter for shortcuts');
  stdin.setEncoding('utf8');
  stdin.on('data', (text) => { SHORTCUTS[text.trim()]?.(server); });
}

function open(url) {
  Bun.spawn(['xdg-open', `${url}`], { stdout: 'ignore', stderr: 'ignore' });
}

module.exports = { start };
