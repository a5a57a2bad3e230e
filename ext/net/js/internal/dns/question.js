// DNS query to name servers: over UDP from a new port each time, and over TCP when the response is
// truncated. In: servers, a timeout, a question. Out: the records of the response, or an error
// code. Servers are queried one after the other; the timeout doubles each round. A response is
// accepted only if its sender, id and question match the query.
'use strict';

const binding = internalBinding('dns');
const { setTimeout, clearTimeout } = require('timers');
const { UDP } = require('internal/dgram/handle');
const { isIP } = require('internal/net/kinds');
const { NUMBERS } = require('internal/dns/records');

/** By the codes of answers. */
const CODES = ['', 'EFORMERR', 'ESERVFAIL', 'ENOTFOUND', 'ENOTIMP', 'EREFUSED'];
/** The longest timeout. */
const PATIENCE_MS_MAX = 2 ** 31 - 1;
const LENGTH_BYTES = 2;

class Question {
  #host;
  #kind;
  #settings;
  #done;
  #attempt = 0;
  #lastCode = 'ETIMEOUT';
  /** Stops what is under way. */
  #stop = () => {};
  #timer;

  /**
   * @param {{ servers: { address: string, port: number }[], timeoutMs: number, tries: number,
   *   timeoutMsMax: number, local: string[] }} settings
   */
  constructor(host, kind, settings, done) {
    this.#host = host;
    this.#kind = NUMBERS[kind];
    this.#settings = settings;
    this.#done = done;
  }

  /** Asks the next, or gives up. */
  next() {
    this.#rest();
    const { servers, timeoutMs, timeoutMsMax, tries } = this.#settings;
    const round = Math.floor(this.#attempt / servers.length);
    if (round >= tries) {
      this.#finish(this.#lastCode);
      return;
    }
    const server = servers[this.#attempt % servers.length];
    this.#attempt++;
    const longest = Math.min(timeoutMs * 2 ** round, timeoutMsMax || PATIENCE_MS_MAX, PATIENCE_MS_MAX);
    // Those who were told nothing together do not ask again together.
    const patience = round === 0 ? longest : Math.max(longest * (1 - Math.random() / 2), Math.min(timeoutMs, longest));
    // The socket keeps the loop going.
    this.#timer = setTimeout(() => this.#failed('ETIMEOUT'), patience).unref();
    const id = require('crypto').randomInt(2 ** 16);
    const bytes = binding.question(id, this.#host, this.#kind);
    if (bytes === undefined) this.#finish('EBADNAME');
    else this.#askByMessage(server, id, bytes);
  }

  /** It is not to be answered any more. */
  cancel() {
    this.#finish('ECANCELLED');
  }

  #finish(code, records) {
    this.#rest();
    this.#done(code, records);
  }

  #rest() {
    clearTimeout(this.#timer);
    this.#stop();
    this.#stop = () => {};
  }

  #failed(code) {
    this.#lastCode = code;
    this.next();
  }

  #askByMessage(server, id, bytes) {
    const family = isIP(server.address);
    const socket = new UDP(family);
    this.#stop = () => socket.close();
    socket.onmessage = (count, _, message) => {
      if (count < 0) this.#failed('ECONNREFUSED');
      else this.#take(server, id, bytes, message, true);
    };
    const local = this.#settings.local.find((address) => isIP(address) === family);
    const errno = (local ? socket.bind(local, 0) : 0) || socket.connect(server.address, server.port) || socket.recvStart();
    if (errno !== 0 || socket.send({}, bytes) < 0) {
      const { nextTick } = require('process');
      // Nobody hears of it in the turn in which the question was asked.
      nextTick(() => { if (!socket.isClosed) this.#failed('ECONNREFUSED'); });
    }
  }

  #take(server, id, bytes, message, mayBeCut) {
    // Of another question; it may come late, or from somebody who guesses.
    if (message.length < 2 || message.readUInt16BE(0) !== id) return;
    const answer = binding.answer(message);
    if (answer === undefined) {
      this.#finish('EBADRESP');
      return;
    }
    const [, code, isCut, host, kind, records] = answer;
    const asked = this.#host.endsWith('.') ? this.#host.slice(0, -1) : this.#host;
    if (kind !== this.#kind || host.toLowerCase() !== asked.toLowerCase()) return;
    if (isCut && mayBeCut) {
      this.#stop();
      this.#askByStream(server, id, bytes);
    } else if (code !== 0) {
      this.#finish(CODES[code] ?? 'ESERVFAIL');
    } else {
      this.#finish('', records);
    }
  }

  #askByStream({ address, port }, id, bytes) {
    const { Buffer } = require('buffer');
    const socket = require('net').connect({ host: address, port });
    this.#stop = () => socket.destroy();
    let received = Buffer.alloc(0);
    const length = Buffer.alloc(LENGTH_BYTES);
    length.writeUInt16BE(bytes.length);
    socket.on('error', () => this.#failed('ECONNREFUSED'));
    // Destroyed by us it says nothing; else the server has left too early.
    socket.on('end', () => this.#failed('ECONNREFUSED'));
    socket.on('data', (piece) => {
      received = Buffer.concat([received, piece]);
      if (received.length < LENGTH_BYTES) return;
      const end = LENGTH_BYTES + received.readUInt16BE(0);
      if (received.length < end) return;
      // There is only one response.
      socket.pause();
      this.#take(null, id, bytes, received.subarray(LENGTH_BYTES, end), false);
    });
    socket.write(Buffer.concat([length, bytes]));
  }
}

module.exports = { Question };
