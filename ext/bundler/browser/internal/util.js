// What modules that are shared with the runtime ask of it. In browsers nothing is deprecated.
'use strict';

module.exports = { isInsideNodeModules: () => true };
