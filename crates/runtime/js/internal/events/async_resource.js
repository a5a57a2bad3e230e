// An emitter whose listeners run in the context that it was made in. In: a name, a trigger. Out: EventEmitterAsyncResource.
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

  static #own(emitter) {
    // In V8's words, which Node lets through.
    if (!(#asyncResource in emitter)) {
      throw new TypeError('Cannot read private member #asyncResource from an object whose class did not declare it');
    }
    return emitter.#asyncResource;
  }

  emit(event, ...args) {
    const resource = EventEmitterAsyncResource.#own(this);
    args.unshift(super.emit, this, event);
    return Reflect.apply(resource.runInAsyncScope, resource, args);
  }

  emitDestroy() {
    EventEmitterAsyncResource.#own(this).emitDestroy();
  }

  get asyncId() {
    return EventEmitterAsyncResource.#own(this).asyncId();
  }

  get triggerAsyncId() {
    return EventEmitterAsyncResource.#own(this).triggerAsyncId();
  }

  get asyncResource() {
    return EventEmitterAsyncResource.#own(this);
  }
}

module.exports = { EventEmitterAsyncResource };
