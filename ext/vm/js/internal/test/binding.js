// Node's internal bindings for programs that run with `--expose-internals`. In: a binding's name.
// Out: the functions and constants that have an equivalent here; other names throw as unknown ones.
'use strict';

/** By name. Each binding is bindings once: programs replace members. */
const factories = {
  __proto__: null,
  buffer: () => require('internal/process/legacy_bindings').buffer(),
  cares_wrap: () => require('internal/dns/cares_wrap'),
  constants: () => require('internal/process/legacy_bindings').constants(),
  contextify,
  http2: () => {
    const { ERRORS, constants, nghttp2ErrorString } = require('internal/http2/constants');
    const { Http2SessionHandle, Http2StreamHandle } = require('internal/http2/handle');
    return { Http2Session: Http2SessionHandle, Http2Stream: Http2StreamHandle, constants: { ...constants, ...ERRORS }, nghttp2ErrorString };
  },
  timers: () => ({ getLibuvNow: () => Math.floor(require('perf_hooks').performance.now()) }),
  udp_wrap,
  util,
  uv: () => require('internal/process/legacy_bindings').uv(),
  // The port between a worker and its parent thread; undefined in the main thread.
  worker: () => ({ getEnvMessagePort: () => require('internal/modules/main_module').worker?.control }),
};

const bindings = new Map();

function bindingForTests(name) {
  const existing = bindings.get(name);
  if (existing !== undefined) return existing;
  const make = factories[name];
  if (make === undefined) {
    const error = new Error(`No such binding: ${name}`);
    error.code = 'ERR_INVALID_MODULE';
    throw error;
  }
  const binding = make();
  bindings.set(name, binding);
  return binding;
}

function udp_wrap() {
  const { IPV6ONLY, REUSEADDR, REUSEPORT } = internalBinding('udp').bindFlag;
  const { SendWrap, UDP } = require('internal/dgram/handle');
  return { SendWrap, UDP, constants: { UV_UDP_IPV6ONLY: IPV6ONLY, UV_UDP_REUSEADDR: REUSEADDR, UV_UDP_REUSEPORT: REUSEPORT } };
}

function util() {
  const types = require('internal/util/types');
  return {
    ...require('internal/process/legacy_bindings').util(),
    getProxyDetails(value, withHandler = true) {
      if (!types.isProxy(value)) return undefined;
      const details = types.proxyDetails(value);
      return withHandler ? details : details[0];
    },
    previewEntries(value, isIterator) {
      const { entries, isKeyValue } = types.previewEntries(value);
      return isIterator ? [entries, isKeyValue] : entries;
    },
  };
}

/** Node's SIGINT watchdogs, which may be nested. */
function contextify() {
  const vm = internalBinding('vm');
  const watchdogs = [];
  return {
    startSigintWatchdog() { watchdogs.push(vm.startSigintWatchdog()); },
    stopSigintWatchdog() { return vm.stopSigintWatchdog(watchdogs.pop()); },
    watchdogHasPendingSigint: () => vm.watchdogHasPendingSigint(),
  };
}

require('process').emitWarning('These APIs are for internal testing only. Do not use them.', 'internal/test/binding');

module.exports = { internalBinding: bindingForTests };
