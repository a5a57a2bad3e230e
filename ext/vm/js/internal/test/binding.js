// What programs that are begun with `--expose-internals` ask for as Node's other half: what of it
// is here as well. In: a name. Out: the functions and numbers that have a meaning here; a name of
// Node's that has none is refused as one that nobody knows.
'use strict';

/** By name; each is made once, for programs replace members. */
const makers = {
  __proto__: null,
  buffer: () => require('internal/process/legacy_bindings').buffer(),
  cares_wrap: () => require('internal/dns/system'),
  constants: () => require('internal/process/legacy_bindings').constants(),
  contextify,
  timers: () => ({ getLibuvNow: () => Math.floor(require('perf_hooks').performance.now()) }),
  udp_wrap,
  util,
  uv: () => require('internal/process/legacy_bindings').uv(),
  // By which a worker and the one who started it speak; the main thread has none.
  worker: () => ({ getEnvMessagePort: () => require('internal/modules/main_module').worker?.control }),
};

const made = new Map();

function bindingForTests(name) {
  const known = made.get(name);
  if (known !== undefined) return known;
  const make = makers[name];
  if (make === undefined) {
    const error = new Error(`No such binding: ${name}`);
    error.code = 'ERR_INVALID_MODULE';
    throw error;
  }
  const binding = make();
  made.set(name, binding);
  return binding;
}

function udp_wrap() {
  const { ADDRESS_SHARED, PORT_SHARED, SIX_ONLY, SendWrap, UDP } = require('internal/dgram/handle');
  return { SendWrap, UDP, constants: { UV_UDP_IPV6ONLY: SIX_ONLY, UV_UDP_REUSEADDR: ADDRESS_SHARED, UV_UDP_REUSEPORT: PORT_SHARED } };
}

function util() {
  const types = require('internal/util/types');
  return {
    ...require('internal/process/legacy_bindings').util(),
    getProxyDetails(value, isWhole = true) {
      if (!types.isProxy(value)) return undefined;
      const parts = types.proxyDetails(value);
      return isWhole ? parts : parts[0];
    },
    previewEntries(value, isIterator) {
      const { entries, isKeyValue } = types.previewEntries(value);
      return isIterator ? [entries, isKeyValue] : entries;
    },
  };
}

/** SIGINT for those who look whether it has come; they may stand within each other. */
function contextify() {
  const vm = internalBinding('vm');
  const held = [];
  return {
    startSigintWatchdog() { held.push(vm.beginInterrupt()); },
    stopSigintWatchdog() { return vm.endInterrupt(held.pop()); },
    watchdogHasPendingSigint: () => vm.hasInterrupt(),
  };
}

require('process').emitWarning('These APIs are for internal testing only. Do not use them.', 'internal/test/binding');

module.exports = { internalBinding: bindingForTests };
