// Runtime of standard decorators, called by classes that crates/transpile/src/decorators.rs has
// lowered. In: the decorators and keys, in order of evaluation; then the class. Out: the decorated
// class. The order is that of ClassDefinitionEvaluation in the proposal of 2023-11.
'use strict';

/**
 * State of one class during its definition, and of its field initializers afterwards. It is
 * self-contained, because `Bun.Transpiler` inserts its source text into its output.
 */
class Decoration {
  /** By index of the member: keys of definition, names, functions of private methods. */
  keys = [];
  names = [];
  methods = [];
  /** The class before it was decorated. */
  origin;
  /** The receiver of a decorator expression that is a private member. */
  receiver;

  /** The key of placeholder members during the definition. */
  #placeholder = Symbol('decorators');
  #name;
  #members = [];
  #decorators = [];
  #metadata;
  #classInitializers = [];
  #staticInitializers = [];
  #instanceInitializers = [];

  constructor(name) {
    this.#name = name;
    Object.defineProperty(this, 'class', {
      configurable: true,
      get() { throw new ReferenceError(`Cannot access '${name}' before initialization.`); },
      set() { throw new TypeError('Assignment to constant variable.'); },
    });
  }

  by(decorators) { this.#decorators = decorators; }

  of(receiver, key) { return this.bound(receiver, receiver[key]); }

  bound(receiver, decorator) {
    return typeof decorator === 'function' ? (value, context) => Reflect.apply(decorator, receiver, [value, context]) : decorator;
  }

  /** A public member; returns the key of the placeholder that precedes it. */
  named(description, decorators, initial) {
    this.key(description, decorators, initial);
    return this.#placeholder;
  }

  /**
   * A public member: returns its key; of a deferred field, the key of the method with its value.
   */
  key(description, decorators, initial) {
    const key = typeof initial === 'symbol' || typeof initial === 'string' ? initial : Reflect.ownKeys({ [initial]: 0 })[0];
    const access = { has: (object) => key in object, get: (object) => object[key], set: (object, value) => { object[key] = value; } };
    const member = this.#addMember(description, decorators, key, access);
    return member.isDeferred ? member.holder : key;
  }

  /**
   * A private member, defined beside its placeholder: a function under the key `holder`, an
   * accessor under the key that this returns.
   */
  hidden(description, decorators, initial, has, get, set, holder) {
    const member = this.#addMember(description, decorators, initial, { has, get, set }, { holder });
    return member.kind === 'accessor' ? member.holder : this.#placeholder;
  }

  /** A deferred static block. */
  late() { return this.#addMember('late block', []).holder; }

  define(target) {
    const METADATA = Symbol.metadata ?? Symbol.for('Symbol.metadata');
    this.origin = target;
    this.#metadata = Object.create(Object.getPrototypeOf(target)?.[METADATA] ?? null);
    this.#members.forEach(this.#takeHolder, this);
    delete target[this.#placeholder];
    const isField = ({ kind }) => kind === 'field';
    for (const group of [this.#members.filter((member) => !isField(member)), this.#members.filter(isField)]) {
      for (const member of group) if (member.isStatic) this.#decorate(member);
      for (const member of group) if (!member.isStatic) this.#decorate(member);
    }
    const decorated = this.#decorateClass(target);
    const isDecorated = [this.#decorators, ...this.#members.map(({ decorators }) => decorators)].some(({ length }) => length > 0);
    // A class that a decorator has sealed has no metadata, as in compiled TypeScript without the
    // symbol.
    if (isDecorated) Reflect.defineProperty(decorated, METADATA, { value: this.#metadata, writable: true, enumerable: true, configurable: true });
    Object.defineProperty(this, 'class', { value: decorated, writable: false, enumerable: true, configurable: false });
    this.#run(this.#staticInitializers, decorated);
  }

  finish() { this.#run(this.#classInitializers, this.class); }

  start(self) { this.#run(this.#instanceInitializers, self); }

  value(index, self, initial) {
    return this.#members[index].initializers.reduce((value, initialize) => Reflect.apply(initialize, self, [value]), initial);
  }

  extra(index, self) { this.#run(this.#members[index].extras, self); }

  get(index, self) { return Reflect.apply(this.#members[index].descriptor.get, self, []); }

  set(index, self, value) { Reflect.apply(this.#members[index].descriptor.set, self, [value]); }

  /** Runs a deferred static field or block. */
  put(index) {
    const { kind, key, compute } = this.#members[index];
    const initial = Reflect.apply(compute, this.class, []);
    if (kind === 'block') return;
    const value = this.value(index, this.class, initial);
    Object.defineProperty(this.class, key, { value, writable: true, enumerable: true, configurable: true });
    this.extra(index, this.class);
  }

  #addMember(description, decorators, key, access, hidden) {
    const isDeferred = description.startsWith('late ');
    const kind = description.slice(description.lastIndexOf(' ') + 1);
    const member = {
      kind,
      key,
      decorators,
      access,
      isPrivate: hidden !== undefined,
      isDeferred,
      isStatic: isDeferred || description.startsWith('static '),
      holder: isDeferred || (hidden && kind === 'accessor') ? Symbol(String(key)) : hidden?.holder,
      initializers: [],
      extras: [],
      descriptor: undefined,
      compute: undefined,
    };
    this.keys.push(member.holder ?? key);
    this.names.push(key);
    this.#members.push(member);
    return member;
  }

  /** Removes the holder of a member from the class. */
  #takeHolder(member, index) {
    const { kind, key, holder, isStatic, isDeferred } = member;
    if (holder === undefined) return;
    const owner = isStatic ? this.origin : this.origin.prototype;
    const descriptor = Object.getOwnPropertyDescriptor(owner, holder);
    delete owner[holder];
    if (isDeferred) {
      member.compute = descriptor.value;
      return;
    }
    for (const [part, prefix] of [['value', ''], ['get', 'get '], ['set', 'set ']]) {
      if (descriptor[part]) Object.defineProperty(descriptor[part], 'name', { value: `${prefix}${key}`, configurable: true });
    }
    member.descriptor = descriptor;
    this.methods[index] = descriptor.value;
  }

  #decorateClass(target) {
    let decorated = target;
    const accept = (result) => { decorated = this.#callable(result, 'A class decorator must return a function or undefined'); };
    this.#applyDecorators(this.#decorators, this.#classInitializers, { context: () => ({ kind: 'class', name: this.#name }), initial: () => decorated, accept });
    return decorated;
  }

  #decorate(member) {
    const { kind, key, decorators, isStatic, isPrivate } = member;
    if (decorators.length === 0) return;
    const owner = isStatic ? this.origin : this.origin.prototype;
    if (kind !== 'field') member.descriptor ??= Object.getOwnPropertyDescriptor(owner, key);
    const ownInitializers = isStatic ? this.#staticInitializers : this.#instanceInitializers;
    this.#applyDecorators(decorators, kind === 'field' || kind === 'accessor' ? member.extras : ownInitializers, {
      context: () => this.#contextOf(member),
      initial: () => this.#valueOf(member),
      accept: (result) => { this.#accept(member, result); },
    });
    if (kind === 'field') return;
    if (isPrivate) this.methods[this.#members.indexOf(member)] = member.descriptor.value;
    else Object.defineProperty(owner, key, member.descriptor);
  }

  /** The context object of a decorator. */
  #contextOf({ kind, key, isStatic, isPrivate, access: { has, get, set } }) {
    const access = { has, ...(kind !== 'setter' && { get }), ...(kind !== 'method' && kind !== 'getter' && { set }) };
    return { kind, name: key, static: isStatic, private: isPrivate, access };
  }

  #valueOf({ kind, descriptor }) {
    switch (kind) {
      case 'field': return undefined;
      case 'getter': return descriptor.get;
      case 'setter': return descriptor.set;
      case 'accessor': return { get: descriptor.get, set: descriptor.set };
      default: return descriptor.value;
    }
  }

  #accept(member, result) {
    const { kind, descriptor, initializers } = member;
    if (kind === 'accessor') {
      this.#acceptPair(member, result);
      return;
    }
    const decorated = this.#callable(result, `A ${kind} decorator must return a function or undefined`);
    if (kind === 'field') initializers.unshift(decorated);
    else descriptor[{ method: 'value', getter: 'get', setter: 'set' }[kind]] = decorated;
  }

  #acceptPair({ descriptor, initializers }, result) {
    if (result === null || typeof result !== 'object') throw new TypeError('An accessor decorator must return an object or undefined');
    const { get, set, init } = result;
    if (get !== undefined) descriptor.get = this.#callable(get, '`get` of an accessor decorator must be a function');
    if (set !== undefined) descriptor.set = this.#callable(set, '`set` of an accessor decorator must be a function');
    if (init !== undefined) initializers.unshift(this.#callable(init, '`init` of an accessor decorator must be a function'));
  }

  /** Calls decorators in reverse order. */
  #applyDecorators(decorators, initializers, { context, initial, accept }) {
    for (let index = decorators.length - 1; index >= 0; index--) {
      let isFinished = false;
      const addInitializer = (initializer) => {
        if (isFinished) throw new TypeError('Cannot add initializers after decoration has completed');
        initializers.push(this.#callable(initializer, 'An initializer must be a function'));
      };
      const decorator = decorators[index];
      const result = decorator(initial(), { ...context(), metadata: this.#metadata, addInitializer });
      isFinished = true;
      if (result !== undefined) accept(result);
    }
  }

  #callable(value, message) {
    if (typeof value !== 'function') throw new TypeError(message);
    return value;
  }

  #run(initializers, self) {
    for (const initializer of initializers) Reflect.apply(initializer, self, []);
  }
}

module.exports = { Decoration };
