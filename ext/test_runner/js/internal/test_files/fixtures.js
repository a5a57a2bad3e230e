// `test.extend` of vitest: values that tests ask for by name. In: definitions of fixtures, a test's
// function. Out: a function that sets up what the test takes apart, and tears it down afterwards.
// Absent: fixtures of a file or a worker (`scope`), which are set up for each test here.
'use strict';

const { takesContext } = require('internal/test_files/calls');

const PARAMETER = /^(?:async\b\s*)?(?:function\b\s*)?[\w$]*\s*\(\s*\{([^}]*)\}/;

/** The names that a function takes out of its first parameter; undefined: all of them. */
function namesOf(fn) {
  const [, list] = PARAMETER.exec(Function.prototype.toString.call(fn)) ?? [];
  if (list === undefined) return fn.length === 0 ? [] : undefined;
  if (list.includes('...')) return undefined;
  return list.split(',').map((part) => /^\s*([\w$]*)/.exec(part)[1]).filter((name) => name !== '');
}

/** A definition in its full form: `[value, options]`. */
function partsOf(definition) {
  const isPair = Array.isArray(definition) && definition.length === 2 && definition[1] !== null && typeof definition[1] === 'object';
  const [value, options] = isPair ? definition : [definition, {}];
  return { value, isAuto: options.auto === true };
}

/** Fixtures of one run of a test. */
class FixtureScope {
  #teardowns = [];
  #begun = new Set();

  constructor(fixtures, context) {
    this.fixtures = fixtures;
    this.context = context;
  }

  async setUp(names) {
    for (const name of names ?? Object.keys(this.fixtures)) {
      if (!Object.hasOwn(this.fixtures, name) || this.#begun.has(name)) continue;
      this.#begun.add(name);
      const { value } = partsOf(this.fixtures[name]);
      if (typeof value !== 'function') {
        this.context[name] = value;
        continue;
      }
      await this.setUp((namesOf(value) ?? []).filter((other) => other !== name));
      await this.#use(name, value);
    }
  }

  /** Runs a fixture until it calls `use(value)`; it goes on when the test has ended. */
  async #use(name, fixture) {
    const ready = Promise.withResolvers();
    const end = Promise.withResolvers();
    const use = (value) => {
      this.context[name] = value;
      ready.resolve();
      return end.promise;
    };
    const finished = Promise.resolve(fixture(this.context, use));
    this.#teardowns.push(() => {
      end.resolve();
      return finished;
    });
    finished.then(ready.resolve, ready.reject);
    await ready.promise;
  }

  async tearDown() { while (this.#teardowns.length > 0) await this.#teardowns.pop()(); }
}

/** The function of a test with fixtures. */
function withFixtures(fn, fixtures) {
  const automatic = Object.keys(fixtures).filter((name) => partsOf(fixtures[name]).isAuto);
  const names = namesOf(fn);
  return takesContext(async (context) => {
    const scope = new FixtureScope(fixtures, Object.create(context));
    try {
      await scope.setUp(automatic);
      await scope.setUp(names);
      await fn(scope.context);
    } finally {
      await scope.tearDown();
    }
  });
}

module.exports = { withFixtures };
