// The thread of a program's hooks. In: what the program asks (hooks_thread.js). Out: answers, each
// when its hooks have one; and that none will come, where nothing but questions keeps this thread
// going. Absent: what hooks are asked, and how (hooks_chain.js).
'use strict';

const { importerOf } = require('internal/esm/sync_hooks');
const errors = require('internal/worker/errors');
const chain = require('internal/esm/hooks_chain');
const esm = require('internal/esm');
const hooks = require('internal/modules/hooks');
const { REGISTER, RESOLVE, ANSWERED, FAILED, IDLE, ENDED, BROKEN } = require('internal/esm/hooks_protocol');

const { nextTick } = require('process');

let port;
let gate;
let lastId = 0;
/** Questions that hooks have. */
let open = 0;
/** Files that this thread's own files registered are among the hooks before anything is asked. */
let ready = Promise.resolve();

function start(given) {
  ({ port, gate } = given);
  port.on('message', (question) => { serve(question); });
}

function tell(id, kind, value) {
  port.postMessage([id, kind, value]);
  Atomics.add(gate, 0, 1);
  Atomics.notify(gate, 0);
}

async function serve([id, kind, ...about]) {
  lastId = id;
  open++;
  // Whether anything but questions keeps this thread going is to be seen.
  port.unref();
  let answer;
  try {
    await ready;
    answer = [ANSWERED, await (kind === REGISTER ? register(...about) : kind === RESOLVE ? chain.resolve(...about) : chain.load(...about))];
  } catch (error) {
    answer = [FAILED, errors.write(error)];
  }
  // Warnings of a hook are emitted before the program continues.
  nextTick(() => {
    reply(id, answer);
    if (--open === 0) port.ref();
  });
}

function reply(id, [kind, value]) {
  try {
    tell(id, kind, value);
  } catch (error) {
    tell(id, FAILED, errors.write(error));
  }
}

/** Nothing keeps this thread going: if nothing more is asked, nothing is answered. */
function onIdle() {
  tell(0, IDLE, lastId);
  port.ref();
}

// --- files of hooks

async function register(specifier, parentURL, data) {
  const exports = await esm.importDynamic(specifier, importerOf(parentURL));
  const { initialize, globalPreload } = exports;
  if (initialize === undefined && globalPreload !== undefined) tellOfPreload();
  await initialize?.(data);
  chain.add(specifier, exports);
  hooks.provide({ resolve: chain.resolve, load: chain.load });
}

let isToldOfPreload = false;

function tellOfPreload() {
  if (isToldOfPreload) return;
  isToldOfPreload = true;
  require('process').emitWarning('`globalPreload` has been removed; use `initialize` instead.', 'UnsupportedWarning');
}

/** For files of this thread. */
function registerHere(specifier, parentURL, data) {
  ready = ready.then(() => register(specifier, parentURL, data));
  ready.catch((error) => { internalBinding('queues').fatal(error); });
}

// --- the end

function onExit(code) { tell(0, ENDED, code | 0); }

function onError(error) { tell(0, BROKEN, errors.write(error)); }

module.exports = { onError, onExit, onIdle, registerHere, start };
