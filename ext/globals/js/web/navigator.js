// `navigator`: processors, language, platform as in browsers. `userAgent` is Node's, because
// programs test for it. Absent: locks.
'use strict';

const { codes: { ERR_ILLEGAL_CONSTRUCTOR } } = require('internal/errors');
const { finishClass, isObject, noPrivateMember } = require('web/streams/webidl_utils');

/** Required by the constructor, which programs cannot call. */
const key = Symbol('key');
const PLATFORM_ARCHS = { __proto__: null, ia32: 'i686', x64: 'x86_64' };
let languages;

class Navigator {
  #isNavigator = true;

  constructor(token) {
    if (token !== key) throw new ERR_ILLEGAL_CONSTRUCTOR();
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
    return `Linux ${PLATFORM_ARCHS[arch] ?? arch}`;
  }
}

finishClass(Navigator);
delete Navigator.prototype[Symbol.toStringTag];

module.exports = { Navigator, navigator: new Navigator(key) };
