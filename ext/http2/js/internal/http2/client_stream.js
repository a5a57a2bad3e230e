// `ClientHttp2Stream`: a request, or a response that a server has pushed. Out: 'response', 'push',
// 'headers' and 'continue' for informational responses, 'trailers'.
'use strict';

const { Http2Stream } = require('internal/http2/stream');
const { client: channels } = require('internal/http2/channels');
const { kInit, kState } = require('internal/http2/symbols');

const HTTP_CONTINUE = 100;

class ClientHttp2Stream extends Http2Stream {
  constructor(session, handle, id, options) {
    super(session, options);
    this[kState].hasSentHeaders = true;
    if (id !== undefined) this[kInit](id, handle);
    this.on('headers', (headers) => {
      if (headers[':status'] === HTTP_CONTINUE) this.emit('continue');
    });
    this.once('response', (headers, flags) => {
      if (channels.finish.hasSubscribers) channels.finish.publish({ stream: this, headers, flags });
    });
  }
}

module.exports = { ClientHttp2Stream };
