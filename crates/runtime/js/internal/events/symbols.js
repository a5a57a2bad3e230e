// Names that emitters and targets share.
'use strict';

module.exports = {
  kMaxEventTargetListeners: Symbol('events.maxEventTargetListeners'),
  kMaxEventTargetListenersWarned: Symbol('events.maxEventTargetListenersWarned'),
  kResistStopPropagation: Symbol('kResistStopPropagation'),
};
