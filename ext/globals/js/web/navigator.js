// `navigator`: what a program runs on. In: nothing. Out: processors, languages, the platform by
// browsers' names, Node's own name, since programs know what to do by it. Absent: locks.
'use strict';

const { codes: { ERR_ILLEGAL_CONSTRUCTOR } } = require('internal/errors');
const { finishClass, isObject, noPrivateMember } = require('web/streams/webidl_utils');

/** Who may make one. */
const key = Symbol('key');
const MACHINES = { __proto__: null, ia32: 'i686', x64: 'x86_64' };
let languages;

class Navigator {
  #isNavigator = true;

  constructor(given) {
    if (given !== key) throw new ERR_ILLEGAL_CONSTRUCTOR();
  }

  static #check(navigator) {
    if (!isObject(navigator) || !(#isNavigator in navigator)) throw noPrivateMember();
  }

  get hardwareConcurrency() {
    Navigator.#check(this);
    return require('os').availableParallelism();
  }

  get language() {
    Navigator.#check(this);
    return Intl.Collator().resolvedOptions().locale || 'en-US';
  }

  get languages() {
    Navigator.#check(this);
    return languages ??= Object.freeze([this.language]);
  }

  get userAgent() {
    Navigator.#check(this);
    return `Node.js/${/^v(\d+)/.exec(require('process').version)[1]}`;
  }

  get platform() {
    Navigator.#check(this);
    const { arch } = require('process');
    return `Linux ${MACHINES[arch] ?? arch}`;
  }
}

finishClass(Navigator);
delete Navigator.prototype[Symbol.toStringTag];

module.exports = { Navigator, navigator: new Navigator(key) };
