// What this program says it is. In: the native half's own version and the engine's. Out: version,
// versions, release, config, features. The version of Node is that whose interface this is. Of
// libraries that are inside of Node and not here those are named whose interface programs find here
// and whose version they ask for.

'use strict';

const { rusk, engine } = internalBinding('process').start();

const version = 'v25.8.1';

const frozen = (value) => Object.freeze(Object.assign(Object.create(null), value));

/**
 * Each value stands as it is, but others may be put beside them: programs play Electron by a
 * version of it.
 */
function fixed(values) {
  for (const name of Object.keys(values)) {
    Object.defineProperty(values, name, { writable: false });
  }
  return values;
}

const versions = fixed({
  node: version.slice(1),
  rusk,
  javascriptcore: engine,
  // What programs ask to know the age of the language and of the interface to addons.
  modules: '141',
  unicode: '16.0',
  v8: '14.1.146.11-node.21',
  uv: '1.51.0',
  // Programs ask by it whether there is `crypto`.
  openssl: '3.5.5',
});

const release = fixed({ name: 'node' });

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
const late = { cached_builtins: () => true, require_module: () => !['--require-module', '--experimental-require-module'].some(require('internal/options').isDenied), quic: () => false, typescript: () => typescript };
for (const name of Object.keys(late)) {
  Object.defineProperty(features, name, { get: late[name], enumerable: true, configurable: true });
}

const config = Object.freeze({
  target_defaults: frozen({
    cflags: Object.freeze([]),
    default_configuration: 'Release',
    defines: Object.freeze([]),
    include_dirs: Object.freeze([]),
    libraries: Object.freeze([]),
  }),
  variables: frozen({
    asan: 0,
    is_debug: 0,
    napi_build_version: '10',
    node_builtin_shareable_builtins: Object.freeze([]),
    node_module_version: 141,
    node_shared: false,
    node_use_amaro: true,
    node_use_openssl: false,
    single_executable_application: false,
    v8_enable_i18n_support: 1,
  }),
});

module.exports = { version, versions, release, config, features };
