/* api/multi/multi_setopt.c: curl_multi_setopt(3). */
#include <stdarg.h>

#include "api/multi/multi_handle.h"
#include "engine/multi.h"
#include "port/port.h"
#include "transfer/multi/host_queue.h"
#include "transfer/multi/notify.h"

/* A number that is too large is clipped. */
static CURLMcode set_positive(uint32_t *to, long value)
{
  if(value < 0)
    return CURLM_BAD_FUNCTION_ARGUMENT;
  *to = (uint32_t)(value > INT32_MAX ? INT32_MAX : value);
  return CURLM_OK;
}

/* Transfers that wait may go on at once, for which an event loop needs its timer. */
static CURLMcode set_limit(struct mote_multi *m, uint32_t *limit, long value)
{
  CURLMcode rc = set_positive(limit, value);
  if(rc)
    return rc;
  mote_host_queue_wake_all(m);
  mote_schedule_wake_all_queued(m);
  return mote_multi_report_timer(m);
}

static CURLMcode multi_setopt_set_number(struct mote_multi *m, CURLMoption option, long value)
{
  switch(option) {
  case CURLMOPT_MAXCONNECTS:
    return set_positive(&m->max_connects, value < 0 ? 0 : value); /* 0: the default */
  case CURLMOPT_MAX_HOST_CONNECTIONS:
    return set_limit(m, &m->max_host, value);
  case CURLMOPT_MAX_TOTAL_CONNECTIONS:
    return set_limit(m, &m->max_total, value);
  case CURLMOPT_RESOLVE_THREADS_MAX:
    if(value <= 0 || (uint64_t)value > UINT32_MAX)
      return CURLM_BAD_FUNCTION_ARGUMENT;
    mote_names_set_most(&m->names, (uint16_t)(value < UINT16_MAX ? value : UINT16_MAX));
    return CURLM_OK;
  case CURLMOPT_NETWORK_CHANGED:
    if(value & (CURLMNWC_CLEAR_CONNS | CURLMNWC_CLEAR_ALL))
      mote_multi_retire_connections(m);
    if(value & (CURLMNWC_CLEAR_DNS | CURLMNWC_CLEAR_ALL))
      mote_names_prune(&m->names, mote_port_now(), -1);
    return mote_multi_report_timer(m); /* for goodbyes */
  case CURLMOPT_PIPELINING:
    m->one_by_one = !(value & CURLPIPE_MULTIPLEX);
    return CURLM_OK;
  case CURLMOPT_MAX_CONCURRENT_STREAMS: /* 0 is the default, and so is what is out of range */
    m->max_streams = (uint16_t)(value < 0 || value > INT32_MAX ? 0 : value < UINT16_MAX ? value : UINT16_MAX);
    return CURLM_OK;
  /* HTTP/1 pipelining has had no effect since libcurl 7.62, and clean-up never waits. */
  case CURLMOPT_MAX_PIPELINE_LENGTH:
  case CURLMOPT_QUICK_EXIT:
    return CURLM_OK;
  default:
    return CURLM_UNKNOWN_OPTION;
  }
}

static CURLMcode multi_setopt_set_pointer(struct mote_multi *m, CURLMoption option, void *p)
{
  switch(option) {
  case CURLMOPT_SOCKETDATA:
    m->socket_data = p;
    return CURLM_OK;
  case CURLMOPT_TIMERDATA:
    m->timer_data = p;
    return CURLM_OK;
  case CURLMOPT_NOTIFYDATA:
    return mote_notify_set_data(m, p);
  case CURLMOPT_PUSHDATA:
    return mote_push_set_data(m, p);
  case CURLMOPT_PIPELINING_SITE_BL:
  case CURLMOPT_PIPELINING_SERVER_BL:
    return CURLM_OK;
  default:
    return CURLM_UNKNOWN_OPTION;
  }
}

static void set_socket_function(struct mote_multi *m, curl_socket_callback fn)
{
  m->socket_fn = fn;
  mote_multi_watch(m, fn != NULL);
}

static CURLMcode multi_setopt_set_function(struct mote_multi *m, CURLMoption option, va_list args)
{
  switch(option) {
  case CURLMOPT_SOCKETFUNCTION:
    set_socket_function(m, va_arg(args, curl_socket_callback));
    return CURLM_OK;
  case CURLMOPT_TIMERFUNCTION:
    m->timer_fn = va_arg(args, curl_multi_timer_callback);
    return CURLM_OK;
  case CURLMOPT_NOTIFYFUNCTION:
    return mote_notify_set_function(m, va_arg(args, curl_notify_callback));
  case CURLMOPT_PUSHFUNCTION:
    return mote_push_set_function(m, va_arg(args, curl_push_callback));
  default:
    return CURLM_UNKNOWN_OPTION;
  }
}

CURLMcode(curl_multi_setopt)(CURLM *multi, CURLMoption option, ...)
{
  struct mote_multi_handle *h = mote_multi_of(multi);
  CURLMcode rc;
  va_list args;
  if(!h)
    return CURLM_BAD_HANDLE;
  if(mote_multi_in_strict_callback(&h->m))
    return CURLM_RECURSIVE_API_CALL;
  va_start(args, option);
  switch((int)option / 10000) {
  case 0:
    rc = multi_setopt_set_number(&h->m, option, va_arg(args, long));
    break;
  case 1:
    rc = multi_setopt_set_pointer(&h->m, option, va_arg(args, void *));
    break;
  case 2:
    rc = multi_setopt_set_function(&h->m, option, args);
    break;
  default:
    rc = option == CURLMOPT_CONTENT_LENGTH_PENALTY_SIZE || option == CURLMOPT_CHUNK_LENGTH_PENALTY_SIZE
           ? CURLM_OK
           : CURLM_UNKNOWN_OPTION;
  }
  va_end(args);
  return rc;
}
