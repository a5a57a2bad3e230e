// The domain `Runtime` of the DevTools Protocol: evaluates, calls functions, lists properties. In:
// parameters of a method. Out: its result. Absent: evaluation without side effects, which is
// refused; notifications of the console; the names of lexical variables.
'use strict';

const { RemoteObjects } = require('internal/inspector/remote_objects');
const { ProtocolError, checkParams, serverError } = require('internal/inspector/protocol_error');

/** The one context of a session. */
const CONTEXT_ID = 1;

const METHODS = [
  'awaitPromise', 'callFunctionOn', 'compileScript', 'disable', 'discardConsoleEntries', 'enable', 'evaluate', 'getHeapUsage', 'getIsolateId',
  'getProperties', 'releaseObject', 'releaseObjectGroup', 'runIfWaitingForDebugger', 'runScript',
];

class RuntimeDomain {
  #objects = new RemoteObjects();
  #notify;
  #scripts = new Map();
  #nextScript = 1;
  #exceptions = 0;

  constructor(notify) { this.#notify = notify; }

  methods() { return METHODS; }

  enable() {
    const process = require('process');
    const uniqueId = `${process.pid}.${CONTEXT_ID}`;
    const context = { id: CONTEXT_ID, origin: '', name: `rusk[${process.pid}]`, uniqueId, auxData: { isDefault: true } };
    this.#notify('Runtime.executionContextCreated', { context });
  }

  disable() {}

  discardConsoleEntries() {}

  runIfWaitingForDebugger() {}

  getIsolateId() { return { id: `${require('process').pid}` }; }

  getHeapUsage() {
    const { heapUsed, heapTotal } = require('process').memoryUsage();
    return { usedSize: heapUsed, totalSize: heapTotal };
  }

  evaluate(params) {
    checkParams(params, { expression: 'string', objectGroup: 'string?', contextId: 'number?' });
    checkContext(params.contextId);
    if (params.throwOnSideEffect === true) throw serverError('Evaluation without side effects is not supported by rusk');
    return this.#complete(() => runScript(params.expression, ''), params);
  }

  callFunctionOn(params) {
    checkParams(params, { functionDeclaration: 'string', objectId: 'string?', objectGroup: 'string?', executionContextId: 'number?' });
    if (params.objectId === undefined && params.executionContextId === undefined) {
      throw serverError('Either objectId or executionContextId or uniqueContextId must be specified');
    }
    checkContext(params.executionContextId);
    const receiver = params.objectId === undefined ? undefined : this.#objects.find(params.objectId);
    const args = (params.arguments ?? []).map((argument) => this.#argument(argument));
    const group = params.objectGroup ?? (params.objectId && this.#objects.groupOf(params.objectId));
    return this.#complete(() => {
      const callee = runScript(`(${params.functionDeclaration})`, '');
      if (typeof callee !== 'function') throw serverError('Given expression does not evaluate to a function');
      return Reflect.apply(callee, receiver, args);
    }, { ...params, objectGroup: group });
  }

  #argument({ value, objectId, unserializableValue }) {
    if (objectId !== undefined) return this.#objects.find(objectId);
    if (unserializableValue === undefined) return value;
    if (/^-?\d+n$/.test(unserializableValue)) return BigInt(unserializableValue.slice(0, -1));
    if (['NaN', 'Infinity', '-Infinity', '-0'].includes(unserializableValue)) return Number(unserializableValue);
    throw serverError('Either value or objectId or unserializableValue must be specified in Runtime.CallArgument');
  }

  awaitPromise(params) {
    checkParams(params, { promiseObjectId: 'string' });
    const promise = this.#objects.find(params.promiseObjectId);
    if (!(promise instanceof Promise)) throw serverError('Could not find promise with given id');
    return this.#complete(() => promise, { ...params, awaitPromise: true });
  }

  compileScript(params) {
    checkParams(params, { expression: 'string', sourceURL: 'string', persistScript: 'boolean' });
    const { Script } = require('vm');
    let script;
    try {
      script = new Script(params.expression, { filename: params.sourceURL });
    } catch (error) {
      return { exceptionDetails: this.#details(error, undefined) };
    }
    if (!params.persistScript) return {};
    const scriptId = String(this.#nextScript++);
    this.#scripts.set(scriptId, script);
    return { scriptId };
  }

  runScript(params) {
    checkParams(params, { scriptId: 'string', objectGroup: 'string?', executionContextId: 'number?' });
    checkContext(params.executionContextId);
    const script = this.#scripts.get(params.scriptId);
    if (script === undefined) throw serverError('No script with given id');
    this.#scripts.delete(params.scriptId);
    return this.#complete(() => script.runInThisContext(), params);
  }

  /** The result of a method that runs the program's code. */
  #complete(run, { awaitPromise, returnByValue, objectGroup }) {
    const fulfilled = (value) => ({ result: returnByValue ? RemoteObjects.byValue(value) : this.#objects.wrap(value, objectGroup) });
    const rejected = (error, text) => ({ result: this.#objects.wrap(error, objectGroup), exceptionDetails: this.#details(error, objectGroup, text) });
    let value;
    try {
      value = run();
    } catch (error) {
      if (error instanceof ProtocolError) throw error;
      return rejected(error, 'Uncaught');
    }
    if (awaitPromise !== true || !(value instanceof Promise)) return fulfilled(value);
    return value.then(fulfilled, (error) => rejected(error, 'Uncaught (in promise)'));
  }

  #details(error, group, text = 'Uncaught') {
    const [, line, column] = /:(\d+):(\d+)\)?$/m.exec(typeof error === 'object' && error !== null ? String(error.stack) : '') ?? [];
    return {
      exceptionId: ++this.#exceptions,
      text,
      lineNumber: line === undefined ? 0 : line - 1,
      columnNumber: column === undefined ? 0 : column - 1,
      exception: this.#objects.wrap(error, group),
      executionContextId: CONTEXT_ID,
    };
  }

  getProperties(params) {
    checkParams(params, { objectId: 'string', ownProperties: 'boolean?', accessorPropertiesOnly: 'boolean?' });
    const object = this.#objects.find(params.objectId);
    const group = this.#objects.groupOf(params.objectId);
    const result = [];
    const seen = new Set();
    for (let owner = Object(object); owner !== null; owner = Object.getPrototypeOf(owner)) {
      for (const key of Reflect.ownKeys(owner)) {
        if (seen.has(key)) continue;
        seen.add(key);
        const descriptor = Reflect.getOwnPropertyDescriptor(owner, key);
        if (descriptor === undefined || (params.accessorPropertiesOnly && descriptor.get === undefined && descriptor.set === undefined)) continue;
        result.push(this.#property(key, descriptor, owner === object, group));
      }
      if (params.ownProperties) break;
    }
    const prototype = Object.getPrototypeOf(Object(object));
    return { result, internalProperties: [{ name: '[[Prototype]]', value: this.#objects.wrap(prototype, group) }] };
  }

  #property(key, descriptor, isOwn, group) {
    const { configurable, enumerable } = descriptor;
    const wrap = (value) => this.#objects.wrap(value, group);
    const name = { name: String(key) };
    const symbol = typeof key === 'symbol' ? { symbol: wrap(key) } : {};
    if ('value' in descriptor) return { ...name, value: wrap(descriptor.value), writable: descriptor.writable, configurable, enumerable, isOwn, ...symbol };
    return { ...name, get: wrap(descriptor.get), set: wrap(descriptor.set), configurable, enumerable, isOwn, ...symbol };
  }

  releaseObject(params) {
    checkParams(params, { objectId: 'string' });
    this.#objects.release(params.objectId);
  }

  releaseObjectGroup(params) {
    checkParams(params, { objectGroup: 'string' });
    this.#objects.releaseGroup(params.objectGroup);
  }
}

function checkContext(id) {
  if (id !== undefined && id !== CONTEXT_ID) throw serverError('Cannot find context with specified id');
}

/** Runs a script in the global scope. */
function runScript(source, filename) { return require('vm').runInThisContext(source, { filename }); }

module.exports = RuntimeDomain;
