// Where modules of ours tell node:diagnostics_channel of what they do. In: a name. Out: calls, if
// that module is loaded and somebody subscribed; it puts both functions here.
'use strict';

module.exports = {
  /** A message to the channel of a name. */
  publish: undefined,
  /** The traces of a name; undefined: nobody listens. */
  tracing: undefined,
};
