// Dispatcher of the DevTools Protocol. In: an id, a method, parameters. Out: messages with the
// result or a JSON-RPC error, and notifications. Absent: domains of a debugger; their methods
// are "not found", as in Node for a method that does not exist.
'use strict';

const HeapProfilerDomain = require('internal/inspector/heap_profiler_domain');
const ProfilerDomain = require('internal/inspector/profiler_domain');
const RuntimeDomain = require('internal/inspector/runtime_domain');
const { ProtocolError } = require('internal/inspector/protocol_error');

const METHOD_NOT_FOUND = -32601;

/** Domains with their methods, which take parameters and return a result or a promise. */
const DOMAINS = ['Runtime', 'Profiler', 'HeapProfiler', 'Network', 'Schema'];

/** Version of the protocol, as Node reports it. */
const VERSION = '1.3';

const connections = new Set();

function randomNumber() { return require('crypto').randomBytes(8).readBigInt64LE(); }

class Connection {
  #send;
  #methods;
  #enabled = new Set();
  #profiler = new ProfilerDomain();
  /** V8's form: two numbers of 64 bits. */
  #debuggerId = `${randomNumber()}.${randomNumber()}`;

  constructor(send) {
    this.#send = send;
    this.#methods = this.#makeMethods();
    connections.add(this);
  }

  /** Sends a notification to all sessions that have enabled its domain. */
  static broadcast(domain, message) {
    for (const connection of [...connections]) if (connection.#enabled.has(domain)) connection.#send(message);
  }

  dispatch(id, method, params) {
    try {
      const run = this.#methods.get(method);
      if (run === undefined) throw new ProtocolError(METHOD_NOT_FOUND, `'${method}' wasn't found`);
      const result = run(params);
      if (result instanceof Promise) {
        result.then((value) => this.#answer(id, value), (error) => this.#fail(id, error));
      } else {
        this.#answer(id, result);
      }
    } catch (error) {
      this.#fail(id, error);
    }
  }

  #answer(id, result) { if (connections.has(this)) this.#send({ id, result: result ?? {} }); }

  #fail(id, error) {
    if (!(error instanceof ProtocolError)) throw error;
    if (connections.has(this)) this.#send({ id, error: { code: error.code, message: error.message } });
  }

  disconnect() {
    connections.delete(this);
    this.#profiler.close();
    this.#methods.clear();
  }

  #makeMethods() {
    const notify = (method, params) => this.#send({ method, params });
    const runtime = new RuntimeDomain(notify);
    const methods = new Map();
    for (const [domain, object] of [['Runtime', runtime], ['Profiler', this.#profiler], ['HeapProfiler', new HeapProfilerDomain(notify)]]) {
      for (const name of object.methods()) methods.set(`${domain}.${name}`, (params) => object[name](params));
    }
    for (const domain of ['HeapProfiler', 'Network']) {
      methods.set(`${domain}.enable`, () => { this.#enabled.add(domain); });
      methods.set(`${domain}.disable`, () => { this.#enabled.delete(domain); });
    }
    // Tools that collect coverage enable it. It has no other methods: nothing pauses.
    methods.set('Debugger.enable', () => ({ debuggerId: this.#debuggerId }));
    methods.set('Debugger.disable', () => {});
    methods.set('Schema.getDomains', () => ({ domains: DOMAINS.map((name) => ({ name, version: VERSION })) }));
    return methods;
  }
}

module.exports = { Connection };
