// `process.allowedNodeEnvironmentFlags`: the flags that NODE_OPTIONS may contain. Out: an immutable
// set that finds a flag in any spelling.

'use strict';

/** Boolean flags, which also exist with the prefix `no-`. */
const SWITCHES = `
addons allow-addons allow-child-process allow-inspector allow-net allow-wasi allow-worker async-context-frame cpu-prof
debug-arraybuffer-allocations deprecation disable-sigusr1 disable-wasm-trap-handler enable-fips enable-source-maps entry-url
experimental-addon-modules experimental-detect-module experimental-eventsource experimental-global-navigator
experimental-import-meta-resolve experimental-print-required-tla experimental-repl-await experimental-require-module
experimental-shadow-realm experimental-sqlite experimental-transform-types experimental-vm-modules experimental-websocket
experimental-webstorage extra-info-on-fatal-exception force-async-hooks-checks force-context-aware force-fips
force-node-api-uncaught-exceptions-policy frozen-intrinsics global-search-paths heap-prof insecure-http-parser inspect inspect-brk
inspect-wait network-family-autoselection node-snapshot openssl-legacy-provider openssl-shared-config pending-deprecation
permission permission-audit preserve-symlinks preserve-symlinks-main report-compact report-exclude-env report-exclude-network
report-on-fatalerror report-on-signal report-uncaught-exception require-module strip-types test-only throw-deprecation
tls-max-v1.2 tls-max-v1.3 tls-min-v1.0 tls-min-v1.1 tls-min-v1.2 tls-min-v1.3 trace-deprecation trace-env trace-env-js-stack
trace-env-native-stack trace-exit trace-promises trace-sigint trace-sync-io trace-tls trace-uncaught trace-warnings
track-heap-objects use-bundled-ca use-env-proxy use-openssl-ca use-system-ca verify-base-objects warnings watch
watch-preserve-output zero-fill-buffers
`;

const OTHERS = `
abort-on-uncaught-exception allow-fs-read allow-fs-write conditions cpu-prof-dir cpu-prof-interval cpu-prof-name debug-port
diagnostic-dir disable-proto disable-warning disallow-code-generation-from-strings dns-result-order enable-etw-stack-walking
enable-network-family-autoselection es-module-specifier-resolution experimental-abortcontroller experimental-fetch
experimental-global-customevent experimental-global-webcrypto experimental-json-modules experimental-loader experimental-modules
experimental-quic experimental-report experimental-specifier-resolution experimental-strip-types experimental-test-isolation
experimental-top-level-await experimental-wasi-unstable-preview1 experimental-wasm-modules experimental-worker expose-gc
heap-prof-dir heap-prof-interval heap-prof-name heapsnapshot-near-heap-limit heapsnapshot-signal http-parser icu-data-dir import
input-type inspect-port inspect-publish-uid interpreted-frames-native-stack jitless loader localstorage-file max-http-header-size
max-old-space-size max-old-space-size-percentage max-semi-space-size napi-modules network-family-autoselection-attempt-timeout
node-memory-debug openssl-config perf-basic-prof perf-basic-prof-only-functions perf-prof perf-prof-unwinding-info prof-process
redirect-warnings report-dir report-directory report-filename report-signal require secure-heap secure-heap-min snapshot-blob
stack-trace-limit test-coverage-branches test-coverage-exclude test-coverage-functions test-coverage-include test-coverage-lines
test-global-setup test-isolation test-name-pattern test-reporter test-reporter-destination test-rerun-failures test-shard
test-skip-pattern title tls-cipher-list tls-keylog trace-event-categories trace-event-file-pattern trace-events-enabled
trace-require-module unhandled-rejections use-largepages v8-pool-size watch-kill-signal watch-path webstorage -C -r
`;

/** The flags are in a private set: the inherited one could be changed by `Set.prototype.add`. */
class NodeEnvironmentFlagsSet extends Set {
  #flags;

  constructor(flags) {
    super();
    this.#flags = new Set(flags);
  }

  add() { return this; }
  delete() { return false; }
  clear() {}
  get size() { return this.#flags.size; }
  entries() { return this.#flags.entries(); }
  values() { return this.#flags.values(); }

  forEach(callback, self = undefined) {
    this.#flags.forEach((flag) => Reflect.apply(callback, self, [flag, flag, this]));
  }

  has(flag) {
    if (typeof flag !== 'string') return false;
    // Underscores, a value after `=`, and missing leading hyphens are accepted.
    const name = flag.replaceAll('_', '-');
    if (name[0] === '-') return this.#flags.has(name.replace(/=.*$/, ''));
    return this.#flags.has(`--${name}`) || this.#flags.has(`-${name}`);
  }
}
NodeEnvironmentFlagsSet.prototype.keys = NodeEnvironmentFlagsSet.prototype.values;
NodeEnvironmentFlagsSet.prototype[Symbol.iterator] = NodeEnvironmentFlagsSet.prototype.values;
Object.freeze(NodeEnvironmentFlagsSet.prototype);

const splitNames = (list) => list.trim().split(/\s+/);

function allowedFlags() {
  const switches = splitNames(SWITCHES).flatMap((name) => [`--${name}`, `--no-${name}`]);
  const others = splitNames(OTHERS).map((name) => (name[0] === '-' ? name : `--${name}`));
  return Object.freeze(new NodeEnvironmentFlagsSet([...switches, ...others]));
}

module.exports = { allowedFlags };
