// What workers are to know of the one who starts them: `setEnvironmentData`. In: keys and values.
// Out: them, also in workers of workers.
'use strict';

let data = new Map();

module.exports = {
  all: () => data,
  replace(given) { data = given; },
};
