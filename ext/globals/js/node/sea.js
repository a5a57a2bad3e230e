// `node:sea`: single executable applications. A program of ours is never one, so its functions
// throw.
'use strict';

const { codes: { ERR_NOT_IN_SINGLE_EXECUTABLE_APPLICATION } } = require('internal/errors');

function throwNotSea() { throw new ERR_NOT_IN_SINGLE_EXECUTABLE_APPLICATION(); }

module.exports = {
  isSea: () => false,
  getAsset() { throwNotSea(); },
  getRawAsset() { throwNotSea(); },
  getAssetAsBlob() { throwNotSea(); },
  getAssetKeys() { throwNotSea(); },
};
