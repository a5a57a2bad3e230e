// The domain `Profiler` of the DevTools Protocol: CPU profiles of this thread. In: start, stop, an
// interval. Out: `Profiler.Profile`. Absent: coverage, whose methods are "not found".
'use strict';

const { checkParams, serverError } = require('internal/inspector/protocol_error');

class ProfilerDomain {
  #isEnabled = false;
  #interval;
  #recording;

  methods() { return ['enable', 'disable', 'setSamplingInterval', 'start', 'stop']; }

  enable() { this.#isEnabled = true; }

  disable() {
    this.#isEnabled = false;
    this.close();
  }

  /** Microseconds. Samples are thinned out; the engine's own interval is the least. */
  setSamplingInterval(params) {
    checkParams(params, { interval: 'number' });
    if (this.#recording !== undefined) throw serverError('Cannot change sampling interval when profiling.');
    this.#interval = params.interval;
  }

  start() {
    if (!this.#isEnabled) throw serverError('Profiler is not enabled');
    this.#recording ??= require('internal/profiler/sampler').start();
  }

  stop() {
    if (this.#recording === undefined) throw serverError('No recording profiles found');
    const recording = this.#end();
    return { profile: require('internal/profiler/cpu_profile').toProfile(recording, this.#interval) };
  }

  /** The session has ended. */
  close() { if (this.#recording !== undefined) this.#end(); }

  #end() {
    const recording = this.#recording;
    this.#recording = undefined;
    return require('internal/profiler/sampler').stop(recording);
  }
}

module.exports = ProfilerDomain;
