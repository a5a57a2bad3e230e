/* The functions of libuv that the program exports; there is no libuv below them. Structures have
 * libuv's sizes, so that an addon may embed them. */
#ifndef UV_H
#define UV_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

#define UV_EXTERN __attribute__((visibility("default")))

#define UV_VERSION_MAJOR 1
#define UV_VERSION_MINOR 51
#define UV_VERSION_PATCH 0
#define UV_VERSION_HEX \
  ((UV_VERSION_MAJOR << 16) | (UV_VERSION_MINOR << 8) | (UV_VERSION_PATCH))

#ifdef __cplusplus
extern "C" {
#endif

typedef struct uv_loop_s uv_loop_t;
typedef struct uv_handle_s uv_handle_t;
typedef struct uv_async_s uv_async_t;
typedef struct uv_check_s uv_check_t;
typedef struct uv_idle_s uv_idle_t;
typedef struct uv_work_s uv_work_t;

typedef pthread_t uv_thread_t;
typedef pthread_mutex_t uv_mutex_t;
typedef pthread_cond_t uv_cond_t;

typedef void (*uv_close_cb)(uv_handle_t* handle);
typedef void (*uv_async_cb)(uv_async_t* handle);
typedef void (*uv_check_cb)(uv_check_t* handle);
typedef void (*uv_idle_cb)(uv_idle_t* handle);
typedef void (*uv_work_cb)(uv_work_t* request);
typedef void (*uv_after_work_cb)(uv_work_t* request, int status);
typedef void (*uv_thread_cb)(void* argument);

#define UV_HANDLE_FIELDS \
  void* data;            \
  uv_loop_t* loop;       \
  int type;              \
  uv_close_cb close_cb;  \
  void* reserved[8];

struct uv_handle_s {
  UV_HANDLE_FIELDS
};

struct uv_async_s {
  UV_HANDLE_FIELDS
  void* reserved_async[4];
};

struct uv_check_s {
  UV_HANDLE_FIELDS
  void* reserved_check[3];
};

struct uv_idle_s {
  UV_HANDLE_FIELDS
  void* reserved_idle[3];
};

struct uv_work_s {
  void* data;
  void* reserved[15];
};

UV_EXTERN unsigned int uv_version(void);
UV_EXTERN const char* uv_version_string(void);

UV_EXTERN int uv_async_init(uv_loop_t* loop, uv_async_t* handle, uv_async_cb callback);
UV_EXTERN int uv_async_send(uv_async_t* handle);
UV_EXTERN int uv_check_init(uv_loop_t* loop, uv_check_t* handle);
UV_EXTERN int uv_check_start(uv_check_t* handle, uv_check_cb callback);
UV_EXTERN int uv_check_stop(uv_check_t* handle);
UV_EXTERN int uv_idle_init(uv_loop_t* loop, uv_idle_t* handle);
UV_EXTERN int uv_idle_start(uv_idle_t* handle, uv_idle_cb callback);
UV_EXTERN int uv_idle_stop(uv_idle_t* handle);
UV_EXTERN void uv_close(uv_handle_t* handle, uv_close_cb callback);
UV_EXTERN int uv_is_closing(const uv_handle_t* handle);
UV_EXTERN int uv_is_active(const uv_handle_t* handle);
UV_EXTERN void uv_ref(uv_handle_t* handle);
UV_EXTERN void uv_unref(uv_handle_t* handle);
UV_EXTERN int uv_queue_work(
    uv_loop_t* loop, uv_work_t* request, uv_work_cb work, uv_after_work_cb after);

UV_EXTERN uint64_t uv_hrtime(void);
UV_EXTERN void uv_sleep(unsigned int time_ms);
UV_EXTERN int uv_mutex_init(uv_mutex_t* mutex);
UV_EXTERN void uv_mutex_destroy(uv_mutex_t* mutex);
UV_EXTERN void uv_mutex_lock(uv_mutex_t* mutex);
UV_EXTERN int uv_mutex_trylock(uv_mutex_t* mutex);
UV_EXTERN void uv_mutex_unlock(uv_mutex_t* mutex);
UV_EXTERN int uv_cond_init(uv_cond_t* condition);
UV_EXTERN void uv_cond_destroy(uv_cond_t* condition);
UV_EXTERN void uv_cond_signal(uv_cond_t* condition);
UV_EXTERN void uv_cond_broadcast(uv_cond_t* condition);
UV_EXTERN void uv_cond_wait(uv_cond_t* condition, uv_mutex_t* mutex);
UV_EXTERN int uv_thread_create(uv_thread_t* thread, uv_thread_cb entry, void* argument);
UV_EXTERN int uv_thread_join(uv_thread_t* thread);
UV_EXTERN uv_thread_t uv_thread_self(void);

#ifdef __cplusplus
}
#endif

#endif
