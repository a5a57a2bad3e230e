/* Types of js_native_api.h. */
#ifndef JS_NATIVE_API_TYPES_H
#define JS_NATIVE_API_TYPES_H

#include <stddef.h>
#include <stdint.h>

#define NAPI_VERSION_EXPERIMENTAL 2147483647
#ifndef NAPI_VERSION
#ifdef NAPI_EXPERIMENTAL
#define NAPI_VERSION NAPI_VERSION_EXPERIMENTAL
#else
#define NAPI_VERSION 8
#endif
#endif

#if !defined(__cplusplus)
typedef uint16_t char16_t;
#endif

#ifndef NAPI_CDECL
#define NAPI_CDECL
#endif

/* All handles are opaque. */
typedef struct napi_env__* napi_env;
typedef struct napi_value__* napi_value;
typedef struct napi_ref__* napi_ref;
typedef struct napi_handle_scope__* napi_handle_scope;
typedef struct napi_escapable_handle_scope__* napi_escapable_handle_scope;
typedef struct napi_callback_info__* napi_callback_info;
typedef struct napi_deferred__* napi_deferred;

/* The environment of a function that may be called during a garbage collection. */
#if defined(NAPI_EXPERIMENTAL) && !defined(NODE_API_EXPERIMENTAL_BASIC_ENV_OPT_OUT)
typedef const struct napi_env__* node_api_basic_env;
#else
typedef napi_env node_api_basic_env;
#endif
typedef node_api_basic_env node_api_nogc_env;

typedef enum {
  napi_default = 0,
  napi_writable = 1 << 0,
  napi_enumerable = 1 << 1,
  napi_configurable = 1 << 2,
  napi_static = 1 << 10,
#if NAPI_VERSION >= 8
  napi_default_method = napi_writable | napi_configurable,
  napi_default_jsproperty = napi_writable | napi_enumerable | napi_configurable,
#endif
} napi_property_attributes;

typedef enum {
  napi_undefined,
  napi_null,
  napi_boolean,
  napi_number,
  napi_string,
  napi_symbol,
  napi_object,
  napi_function,
  napi_external,
  napi_bigint,
} napi_valuetype;

#define NODE_API_HAS_FLOAT16_ARRAY
typedef enum {
  napi_int8_array,
  napi_uint8_array,
  napi_uint8_clamped_array,
  napi_int16_array,
  napi_uint16_array,
  napi_int32_array,
  napi_uint32_array,
  napi_float32_array,
  napi_float64_array,
  napi_bigint64_array,
  napi_biguint64_array,
  napi_float16_array,
} napi_typedarray_type;

typedef enum {
  napi_ok,
  napi_invalid_arg,
  napi_object_expected,
  napi_string_expected,
  napi_name_expected,
  napi_function_expected,
  napi_number_expected,
  napi_boolean_expected,
  napi_array_expected,
  napi_generic_failure,
  napi_pending_exception,
  napi_cancelled,
  napi_escape_called_twice,
  napi_handle_scope_mismatch,
  napi_callback_scope_mismatch,
  napi_queue_full,
  napi_closing,
  napi_bigint_expected,
  napi_date_expected,
  napi_arraybuffer_expected,
  napi_detachable_arraybuffer_expected,
  napi_would_deadlock,
  napi_no_external_buffers_allowed,
  napi_cannot_run_js,
} napi_status;

typedef napi_value(NAPI_CDECL* napi_callback)(napi_env env, napi_callback_info info);
typedef void(NAPI_CDECL* napi_finalize)(napi_env env, void* finalize_data, void* finalize_hint);
typedef void(NAPI_CDECL* node_api_noenv_finalize)(void* finalize_data, void* finalize_hint);
#if defined(NAPI_EXPERIMENTAL) && !defined(NODE_API_EXPERIMENTAL_BASIC_ENV_OPT_OUT)
typedef void(NAPI_CDECL* node_api_basic_finalize)(
    node_api_basic_env env, void* finalize_data, void* finalize_hint);
#else
typedef napi_finalize node_api_basic_finalize;
#endif
typedef node_api_basic_finalize node_api_nogc_finalize;

/* One of utf8name and name is NULL. */
typedef struct {
  const char* utf8name;
  napi_value name;
  napi_callback method;
  napi_callback getter;
  napi_callback setter;
  napi_value value;
  napi_property_attributes attributes;
  void* data;
} napi_property_descriptor;

typedef struct {
  const char* error_message;
  void* engine_reserved;
  uint32_t engine_error_code;
  napi_status error_code;
} napi_extended_error_info;

#if NAPI_VERSION >= 6
typedef enum {
  napi_key_include_prototypes,
  napi_key_own_only,
} napi_key_collection_mode;

typedef enum {
  napi_key_all_properties = 0,
  napi_key_writable = 1,
  napi_key_enumerable = 1 << 1,
  napi_key_configurable = 1 << 2,
  napi_key_skip_strings = 1 << 3,
  napi_key_skip_symbols = 1 << 4,
} napi_key_filter;

typedef enum {
  napi_key_keep_numbers,
  napi_key_numbers_to_strings,
} napi_key_conversion;
#endif

#if NAPI_VERSION >= 8
typedef struct {
  uint64_t lower;
  uint64_t upper;
} napi_type_tag;
#endif

#endif
