-- Prints what http.mjs reads: requests, seconds, the 99th percentile and failures.
function done(summary, latency)
  local errors = summary.errors
  local failures = errors.connect + errors.read + errors.write + errors.status + errors.timeout
  print(string.format('{"requests":%d,"seconds":%f,"p99":%f,"failures":%d}', summary.requests, summary.duration / 1e6, latency:percentile(99), failures))
end
