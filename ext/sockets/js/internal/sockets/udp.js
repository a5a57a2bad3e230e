// `Bun.udpSocket`. In: an address, handlers, a peer to connect to. Out: a promise of a socket that
// is bound, over `node:dgram`. What the kernel does not take at once is not queued, as in bun.
'use strict';

const { call, checkBinaryType, toBinaryType } = require('internal/sockets/handlers');
const { invalidArgType } = require('internal/bun/environment');
const { isIP, isIPv6 } = require('net');
const { kStateSymbol } = require('internal/dgram');

const NAMES = ['data', 'drain', 'error'];

let make;

class UDPSocket {
  #socket;
  #handlers;
  #binaryType;
  #remote;
  #hostname;
  #isClosed = false;
  #address;

  constructor(key, socket, { handlers, binaryType, hostname, remote }) {
    if (key !== make) throw new TypeError('Illegal constructor');
    this.#socket = socket;
    this.#handlers = handlers;
    this.#binaryType = binaryType;
    this.#hostname = hostname;
    this.#remote = remote;
    this.#address = socket.address();
    socket.on('message', (bytes, { address, port, family }) => {
      call(this.#handlers, 'data', this, toBinaryType(bytes, this.#binaryType), port, address, { truncated: false, ipv6: family === 'IPv6' });
    });
    socket.on('error', (error) => call(this.#handlers, 'error', this, error));
    socket.on('close', () => { this.#isClosed = true; });
    socket[kStateSymbol].handle.onwritable = () => call(this.#handlers, 'drain', this);
  }

  static {
    make = (socket, options) => new UDPSocket(make, socket, options);
  }

  send(data, port = undefined, address = undefined) {
    if (this.#isClosed) throw new Error('Socket is closed');
    if (this.#remote !== undefined) {
      if (arguments.length !== 1) throw invalidArgType(`Expected 1 argument, got ${arguments.length}`);
      return this.#sendAll([toPayload(data)]) === 1;
    }
    if (arguments.length !== 3) throw invalidArgType(`Expected 3 arguments, got ${arguments.length}`);
    return this.#sendAll([toPayload(data)], [checkAddress(address)], [checkPort(port)]) === 1;
  }

  /** Returns how many were sent, by one call of the kernel. `drain` is called when more can be. */
  sendMany(packets) {
    if (this.#isClosed) throw new Error('Socket is closed');
    if (!Array.isArray(packets)) throw invalidArgType('Expected an array');
    if (this.#remote !== undefined) return this.#sendAll(packets.map(toPayload));
    if (packets.length % 3 !== 0) throw invalidArgType('Expected 3 arguments for each packet');
    const [messages, addresses, ports] = [[], [], []];
    for (let index = 0; index < packets.length; index += 3) {
      messages.push(toPayload(packets[index]));
      ports.push(checkPort(packets[index + 1]));
      addresses.push(checkAddress(packets[index + 2]));
    }
    return this.#sendAll(messages, addresses, ports);
  }

  #sendAll(messages, addresses = undefined, ports = undefined) {
    const count = this.#socket[kStateSymbol].handle.sendMany(messages, addresses, ports);
    if (count >= 0) return count;
    const { UVException } = require('internal/errors');
    throw new UVException({ errno: count, syscall: 'send' });
  }

  close() {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#socket.close();
  }

  reload(handlers) { this.#handlers = checkHandlers(handlers); }
  ref() { this.#socket.ref(); }
  unref() { this.#socket.unref(); }

  get fd() { return this.#isClosed ? -1 : this.#socket[kStateSymbol].handle?.fd ?? -1; }
  get hostname() { return this.#hostname; }
  get port() { return this.#address.port; }
  get address() {
    const { address, family, port } = this.#address;
    return { address, family, port };
  }
  get remoteAddress() { return this.#remote; }
  get binaryType() { return this.#binaryType; }
  get closed() { return this.#isClosed; }

  setBroadcast(isEnabled) { return this.#set(() => this.#socket.setBroadcast(isEnabled)); }
  setTTL(ttl) { return this.#socket.setTTL(ttl); }
  setMulticastTTL(ttl) { return this.#socket.setMulticastTTL(ttl); }
  setMulticastLoopback(isEnabled) { return this.#set(() => this.#socket.setMulticastLoopback(isEnabled)); }
  setMulticastInterface(address) { return this.#set(() => this.#socket.setMulticastInterface(address)); }
  addMembership(...parameters) { return this.#set(() => this.#socket.addMembership(...parameters)); }
  dropMembership(...parameters) { return this.#set(() => this.#socket.dropMembership(...parameters)); }
  addSourceSpecificMembership(...parameters) { return this.#set(() => this.#socket.addSourceSpecificMembership(...parameters)); }
  dropSourceSpecificMembership(...parameters) { return this.#set(() => this.#socket.dropSourceSpecificMembership(...parameters)); }
  #set(change) {
    change();
    return true;
  }

  [Symbol.dispose]() { this.close(); }
}

Object.defineProperty(UDPSocket.prototype, Symbol.toStringTag, { __proto__: null, value: 'UDPSocket', configurable: true });

function checkHandlers(socket = {}) {
  const handlers = {};
  for (const name of NAMES) {
    if (socket[name] !== undefined && typeof socket[name] !== 'function') throw invalidArgType(`Expected "socket.${name}" to be a function`);
    handlers[name] = socket[name];
  }
  return handlers;
}

function checkAddress(address) {
  if (typeof address === 'string' && isIP(address)) return address;
  throw invalidArgType(`Invalid address: ${address}`);
}

function checkPort(port) {
  const number = Math.trunc(Number(port));
  if (number >= 1 && number <= 65535) return number;
  throw invalidArgType('Expected "port" to be an integer between 1 and 65535');
}

function toPayload(data) {
  if (typeof data === 'string' || ArrayBuffer.isView(data)) return data;
  if (data instanceof ArrayBuffer || data instanceof SharedArrayBuffer) return new Uint8Array(data);
  throw invalidArgType('Expected ArrayBufferView or string as first argument');
}

async function udpSocket(options) {
  if (typeof options !== 'object' || options === null) throw invalidArgType('Expected an object');
  const { hostname = '0.0.0.0', port = 0, connect } = options;
  const handlers = checkHandlers(options.socket);
  const binaryType = checkBinaryType(options.binaryType);
  if (connect !== undefined && (typeof connect?.hostname !== 'string' || typeof connect.port !== 'number')) {
    throw invalidArgType('Expected "connect" to be an object with "hostname" and "port"');
  }
  const socket = require('dgram').createSocket(isIPv6(hostname) ? 'udp6' : 'udp4');
  await new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.bind({ address: hostname, port, exclusive: true }, resolve);
  });
  let remote;
  if (connect !== undefined) {
    await new Promise((resolve, reject) => { socket.connect(connect.port, connect.hostname, (error) => (error ? reject(error) : resolve())); });
    const { address, family, port: remotePort } = socket.remoteAddress();
    remote = { address, family, port: remotePort };
  }
  socket.removeAllListeners('error');
  return make(socket, { handlers, binaryType, hostname, remote });
}

module.exports = { udpSocket };
