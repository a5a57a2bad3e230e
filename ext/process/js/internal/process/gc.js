// The global `gc` that `--expose-gc` asks for. In: nothing, or options as V8 has them. Out:
// undefined when all that nobody has any more was collected, or a promise of that where `execution`
// is 'async'. Absent: collecting a part; this engine has one kind.
'use strict';

const binding = internalBinding('process');
const { letGo } = require('internal/process/gc_keepalive');

function collect() {
  letGo();
  return binding.collect();
}

function gc(options) {
  if (options?.execution !== 'async') return collect();
  return new Promise((resolve) => {
    setImmediate(() => {
      collect();
      resolve();
    });
  });
}

Object.defineProperty(globalThis, 'gc', { __proto__: null, value: gc, writable: true, enumerable: false, configurable: true });
