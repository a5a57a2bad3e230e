// Hooks thread of `module.register`: serves the program's requests. In: requests (hooks_thread.js).
// Out: a response for each when its hooks have settled; IDLE if pending ones never will, because
// nothing else keeps this thread alive. Absent: the calls of hooks (hooks_chain.js).
'use strict';

const { importerOf } = require('internal/esm/sync_hooks');
const errors = require('internal/error_serdes');
const chain = require('internal/esm/hooks_chain');
const esm = require('internal/esm');
const hooks = require('internal/modules/hooks');
const { REGISTER, RESOLVE, RESOLVED, FAILED, IDLE, EXITED, UNCAUGHT } = require('internal/esm/hooks_protocol');

const { nextTick } = require('process');

let port;
let gate;
let lastId = 0;
/** Number of requests without a response. */
let pending = 0;
/** Settles when hooks that this thread's own modules registered are in the chain. */
let ready = Promise.resolve();

function start(channel) {
  ({ port, gate } = channel);
  port.on('message', (request) => { serve(request); });
}

function send(id, kind, value) {
  port.postMessage([id, kind, value]);
  Atomics.add(gate, 0, 1);
  Atomics.notify(gate, 0);
}

async function serve([id, kind, ...parameters]) {
  lastId = id;
  pending++;
  // Unref'd, so that the loop notices when nothing but requests is left.
  port.unref();
  let response;
  try {
    await ready;
    response = [RESOLVED, await (kind === REGISTER ? register(...parameters) : kind === RESOLVE ? chain.resolve(...parameters) : chain.load(...parameters))];
  } catch (error) {
    response = [FAILED, errors.serializeError(error)];
  }
  // Warnings of a hook are emitted before the program continues.
  nextTick(() => {
    reply(id, response);
    if (--pending === 0) port.ref();
  });
}

function reply(id, [kind, value]) {
  try {
    send(id, kind, value);
  } catch (error) {
    send(id, FAILED, errors.serializeError(error));
  }
}

/** The loop is no longer alive: pending requests settle only if another request arrives. */
function onIdle() {
  send(0, IDLE, lastId);
  port.ref();
}

// --- registration

async function register(specifier, parentURL, data) {
  const exports = await esm.importDynamic(specifier, importerOf(parentURL));
  const { initialize, globalPreload } = exports;
  if (initialize === undefined && globalPreload !== undefined) warnOfPreload();
  await initialize?.(data);
  chain.add(specifier, exports);
  hooks.setAsyncHooks({ resolve: chain.resolve, load: chain.load });
}

let hasWarnedOfPreload = false;

function warnOfPreload() {
  if (hasWarnedOfPreload) return;
  hasWarnedOfPreload = true;
  require('process').emitWarning('`globalPreload` has been removed; use `initialize` instead.', 'UnsupportedWarning');
}

/** `module.register` called on this thread. */
function registerHere(specifier, parentURL, data) {
  ready = ready.then(() => register(specifier, parentURL, data));
  ready.catch((error) => { internalBinding('queues').fatal(error); });
}

// --- exit

function onExit(code) { send(0, EXITED, code | 0); }

function onError(error) { send(0, UNCAUGHT, errors.serializeError(error)); }

module.exports = { onError, onExit, onIdle, registerHere, start };
