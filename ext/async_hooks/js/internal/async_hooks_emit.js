// What hooks of async_hooks want to hear of. In: nothing, until a hook is enabled. Out: `emitInit`
// for objects of ours that begin something, where anybody listens.
'use strict';

module.exports = {
  /** Of a type and an object; set while hooks are enabled. */
  emitInit: undefined,
};
