// `require('stream/web')`: the streams of the web platform. In: nothing. Out: their classes.
// Absent: the classes (web/streams).
'use strict';

module.exports = require('web/streams');
