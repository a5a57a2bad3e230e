// `node:sea`: programs that are one file with Node. This is none, so there is nothing in it to be
// asked for.
'use strict';

const { codes: { ERR_NOT_IN_SINGLE_EXECUTABLE_APPLICATION } } = require('internal/errors');

function refuse() { throw new ERR_NOT_IN_SINGLE_EXECUTABLE_APPLICATION(); }

module.exports = {
  isSea: () => false,
  getAsset() { refuse(); },
  getRawAsset() { refuse(); },
  getAssetAsBlob() { refuse(); },
  getAssetKeys() { refuse(); },
};
