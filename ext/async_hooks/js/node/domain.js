// `node:domain`: one error handler for many callbacks. Deprecated in Node, but build tools use it.
// In: functions, emitters. Out: 'error' events of the domain in which a callback was bound or an
// emitter was made; the async context records that domain. A rejected promise belongs to the domain
// in which its reason was made. Absent: the domain in which the promise itself was made.
'use strict';

const EventEmitter = require('events');
const process = require('process');
const { codes: { ERR_UNHANDLED_ERROR } } = require('internal/errors');
const { AsyncLocalStorage } = require('async_hooks');
const { defineProperty } = Object;
const { apply } = Reflect;

const storage = new AsyncLocalStorage();
/** Stack of entered domains, the innermost last. */
const stack = [];
/** The domain whose `run` an error left. */
const errorDomains = new WeakMap();
/** The domain in which an error was made, for rejections: they have left no `run`. */
const originDomains = new WeakMap();
/** Value of `active` outside of domains: null until a domain was entered, as in Node. */
let inactive = null;

const isObject = (value) => (typeof value === 'object' && value !== null) || typeof value === 'function';

function decorateError(error, domain, marks) {
  if (!isObject(error)) return;
  defineProperty(error, 'domain', { __proto__: null, value: domain, writable: true, configurable: true, enumerable: false });
  Object.assign(error, marks);
}

const currentDomain = () => storage.getStore() ?? inactive;

function setCurrentDomain(domain) {
  inactive = undefined;
  storage.enterWith(domain);
}

/**
 * Emits an error in a domain, within the outer domains; `inactiveValue` is `active` if there are
 * none.
 */
function emitInOuterDomains(domain, error, inactiveValue) {
  const outerStack = stack.splice(0);
  stack.push(...outerStack.slice(0, Math.max(outerStack.lastIndexOf(domain), 0)));
  inactive = inactiveValue;
  try {
    return storage.run(stack.at(-1), () => domain.emit('error', error));
  } finally {
    inactive = undefined;
    stack.splice(0, stack.length, ...outerStack);
  }
}

class Domain extends EventEmitter {
  members = [];

  enter() {
    stack.push(this);
    setCurrentDomain(this);
  }

  exit() {
    const index = stack.lastIndexOf(this);
    if (index === -1) return;
    stack.length = index;
    setCurrentDomain(stack.at(-1));
  }

  add(member) {
    if (member.domain === this) return;
    member.domain?.remove(member);
    defineProperty(member, 'domain', { __proto__: null, value: this, writable: true, configurable: true, enumerable: false });
    this.members.push(member);
  }

  remove(member) {
    member.domain = null;
    const index = this.members.indexOf(member);
    if (index !== -1) this.members.splice(index, 1);
  }

  run(callback, ...args) {
    return runInDomain(this, callback, this, args);
  }

  bind(callback) {
    const domain = this;
    return setDomain(function(...args) { return runInDomain(domain, callback, this, args); }, this);
  }

  /** The callback's first argument is an error, which goes to the domain. */
  intercept(callback) {
    const domain = this;
    return setDomain(function(error, ...args) {
      if (!(error instanceof Error)) return runInDomain(domain, callback, this, args);
      decorateError(error, domain, { domainBound: callback, domainThrown: false });
      domain.emit('error', error);
      return undefined;
    }, this);
  }
}

/** After an exception the domain stays entered: the handler can read `active`. */
function runInDomain(domain, callback, self, args) {
  domain.enter();
  let result;
  try {
    result = apply(callback, self, args);
  } catch (error) {
    if (isObject(error) && !errorDomains.has(error)) errorDomains.set(error, domain);
    throw error;
  }
  domain.exit();
  return result;
}

/** Calls of native addons: the domain is a property of the receiver. */
function callInDomainOf(receiver, callback, args) {
  const { domain } = receiver;
  return domain instanceof Domain ? runInDomain(domain, callback, receiver, args) : apply(callback, receiver, args);
}

function setDomain(callback, domain) {
  return defineProperty(callback, 'domain', { __proto__: null, value: domain, writable: true, configurable: true, enumerable: false });
}

/**
 * Handles an uncaught exception by the innermost domain with a listener. What the listener throws
 * goes to the next domain. Returns whether it was handled.
 */
function handleUncaught(error, fromPromise) {
  const known = isObject(error) ? errorDomains.get(error) ?? (fromPromise ? originDomains.get(error) : undefined) : undefined;
  const current = known ?? storage.getStore();
  if (current === undefined) return false;
  if (!stack.includes(current)) stack.splice(0, stack.length, current);
  stack.length = stack.lastIndexOf(current) + 1;
  setCurrentDomain(undefined);
  let thrown = { error };
  for (let domain = current; domain !== undefined; stack.pop(), domain = stack.at(-1)) {
    if (domain.listenerCount('error') === 0) continue;
    if (!fromPromise) decorateError(thrown.error, domain, { domainThrown: true });
    try {
      const isHandled = emitInOuterDomains(domain, thrown.error, undefined);
      stack.length = 0;
      return isHandled;
    } catch (next) {
      thrown = { error: next };
    }
  }
  if (thrown.error !== error) throw thrown.error;
  inactive = null;
  return false;
}

const { init } = EventEmitter;
const { emit } = EventEmitter.prototype;

/** An emitter belongs to the domain in which it is made. */
function eventInit(options) {
  const domain = this instanceof Domain ? null : currentDomain() ?? null;
  defineProperty(this, 'domain', { __proto__: null, value: domain, writable: true, configurable: true, enumerable: false });
  return apply(init, this, [options]);
}

function domainEmit(type, ...args) {
  const { domain } = this;
  if (!(domain instanceof Domain) || this === process) return apply(emit, this, [type, ...args]);
  if (type !== 'error') return runInDomain(domain, emit, this, [type, ...args]);
  if (this.listenerCount('error') > 0) return apply(emit, this, [type, ...args]);
  const error = args[0] ? args[0] : new ERR_UNHANDLED_ERROR(args[0]);
  decorateError(error, domain, { domainEmitter: this, domainThrown: false });
  emitInOuterDomains(domain, error, null);
  return false;
}

EventEmitter.usingDomains = true;
EventEmitter.init = eventInit;
EventEmitter.prototype.emit = { emit(...args) { return apply(domainEmit, this, args); } }.emit;
require('internal/stack').watchErrors((error) => {
  const domain = storage.getStore();
  if (domain !== undefined) originDomains.set(error, domain);
});
require('internal/process/execution').setDomainHandler(handleUncaught, callInDomainOf);

const create = () => new Domain();

module.exports = { _stack: stack, Domain, createDomain: create, create };
for (const owner of [module.exports, process]) {
  defineProperty(owner, owner === process ? 'domain' : 'active', {
    __proto__: null, configurable: true, enumerable: true, get: currentDomain, set: setCurrentDomain,
  });
}
