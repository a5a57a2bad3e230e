// Deprecation of `module.parent` under `--pending-deprecation`. Out: modules created from now on
// inherit an accessor that warns once.
'use strict';

const { deprecateProperty } = require('internal/util');
const Module = require('module');

const MESSAGE = 'module.parent is deprecated due to accuracy issues. Please use require.main to find program entry point instead.';

/** The parent of each module. */
const parents = new WeakMap();

function find() { return parents.get(this); }
function set(parent) { parents.set(this, parent); }

Module.setParents(parents);
Object.defineProperty(Module.prototype, 'parent', { ...deprecateProperty('parent', find, set, MESSAGE, 'DEP0144'), __proto__: null, enumerable: false });
