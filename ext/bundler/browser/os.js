// `node:os` in browsers: names and empty lists.
'use strict';

module.exports = {
  EOL: '\n',
  devNull: '/dev/null',
  constants: { signals: {}, errno: {}, priority: {} },
  arch: () => 'javascript',
  availableParallelism: () => navigator.hardwareConcurrency ?? 1,
  cpus: () => [],
  endianness: () => 'LE',
  freemem: () => Number.MAX_VALUE,
  homedir: () => '/home',
  hostname: () => globalThis.location?.hostname ?? '',
  loadavg: () => [0, 0, 0],
  networkInterfaces: () => ({}),
  platform: () => 'browser',
  release: () => navigator.appVersion ?? '',
  tmpdir: () => '/tmp',
  totalmem: () => Number.MAX_VALUE,
  type: () => 'Browser',
  uptime: () => performance.now() / 1000,
};
