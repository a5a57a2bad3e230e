// Names that emitters and targets share.
'use strict';

module.exports = {
  /** Of `on`: each event gives what listeners are called with first, not a list. */
  kFirstArgument: Symbol('kFirstArgument'),
  kMaxEventTargetListeners: Symbol('events.maxEventTargetListeners'),
  kMaxEventTargetListenersWarned: Symbol('events.maxEventTargetListenersWarned'),
  kResistStopPropagation: Symbol('kResistStopPropagation'),
};
