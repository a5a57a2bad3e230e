// `node:cluster` in a worker. In: its number, a channel to the one who started it. Out: `cluster.worker`. The worker ends when that one is gone. Absent: addresses that workers
// listen at together, for node:net has no servers yet.
'use strict';

const EventEmitter = require('events');
const process = require('process');
const { Worker } = require('internal/cluster/worker');
const { listener, send } = require('internal/cluster/messages');

const cluster = new EventEmitter();
Object.assign(cluster, { isWorker: true, isMaster: false, isPrimary: false, worker: null, Worker, _setupWorker: setUp });

/** Before the program's first line. */
function setUp() {
  const worker = new Worker({ id: +process.env.NODE_UNIQUE_ID | 0, process, state: 'online' });
  cluster.worker = worker;
  process.once('disconnect', () => {
    process.channel = null;
    worker.emit('disconnect');
    // Nobody asked for it: the one who started it is gone.
    if (!worker.exitedAfterDisconnect) process.exit(0);
  });
  process.on('internalMessage', listener((message) => {
    if (message.act !== 'disconnect') return;
    worker.exitedAfterDisconnect = true;
    process.disconnect();
  }));
  send(process, { act: 'online' });
}

/** The other side knows that it was asked for before the channel is gone. */
function leave() {
  send(process, { act: 'exitedAfterDisconnect' }, () => process.disconnect());
}

Worker.prototype.disconnect = function disconnect() {
  if (this.state !== 'disconnecting' && this.state !== 'destroying') {
    this.state = 'disconnecting';
    this.exitedAfterDisconnect = true;
    leave();
  }
  return this;
};

Worker.prototype.destroy = function destroy() {
  if (this.state === 'destroying') return;
  this.exitedAfterDisconnect = true;
  if (!this.isConnected()) {
    process.exit(0);
    return;
  }
  this.state = 'destroying';
  leave();
  process.once('disconnect', () => process.exit(0));
};

module.exports = cluster;
