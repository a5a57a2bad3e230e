// The global `EventSource` of `--experimental-eventsource`.
'use strict';

require('internal/globals').lazy(globalThis, 'EventSource', () => require('web/event_source').EventSource, false);
