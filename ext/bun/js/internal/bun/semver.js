// Versions and ranges (`Bun.semver`). In: texts. Out: whether one satisfies the other, which of two
// comes first. The ranges are those of the package manager.
'use strict';

const binding = internalBinding('bun');

function satisfies(version, range) {
  return binding.satisfies(`${version}`, `${range}`);
}

/** -1, 0 or 1. */
function order(one, other) {
  const found = binding.order(`${one}`, `${other}`);
  if (typeof found === 'string') throw new Error(`Invalid SemVer: ${found}\n`);
  return found;
}

module.exports = { semver: { satisfies, order } };
