// A request and its answer over the network. In: what is asked, where a body goes. Out: the head of
// the answer, then pieces of its body as they are asked for; errors as Node's have them. It keeps
// the program going while an answer or a piece is awaited, and not for what nobody reads. Absent:
// redirects, and all that `fetch` decides.
'use strict';

const binding = internalBinding('fetch_client');
const { UVException, genericNodeError } = require('internal/errors');
const { codes } = require('internal/zlib/constants');

const { event: { DRAIN, HEAD, DATA, END } } = binding;

const ENOTFOUND = -3008;
const EAI_AGAIN = -3001;

function connectError(parts) {
  const errors = [];
  for (let i = 0; i + 2 < parts.length; i += 3) {
    const [address, port, errno] = [parts[i], parts[i + 1], -parts[i + 2]];
    const { code } = new UVException({ errno, syscall: 'connect' });
    errors.push(genericNodeError(`connect ${code} ${address}:${port}`, { errno, code, syscall: 'connect', address, port }));
  }
  if (errors.length === 1) return errors[0];
  const all = new AggregateError(errors);
  if (errors.length > 0) all.code = errors[0].code;
  return all;
}

/** Errors of the layer below, by the names that programs know them by. */
function errorOf(host, kind, ...parts) {
  const named = (name, message, code) => Object.defineProperty(genericNodeError(message, { code }), 'name', {
    __proto__: null, value: name, writable: true, configurable: true,
  });
  switch (kind) {
    case 'connect': return connectError(parts);
    case 'lookup': {
      const [errno, code] = parts[0] ? [EAI_AGAIN, 'EAI_AGAIN'] : [ENOTFOUND, 'ENOTFOUND'];
      return genericNodeError(`getaddrinfo ${code} ${host}`, { errno, code, syscall: 'getaddrinfo', hostname: host });
    }
    case 'broken': {
      const { code } = new UVException({ errno: -parts[0], syscall: parts[1] });
      return genericNodeError(`${parts[1]} ${code}`, { errno: -parts[0], code, syscall: parts[1] });
    }
    case 'closed': return named('SocketError', 'other side closed', 'UND_ERR_SOCKET');
    case 'tls': return genericNodeError(parts[1], { code: parts[0] });
    case 'certificates': return genericNodeError(parts[0], { code: 'ERR_TLS_CERTIFICATES' });
    case 'encoding': return genericNodeError(parts[0], { errno: parts[1], code: codes[parts[1]] });
    case 'timeout': {
      if (parts[0] === 'connect') return named('ConnectTimeoutError', 'Connect Timeout Error', 'UND_ERR_CONNECT_TIMEOUT');
      if (parts[0] === 'head') return named('HeadersTimeoutError', 'Headers Timeout Error', 'UND_ERR_HEADERS_TIMEOUT');
      return named('BodyTimeoutError', 'Body Timeout Error', 'UND_ERR_BODY_TIMEOUT');
    }
    default: return named('HTTPParserError', `Response does not match the HTTP/1.1 protocol (${parts[0]})`, 'HPE_INVALID_CONSTANT');
  }
}

class Exchange {
  #native;
  #host;
  #head = Promise.withResolvers();
  /** Pieces that nobody has asked for, then an end or an error. */
  #pieces = [];
  #hasEnded = false;
  #error = undefined;
  #reader = undefined;
  #room = undefined;

  /**
   * `body`: undefined, bytes, or a count of bytes that come later (-1: unknown). `headers`: names
   * and values by turns.
   */
  constructor({ method, isSecure, host, port, target, headers, body, unpacks }) {
    this.#host = host;
    this.#head.promise.catch(() => {});
    this.#native = binding.begin(method, isSecure, host, port, target, headers, body, unpacks, (...told) => this.#hear(told));
  }

  /** `{ status, reason, headers }`, headers as names and values by turns. */
  get head() { return this.#head.promise; }

  #hear([kind, ...parts]) {
    if (kind === DRAIN) {
      this.#room?.resolve();
      this.#room = undefined;
    } else if (kind === HEAD) {
      const [status, reason, headers] = parts;
      this.#head.resolve({ status, reason, headers });
      binding.setRef(this.#native, this.#reader !== undefined);
    } else if (kind === DATA) {
      this.#pieces.push(parts[0]);
      this.#serve();
    } else if (kind === END) {
      this.#end(undefined);
    } else {
      this.#end(errorOf(this.#host, ...parts));
    }
  }

  #end(error) {
    this.#hasEnded = true;
    this.#error = error;
    if (error) this.#head.reject(error);
    // Who waits for room is told by the answer.
    this.#room?.resolve();
    this.#room = undefined;
    this.#serve();
  }

  #serve() {
    const reader = this.#reader;
    if (reader === undefined) return;
    if (this.#pieces.length > 0) {
      const piece = this.#pieces.shift();
      binding.taken(this.#native, piece.length);
      reader.resolve(piece);
    } else if (!this.#hasEnded) {
      return;
    } else if (this.#error) {
      reader.reject(this.#error);
    } else {
      reader.resolve(undefined);
    }
    this.#reader = undefined;
    binding.setRef(this.#native, false);
  }

  /** The next piece of the body; undefined: there is none. One at a time. */
  read() {
    this.#reader = Promise.withResolvers();
    const { promise } = this.#reader;
    binding.setRef(this.#native, true);
    this.#serve();
    return promise;
  }

  /** A piece of the request's body; resolves when there is room for the next. */
  write(bytes) {
    if (this.#hasEnded) return undefined;
    this.#room = Promise.withResolvers();
    binding.write(this.#native, bytes);
    return this.#room.promise;
  }

  endBody() {
    binding.end(this.#native);
  }

  /** Nobody wants the rest. */
  close(error) {
    binding.close(this.#native);
    if (!this.#hasEnded) {
      this.#pieces = [];
      this.#end(error);
    }
  }
}

module.exports = { Exchange };
