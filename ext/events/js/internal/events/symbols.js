// Symbols that EventEmitter and EventTarget share.
'use strict';

module.exports = {
  /** Option of `on`: yield the first argument of each event instead of a list. */
  kFirstArgument: Symbol('kFirstArgument'),
  kMaxEventTargetListeners: Symbol('events.maxEventTargetListeners'),
  kMaxEventTargetListenersWarned: Symbol('events.maxEventTargetListenersWarned'),
  kResistStopPropagation: Symbol('kResistStopPropagation'),
};
