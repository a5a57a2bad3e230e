// Emits the `init` event of async_hooks for resources of builtins. In: a function, set while a hook
// is enabled. Out: `emitInit` for builtins to call.
'use strict';

module.exports = {
  /** Takes a type and an object; undefined while no hook is enabled. */
  emitInit: undefined,
  /** Resources of native addons; undefined until node:async_hooks is loaded. */
  embedder: undefined,
};
