// `node:dgram`: sockets of UDP. They are not there yet, and say so by name.
'use strict';

const { absent, absentFunction } = require('internal/absent');

module.exports = { createSocket: absentFunction('dgram', 'createSocket'), Socket: absent('dgram', 'Socket') };
