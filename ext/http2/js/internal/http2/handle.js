// Native sessions and streams, with the methods of Node's binding: numbers below zero are errors of
// nghttp2. In: a transport, commands. Out: events, by `onevents`. Output is sent once in a turn of
// the event loop, and after what was received was handled.
'use strict';

const { nextTick } = require('process');
const { constants: { NGHTTP2_NO_ERROR } } = require('internal/http2/constants');

const binding = internalBinding('http2_session');

/** DATA frames are made until so many bytes are not sent; the rest stays with its streams. */
const OUTPUT_BYTES_MAX = 256 * 1024;
const PINGS_MAX = 10;
const SETTINGS_MAX = 10;
const MEGABYTE = 1e6;
const SESSION_MEMORY_MAX_MB = 10;
const HEADER_PAIRS_DEFAULT = 128;
const HEADER_PAIRS_MIN = [4, 1];

class Http2StreamHandle {
  #session;
  #id;

  constructor(session, id) {
    this.#session = session;
    this.#id = id;
  }

  id() { return this.#id; }

  #run(name, first, second) {
    const { native } = this.#session;
    if (native === null) return 0;
    this.#session.schedule();
    return binding[name](native, this.#id, first, second) ?? 0;
  }

  respond(list, endsStream) { return this.#run('respond', list, endsStream); }
  info(list) { return this.#run('inform', list); }
  trailers(list) { return this.#run('trailers', list); }
  endWithoutTrailers() { return this.#run('endWithoutTrailers'); }
  /** What is queued is sent before. */
  rstStream(code) {
    this.#session.flush();
    return this.#run('reset', code);
  }
  writeBuffer(bytes) { return this.#run('write', bytes); }
  shutdown(wantsTrailers) { return this.#run('end', wantsTrailers); }
  readStart() { return this.#run('setReading', true); }
  readStop() { return this.#run('setReading', false); }
  destroy() {}

  /** A handle of the pushed stream, or an error. */
  pushPromise(list) {
    const id = this.#run('pushPromise', list);
    return id > 0 ? new Http2StreamHandle(this.#session, id) : id;
  }

  state() {
    const { native } = this.#session;
    return native === null ? undefined : binding.streamState(native, this.#id);
  }
}

class Http2SessionHandle {
  native;
  transport;
  /** Called with a list of events. */
  onevents = null;
  /** Called when all is sent after `destroy`. */
  ondone = null;
  /** Called when all is sent. */
  onidle = null;
  /** The time of the last ping. */
  pingMs = 0;
  #pings = [];
  #settings = [];
  #isWriting = false;
  #isScheduled = false;
  #isReceiving = false;
  #pingsMax;
  #settingsMax;
  #memoryMax;

  constructor(isServer, options) {
    this.#pingsMax = options.maxOutstandingPings ?? PINGS_MAX;
    this.#settingsMax = options.maxOutstandingSettings ?? SETTINGS_MAX;
    this.#memoryMax = (options.maxSessionMemory ?? SESSION_MEMORY_MAX_MB) * MEGABYTE;
    this.native = binding.create(isServer, nativeOptions(options, isServer));
  }

  consume(transport) {
    this.transport = transport;
    transport.start((bytes) => this.receive(bytes));
  }

  receive(bytes) {
    if (this.native === null) return;
    if (this.#isWriting) binding.refuseStreams(this.native, binding.state(this.native)[5] > this.#memoryMax);
    const events = binding.receive(this.native, bytes);
    this.#isReceiving = true;
    try {
      this.onevents?.(events);
    } finally {
      this.#isReceiving = false;
      this.#isScheduled = true;
      // After what listeners of the next tick schedule for theirs.
      nextTick(nextTick, flush, this);
    }
  }

  /** Sends at the end of this turn. */
  schedule() {
    if (this.#isScheduled || this.#isReceiving) return;
    this.#isScheduled = true;
    setImmediate(flush, this);
  }

  /** Sends frames until the kernel accepts no more. */
  flush() {
    this.#isScheduled = false;
    while (!this.#isWriting && this.native !== null) {
      const events = binding.take(this.native, OUTPUT_BYTES_MAX);
      const bytes = events[0];
      const isSent = bytes === undefined || this.#write(bytes);
      if (events.length > 1) this.onevents?.(events, 1);
      if (bytes === undefined) break;
      if (!isSent) return;
    }
    if (!this.#isWriting) this.onidle?.();
  }

  #write(bytes) {
    this.#isWriting = true;
    return this.transport.write(bytes, () => {
      this.#isWriting = false;
      if (this.ondone !== null && this.native === null) this.#finish();
      else if (this.native !== null) this.schedule();
    });
  }

  #finish() {
    const done = this.ondone;
    this.ondone = null;
    done();
  }

  hasPendingData() { return this.#isWriting || (this.native !== null && binding.hasOutput(this.native)); }

  /** A handle of the stream, or an error. */
  request(list, endsStream) {
    const id = binding.request(this.native, list, endsStream);
    this.schedule();
    return id > 0 ? new Http2StreamHandle(this, id) : id;
  }

  stream(id) { return new Http2StreamHandle(this, id); }

  /** False: too many settings are not acknowledged. `callback` gets whether they were, and ms. */
  settings(pairs, callback) {
    if (this.#settings.length >= this.#settingsMax) return false;
    this.#settings.push(waiting('HTTP2SETTINGS', callback));
    binding.settings(this.native, pairs.flat());
    this.schedule();
    return true;
  }

  settingsAcknowledged() {
    const oldest = this.#settings.shift();
    oldest?.finish(true, performance.now() - oldest.start);
  }

  /** False: too many pings are not acknowledged. */
  ping(payload, callback) {
    const ping = waiting('HTTP2PING', callback);
    if (this.#pings.length >= this.#pingsMax) {
      ping.finish(false, 0, payload);
      return false;
    }
    this.#pings.push(ping);
    binding.ping(this.native, payload ?? new Uint8Array(new Float64Array([ping.start]).buffer));
    this.schedule();
    return true;
  }

  /** False: there was no ping. */
  pingAcknowledged(payload) {
    const oldest = this.#pings.shift();
    if (oldest !== undefined) this.pingMs = performance.now() - oldest.start;
    oldest?.finish(true, this.pingMs, payload);
    return oldest !== undefined;
  }

  goaway(code, lastStream, bytes) {
    binding.goaway(this.native, code, lastStream, bytes);
    this.schedule();
  }

  altsvc(stream, origin, value) {
    binding.altsvc(this.native, stream, origin, value);
    this.schedule();
  }

  origin(origins) {
    binding.origin(this.native, origins);
    this.schedule();
  }

  setLocalWindowSize(size) {
    const result = binding.setLocalWindow(this.native, size);
    this.schedule();
    return result;
  }

  setNextStreamID(id) { return binding.setNextStream(this.native, id); }
  localSettings() { return binding.localSettings(this.native); }
  remoteSettings() { return binding.remoteSettings(this.native); }
  state() { return binding.state(this.native); }
  bytesSent() { return this.native === null ? 0 : binding.statistics(this.native)[3]; }
  statistics() { return binding.statistics(this.native); }

  /** Sends GOAWAY and what is left, then calls `ondone`. */
  destroy(code, isSocketClosed) {
    if (this.native === null) return;
    if (!isSocketClosed) {
      binding.goaway(this.native, code ?? NGHTTP2_NO_ERROR, 0, undefined);
      this.onevents = null;
      if (!this.#isWriting) this.#write(binding.take(this.native, 0)[0]);
    }
    this.native = null;
    this.transport.stop();
    for (const ping of this.#pings.splice(0)) ping.finish(false, 0, undefined);
    this.#settings.length = 0;
    if (isSocketClosed || !this.#isWriting) nextTick(() => { if (this.ondone !== null) this.#finish(); });
  }
}

/** A callback that waits for an acknowledgement, as a resource of that type. */
function waiting(type, callback) {
  const resource = new (require('async_hooks').AsyncResource)(type);
  return {
    start: performance.now(),
    finish(...args) {
      resource.runInAsyncScope(callback, null, ...args);
      resource.emitDestroy();
    },
  };
}

function flush(handle) {
  handle.flush();
}

/** Numbers in the order of the binding. */
function nativeOptions(options, isServer) {
  const pairs = options.maxHeaderListPairs;
  return [
    options.maxDeflateDynamicTableSize, options.peerMaxConcurrentStreams, options.maxReservedRemoteStreams, options.maxSettings,
    Math.max(typeof pairs === 'number' ? pairs : HEADER_PAIRS_DEFAULT, HEADER_PAIRS_MIN[isServer ? 0 : 1]), options.maxSendHeaderBlockLength,
    options.streamResetBurst, options.streamResetRate, options.paddingStrategy, options.maxSessionInvalidFrames, options.maxSessionRejectedStreams,
    options.strictFieldWhitespaceValidation === false ? 0 : 1,
  ].map((value) => (typeof value === 'number' ? value : NaN));
}

module.exports = { Http2SessionHandle, Http2StreamHandle };
