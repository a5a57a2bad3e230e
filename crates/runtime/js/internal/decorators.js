// What a class with decorators calls, as crates/transpile/src/decorators.rs lowers it. In: its
// decorators and keys, one after the other; then the class. Out: what decorators made of it. The
// order is that of ClassDefinitionEvaluation in the proposal of 2023-11.
'use strict';

/**
 * One class while it is defined, and its fields after that. It stands alone: `Bun.Transpiler` puts
 * its text into others'.
 */
class Decoration {
  /**
   * By number of the member: keys under which they are defined, names, functions that stand for
   * private methods.
   */
  keys = [];
  names = [];
  methods = [];
  /** The class as it was written. */
  origin;
  /** Of a decorator that is a private member. */
  receiver;

  /** The key of what stands beside members while the class is defined. */
  #spare = Symbol('decorators');
  #name;
  #members = [];
  #decorators = [];
  #metadata;
  #ofClass = [];
  #ofStatics = [];
  #ofInstances = [];

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

  /** A public member that stands beside this. */
  named(words, decorators, given) {
    this.key(words, decorators, given);
    return this.#spare;
  }

  /**
   * A public member: gives its key; of a field that runs later, that of the method that holds its
   * value.
   */
  key(words, decorators, given) {
    const key = typeof given === 'symbol' || typeof given === 'string' ? given : Reflect.ownKeys({ [given]: 0 })[0];
    const access = { has: (object) => key in object, get: (object) => object[key], set: (object, value) => { object[key] = value; } };
    const member = this.#tell(words, decorators, key, access);
    return member.isLate ? member.holder : key;
  }

  /**
   * A private member that stands beside this; a function stands under the key `holder`, and an
   * accessor under the one that this gives.
   */
  hidden(words, decorators, given, has, get, set, holder) {
    const member = this.#tell(words, decorators, given, { has, get, set }, { holder });
    return member.kind === 'accessor' ? member.holder : this.#spare;
  }

  /** A static block that runs later. */
  late() { return this.#tell('late block', []).holder; }

  define(target) {
    const METADATA = Symbol.metadata ?? Symbol.for('Symbol.metadata');
    this.origin = target;
    this.#metadata = Object.create(Object.getPrototypeOf(target)?.[METADATA] ?? null);
    this.#members.forEach(this.#take, this);
    delete target[this.#spare];
    const isField = ({ kind }) => kind === 'field';
    for (const group of [this.#members.filter((member) => !isField(member)), this.#members.filter(isField)]) {
      for (const member of group) if (member.isStatic) this.#decorate(member);
      for (const member of group) if (!member.isStatic) this.#decorate(member);
    }
    const made = this.#decorateClass(target);
    const isDecorated = [this.#decorators, ...this.#members.map(({ decorators }) => decorators)].some(({ length }) => length > 0);
    // A class that decorators have sealed goes without, as where compiled TypeScript finds no such
    // symbol.
    if (isDecorated) Reflect.defineProperty(made, METADATA, { value: this.#metadata, writable: true, enumerable: true, configurable: true });
    Object.defineProperty(this, 'class', { value: made, writable: false, enumerable: true, configurable: false });
    this.#run(this.#ofStatics, made);
  }

  finish() { this.#run(this.#ofClass, this.class); }

  start(self) { this.#run(this.#ofInstances, self); }

  value(index, self, given) {
    return this.#members[index].initializers.reduce((value, initialize) => Reflect.apply(initialize, self, [value]), given);
  }

  extra(index, self) { this.#run(this.#members[index].extras, self); }

  get(index, self) { return Reflect.apply(this.#members[index].descriptor.get, self, []); }

  set(index, self, value) { Reflect.apply(this.#members[index].descriptor.set, self, [value]); }

  /** Runs what was to run later: a static field or block. */
  put(index) {
    const { kind, key, compute } = this.#members[index];
    const given = Reflect.apply(compute, this.class, []);
    if (kind === 'block') return;
    const value = this.value(index, this.class, given);
    Object.defineProperty(this.class, key, { value, writable: true, enumerable: true, configurable: true });
    this.extra(index, this.class);
  }

  #tell(words, decorators, key, access, hidden) {
    const isLate = words.startsWith('late ');
    const kind = words.slice(words.lastIndexOf(' ') + 1);
    const member = {
      kind,
      key,
      decorators,
      access,
      isPrivate: hidden !== undefined,
      isLate,
      isStatic: isLate || words.startsWith('static '),
      holder: isLate || (hidden && kind === 'accessor') ? Symbol(String(key)) : hidden?.holder,
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

  /** Takes what stands for a member out of the class again. */
  #take(member, index) {
    const { kind, key, holder, isStatic, isLate } = member;
    if (holder === undefined) return;
    const owner = isStatic ? this.origin : this.origin.prototype;
    const descriptor = Object.getOwnPropertyDescriptor(owner, holder);
    delete owner[holder];
    if (isLate) {
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
    let made = target;
    const accept = (result) => { made = this.#callable(result, 'A class decorator must give a function or nothing'); };
    this.#each(this.#decorators, this.#ofClass, { place: () => ({ kind: 'class', name: this.#name }), given: () => made, accept });
    return made;
  }

  #decorate(member) {
    const { kind, key, decorators, isStatic, isPrivate } = member;
    if (decorators.length === 0) return;
    const owner = isStatic ? this.origin : this.origin.prototype;
    if (kind !== 'field') member.descriptor ??= Object.getOwnPropertyDescriptor(owner, key);
    const ofAll = isStatic ? this.#ofStatics : this.#ofInstances;
    this.#each(decorators, kind === 'field' || kind === 'accessor' ? member.extras : ofAll, {
      place: () => this.#placeOf(member),
      given: () => this.#partOf(member),
      accept: (result) => { this.#accept(member, result); },
    });
    if (kind === 'field') return;
    if (isPrivate) this.methods[this.#members.indexOf(member)] = member.descriptor.value;
    else Object.defineProperty(owner, key, member.descriptor);
  }

  /** The context object of a decorator. */
  #placeOf({ kind, key, isStatic, isPrivate, access: { has, get, set } }) {
    const access = { has, ...(kind !== 'setter' && { get }), ...(kind !== 'method' && kind !== 'getter' && { set }) };
    return { kind, name: key, static: isStatic, private: isPrivate, access };
  }

  #partOf({ kind, descriptor }) {
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
    const made = this.#callable(result, `A ${kind} decorator must give a function or nothing`);
    if (kind === 'field') initializers.unshift(made);
    else descriptor[{ method: 'value', getter: 'get', setter: 'set' }[kind]] = made;
  }

  #acceptPair({ descriptor, initializers }, result) {
    if (result === null || typeof result !== 'object') throw new TypeError('An accessor decorator must give an object or nothing');
    const { get, set, init } = result;
    if (get !== undefined) descriptor.get = this.#callable(get, '`get` of an accessor decorator must be a function');
    if (set !== undefined) descriptor.set = this.#callable(set, '`set` of an accessor decorator must be a function');
    if (init !== undefined) initializers.unshift(this.#callable(init, '`init` of an accessor decorator must be a function'));
  }

  /** Calls decorators, the last first. */
  #each(decorators, initializers, { place, given, accept }) {
    for (let index = decorators.length - 1; index >= 0; index--) {
      let isOver = false;
      const addInitializer = (initializer) => {
        if (isOver) throw new TypeError('Cannot add initializers after decoration has completed');
        initializers.push(this.#callable(initializer, 'An initializer must be a function'));
      };
      const decorator = decorators[index];
      const result = decorator(given(), { ...place(), metadata: this.#metadata, addInitializer });
      isOver = true;
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
