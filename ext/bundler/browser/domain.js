// `node:domain` in browsers: errors of functions and emitters go to an emitter. Absent: following
// asynchronous calls.
'use strict';

const EventEmitter = require('events');

class Domain extends EventEmitter {
  members = [];
  #listeners = new Map();

  add(emitter) {
    const listener = (error) => { this.emit('error', error); };
    this.#listeners.set(emitter, listener);
    this.members.push(emitter);
    emitter.on('error', listener);
  }

  remove(emitter) {
    emitter.removeListener('error', this.#listeners.get(emitter));
    this.members = this.members.filter((member) => member !== emitter);
  }

  run(callback, ...values) { return this.bind(callback)(...values); }

  bind(callback) {
    return (...values) => {
      try {
        return callback(...values);
      } catch (error) {
        this.emit('error', error);
      }
    };
  }

  intercept(callback) {
    return this.bind((error, ...values) => {
      if (!error) return callback(...values);
      this.emit('error', error);
    });
  }

  enter() {}

  exit() {}

  dispose() { this.removeAllListeners(); }
}

const create = () => new Domain();
module.exports = { Domain, create, createDomain: create };
