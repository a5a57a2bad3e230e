// The domain `HeapProfiler` of the DevTools Protocol: heap snapshots of this thread, in pieces.
// Absent: samples and timelines of allocations, which the engine does not record; they are errors.
'use strict';

const { checkParams, serverError } = require('internal/inspector/protocol_error');

/** Code units of a notification, as in V8. */
const CHUNK_LENGTH = 102_400;

class HeapProfilerDomain {
  #notify;

  constructor(notify) { this.#notify = notify; }

  methods() {
    return ['collectGarbage', 'takeHeapSnapshot', 'startSampling', 'stopSampling', 'getSamplingProfile', 'startTrackingHeapObjects', 'stopTrackingHeapObjects'];
  }

  collectGarbage() { internalBinding('process').collect(); }

  takeHeapSnapshot(params) {
    checkParams(params, { reportProgress: 'boolean?', exposeNumericValues: 'boolean?', captureNumericValue: 'boolean?', exposeInternals: 'boolean?' });
    let text = '';
    for (const piece of this.#take(params.reportProgress === true)) {
      text += piece;
      while (text.length >= CHUNK_LENGTH) {
        this.#send(text.slice(0, CHUNK_LENGTH));
        text = text.slice(CHUNK_LENGTH);
      }
    }
    if (text !== '') this.#send(text);
  }

  #take(reports) {
    const { takeHeapSnapshot } = require('internal/profiler/heap_snapshot');
    const report = (params) => { if (reports) this.#notify('HeapProfiler.reportHeapSnapshotProgress', params); };
    try {
      // The engine collects and lists in one step.
      report({ done: 0, total: 1 });
      const pieces = takeHeapSnapshot();
      report({ done: 1, total: 1, finished: true });
      return pieces;
    } catch (error) {
      throw serverError(error.message);
    }
  }

  #send(chunk) { this.#notify('HeapProfiler.addHeapSnapshotChunk', { chunk }); }

  startSampling() { throw serverError('The engine does not sample allocations'); }

  stopSampling() { throw serverError('Heap profiler is not started.'); }

  getSamplingProfile() { throw serverError('Heap profiler is not started.'); }

  startTrackingHeapObjects() { throw serverError('The engine does not record allocations'); }

  /** Without a start it only takes a snapshot, as in V8. */
  stopTrackingHeapObjects(params) { this.takeHeapSnapshot(params); }
}

module.exports = HeapProfilerDomain;
