// Checks of arguments of Node's modules in browsers. In: a value and its name. Out: nothing, or
// Node's error.
'use strict';

const { codes } = require('internal/errors');

function validator(type, isValid = (value) => typeof value === type) {
  return (value, name) => {
    if (!isValid(value)) throw new codes.ERR_INVALID_ARG_TYPE(name, type, value);
  };
}

module.exports = {
  validateString: validator('string'),
  validateFunction: validator('function'),
  validateBoolean: validator('boolean'),
  validateNumber: validator('number'),
  validateObject: validator('object', (value) => typeof value === 'object' && value !== null && !Array.isArray(value)),
};
