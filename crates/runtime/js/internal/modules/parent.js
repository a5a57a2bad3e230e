// `--pending-deprecation` for `module.parent`. In: nothing. Out: modules made from here on have it
// from their prototype, which warns of it once.
'use strict';

const { deprecateProperty } = require('internal/util');
const Module = require('module');

const MESSAGE = 'module.parent is deprecated due to accuracy issues. Please use require.main to find program entry point instead.';

/** Of each module its parent. */
const parents = new WeakMap();

function find() { return parents.get(this); }
function set(parent) { parents.set(this, parent); }

Module.setParents(parents);
Object.defineProperty(Module.prototype, 'parent', { ...deprecateProperty('parent', find, set, MESSAGE, 'DEP0144'), __proto__: null, enumerable: false });
