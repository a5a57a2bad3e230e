// The domain `Profiler` of the DevTools Protocol: CPU profiles and coverage of this thread. In:
// start, stop, an interval. Out: `Profiler.Profile`, `Profiler.ScriptCoverage[]`. Absent: coverage
// of what was loaded before it was started.
'use strict';

const { checkParams, serverError } = require('internal/inspector/protocol_error');

const coverage = () => require('internal/inspector/block_coverage');

/** Seconds of a clock that only goes forward. */
const now = () => require('perf_hooks').performance.now() / 1e3;

class ProfilerDomain {
  #isEnabled = false;
  #interval;
  #recording;
  /** The parameters of the coverage that runs. */
  #coverage;

  methods() {
    return [
      'enable', 'disable', 'setSamplingInterval', 'start', 'stop',
      'startPreciseCoverage', 'takePreciseCoverage', 'stopPreciseCoverage', 'getBestEffortCoverage',
    ];
  }

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

  startPreciseCoverage(params) {
    checkParams(params, { callCount: 'boolean?', detailed: 'boolean?', allowTriggeredUpdates: 'boolean?' });
    if (!this.#isEnabled) throw serverError('Profiler is not enabled');
    const { callCount = false, detailed = false } = params;
    this.#coverage = { callCount, detailed };
    coverage().start(this);
    // Counts begin now.
    coverage().take();
    return { timestamp: now() };
  }

  takePreciseCoverage() {
    if (this.#coverage === undefined) throw serverError('Precise coverage has not been started.');
    return { result: coverage().take(this.#coverage), timestamp: now() };
  }

  stopPreciseCoverage() {
    if (!this.#isEnabled) throw serverError('Profiler is not enabled');
    this.#endCoverage();
  }

  /** Functions that ran, as far as they are counted. */
  getBestEffortCoverage() {
    if (!this.#isEnabled) throw serverError('Profiler is not enabled');
    return { result: coverage().isActive() ? coverage().take({ callCount: false, detailed: false }) : [] };
  }

  /** The session has ended. */
  close() {
    if (this.#recording !== undefined) this.#end();
    this.#endCoverage();
  }

  #endCoverage() {
    if (this.#coverage === undefined) return;
    this.#coverage = undefined;
    coverage().stop(this);
  }

  #end() {
    const recording = this.#recording;
    this.#recording = undefined;
    return require('internal/profiler/sampler').stop(recording);
  }
}

module.exports = ProfilerDomain;
