// Event loop utilization. In: how long the loop was idle and active. Out: both and their ratio, as
// `eventLoopUtilization` returns them.
'use strict';

/** In milliseconds: the total, since `one`, or between `other` and `one`. */
module.exports = function utilizationOf(idle, active, one, other) {
  if (other) {
    const [idleBetween, activeBetween] = [one.idle - other.idle, one.active - other.active];
    return { idle: idleBetween, active: activeBetween, utilization: activeBetween / (idleBetween + activeBetween) };
  }
  if (!one) {
    return { idle, active, utilization: active / (idle + active) };
  }
  const [idleSince, activeSince] = [idle - one.idle, active - one.active];
  return { idle: idleSince, active: activeSince, utilization: activeSince / (idleSince + activeSince) };
};
