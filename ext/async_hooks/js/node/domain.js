// `node:domain`: errors of many callbacks in one place, which Node advises against and build tools
// stand on. In: functions, emitters. Out: 'error' of the domain that was current when a callback
// was kept, or in which an emitter was made. The context of asynchronous work says which one that
// is. Absent: the domain of a promise that is rejected, unless it is known where that was.
'use strict';

const EventEmitter = require('events');
const process = require('process');
const { codes: { ERR_UNHANDLED_ERROR } } = require('internal/errors');
const { AsyncLocalStorage } = require('async_hooks');
const { defineProperty } = Object;
const { apply } = Reflect;

const storage = new AsyncLocalStorage();
/** Domains that were entered and not left, the innermost last. */
const stack = [];
/** Which domain let an error pass out of `run`. */
const passed = new WeakMap();
/** Nothing was ever entered: what is active is null, as in a program without domains. */
let nothing = null;

const isObject = (value) => (typeof value === 'object' && value !== null) || typeof value === 'function';

function mark(error, domain, marks) {
  if (!isObject(error)) return;
  defineProperty(error, 'domain', { __proto__: null, value: domain, writable: true, configurable: true, enumerable: false });
  Object.assign(error, marks);
}

const active = () => storage.getStore() ?? nothing;

function activate(domain) {
  nothing = undefined;
  storage.enterWith(domain);
}

/** Tells a domain of an error in the domains around it; where there are none, `none` is active. */
function tell(domain, error, none) {
  const before = stack.splice(0);
  stack.push(...before.slice(0, Math.max(before.lastIndexOf(domain), 0)));
  nothing = none;
  try {
    return storage.run(stack.at(-1), () => domain.emit('error', error));
  } finally {
    nothing = undefined;
    stack.splice(0, stack.length, ...before);
  }
}

class Domain extends EventEmitter {
  members = [];

  enter() {
    stack.push(this);
    activate(this);
  }

  exit() {
    const index = stack.lastIndexOf(this);
    if (index === -1) return;
    stack.length = index;
    activate(stack.at(-1));
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
    return within(this, callback, this, args);
  }

  bind(callback) {
    const domain = this;
    return named(function(...args) { return within(domain, callback, this, args); }, this);
  }

  /** The first argument of what comes back is an error, which is the domain's. */
  intercept(callback) {
    const domain = this;
    return named(function(error, ...args) {
      if (!(error instanceof Error)) return within(domain, callback, this, args);
      mark(error, domain, { domainBound: callback, domainThrown: false });
      domain.emit('error', error);
      return undefined;
    }, this);
  }
}

/** A domain that throws stays entered: whoever catches it may see which one it was. */
function within(domain, callback, self, args) {
  domain.enter();
  let given;
  try {
    given = apply(callback, self, args);
  } catch (error) {
    if (isObject(error) && !passed.has(error)) passed.set(error, domain);
    throw error;
  }
  domain.exit();
  return given;
}

function named(callback, domain) {
  return defineProperty(callback, 'domain', { __proto__: null, value: domain, writable: true, configurable: true, enumerable: false });
}

/**
 * Whether a domain hears what nobody caught: the innermost that listens, and what that one throws,
 * the next.
 */
function takeUncaught(error, fromPromise) {
  const current = (isObject(error) ? passed.get(error) : undefined) ?? storage.getStore();
  if (current === undefined) return false;
  if (!stack.includes(current)) stack.splice(0, stack.length, current);
  stack.length = stack.lastIndexOf(current) + 1;
  activate(undefined);
  let thrown = { error };
  for (let domain = current; domain !== undefined; stack.pop(), domain = stack.at(-1)) {
    if (domain.listenerCount('error') === 0) continue;
    if (!fromPromise) mark(thrown.error, domain, { domainThrown: true });
    try {
      const isTaken = tell(domain, thrown.error, undefined);
      stack.length = 0;
      return isTaken;
    } catch (next) {
      thrown = { error: next };
    }
  }
  if (thrown.error !== error) throw thrown.error;
  nothing = null;
  return false;
}

const { init } = EventEmitter;
const { emit } = EventEmitter.prototype;

/** An emitter belongs to the domain in which it is made. */
function initWithin(options) {
  const domain = this instanceof Domain ? null : active() ?? null;
  defineProperty(this, 'domain', { __proto__: null, value: domain, writable: true, configurable: true, enumerable: false });
  return apply(init, this, [options]);
}

function emitWithin(type, ...args) {
  const { domain } = this;
  if (!(domain instanceof Domain) || this === process) return apply(emit, this, [type, ...args]);
  if (type !== 'error') return within(domain, emit, this, [type, ...args]);
  if (this.listenerCount('error') > 0) return apply(emit, this, [type, ...args]);
  const error = args[0] ? args[0] : new ERR_UNHANDLED_ERROR(args[0]);
  mark(error, domain, { domainEmitter: this, domainThrown: false });
  tell(domain, error, null);
  return false;
}

EventEmitter.usingDomains = true;
EventEmitter.init = initWithin;
EventEmitter.prototype.emit = { emit(...args) { return apply(emitWithin, this, args); } }.emit;
require('internal/process/execution').setDomainHandler(takeUncaught);

const create = () => new Domain();

module.exports = { _stack: stack, Domain, createDomain: create, create };
for (const owner of [module.exports, process]) {
  defineProperty(owner, owner === process ? 'domain' : 'active', {
    __proto__: null, configurable: true, enumerable: true, get: active, set: activate,
  });
}
