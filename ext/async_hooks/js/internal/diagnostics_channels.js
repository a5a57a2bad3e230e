// Diagnostics channels for builtins. In: a channel name. Out: calls, if node:diagnostics_channel is
// loaded and the channel has subscribers; that module sets both functions.
'use strict';

module.exports = {
  /** Publishes a message to a named channel. */
  publish: undefined,
  /** Returns the tracing channel of a name; undefined without subscribers. */
  tracing: undefined,
};
