// EventEmitterAsyncResource: an emitter whose listeners run in the async context in which it was
// made. In: a name, a trigger. Out: the class.
'use strict';

const { codes } = require('internal/errors');
const { validateString } = require('internal/validators');
const { kEmptyObject } = require('internal/util');
const { AsyncResource } = require('async_hooks');
const EventEmitter = require('events');

class EventEmitterReferencingAsyncResource extends AsyncResource {
  #eventEmitter;

  constructor(emitter, type, options) {
    super(type, options);
    this.#eventEmitter = emitter;
  }

  get eventEmitter() {
    if (this.#eventEmitter === undefined) throw new codes.ERR_INVALID_THIS('EventEmitterReferencingAsyncResource');
    return this.#eventEmitter;
  }
}

let resourceOf;

class EventEmitterAsyncResource extends EventEmitter {
  #asyncResource;

  constructor(options = undefined) {
    let name;
    if (typeof options === 'string') {
      name = options;
      options = undefined;
    } else {
      if (new.target === EventEmitterAsyncResource) validateString(options?.name, 'options.name');
      name = options?.name || new.target.name;
    }
    super(options);
    this.#asyncResource = new EventEmitterReferencingAsyncResource(this, name, options);
  }

  static {
    resourceOf = (emitter) => {
      // V8's message, which Node does not replace.
      if (!(#asyncResource in emitter)) {
        throw new TypeError('Cannot read private member #asyncResource from an object whose class did not declare it');
      }
      return emitter.#asyncResource;
    };
  }

  emit(event, ...args) {
    const resource = resourceOf(this);
    args.unshift(super.emit, this, event);
    return Reflect.apply(resource.runInAsyncScope, resource, args);
  }

  emitDestroy() {
    resourceOf(this).emitDestroy();
  }
}

// A stack trace shows the name of a getter's function.
const getters = {
  'get asyncId'() { return resourceOf(this).asyncId(); },
  'get triggerAsyncId'() { return resourceOf(this).triggerAsyncId(); },
  'get asyncResource'() { return resourceOf(this); },
};
for (const name of Object.keys(getters)) {
  Object.defineProperty(EventEmitterAsyncResource.prototype, name.slice('get '.length), {
    __proto__: null, get: getters[name], set: undefined, enumerable: false, configurable: true,
  });
}

module.exports = { EventEmitterAsyncResource };
