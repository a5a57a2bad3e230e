/* The functions of libuv that the program exports; there is no libuv below them. Structures have
 * libuv's sizes, so that an addon may embed them. */
#ifndef UV_H
#define UV_H

#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

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
typedef struct uv_poll_s uv_poll_t;
typedef struct uv_timer_s uv_timer_t;
typedef struct uv_req_s uv_req_t;
typedef struct uv_work_s uv_work_t;

typedef pthread_t uv_thread_t;
typedef pthread_mutex_t uv_mutex_t;
typedef pthread_cond_t uv_cond_t;
typedef pthread_rwlock_t uv_rwlock_t;
typedef pthread_barrier_t uv_barrier_t;
typedef sem_t uv_sem_t;
typedef pthread_key_t uv_key_t;

typedef int uv_file;
typedef int uv_os_sock_t;
typedef int uv_os_fd_t;
typedef pid_t uv_pid_t;

typedef struct uv_buf_t {
  char* base;
  size_t len;
} uv_buf_t;

enum uv_poll_event {
  UV_READABLE = 1,
  UV_WRITABLE = 2,
  UV_DISCONNECT = 4,
  UV_PRIORITIZED = 8
};

typedef enum {
  UV_UNKNOWN_HANDLE = 0,
  UV_ASYNC,
  UV_CHECK,
  UV_FS_EVENT,
  UV_FS_POLL,
  UV_HANDLE,
  UV_IDLE,
  UV_NAMED_PIPE,
  UV_POLL,
  UV_PREPARE,
  UV_PROCESS,
  UV_STREAM,
  UV_TCP,
  UV_TIMER,
  UV_TTY,
  UV_UDP,
  UV_SIGNAL,
  UV_FILE,
  UV_HANDLE_TYPE_MAX
} uv_handle_type;

typedef enum {
  UV_UNKNOWN_REQ = 0,
  UV_REQ,
  UV_CONNECT,
  UV_WRITE,
  UV_SHUTDOWN,
  UV_UDP_SEND,
  UV_FS,
  UV_WORK,
  UV_GETADDRINFO,
  UV_GETNAMEINFO,
  UV_RANDOM,
  UV_REQ_TYPE_MAX
} uv_req_type;

typedef enum {
  UV_E2BIG = -7,
  UV_EACCES = -13,
  UV_EADDRINUSE = -98,
  UV_EADDRNOTAVAIL = -99,
  UV_EAFNOSUPPORT = -97,
  UV_EAGAIN = -11,
  UV_EAI_ADDRFAMILY = -3000,
  UV_EAI_AGAIN = -3001,
  UV_EAI_BADFLAGS = -3002,
  UV_EAI_BADHINTS = -3013,
  UV_EAI_CANCELED = -3003,
  UV_EAI_FAIL = -3004,
  UV_EAI_FAMILY = -3005,
  UV_EAI_MEMORY = -3006,
  UV_EAI_NODATA = -3007,
  UV_EAI_NONAME = -3008,
  UV_EAI_OVERFLOW = -3009,
  UV_EAI_PROTOCOL = -3014,
  UV_EAI_SERVICE = -3010,
  UV_EAI_SOCKTYPE = -3011,
  UV_EALREADY = -114,
  UV_EBADF = -9,
  UV_EBUSY = -16,
  UV_ECANCELED = -125,
  UV_ECHARSET = -4080,
  UV_ECONNABORTED = -103,
  UV_ECONNREFUSED = -111,
  UV_ECONNRESET = -104,
  UV_EDESTADDRREQ = -89,
  UV_EEXIST = -17,
  UV_EFAULT = -14,
  UV_EFBIG = -27,
  UV_EHOSTUNREACH = -113,
  UV_EINTR = -4,
  UV_EINVAL = -22,
  UV_EIO = -5,
  UV_EISCONN = -106,
  UV_EISDIR = -21,
  UV_ELOOP = -40,
  UV_EMFILE = -24,
  UV_EMSGSIZE = -90,
  UV_ENAMETOOLONG = -36,
  UV_ENETDOWN = -100,
  UV_ENETUNREACH = -101,
  UV_ENFILE = -23,
  UV_ENOBUFS = -105,
  UV_ENODEV = -19,
  UV_ENOENT = -2,
  UV_ENOMEM = -12,
  UV_ENONET = -64,
  UV_ENOPROTOOPT = -92,
  UV_ENOSPC = -28,
  UV_ENOSYS = -38,
  UV_ENOTCONN = -107,
  UV_ENOTDIR = -20,
  UV_ENOTEMPTY = -39,
  UV_ENOTSOCK = -88,
  UV_ENOTSUP = -95,
  UV_EOVERFLOW = -75,
  UV_EPERM = -1,
  UV_EPIPE = -32,
  UV_EPROTO = -71,
  UV_EPROTONOSUPPORT = -93,
  UV_EPROTOTYPE = -91,
  UV_ERANGE = -34,
  UV_EROFS = -30,
  UV_ESHUTDOWN = -108,
  UV_ESPIPE = -29,
  UV_ESRCH = -3,
  UV_ETIMEDOUT = -110,
  UV_ETXTBSY = -26,
  UV_EXDEV = -18,
  UV_UNKNOWN = -4094,
  UV_EOF = -4095,
  UV_ENXIO = -6,
  UV_EMLINK = -31,
  UV_EHOSTDOWN = -112,
  UV_EREMOTEIO = -121,
  UV_ENOTTY = -25,
  UV_EFTYPE = -4028,
  UV_EILSEQ = -84,
  UV_ESOCKTNOSUPPORT = -94,
} uv_errno_t;

typedef void (*uv_close_cb)(uv_handle_t* handle);
typedef void (*uv_async_cb)(uv_async_t* handle);
typedef void (*uv_check_cb)(uv_check_t* handle);
typedef void (*uv_idle_cb)(uv_idle_t* handle);
typedef void (*uv_poll_cb)(uv_poll_t* handle, int status, int events);
typedef void (*uv_timer_cb)(uv_timer_t* handle);
typedef void (*uv_work_cb)(uv_work_t* request);
typedef void (*uv_after_work_cb)(uv_work_t* request, int status);
typedef void (*uv_thread_cb)(void* argument);

#define UV_HANDLE_FIELDS \
  void* data;            \
  uv_loop_t* loop;       \
  uv_handle_type type;   \
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

struct uv_poll_s {
  UV_HANDLE_FIELDS
  void* reserved_poll[8];
};

struct uv_timer_s {
  UV_HANDLE_FIELDS
  void* reserved_timer[7];
};

/* Only its address and `data` mean something. */
struct uv_loop_s {
  void* data;
  void* reserved[105];
};

struct uv_req_s {
  void* data;
  void* reserved[7];
};

struct uv_work_s {
  void* data;
  void* reserved[15];
};

UV_EXTERN unsigned int uv_version(void);
UV_EXTERN const char* uv_version_string(void);

UV_EXTERN const char* uv_strerror(int error);
UV_EXTERN char* uv_strerror_r(int error, char* buffer, size_t size);
UV_EXTERN const char* uv_err_name(int error);
UV_EXTERN char* uv_err_name_r(int error, char* buffer, size_t size);
UV_EXTERN int uv_translate_sys_error(int error);

UV_EXTERN uv_loop_t* uv_default_loop(void);
UV_EXTERN size_t uv_loop_size(void);
UV_EXTERN void* uv_loop_get_data(const uv_loop_t* loop);
UV_EXTERN void uv_loop_set_data(uv_loop_t* loop, void* data);
UV_EXTERN uint64_t uv_now(const uv_loop_t* loop);
UV_EXTERN void uv_update_time(uv_loop_t* loop);

UV_EXTERN size_t uv_handle_size(uv_handle_type type);
UV_EXTERN const char* uv_handle_type_name(uv_handle_type type);
UV_EXTERN uv_handle_type uv_handle_get_type(const uv_handle_t* handle);
UV_EXTERN uv_loop_t* uv_handle_get_loop(const uv_handle_t* handle);
UV_EXTERN void* uv_handle_get_data(const uv_handle_t* handle);
UV_EXTERN void uv_handle_set_data(uv_handle_t* handle, void* data);
UV_EXTERN int uv_fileno(const uv_handle_t* handle, uv_os_fd_t* fd);
UV_EXTERN size_t uv_req_size(uv_req_type type);
UV_EXTERN void* uv_req_get_data(const uv_req_t* request);
UV_EXTERN void uv_req_set_data(uv_req_t* request, void* data);
UV_EXTERN uv_buf_t uv_buf_init(char* base, unsigned int length);
UV_EXTERN uv_os_fd_t uv_get_osfhandle(int fd);
UV_EXTERN uv_pid_t uv_os_getpid(void);

UV_EXTERN int uv_poll_init(uv_loop_t* loop, uv_poll_t* handle, int fd);
UV_EXTERN int uv_poll_init_socket(uv_loop_t* loop, uv_poll_t* handle, uv_os_sock_t socket);
UV_EXTERN int uv_poll_start(uv_poll_t* handle, int events, uv_poll_cb callback);
UV_EXTERN int uv_poll_stop(uv_poll_t* handle);
UV_EXTERN int uv_timer_init(uv_loop_t* loop, uv_timer_t* handle);
UV_EXTERN int uv_timer_start(
    uv_timer_t* handle, uv_timer_cb callback, uint64_t delay_ms, uint64_t repeat_ms);
UV_EXTERN int uv_timer_stop(uv_timer_t* handle);
UV_EXTERN int uv_timer_again(uv_timer_t* handle);
UV_EXTERN void uv_timer_set_repeat(uv_timer_t* handle, uint64_t repeat_ms);
UV_EXTERN uint64_t uv_timer_get_repeat(const uv_timer_t* handle);
UV_EXTERN uint64_t uv_timer_get_due_in(const uv_timer_t* handle);
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
UV_EXTERN int uv_has_ref(const uv_handle_t* handle);
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
UV_EXTERN int uv_thread_equal(const uv_thread_t* one, const uv_thread_t* other);
UV_EXTERN int uv_rwlock_init(uv_rwlock_t* lock);
UV_EXTERN void uv_rwlock_destroy(uv_rwlock_t* lock);
UV_EXTERN void uv_rwlock_rdlock(uv_rwlock_t* lock);
UV_EXTERN int uv_rwlock_tryrdlock(uv_rwlock_t* lock);
UV_EXTERN void uv_rwlock_rdunlock(uv_rwlock_t* lock);
UV_EXTERN void uv_rwlock_wrlock(uv_rwlock_t* lock);
UV_EXTERN int uv_rwlock_trywrlock(uv_rwlock_t* lock);
UV_EXTERN void uv_rwlock_wrunlock(uv_rwlock_t* lock);
UV_EXTERN int uv_barrier_init(uv_barrier_t* barrier, unsigned int count);
UV_EXTERN void uv_barrier_destroy(uv_barrier_t* barrier);
UV_EXTERN int uv_barrier_wait(uv_barrier_t* barrier);
UV_EXTERN int uv_sem_init(uv_sem_t* semaphore, unsigned int value);
UV_EXTERN void uv_sem_destroy(uv_sem_t* semaphore);
UV_EXTERN void uv_sem_post(uv_sem_t* semaphore);
UV_EXTERN void uv_sem_wait(uv_sem_t* semaphore);
UV_EXTERN int uv_sem_trywait(uv_sem_t* semaphore);
UV_EXTERN int uv_key_create(uv_key_t* key);
UV_EXTERN void uv_key_delete(uv_key_t* key);
UV_EXTERN void* uv_key_get(uv_key_t* key);
UV_EXTERN void uv_key_set(uv_key_t* key, void* value);

#ifdef __cplusplus
}
#endif

#endif
