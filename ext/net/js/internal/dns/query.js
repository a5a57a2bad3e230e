// DNS query to name servers: over UDP from a new port each time, and over TCP when the response is
// truncated. In: servers, a timeout, a question. Out: the records of the response, or an error
// code. Servers are queried one after the other; the timeout doubles each round. A response is
// accepted only if its sender, id and question match the query.
'use strict';

const binding = internalBinding('dns');
const { setTimeout, clearTimeout } = require('timers');
const { UDP } = require('internal/dgram/handle');
const { isIP } = require('internal/net/ip');

/** Error codes by RCODE. */
const ERROR_CODES = ['', 'EFORMERR', 'ESERVFAIL', 'ENOTFOUND', 'ENOTIMP', 'EREFUSED'];
/** The longest timeout of a timer. */
const TIMEOUT_MS_MAX = 2 ** 31 - 1;
/** Of the length before a message over TCP. */
const LENGTH_BYTES = 2;

class Query {
  #host;
  #type;
  #options;
  #done;
  #attempt = 0;
  #lastCode = 'ETIMEOUT';
  /** Closes the socket of the current attempt. */
  #closeSocket = () => {};
  #timer;

  /**
   * @param {{ servers: { address: string, port: number }[], timeoutMs: number, tries: number,
   *   timeoutMsMax: number, localAddresses: string[] }} options
   */
  constructor(host, type, options, done) {
    this.#host = host;
    this.#type = binding.recordType[type];
    this.#options = options;
    this.#done = done;
  }

  /** Queries the next server, or fails after the last round. */
  sendToNextServer() {
    this.#endAttempt();
    const { servers, timeoutMs, timeoutMsMax, tries } = this.#options;
    const round = Math.floor(this.#attempt / servers.length);
    if (round >= tries) {
      this.#finish(this.#lastCode);
      return;
    }
    const server = servers[this.#attempt % servers.length];
    this.#attempt++;
    const roundMs = Math.min(timeoutMs * 2 ** round, timeoutMsMax || TIMEOUT_MS_MAX, TIMEOUT_MS_MAX);
    // Random, so that queries that timed out together are not repeated together, as in c-ares.
    const attemptMs = round === 0 ? roundMs : Math.max(roundMs * (1 - Math.random() / 2), Math.min(timeoutMs, roundMs));
    // The socket keeps the event loop alive.
    this.#timer = setTimeout(() => this.#fail('ETIMEOUT'), attemptMs).unref();
    const id = require('crypto').randomInt(2 ** 16);
    const bytes = binding.encodeQuery(id, this.#host, this.#type);
    if (bytes === undefined) this.#finish('EBADNAME');
    else this.#sendUdp(server, id, bytes);
  }

  cancel() {
    this.#finish('ECANCELLED');
  }

  #finish(code, records) {
    this.#endAttempt();
    this.#done(code, records);
  }

  #endAttempt() {
    clearTimeout(this.#timer);
    this.#closeSocket();
    this.#closeSocket = () => {};
  }

  #fail(code) {
    this.#lastCode = code;
    this.sendToNextServer();
  }

  #sendUdp(server, id, bytes) {
    const family = isIP(server.address);
    const socket = new UDP(family);
    this.#closeSocket = () => socket.close();
    socket.onmessage = (count, _, message) => {
      if (count < 0) this.#fail('ECONNREFUSED');
      else this.#onResponse(server, id, bytes, message, true);
    };
    const local = this.#options.localAddresses.find((address) => isIP(address) === family);
    const errno = (local ? socket.bind(local, 0) : 0) || socket.connect(server.address, server.port) || socket.recvStart();
    if (errno !== 0 || socket.send({}, bytes) < 0) {
      const { nextTick } = require('process');
      // In a later tick: a query never fails during the call that starts it.
      nextTick(() => { if (!socket.isClosed) this.#fail('ECONNREFUSED'); });
    }
  }

  #onResponse(server, id, bytes, message, isUdp) {
    // The response to an earlier query, or a spoofed one.
    if (message.length < 2 || message.readUInt16BE(0) !== id) return;
    const response = binding.decodeResponse(message);
    if (response === undefined) {
      this.#finish('EBADRESP');
      return;
    }
    const [, rcode, isTruncated, host, type, records] = response;
    const queried = this.#host.endsWith('.') ? this.#host.slice(0, -1) : this.#host;
    if (type !== this.#type || host.toLowerCase() !== queried.toLowerCase()) return;
    if (isTruncated && isUdp) {
      this.#closeSocket();
      this.#sendTcp(server, id, bytes);
    } else if (rcode !== 0) {
      this.#finish(ERROR_CODES[rcode] ?? 'ESERVFAIL');
    } else {
      this.#finish('', records);
    }
  }

  #sendTcp({ address, port }, id, bytes) {
    const { Buffer } = require('buffer');
    const socket = require('net').connect({ host: address, port });
    this.#closeSocket = () => socket.destroy();
    let received = Buffer.alloc(0);
    const length = Buffer.alloc(LENGTH_BYTES);
    length.writeUInt16BE(bytes.length);
    socket.on('error', () => this.#fail('ECONNREFUSED'));
    // Not emitted after `destroy`, so the server has closed the connection too early.
    socket.on('end', () => this.#fail('ECONNREFUSED'));
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      if (received.length < LENGTH_BYTES) return;
      const end = LENGTH_BYTES + received.readUInt16BE(0);
      if (received.length < end) return;
      // There is only one response.
      socket.pause();
      this.#onResponse(null, id, bytes, received.subarray(LENGTH_BYTES, end), false);
    });
    socket.write(Buffer.concat([length, bytes]));
  }
}

module.exports = { Query };
