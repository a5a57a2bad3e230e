// `node:stream/web`: the classes of the Streams Standard. In: nothing. Out: the classes. Absent:
// their definition (web/streams).
'use strict';

module.exports = require('web/streams');
