/* curl/multi.h: any number of transfers at once in one thread, without blocking.
 *
 * Drive them by curl_multi_perform() and curl_multi_poll(), or from an event loop by
 * curl_multi_socket_action() with CURLMOPT_SOCKETFUNCTION and CURLMOPT_TIMERFUNCTION. */
#ifndef CURLINC_MULTI_H
#define CURLINC_MULTI_H

#include "curl.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef void CURLM;

typedef enum {
  CURLM_CALL_MULTI_PERFORM = -1,  /* no longer returned */
  CURLM_OK = 0,
  CURLM_BAD_HANDLE = 1,           /* not a multi handle */
  CURLM_BAD_EASY_HANDLE = 2,
  CURLM_OUT_OF_MEMORY = 3,
  CURLM_INTERNAL_ERROR = 4,
  CURLM_BAD_SOCKET = 5,
  CURLM_UNKNOWN_OPTION = 6,
  CURLM_ADDED_ALREADY = 7,        /* the easy handle is in a multi handle */
  CURLM_RECURSIVE_API_CALL = 8,   /* not from inside a callback */
  CURLM_WAKEUP_FAILURE = 9,
  CURLM_BAD_FUNCTION_ARGUMENT = 10,
  CURLM_ABORTED_BY_CALLBACK = 11, /* the socket or timer callback returned an error */
  CURLM_UNRECOVERABLE_POLL = 12,  /* poll() or its like failed */
  CURLM_LAST = 13
} CURLMcode;

/* What old event loops compare with. */
#define CURLM_CALL_MULTI_SOCKET CURLM_CALL_MULTI_PERFORM

/* Bits of CURLMOPT_PIPELINING. */
#define CURLPIPE_NOTHING 0L
#define CURLPIPE_HTTP1 1L     /* no longer of effect */
#define CURLPIPE_MULTIPLEX 2L /* several transfers on one HTTP/2 or HTTP/3 connection */

typedef enum {
  CURLMSG_NONE = 0,
  CURLMSG_DONE = 1, /* a transfer is over; data.result tells how */
  CURLMSG_LAST = 2
} CURLMSG;

/* A message of curl_multi_info_read(); valid until the next call on the multi handle. */
struct CURLMsg {
  CURLMSG msg;
  CURL *easy_handle;
  union {
    void *whatever;
    CURLcode result; /* CURLMSG_DONE: how the transfer ended */
  } data;
};
typedef struct CURLMsg CURLMsg;

/* Bits of struct curl_waitfd. */
#define CURL_WAIT_POLLIN 0x0001
#define CURL_WAIT_POLLPRI 0x0002
#define CURL_WAIT_POLLOUT 0x0004

struct curl_waitfd {
  curl_socket_t fd;
  short events;  /* CURL_WAIT_*: wanted */
  short revents; /* CURL_WAIT_*: seen */
};

/* A new handle, for curl_multi_cleanup(); NULL when that fails. */
CURL_EXTERN CURLM *curl_multi_init(void);

/* Put an easy handle in; the transfer begins with the next call that drives the multi.
 * CURLM_ADDED_ALREADY when it is in one. */
CURL_EXTERN CURLMcode curl_multi_add_handle(CURLM *m, CURL *curl);

/* Take it out, whatever its state; a transfer under way is stopped. */
CURL_EXTERN CURLMcode curl_multi_remove_handle(CURLM *m, CURL *curl);

/* The sockets to wait for; *max_fd is -1 when there are none. */
CURL_EXTERN CURLMcode curl_multi_fdset(CURLM *m, fd_set *read_fd_set, fd_set *write_fd_set,
                                       fd_set *exc_fd_set, int *max_fd);

/* Wait for activity on the transfers' sockets and on extra_fds, at most timeout_ms; *ret is the number of
 * descriptors on which there was any. Returns at once when there is nothing to wait for. */
CURL_EXTERN CURLMcode curl_multi_wait(CURLM *m, struct curl_waitfd extra_fds[], unsigned int extra_nfds,
                                      int timeout_ms, int *ret);

/* The same, but waits even when there is nothing to wait for, and curl_multi_wakeup() ends it. */
CURL_EXTERN CURLMcode curl_multi_poll(CURLM *m, struct curl_waitfd extra_fds[], unsigned int extra_nfds,
                                      int timeout_ms, int *ret);

/* End a curl_multi_poll(), the one under way or the next. For any thread. */
CURL_EXTERN CURLMcode curl_multi_wakeup(CURLM *m);

/* Do what can be done without blocking; *running_handles is how many transfers are not over. */
CURL_EXTERN CURLMcode curl_multi_perform(CURLM *m, int *running_handles);

/* Easy handles that are still in come out unharmed; their connections are closed. */
CURL_EXTERN CURLMcode curl_multi_cleanup(CURLM *m);

/* The next message, NULL when there is none; *msgs_in_queue tells how many are left. */
CURL_EXTERN CURLMsg *curl_multi_info_read(CURLM *m, int *msgs_in_queue);

/* A constant text. */
CURL_EXTERN const char *curl_multi_strerror(CURLMcode error);

/* What CURLMOPT_SOCKETFUNCTION is told to watch a socket for. */
#define CURL_POLL_NONE 0
#define CURL_POLL_IN 1
#define CURL_POLL_OUT 2
#define CURL_POLL_INOUT 3
#define CURL_POLL_REMOVE 4

/* In place of a socket: a deadline has passed. */
#define CURL_SOCKET_TIMEOUT CURL_SOCKET_BAD

/* ev_bitmask: what was seen on the socket. */
#define CURL_CSELECT_IN 0x01
#define CURL_CSELECT_OUT 0x02
#define CURL_CSELECT_ERR 0x04

/* what: CURL_POLL_*. socketp: set by curl_multi_assign(). Return 0; -1 stops all transfers. */
typedef int (*curl_socket_callback)(CURL *easy, curl_socket_t s, int what, void *userp, void *socketp);

/* One timer, to be restarted at each call: milliseconds, 0 at once, -1 none. Return 0, or -1 for an error. */
typedef int (*curl_multi_timer_callback)(CURLM *m, long timeout_ms, void *userp);

/* Act on one socket, or with CURL_SOCKET_TIMEOUT on what is due. */
CURL_EXTERN CURLMcode curl_multi_socket_action(CURLM *m, curl_socket_t s, int ev_bitmask,
                                               int *running_handles);

/* Before 7.16.3; use curl_multi_socket_action(). */
CURL_EXTERN CURL_DEPRECATED(7.19.5, "Use curl_multi_socket_action()")
CURLMcode curl_multi_socket(CURLM *m, curl_socket_t s, int *running_handles);
CURL_EXTERN CURL_DEPRECATED(7.19.5, "Use curl_multi_socket_action()")
CURLMcode curl_multi_socket_all(CURLM *m, int *running_handles);

#ifndef CURL_ALLOW_OLD_MULTI_SOCKET
#define curl_multi_socket(m, s, n) curl_multi_socket_action(m, s, 0, n)
#endif

/* How long the application may wait at most: milliseconds, -1 for no limit. */
CURL_EXTERN CURLMcode curl_multi_timeout(CURLM *m, long *timeout_ms);

typedef enum {
  CURLMOPT_SOCKETFUNCTION = CURLOPTTYPE_FUNCTIONPOINT + 1,  /* curl_socket_callback */
  CURLMOPT_SOCKETDATA = CURLOPTTYPE_OBJECTPOINT + 2,        /* its userp */
  CURLMOPT_PIPELINING = CURLOPTTYPE_LONG + 3,               /* CURLPIPE_* */
  CURLMOPT_TIMERFUNCTION = CURLOPTTYPE_FUNCTIONPOINT + 4,   /* curl_multi_timer_callback */
  CURLMOPT_TIMERDATA = CURLOPTTYPE_OBJECTPOINT + 5,         /* its userp */
  CURLMOPT_MAXCONNECTS = CURLOPTTYPE_LONG + 6,              /* kept connections; default 4 per handle */
  CURLMOPT_MAX_HOST_CONNECTIONS = CURLOPTTYPE_LONG + 7,     /* to one host at once; 0: no limit */
  CURLMOPT_MAX_PIPELINE_LENGTH = CURLOPTTYPE_LONG + 8,      /* no longer of effect; the next four neither */
  CURLMOPT_CONTENT_LENGTH_PENALTY_SIZE = CURLOPTTYPE_OFF_T + 9,
  CURLMOPT_CHUNK_LENGTH_PENALTY_SIZE = CURLOPTTYPE_OFF_T + 10,
  CURLMOPT_PIPELINING_SITE_BL = CURLOPTTYPE_OBJECTPOINT + 11,
  CURLMOPT_PIPELINING_SERVER_BL = CURLOPTTYPE_OBJECTPOINT + 12,
  CURLMOPT_MAX_TOTAL_CONNECTIONS = CURLOPTTYPE_LONG + 13,   /* at once; 0: no limit */
  CURLMOPT_PUSHFUNCTION = CURLOPTTYPE_FUNCTIONPOINT + 14,   /* curl_push_callback */
  CURLMOPT_PUSHDATA = CURLOPTTYPE_OBJECTPOINT + 15,         /* its userp */
  CURLMOPT_MAX_CONCURRENT_STREAMS = CURLOPTTYPE_LONG + 16,  /* of one HTTP/2 connection; default 100 */
  CURLMOPT_NETWORK_CHANGED = CURLOPTTYPE_LONG + 17,         /* CURLMNWC_*: acts at once */
  CURLMOPT_NOTIFYFUNCTION = CURLOPTTYPE_FUNCTIONPOINT + 18, /* curl_notify_callback */
  CURLMOPT_NOTIFYDATA = CURLOPTTYPE_OBJECTPOINT + 19,       /* its user_data */
  CURLMOPT_RESOLVE_THREADS_MAX = CURLOPTTYPE_LONG + 20,     /* lookups at once; default 20 */
  CURLMOPT_QUICK_EXIT = CURLOPTTYPE_LONG + 21,              /* 1: clean-up does not wait for threads */
  CURLMOPT_LASTENTRY = 22
} CURLMoption;

CURL_EXTERN CURLMcode curl_multi_setopt(CURLM *m, CURLMoption option, ...);

/* A pointer of the application's, given to its socket callback for that socket. */
CURL_EXTERN CURLMcode curl_multi_assign(CURLM *m, curl_socket_t sockfd, void *sockp);

/* Every easy handle in the multi, NULL after the last, for curl_free(). NULL when memory ran out. */
CURL_EXTERN CURL **curl_multi_get_handles(CURLM *m);

/* Counters of curl_multi_get_offt(). */
typedef enum {
  CURLMINFO_NONE = 0,
  CURLMINFO_XFERS_CURRENT = 1, /* handles in the multi */
  CURLMINFO_XFERS_RUNNING = 2, /* begun and not over */
  CURLMINFO_XFERS_PENDING = 3, /* waiting to begin */
  CURLMINFO_XFERS_DONE = 4,    /* over, message not fetched yet */
  CURLMINFO_XFERS_ADDED = 5,   /* ever added */
  CURLMINFO_LASTENTRY = 6
} CURLMinfo_offt;

CURL_EXTERN CURLMcode curl_multi_get_offt(CURLM *m, CURLMinfo_offt info, curl_off_t *pvalue);

/* What a push callback answers. */
#define CURL_PUSH_OK 0       /* take it; the library now has the new easy handle */
#define CURL_PUSH_DENY 1
#define CURL_PUSH_ERROROUT 2 /* refuse it and end the parent transfer too */

struct curl_pushheaders;

/* In a push callback: headers of the promised request. NULL: none such. */
CURL_EXTERN char *curl_pushheader_bynum(struct curl_pushheaders *h, size_t num);
CURL_EXTERN char *curl_pushheader_byname(struct curl_pushheaders *h, const char *name);

typedef int (*curl_push_callback)(CURL *parent, CURL *easy, size_t num_headers,
                                  struct curl_pushheaders *headers, void *userp);

/* The sockets to poll for, at most size of them; *fd_count (NULL is allowed) is how many there are.
 * CURLM_OUT_OF_MEMORY when size is too small; size 0 asks for the count. */
CURL_EXTERN CURLMcode curl_multi_waitfds(CURLM *m, struct curl_waitfd *ufds, unsigned int size,
                                         unsigned int *fd_count);

/* Bits of CURLMOPT_NETWORK_CHANGED. */
#define CURLMNWC_CLEAR_ALL (1L << 0)
#define CURLMNWC_CLEAR_CONNS (1L << 1) /* idle connections are closed, busy ones not used again */
#define CURLMNWC_CLEAR_DNS (1L << 2)   /* the name cache is emptied */

/* Notifications. */
#define CURLMNOTIFY_INFO_READ 0 /* curl_multi_info_read() has something again */
#define CURLMNOTIFY_EASY_DONE 1 /* a transfer is over */

typedef void (*curl_notify_callback)(CURLM *m, unsigned int notification, CURL *easy, void *user_data);

CURL_EXTERN CURLMcode curl_multi_notify_enable(CURLM *m, unsigned int notification);
CURL_EXTERN CURLMcode curl_multi_notify_disable(CURLM *m, unsigned int notification);

#ifdef __cplusplus
}
#endif

#endif
