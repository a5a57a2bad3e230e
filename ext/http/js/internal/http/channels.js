// Diagnostics channels of HTTP messages (`diagnostics_channel`). Out: channels, created at first
// use.
'use strict';

let channels;

function diagnosticsChannels() {
  if (channels === undefined) {
    const { channel } = require('diagnostics_channel');
    channels = {
      clientCreated: channel('http.client.request.created'),
      clientStart: channel('http.client.request.start'),
      clientError: channel('http.client.request.error'),
      clientFinish: channel('http.client.response.finish'),
      serverStart: channel('http.server.request.start'),
      serverCreated: channel('http.server.response.created'),
      serverFinish: channel('http.server.response.finish'),
    };
  }
  return channels;
}

module.exports = { diagnosticsChannels };
