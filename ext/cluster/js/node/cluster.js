// `node:cluster`: programs that share the work of one. Which side this is, a variable says; it is
// gone when the program's first line runs. Absent: servers that workers share (internal/cluster).
'use strict';

module.exports = Object.hasOwn(require('process').env, 'NODE_UNIQUE_ID') ? require('internal/cluster/child') : require('internal/cluster/primary');
