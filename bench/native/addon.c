/* Addon and library of `cargo xtask bench native`: the smallest functions for what is measured. */
#include <node_api.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define CALL(call) \
  if ((call) != napi_ok) return NULL

#define TEXT_BYTES_MAX (1 << 17)
#define ELEMENTS 10000

static char text[TEXT_BYTES_MAX];

static napi_value empty(napi_env env, napi_callback_info info) {
  (void)env, (void)info;
  return NULL;
}

static napi_value add(napi_env env, napi_callback_info info) {
  size_t count = 2;
  napi_value arguments[2], sum;
  double a, b;
  CALL(napi_get_cb_info(env, info, &count, arguments, NULL, NULL));
  CALL(napi_get_value_double(env, arguments[0], &a));
  CALL(napi_get_value_double(env, arguments[1], &b));
  CALL(napi_create_double(env, a + b, &sum));
  return sum;
}

/* Reads a string, and returns a new one. */
static napi_value string(napi_env env, napi_callback_info info) {
  size_t count = 1, length;
  napi_value argument, made;
  CALL(napi_get_cb_info(env, info, &count, &argument, NULL, NULL));
  CALL(napi_get_value_string_utf8(env, argument, text, TEXT_BYTES_MAX, &length));
  CALL(napi_create_string_utf8(env, text, length, &made));
  return made;
}

static napi_value object(napi_env env, napi_callback_info info) {
  static const char* const names[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"};
  napi_value made, number;
  (void)info;
  CALL(napi_create_object(env, &made));
  for (int32_t index = 0; index < 10; index++) {
    CALL(napi_create_int32(env, index, &number));
    CALL(napi_set_named_property(env, made, names[index], number));
  }
  return made;
}

static napi_value array(napi_env env, napi_callback_info info) {
  napi_value made, number;
  (void)info;
  CALL(napi_create_array_with_length(env, ELEMENTS, &made));
  for (uint32_t index = 0; index < ELEMENTS; index++) {
    napi_handle_scope scope;
    CALL(napi_open_handle_scope(env, &scope));
    CALL(napi_create_double(env, index + 0.5, &number));
    CALL(napi_set_element(env, made, index, number));
    CALL(napi_close_handle_scope(env, scope));
  }
  return made;
}

/* Reads a buffer, and returns a copy. */
static napi_value buffer(napi_env env, napi_callback_info info) {
  size_t count = 1, length;
  napi_value argument, made;
  void *data, *copy;
  CALL(napi_get_cb_info(env, info, &count, &argument, NULL, NULL));
  CALL(napi_get_buffer_info(env, argument, &data, &length));
  CALL(napi_create_buffer_copy(env, length, data, &copy, &made));
  return made;
}

typedef struct {
  napi_threadsafe_function function;
  uint32_t calls;
} sender;

static void* send(void* data) {
  sender* own = data;
  for (uint32_t index = 0; index < own->calls; index++)
    napi_call_threadsafe_function(own->function, NULL, napi_tsfn_blocking);
  napi_release_threadsafe_function(own->function, napi_tsfn_release);
  free(own);
  return NULL;
}

/* Calls a function that often from a thread. */
static napi_value from_thread(napi_env env, napi_callback_info info) {
  size_t count = 2;
  napi_value arguments[2], name;
  pthread_t thread;
  sender* own = malloc(sizeof *own);
  CALL(napi_get_cb_info(env, info, &count, arguments, NULL, NULL));
  CALL(napi_get_value_uint32(env, arguments[1], &own->calls));
  CALL(napi_create_string_utf8(env, "bench", NAPI_AUTO_LENGTH, &name));
  CALL(napi_create_threadsafe_function(env, arguments[0], NULL, name, 1000, 1, NULL, NULL, NULL, NULL,
                                       &own->function));
  if (pthread_create(&thread, NULL, send, own) == 0) pthread_detach(thread);
  return NULL;
}

NAPI_MODULE_INIT() {
  static const struct {
    const char* name;
    napi_callback function;
  } functions[] = {{"empty", empty}, {"add", add},       {"string", string},        {"object", object},
                   {"array", array}, {"buffer", buffer}, {"fromThread", from_thread}};
  for (size_t index = 0; index < sizeof functions / sizeof *functions; index++) {
    napi_value made;
    CALL(napi_create_function(env, functions[index].name, NAPI_AUTO_LENGTH, functions[index].function,
                              NULL, &made));
    CALL(napi_set_named_property(env, exports, functions[index].name, made));
  }
  return exports;
}
