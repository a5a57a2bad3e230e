// `cluster.Worker`: a worker, in the primary and in itself. In: an id, a process. Out: an event
// emitter with the process's messages. Absent: start and exit, which differ (primary.js, child.js).
'use strict';

const EventEmitter = require('events');

// Not a class: it can be called without `new`.
function Worker(options) {
  if (!(this instanceof Worker)) return new Worker(options);
  Reflect.apply(EventEmitter, this, []);
  const { state, id, process } = options !== null && typeof options === 'object' ? options : {};
  this.exitedAfterDisconnect = undefined;
  this.state = state || 'none';
  this.id = id | 0;
  if (!process) return;
  this.process = process;
  process.on('error', (code, signal) => this.emit('error', code, signal));
  process.on('message', (message, handle) => this.emit('message', message, handle));
}

Object.setPrototypeOf(Worker.prototype, EventEmitter.prototype);
Object.setPrototypeOf(Worker, EventEmitter);

Worker.prototype.kill = function kill(...args) {
  return Reflect.apply(this.destroy, this, args);
};

Worker.prototype.send = function send(...args) {
  return Reflect.apply(this.process.send, this.process, args);
};

Worker.prototype.isDead = function isDead() {
  return this.process.exitCode != null || this.process.signalCode != null;
};

Worker.prototype.isConnected = function isConnected() {
  return this.process.connected;
};

module.exports = { Worker };
