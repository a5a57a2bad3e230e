// HTTP exchange: a request and its response over the network. In: a request, chunks of its body.
// Out: the head of the response, then chunks of its body; errors like those of Node's undici. It is
// ref'd while the head or a chunk is awaited. Absent: redirects.
'use strict';

const binding = internalBinding('fetch_client');
const { UVException, codes: { ERR_HTTP2_SESSION_ERROR, ERR_HTTP2_STREAM_ERROR }, genericNodeError } = require('internal/errors');
const { codes } = require('internal/zlib/constants');

const { event: { DRAIN, HEAD, DATA, END }, version } = binding;

const UV_EAI_NONAME = -3008;
const UV_EAI_AGAIN = -3001;

/** Codes of HTTP/2 (RFC 9113, section 7) by number, with nghttp2's names as in `node:http2`. */
const HTTP2_CODES = [
  'NO_ERROR', 'PROTOCOL_ERROR', 'INTERNAL_ERROR', 'FLOW_CONTROL_ERROR', 'SETTINGS_TIMEOUT', 'STREAM_CLOSED', 'FRAME_SIZE_ERROR',
  'REFUSED_STREAM', 'CANCEL', 'COMPRESSION_ERROR', 'CONNECT_ERROR', 'ENHANCE_YOUR_CALM', 'INADEQUATE_SECURITY', 'HTTP_1_1_REQUIRED',
];
const http2CodeName = (code) => (code in HTTP2_CODES ? `NGHTTP2_${HTTP2_CODES[code]}` : code);

/** Versions of HTTP by the option `protocol`. */
const VERSIONS = { '__proto__': null, 'http1.1': version.HTTP1, 'http2': version.HTTP2 };

function connectError(parts) {
  const errors = [];
  for (let i = 0; i + 2 < parts.length; i += 3) {
    const [address, port, errno] = [parts[i], parts[i + 1], -parts[i + 2]];
    const { code } = new UVException({ errno, syscall: 'connect' });
    errors.push(genericNodeError(`connect ${code} ${address}:${port}`, { errno, code, syscall: 'connect', address, port }));
  }
  if (errors.length === 1) return errors[0];
  const aggregate = new AggregateError(errors);
  if (errors.length > 0) aggregate.code = errors[0].code;
  return aggregate;
}

/** The error of undici or Node for an error of the native client. */
function toError(host, kind, ...parts) {
  const namedError = (name, message, code) => Object.defineProperty(genericNodeError(message, { code }), 'name', {
    __proto__: null, value: name, writable: true, configurable: true,
  });
  switch (kind) {
    case 'connect': return connectError(parts);
    case 'lookup': {
      const [errno, code] = parts[0] ? [UV_EAI_AGAIN, 'EAI_AGAIN'] : [UV_EAI_NONAME, 'ENOTFOUND'];
      return genericNodeError(`getaddrinfo ${code} ${host}`, { errno, code, syscall: 'getaddrinfo', hostname: host });
    }
    case 'io': {
      const { code } = new UVException({ errno: -parts[0], syscall: parts[1] });
      return genericNodeError(`${parts[1]} ${code}`, { errno: -parts[0], code, syscall: parts[1] });
    }
    case 'closed': return namedError('SocketError', 'other side closed', 'UND_ERR_SOCKET');
    case 'stream': return new ERR_HTTP2_STREAM_ERROR(http2CodeName(parts[0]));
    case 'session': return new ERR_HTTP2_SESSION_ERROR(http2CodeName(parts[0]));
    case 'unsupported': return genericNodeError('the server does not speak HTTP/2', { code: 'HTTP2Unsupported' });
    case 'tls': return genericNodeError(parts[1], { code: parts[0] });
    case 'certificates': return genericNodeError(parts[0], { code: 'ERR_TLS_CERTIFICATES' });
    case 'encoding': return genericNodeError(parts[0], { errno: parts[1], code: codes[parts[1]] });
    case 'timeout': {
      if (parts[0] === 'connect') return namedError('ConnectTimeoutError', 'Connect Timeout Error', 'UND_ERR_CONNECT_TIMEOUT');
      if (parts[0] === 'head') return namedError('HeadersTimeoutError', 'Headers Timeout Error', 'UND_ERR_HEADERS_TIMEOUT');
      return namedError('BodyTimeoutError', 'Body Timeout Error', 'UND_ERR_BODY_TIMEOUT');
    }
    default: return namedError('HTTPParserError', `Response does not match the HTTP/1.1 protocol (${parts[0]})`, 'HPE_INVALID_CONSTANT');
  }
}

class Exchange {
  #native;
  #host;
  #head = Promise.withResolvers();
  /** Chunks that are not read yet. */
  #chunks = [];
  #hasEnded = false;
  #error = undefined;
  #pendingRead = undefined;
  #pendingWrite = undefined;

  /**
   * `body`: undefined, bytes, or the length of a streamed body (-1: unknown). `headers`: names and
   * values, alternating.
   */
  constructor({ method, isSecure, host, port, target, headers, body, decompress, authorities, options }) {
    this.#host = host;
    this.#head.promise.catch(() => {});
    const versions = VERSIONS[options?.protocol] ?? version.ANY;
    this.#native = binding.start(method, isSecure, host, port, target, headers, body, decompress, (...event) => this.#onEvent(event), authorities, versions);
  }

  /** `{ status, reason, headers }`, headers as alternating names and values. */
  get head() { return this.#head.promise; }

  #onEvent([kind, ...parts]) {
    if (kind === DRAIN) {
      this.#pendingWrite?.resolve();
      this.#pendingWrite = undefined;
    } else if (kind === HEAD) {
      const [status, reason, headers] = parts;
      this.#head.resolve({ status, reason, headers });
      binding.setRef(this.#native, this.#pendingRead !== undefined);
    } else if (kind === DATA) {
      this.#chunks.push(parts[0]);
      this.#settleRead();
    } else if (kind === END) {
      this.#end(undefined);
    } else {
      this.#end(toError(this.#host, ...parts));
    }
  }

  #end(error) {
    this.#hasEnded = true;
    this.#error = error;
    if (error) this.#head.reject(error);
    // A pending write ends; the error is reported by the head or by `read`.
    this.#pendingWrite?.resolve();
    this.#pendingWrite = undefined;
    this.#settleRead();
  }

  #settleRead() {
    const pendingRead = this.#pendingRead;
    if (pendingRead === undefined) return;
    if (this.#chunks.length > 0) {
      const chunk = this.#chunks.shift();
      binding.releaseCapacity(this.#native, chunk.length);
      pendingRead.resolve(chunk);
    } else if (!this.#hasEnded) {
      return;
    } else if (this.#error) {
      pendingRead.reject(this.#error);
    } else {
      pendingRead.resolve(undefined);
    }
    this.#pendingRead = undefined;
    binding.setRef(this.#native, false);
  }

  /** The next chunk of the body; undefined at the end. One call at a time. */
  read() {
    this.#pendingRead = Promise.withResolvers();
    const { promise } = this.#pendingRead;
    binding.setRef(this.#native, true);
    this.#settleRead();
    return promise;
  }

  /** Writes a chunk of the request's body; resolves when the next can be written. */
  write(bytes) {
    if (this.#hasEnded) return undefined;
    this.#pendingWrite = Promise.withResolvers();
    binding.write(this.#native, bytes);
    return this.#pendingWrite.promise;
  }

  endBody() {
    binding.end(this.#native);
  }

  /** Cancels the exchange. */
  close(error) {
    binding.close(this.#native);
    if (!this.#hasEnded) {
      this.#chunks = [];
      this.#end(error);
    }
  }
}

module.exports = { Exchange };
