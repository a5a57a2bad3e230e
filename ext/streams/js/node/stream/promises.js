// `node:stream/promises`: `pipeline` and `finished` as promises. In: the arguments of the functions
// of `stream`, without the callback. Out: a promise.
'use strict';

const { isIterable, isNodeStream, isWebStream } = require('internal/streams/utils');
const { finished } = require('internal/streams/end-of-stream');

function pipeline(...streams) {
  return new Promise((resolve, reject) => {
    let options;
    const last = streams[streams.length - 1];
    if (last && typeof last === 'object' && !isNodeStream(last) && !isIterable(last) && !isWebStream(last)) {
      options = streams.pop();
    }
    require('internal/streams/pipeline').pipelineImpl(streams, (error, value) => {
      if (error) {
        reject(error);
      } else {
        resolve(value);
      }
    }, options);
  });
}

module.exports = { finished, pipeline };
