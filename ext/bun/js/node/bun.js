// The global `Bun`, also the module 'bun'. Out: an object whose members load their module on first
// use. Absent, and so undefined: database clients.
'use strict';

const { lazy } = require('internal/globals');

/** The version of Bun whose API this is. */
const VERSION = '1.4.5';

// [module, exported names]
const LAZY = [
  ['internal/bun/environment', [
    'argv', 'cwd', 'embeddedFiles', 'env', 'gc', 'generateHeapSnapshot', 'isMainThread', 'isStandaloneExecutable', 'main', 'nanoseconds', 'peek', 'resolve', 'resolveSync', 'sleep', 'sleepSync', 'which',
  ]],
  ['internal/bun/file', ['file', 'stderr', 'stdin', 'stdout']],
  ['internal/bun/write', ['write']],
  ['internal/bundler/build', ['build']],
  ['internal/bundler/runtime_plugin', ['plugin']],
  ['internal/bun/spawn', ['spawn']],
  ['internal/serve/serve', ['serve']],
  ['internal/bun/spawn_sync', ['spawnSync']],
  ['internal/sockets/connect', ['connect']],
  ['internal/sockets/dns', ['dns']],
  ['internal/sockets/listen', ['listen']],
  ['internal/sockets/udp', ['udpSocket']],
  ['internal/bun/terminal', ['Terminal']],
  ['internal/bun/strings', ['enableANSIColors', 'escapeHTML', 'indexOfLine', 'stringWidth', 'stripANSI']],
  ['internal/bun/ansi', ['sliceAnsi', 'wrapAnsi']],
  ['internal/bun/bytes', [
    'allocUnsafe', 'concatArrayBuffers', 'readableStreamToArray', 'readableStreamToArrayBuffer', 'readableStreamToBlob',
    'readableStreamToBytes', 'readableStreamToFormData', 'readableStreamToJSON', 'readableStreamToText',
  ]],
  ['internal/bun/inspect', ['inspect']],
  ['internal/bun/equals', ['deepEquals', 'deepMatch']],
  ['internal/bun/hash', ['hash']],
  ['internal/bun/crypto_hasher', [
    'CryptoHasher', 'MD4', 'MD5', 'SHA1', 'SHA224', 'SHA256', 'SHA384', 'SHA512', 'SHA512_256', 'sha',
  ]],
  ['internal/bun/file_system_router', ['FileSystemRouter']],
  ['internal/bun/glob', ['Glob']],
  ['internal/bun/password', ['password']],
  ['internal/bun/semver', ['semver']],
  ['internal/bun/transpiler', ['Transpiler']],
  ['internal/bun/data_formats', ['JSON5', 'JSONC', 'TOML', 'YAML']],
  ['internal/bun/jsonl', ['JSONL']],
  ['internal/bun/array_buffer_sink', ['ArrayBufferSink']],
  ['internal/bun/color', ['color']],
  ['internal/bun/uuid', ['randomUUIDv5', 'randomUUIDv7']],
  ['internal/cookies/cookie', ['Cookie']],
  ['internal/cookies/cookie_map', ['CookieMap']],
  ['internal/cookies/csrf', ['CSRF']],
  ['internal/ffi/global', ['FFI']],
  ['web/fetch/fetch_session', ['FetchSession']],
  ['internal/bun/compress', [
    'deflateSync', 'gunzipSync', 'gzipSync', 'inflateSync', 'zstdCompress', 'zstdCompressSync', 'zstdDecompress', 'zstdDecompressSync',
  ]],
  ['internal/url', ['fileURLToPath', 'pathToFileURL']],
];

/**
 * Names that are absent here. A module imports them as undefined: one that it does not use does not
 * stop it.
 */
const ABSENT = [
  '$', 'Archive', 'Image', 'ModuleGraph', 'RedisClient', 'S3Client', 'SQL', 'WebView', 'XML', 'cron',
  'markdown', 'mmap', 'openInEditor', 'postgres', 'redis', 'revision', 's3', 'secrets', 'shrink', 'sql',
  'unsafe',
];

// Read-only in Bun.
const READ_ONLY = ['env', 'isMainThread', 'main', 'semver'];

const Bun = {};
for (const [file, names] of LAZY) {
  for (const name of names) lazy(Bun, name, () => require(file)[name], true, !READ_ONLY.includes(name));
}
lazy(Bun, 'fetch', () => globalThis.fetch, true, true);
Object.defineProperty(Bun, Symbol.for('rusk.absentExports'), { __proto__: null, value: ABSENT });
Object.defineProperty(Bun, 'version', { __proto__: null, value: VERSION, enumerable: true });
Object.defineProperty(Bun, Symbol.toStringTag, { __proto__: null, value: 'Bun', configurable: true });

require('internal/bun_use').useBun();

module.exports = Bun;
