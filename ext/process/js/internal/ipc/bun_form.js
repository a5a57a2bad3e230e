// Values in the engine's own form, as bun writes them for messages that are `advanced`. In: values;
// bytes. Out: bytes; values. Absent: what only one program has: blobs, ports, keys, memory that is
// shared.
'use strict';

module.exports = {
  read: (bytes) => require('internal/ipc/bun_form/reader').read(bytes),
  write: (value) => require('internal/ipc/bun_form/writer').write(value),
};
