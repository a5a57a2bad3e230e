// `process.version`, `versions`, `release`, `config` and `features`. In: the versions of rusk and
// of the engine. The Node version is the one whose API is implemented. `versions` also names
// libraries of Node that are not used here, where programs check their version to detect an API.

'use strict';

const { arch, rusk, engine, node } = internalBinding('process').start();

const version = `v${node}`;

const frozen = (value) => Object.freeze(Object.assign(Object.create(null), value));

/**
 * Makes the properties read-only. The object stays extensible: programs add `versions.electron`.
 */
function readOnly(values) {
  for (const name of Object.keys(values)) {
    Object.defineProperty(values, name, { writable: false });
  }
  return values;
}

const versions = readOnly({
  node,
  rusk,
  javascriptcore: engine,
  // Programs detect language features and the addon ABI by these.
  modules: '141',
  unicode: '16.0',
  v8: '14.1.146.11-node.21',
  uv: '1.51.0',
  napi: '10',
});
// Programs detect `crypto` by it. The library is opened when they ask; what the newest API is made
// for stands in for one that is not installed.
Object.defineProperty(versions, 'openssl', {
  __proto__: null,
  enumerable: true,
  configurable: true,
  get() {
    try {
      return internalBinding('openssl').version();
    } catch {
      return '3.5.5';
    }
  },
});

// Programs detect compression formats by these; one whose library is not installed has none.
for (const [name, format] of [['brotli', 'BROTLI_DECODE'], ['zstd', 'ZSTD_COMPRESS']]) {
  Object.defineProperty(versions, name, {
    __proto__: null,
    enumerable: true,
    configurable: true,
    get: () => internalBinding('zlib').libraryVersion(require('internal/zlib/constants').constants[format]),
  });
}

// Shown with the values, not as accessors.
Object.defineProperty(versions, Symbol.for('nodejs.util.inspect.custom'), {
  __proto__: null,
  configurable: true,
  value: () => ({ ...versions }),
});

const release = readOnly({ name: 'node' });

const typescript = 'transform';

const features = {
  inspector: false,
  debug: false,
  uv: true,
  ipv6: true,
  tls_alpn: true,
  tls_sni: true,
  tls_ocsp: false,
  tls: true,
  openssl_is_boringssl: false,
};
const lazyFeatures = { cached_builtins: () => true, require_module: () => !['--require-module', '--experimental-require-module'].some(require('internal/options').isDenied), quic: () => false, typescript: () => typescript };
for (const name of Object.keys(lazyFeatures)) {
  Object.defineProperty(features, name, { get: lazyFeatures[name], enumerable: true, configurable: true });
}



const variables = {
  asan: 0,
  host_arch: arch,
  is_debug: 0,
  napi_build_version: '10',
  node_builtin_shareable_builtins: Object.freeze([]),
  node_module_version: 141,
  node_shared: false,
  node_use_amaro: true,
  node_shared_openssl: true,
  node_use_openssl: true,
  shlib_suffix: 'so.141',
  single_executable_application: false,
  target_arch: arch,
  v8_enable_i18n_support: 1,
};

const targetDefaults = frozen({
  cflags: Object.freeze([]),
  default_configuration: 'Release',
  defines: Object.freeze([]),
  include_dirs: Object.freeze([]),
  libraries: Object.freeze([]),
});

let config;

/**
 * Made when it is first read: node-gyp looks here for the headers, which are written then. Without
 * a directory for them it downloads Node's.
 */
function getConfig() {
  if (config !== undefined) return config;
  const settings = JSON.stringify({ target_defaults: targetDefaults, variables }, null, 2);
  const prefix = internalBinding('addons').provideHeaders(version.slice(1), settings);
  config = Object.freeze({
    target_defaults: targetDefaults,
    variables: frozen({
      ...variables,
      node_prefix: prefix ?? '/',
      use_prefix_to_find_headers: prefix !== undefined,
    }),
  });
  return config;
}

module.exports = { version, versions, release, getConfig, features };
