// A call site (V8's CallSite). In: a frame of the engine, the call site below it. Out: the names
// that V8 prints: of the function, of its receiver's type, of the method. The engine reports a
// function's own name only; the others come from the sources, where the function is defined and
// where it is called. They are looked up when they are first asked for. Absent: receivers: the
// class that a method is defined in stands for one that inherits it, unless the call shows it.
'use strict';

const evalSources = require('internal/stack/eval_source');

/** Owners of native functions: the engine has the function's name only. */
const OWNERS = {
  __proto__: null,
  parse: 'JSON', stringify: 'JSON', replace: 'String', replaceAll: 'String', fromEntries: 'Object',
  every: 'Array', filter: 'Array', find: 'Array', findIndex: 'Array', findLast: 'Array', findLastIndex: 'Array', flatMap: 'Array',
  forEach: 'Array', from: 'Array', map: 'Array', reduce: 'Array', reduceRight: 'Array', some: 'Array', sort: 'Array', toSorted: 'Array',
};

/** Name of the function around the code of a CommonJS file, see crates/transpile. */
const CJS_WRAPPER = /^\$r_*file$/;

/** Native methods of generators, of which V8 has the generator's name as their type. */
const GENERATOR_METHODS = new Set(['next', 'return', 'throw']);

/** Name of a function that is a default export, see there. */
const DEFAULT_EXPORT = /^\$r_*default$/;

/** Functions that call a function on behalf of others. */
const CALLERS = new Set(['call', 'apply']);

/** Kinds of functions that are called on an object, however the call is written. */
const METHOD_KINDS = new Set(['method', 'accessor']);

/** What timers call their callback: V8 finds the property that has it. */
const TIMER_TYPES = { __proto__: null, runCallback: 'Timeout', runImmediate: 'Immediate' };

const IDENTIFIER = /^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u;

/** Names of accessors begin with `get` or `set`. */
const ACCESSOR = /^[gs]et (?=.)/;

const NOT_IN_SOURCE = { __proto__: null };

let positions;

/** The evaluated sources that the binding has, by name. */
const scripts = new Map();

/** What a source has at a position: see crates/runtime/src/source_positions/functions.rs. */
function lookUp([file, line, column]) {
  positions ??= internalBinding('source_positions');
  const found = positions.functionAt(file, line, column, false);
  if (found !== undefined) return found;
  const script = evalSources.find(file);
  if (script === undefined) return undefined;
  const inScript = () => positions.functionAt(file, line - script.line + 1, column, true);
  const known = scripts.get(file) === script.source ? inScript() : undefined;
  if (known !== undefined) return known;
  positions.addScript(file, script.source);
  scripts.set(file, script.source);
  return inScript();
}

/** Whether a function's name has the method's name already, as a whole or after a point. */
function endsWithMethod(name, method) {
  return name === method || name.endsWith(`.${method}`) || (name.includes('.') && name.split('.').includes(method));
}

class CallSite {
  #frame; #caller; #above; #isCjsWrapper; #type;

  /**
   * @param frame { name, file, line, column, place, isNew, isIndirect }: see frames.js.
   *   `isIndirect`: a native function called it, which is not shown
   * @param caller the call site below it
   */
  constructor(frame, caller) {
    this.#isCjsWrapper = frame.name !== null && CJS_WRAPPER.test(frame.name);
    this.#frame = frame;
    this.#caller = caller;
    if (caller !== undefined) caller.#above = this;
  }

  /** A class can only be constructed; a function is where its caller says so. */
  get #isConstructor() { return this.#caller?.#frame.isNew === true || this.#atPosition.kind === 'constructor'; }

  /** What its source has at its position. */
  get #atPosition() {
    const { place } = this.#frame;
    if (place === null) return NOT_IN_SOURCE;
    return place.source ??= lookUp(place.position) ?? NOT_IN_SOURCE;
  }

  /** The call of this function in its caller's source. */
  get #call() {
    return this.#caller === undefined || this.#frame.isIndirect ? NOT_IN_SOURCE : this.#caller.#atPosition;
  }

  /** Type name of the receiver. Null: there is none, or it is the global object. */
  get #receiverType() {
    if (this.#type === undefined) this.#type = this.#findReceiverType();
    return this.#type;
  }

  #findReceiverType() {
    if (this.#isCjsWrapper) return 'Object';
    if (this.#frame.file === null) return null;
    const { kind, receiver = null, isAsync } = this.#atPosition;
    if (kind === 'initializer') return receiver;
    if (this.#isConstructor) return null;
    const isMethod = METHOD_KINDS.has(kind);
    const caller = this.#caller;
    if (caller === undefined) return isAsync || kind === 'accessor' ? receiver : null;
    if (caller.#frame.file === null) {
      // `JSON.parse` and `JSON.stringify` call functions on values; others call them on nothing.
      if (OWNERS[caller.#frame.name] === 'JSON') return 'Object';
      return caller.#frame.name in OWNERS ? null : isMethod ? receiver : null;
    }
    if (caller.#isBuiltin) return this.#builtinType() ?? (isMethod ? receiver : null);
    const { callee, calleeName, calleeOwner } = this.#call;
    switch (callee) {
      case 'member':
        if (calleeName === undefined) return kind === 'accessor' ? calleeOwner ?? receiver : receiver;
        return (CALLERS.has(calleeName) ? receiver : calleeOwner ?? receiver) ?? 'Object';
      case 'this member':
      case 'super member':
        return caller.#thisType ?? receiver ?? 'Object';
      case 'on this':
        return caller.#thisType ?? receiver;
      case 'variable':
        // A method by another name was bound, or is a callback.
        return isMethod && calleeName !== this.#ownName ? receiver : null;
      case 'value':
        return null;
      default:
        return isMethod || callee === undefined ? receiver : null;
    }
  }

  /** Type name of the receiver where a builtin calls. */
  #builtinType() {
    const { name } = this.#caller.#frame;
    const timer = TIMER_TYPES[name];
    if (timer !== undefined) return timer;
    const emit = name === 'onceWrapper' ? this.#caller.#caller : this.#caller;
    if (emit?.#frame.name !== 'emit') return undefined;
    // An emitter calls its listeners.
    const emitting = emit.#caller;
    return emitting === undefined || emitting.#isBuiltin ? undefined : emit.#callerType ?? 'EventEmitter';
  }

  /** Type name of the object on which its caller called it. */
  get #callerType() {
    const { callee, calleeOwner } = this.#call;
    return callee === 'this member' || callee === 'super member' ? this.#caller.#thisType : calleeOwner;
  }

  /** Type name of `this` in the function. */
  get #thisType() {
    const { kind, thisType } = this.#atPosition;
    if (kind === 'arrow') return thisType ?? null;
    return this.#isConstructor ? this.#constructedType : this.#receiverType;
  }

  /** The class that `new` names where a chain of constructors began. */
  get #constructedType() {
    return this.#call.callee === 'super' ? this.#caller.#constructedType : this.getFunctionName();
  }

  get #ownName() { return this.#frame.name ?? this.#atPosition.name; }

  get #isBuiltin() { return this.#frame.file !== null && this.#frame.file.startsWith('node:'); }

  getThis() { return undefined; }
  getTypeName() { return this.#frame.file === null ? this.#nativeType ?? null : this.#receiverType; }
  getFunction() { return undefined; }

  getFunctionName() {
    if (this.#isCjsWrapper) return null;
    const { kind, name: written, inferred } = this.#atPosition;
    // The engine has the name of a class for its fields, and of accessors without their kind.
    if (kind === 'initializer' || kind === 'accessor') return written ?? this.#frame.name;
    const { name } = this.#frame;
    if (name === null) return written ?? inferred ?? null;
    return DEFAULT_EXPORT.test(name) ? 'default' : name;
  }

  getMethodName() {
    if (this.#isCjsWrapper || this.getTypeName() === null) return null;
    const { kind, receiver } = this.#atPosition;
    if (kind === 'initializer') return null;
    const { callee, calleeName } = this.#call;
    const isCalled = callee === 'member' || callee === 'this member' || callee === 'super member';
    if (isCalled && calleeName && !CALLERS.has(calleeName)) return calleeName.startsWith('#') ? null : calleeName;
    if (this.#caller?.#isBuiltin === true && this.#caller.#frame.name === 'runCallback') return '_onTimeout';
    const name = this.getFunctionName();
    if (name === null || name.startsWith('[') || name.startsWith('#')) return null;
    if (ACCESSOR.test(name)) return name.replace(ACCESSOR, '');
    if (name.endsWith('.<computed>')) return null;
    if (this.#frame.name === null) return name.slice(name.lastIndexOf('.') + 1);
    return receiver !== undefined || this.#frame.file === null ? name : null;
  }

  getFileName() { return this.#frame.file; }
  getLineNumber() { return this.#frame.line; }
  getColumnNumber() { return this.#frame.column; }
  getEvalOrigin() { return undefined; }
  getScriptNameOrSourceURL() { return this.#frame.file; }
  getScriptHash() { return ''; }
  getEnclosingLineNumber() { return this.#frame.line === null ? null : this.#atPosition.line ?? 1; }
  getEnclosingColumnNumber() { return this.#frame.line === null ? null : this.#atPosition.column ?? 1; }
  getPosition() { return 0; }
  getPromiseIndex() { return null; }
  isToplevel() { return this.getTypeName() === null && (this.#frame.file === null || !this.#isConstructor); }
  isEval() { return false; }
  isNative() { return false; }
  isConstructor() { return this.#isConstructor; }
  isAsync() { return false; }
  isPromiseAll() { return false; }

  /** As in V8's `SerializeCallSiteInfo`. */
  toString() {
    const { file, line, column } = this.#frame;
    if (file === null) return this.#nativeToString();
    const location = line === null ? file : `${file}:${line}:${column ?? 1}`;
    const name = this.getFunctionName();
    const type = this.#receiverType;
    if (type === null && this.#isConstructor) return `new ${name ?? '<anonymous>'} (${location})`;
    if (type !== null) return `${this.#methodToString(type, name)} (${location})`;
    return name === null ? location : `${name} (${location})`;
  }

  #methodToString(type, name) {
    const method = this.getMethodName();
    if (name === null) return `${type}.${method ?? '<anonymous>'}`;
    const owned = name !== type && IDENTIFIER.test(name) ? `${type}.${name}` : name;
    const written = ACCESSOR.test(name) ? name.replace(ACCESSOR, '') : name;
    return method === null || endsWithMethod(written, method) ? owned : `${owned} [as ${method}]`;
  }

  /** Type that has a native function: what it is called on, if the call shows it. */
  get #nativeType() {
    const { name } = this.#frame;
    if (GENERATOR_METHODS.has(name)) {
      const generator = this.#above?.getFunctionName() ?? '';
      return IDENTIFIER.test(generator) ? generator : 'Object';
    }
    const owner = OWNERS[name];
    if (owner === undefined) return undefined;
    const { calleeOwner } = this.#call;
    return name === 'forEach' && calleeOwner !== undefined ? calleeOwner : owner;
  }

  #nativeToString() {
    const { name } = this.#frame;
    const isNew = this.#caller?.#frame.isNew === true;
    const owner = isNew ? undefined : this.#nativeType;
    return `${isNew ? 'new ' : ''}${owner === undefined ? '' : `${owner}.`}${name ?? '<anonymous>'} (<anonymous>)`;
  }
}

module.exports = { CallSite };
