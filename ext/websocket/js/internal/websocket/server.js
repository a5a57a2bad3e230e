// WebSockets of a server. In: the `websocket` option, requests to upgrade. Out: what the methods of
// a Server call. Absent: the object that handlers get (server_socket.js).
'use strict';

const { invalidArgType } = require('internal/bun/environment');
const { checkHandlers } = require('internal/websocket/server_options');
const { opcode, reportUncaught, toBytes } = require('internal/websocket/sockets');
const { endSocket, makeSocket } = require('internal/websocket/server_socket');

const binding = internalBinding('websocket');
const { flag } = binding;

const GOING_AWAY = 1001;
const ABNORMAL = 1006;
/** Base64 of 16 bytes: RFC 6455, 4.1. */
const KEY = /^[A-Za-z0-9+/]{22}==$/;
const VERSION = '13';
/** Fields of a 101 that programs cannot set. */
const OWN_FIELDS = new Set(['upgrade', 'connection', 'sec-websocket-accept', 'sec-websocket-extensions', 'sec-websocket-protocol']);

class ServerSockets {
  handlers;
  publishToSelf = false;
  /** Whether messages may be compressed at all. */
  compresses = false;
  group = binding.makeGroup();
  #options;
  #server;
  #sockets = new Set();
  #upgradeConnection;
  #onEmpty;

  constructor(server, upgradeConnection) {
    this.#server = server;
    this.#upgradeConnection = upgradeConnection;
  }

  /** Also the sockets that are open get the new handlers. */
  setOptions(options) {
    this.#options = checkHandlers(options);
    ({ handlers: this.handlers, publishToSelf: this.publishToSelf } = this.#options);
    this.compresses = this.#options.compression?.compresses === true;
  }

  get count() { return this.#sockets.size; }

  /** Returns whether the request has become a WebSocket. `open` has been called then. */
  upgrade(request, exchange, options) {
    const field = (name) => { const value = exchange.field(name); return typeof value === 'string' ? value : undefined; };
    const key = field('sec-websocket-key')?.trim();
    if (request.method !== 'GET' || key === undefined || !KEY.test(key)) return false;
    if (field('upgrade')?.trim().toLowerCase() !== 'websocket') return false;
    if (field('sec-websocket-version')?.trim() !== VERSION) return this.#refuseVersion(exchange);
    const { compression } = this.#options;
    const offer = compression === undefined ? undefined : field('sec-websocket-extensions');
    const extensions = offer === undefined ? undefined :
      binding.negotiate(offer, compression.serverKeepsContext, compression.clientKeepsContext, compression.serverWindowBits);
    const fields = this.#fields(exchange, binding.acceptOf(key), extensions, field('sec-websocket-protocol'), options?.headers);
    const remoteAddress = this.#server.requestIP(request)?.address ?? '';
    // The program may keep the request.
    exchange.finish();
    exchange.isOver = false;
    const upgraded = this.#upgradeConnection(exchange, fields);
    if (upgraded === undefined) return false;
    const { maxPayloadLength, backpressureLimit, idleTimeout } = this.#options;
    const flags = (this.#options.closeOnBackpressureLimit ? flag.CLOSES_ON_LIMIT : 0) | (this.#options.sendPings ? flag.SENDS_PINGS : 0);
    const slot = binding.add(upgraded.connection, upgraded.head, flags, maxPayloadLength, backpressureLimit, idleTimeout * 1000, extensions);
    if (!(slot >= 0)) return false;
    const socket = makeSocket(slot, this, remoteAddress, options?.data);
    this.#sockets.add(socket);
    if (this.handlers.open !== undefined) this.#callOpen(socket);
    return true;
  }

  /** Field lines of the 101. */
  #fields(exchange, accept, extensions, offered, headers) {
    let fields = '';
    let protocol = offered?.split(',')[0].trim();
    if (headers !== undefined && headers !== null) {
      const list = headers instanceof Headers ? headers : new Headers(headers);
      protocol = list.get('sec-websocket-protocol') ?? protocol;
      // Names as the program has written them, values as Headers has normalized them.
      const isPlain = !(headers instanceof Headers) && !Array.isArray(headers);
      for (const name of isPlain ? Object.keys(headers) : new Set(list.keys())) {
        const key = name.toLowerCase();
        if (OWN_FIELDS.has(key)) continue;
        for (const value of key === 'set-cookie' ? list.getSetCookie() : [list.get(name)]) fields += `${name}: ${value}\r\n`;
      }
    }
    fields += `Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n`;
    if (protocol !== undefined && protocol !== '') fields += `Sec-WebSocket-Protocol: ${protocol}\r\n`;
    if (extensions !== undefined) fields += `Sec-WebSocket-Extensions: ${extensions}\r\n`;
    return fields + exchange.cookieFields();
  }

  /** RFC 6455, 4.4. */
  #refuseVersion(exchange) {
    const serve = internalBinding('serve');
    exchange.finish();
    exchange.isUpgraded = true;
    const fields = `Sec-WebSocket-Version: ${VERSION}\r\n`;
    serve.respond(exchange.number, exchange.id, 426, 'Upgrade Required', fields, serve.flag.CLOSES, undefined, undefined);
    return true;
  }

  /** A socket whose `open` throws is closed first. */
  #callOpen(socket) {
    try {
      this.handlers.open(socket);
    } catch (error) {
      endSocket(socket, ABNORMAL, '');
      this.#report(error, socket);
    }
  }

  /** Calls a handler. What it throws is the `error` handler's, or uncaught. */
  call(socket, handler, first, second) {
    try {
      handler(socket, first, second);
    } catch (error) {
      this.#report(error, socket);
    }
  }

  #report(error, socket) {
    const { error: onError } = this.handlers;
    if (onError === undefined) return reportUncaught(error);
    try {
      onError(error, socket);
    } catch (thrown) {
      reportUncaught(thrown);
    }
  }

  remove(socket) {
    this.#sockets.delete(socket);
    if (this.#sockets.size === 0) this.#onEmpty?.();
  }

  /** Calls back when no socket is open. */
  whenEmpty(callback) {
    if (this.#sockets.size === 0) callback();
    else this.#onEmpty = callback;
  }

  /** Unlike that of a socket, it compresses by default. */
  publish(topic, data, compress = true) {
    if (topic === undefined || data === undefined) throw invalidArgType('Missing argument');
    if (typeof topic !== 'string') return 0;
    const bytes = typeof data === 'string' ? data : toBytes(data);
    const kind = bytes === undefined || typeof bytes === 'string' ? opcode.TEXT : opcode.BINARY;
    return binding.publish(-1, this.group, topic, bytes ?? `${data}`, kind, Boolean(compress) && this.compresses);
  }

  subscriberCount(topic) {
    if (typeof topic !== 'string') throw new TypeError('subscriberCount expects a topic');
    return binding.subscriberCount(this.group, topic);
  }

  stop(isAbrupt) {
    if (isAbrupt) for (const socket of [...this.#sockets]) endSocket(socket, GOING_AWAY, 'Server closed');
  }
}

/** `previous`: of the options before a reload. */
function createServerSockets({ server, options, previous, upgradeConnection }) {
  const sockets = previous ?? new ServerSockets(server, upgradeConnection);
  sockets.setOptions(options);
  return sockets;
}

module.exports = { createServerSockets };
