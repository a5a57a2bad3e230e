// Diagnostics channels of HTTP/2 streams, by the side of the connection. Out: channels that are
// made at the first use.
'use strict';

const { channel } = require('diagnostics_channel');

const NAMES = ['created', 'start', 'error', 'finish', 'close', 'bodyChunkSent', 'bodySent'];

const make = (side) => Object.fromEntries(NAMES.map((name) => [name, channel(`http2.${side}.stream.${name}`)]));

const server = make('server');
const client = make('client');

/** By nghttp2's number of the side. */
const channels = (type) => (type === 0 ? server : client);

module.exports = { channels, client, server };
