// `node:trace_events`: records of V8's. None are written here, so no category is on; to begin one
// is refused by name.
'use strict';

const { absentFunction } = require('internal/not_implemented');

module.exports = { createTracing: absentFunction('trace_events', 'createTracing'), getEnabledCategories: () => undefined };
