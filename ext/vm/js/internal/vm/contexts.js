// Registry of contexts by their sandbox object. Out: a map to { context, global, ... }; `context`
// is native.
'use strict';

module.exports = { contexts: new WeakMap() };
