// Semantic versions (`Bun.semver`). In: version and range strings. Out: whether a version satisfies
// a range, and the order of two versions. The parser is the package manager's (crates/npm).
'use strict';

const binding = internalBinding('bun');

function satisfies(version, range) {
  return binding.satisfies(`${version}`, `${range}`);
}

/** -1, 0 or 1. */
function order(left, right) {
  const result = binding.order(`${left}`, `${right}`);
  if (typeof result === 'string') throw new Error(`Invalid SemVer: ${result}\n`);
  return result;
}

module.exports = { semver: { satisfies, order } };
