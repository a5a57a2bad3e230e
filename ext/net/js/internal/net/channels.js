// Diagnostics channels of connections (`diagnostics_channel`).
'use strict';

const { channel } = require('diagnostics_channel');

module.exports = { clientSocket: channel('net.client.socket'), serverSocket: channel('net.server.socket') };
