// `expect.resolvesTo` and `expect.rejectsTo`: asymmetric matchers of what a promise has settled to.
// In: the matchers of `expect` or `expect.not`. Out: matchers of promises. Absent: waiting; a
// promise that is pending does not match, while bun runs the event loop until it is settled.
'use strict';

const types = require('internal/util/types');
const { AsymmetricMatcher } = require('internal/expect/asymmetric');

const NAMES = ['any', 'anything', 'arrayContaining', 'arrayOf', 'closeTo', 'objectContaining', 'stringContaining', 'stringMatching'];
// The states of `types.promiseDetails`.
const STATES = ['pending', 'resolved', 'rejected'];

class Settled extends AsymmetricMatcher {
  #state;
  #matcher;

  constructor(state, matcher) {
    super(undefined);
    this.#state = state;
    this.#matcher = matcher;
  }

  asymmetricMatch(other) {
    if (!types.isPromise(other)) return false;
    const [state, value] = types.promiseDetails(other);
    if (STATES[state] !== this.#state) return false;
    // Its rejection was expected.
    if (this.#state === 'rejected') other.catch(() => {});
    return Boolean(this.#matcher.asymmetricMatch(value));
  }

  toAsymmetricMatcher() {
    return `promise ${this.#state} to ${require('internal/expect/pretty').pretty(this.#matcher)}`;
  }
}

function settledMatchers(state, source) {
  return Object.fromEntries(NAMES.filter((name) => name in source).map((name) => [name, (...args) => new Settled(state, source[name](...args))]));
}

module.exports = { settledMatchers };
