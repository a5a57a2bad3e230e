// The engine's sampling profiler, shared by all profiles of a thread. In: starts and stops. Out:
// the samples of each profile, with the addresses of their sources. Absent: the form of a profile
// (cpu_profile.js); the interval, which the engine knows from its start (`--cpu-prof-interval`).
'use strict';

const { codes: { ERR_FEATURE_UNAVAILABLE_ON_PLATFORM } } = require('internal/errors');

const binding = internalBinding('profiler');

/** Profiles that are being recorded. */
const recordings = new Set();

/** What is recorded between `start` and `stop`. */
class Recording {
  /** Microseconds of the monotonic clock, as the samples have them. */
  startTime = now();
  endTime = 0;
  /** Samples as the engine gives them, the oldest first. */
  samples = [];
  /** Addresses of sources by their numbers. */
  sources = new Map();
  /** Microseconds between two samples. */
  interval = 1000;
}

/** Microseconds. */
function now() { return Math.round(Number(process.hrtime.bigint()) / 1000); }

const process = require('process');

function start() {
  if (recordings.size === 0 && !binding.start()) throw new ERR_FEATURE_UNAVAILABLE_ON_PLATFORM('the sampling profiler');
  // What was sampled before is not this profile's.
  if (recordings.size > 0) takeSamples();
  const recording = new Recording();
  recordings.add(recording);
  return recording;
}

/** Ends a recording; returns it. */
function stop(recording) {
  takeSamples();
  recording.endTime = now();
  recordings.delete(recording);
  if (recordings.size === 0) binding.stop();
  return recording;
}

/** Gives what was sampled to all recordings. */
function takeSamples() {
  const text = binding.take();
  if (text === undefined) return;
  const { interval, traces, sources } = JSON.parse(text);
  for (const recording of recordings) {
    recording.interval = Math.round(interval * 1e6);
    for (const { sourceID, url } of sources) if (url !== undefined) recording.sources.set(sourceID, url);
    for (const trace of traces) recording.samples.push(trace);
  }
}

module.exports = { start, stop };
