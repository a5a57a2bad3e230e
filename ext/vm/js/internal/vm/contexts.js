// Contexts by the objects that stand for them. Out: a map of { context, global, ... }; `context` is
// native.
'use strict';

module.exports = { contexts: new WeakMap() };
