// The global `gc` of `--expose-gc`, also in contexts of node:vm.
'use strict';

const { defineGlobal, setExposed } = require('internal/process/gc');

defineGlobal(globalThis);
setExposed(true);
