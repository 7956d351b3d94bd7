/* api/multi/share.c: curl_share_init(3) and relatives. Handles, also of several threads, share names, TLS
 * sessions, connections, cookies and the hosts of HSTS. */
#include <stdarg.h>
#include <stdatomic.h>
#include <string.h>

#include "api/multi/share_handle.h"
#include "base/memory.h"
#include "http/hosts/shared.h"
#include "net/names/names.h"
#include "net/pool.h"
#include "port/lock.h"
#include "tls/session.h"
#include "transfer/multi/share.h"

#define MOTE_MAGIC_SHARE 0x5A2EC0DEu

/* The kinds that can be shared. */
enum {
  FIRST_KIND = CURL_LOCK_DATA_COOKIE,
  KINDS = CURL_LOCK_DATA_HSTS - FIRST_KIND + 1
};

/* Unless the application sets both lock functions, our own locks serve, so that sharing is always safe.
 * They are not recursive. The lock of TLS sessions may be taken while that of connections is held, never
 * the other way round. The process pays for what is shared, since no other account is safe between
 * threads. */
struct share_handle {
  struct mote_share s;               /* what the engine sees */
  uint32_t magic;                    /* MOTE_MAGIC_SHARE; 0 after clean-up */
  atomic_uint users;                 /* easy handles that use it; while there are any it cannot be changed */
  struct mote_pool pool;             /* these three are used only while s points to them */
  struct mote_names names;
  struct mote_session_cache sessions;
  curl_lock_function lock_fn;        /* the application's, or NULL */
  curl_unlock_function unlock_fn;
  void *data;                        /* for both, the application's */
  struct mote_mutex own[KINDS];      /* by curl_lock_data, from FIRST_KIND on */
};

static struct share_handle *share_of(CURLSH *share)
{
  struct share_handle *h = (struct share_handle *)share;
  return h && h->magic == MOTE_MAGIC_SHARE ? h : NULL;
}

static bool has_locks(const struct share_handle *h)
{
  return h->lock_fn && h->unlock_fn;
}

static void multi_share_lock(struct mote_share *s, CURL *easy, curl_lock_data data)
{
  struct share_handle *h = mote_container_of(s, struct share_handle, s);
  if(has_locks(h))
    h->lock_fn(easy, data, CURL_LOCK_ACCESS_SINGLE, h->data);
  else
    mote_port_lock(&h->own[data - FIRST_KIND]);
}

static void multi_share_unlock(struct mote_share *s, CURL *easy, curl_lock_data data)
{
  struct share_handle *h = mote_container_of(s, struct share_handle, s);
  if(has_locks(h))
    h->unlock_fn(easy, data, h->data);
  else
    mote_port_unlock(&h->own[data - FIRST_KIND]);
}

CURLSH *curl_share_init(void)
{
  struct share_handle *h = mote_mem_zalloc(mote_mem_process(), MOTE_PART_SHARE, sizeof *h);
  if(!h)
    return NULL;
  h->magic = MOTE_MAGIC_SHARE;
  h->s.lock = multi_share_lock;
  h->s.unlock = multi_share_unlock;
  mote_pool_init(&h->pool, mote_mem_process());
  h->pool.shared = 1;
  mote_names_init(&h->names, mote_mem_process());
  mote_session_cache_init(&h->sessions, mote_mem_process());
  return (CURLSH *)h;
}

static CURLSHcode set_shared(struct share_handle *h, curl_lock_data data, bool on)
{
  switch(data) {
  case CURL_LOCK_DATA_DNS:
    h->s.names = on ? &h->names : NULL;
    return CURLSHE_OK;
  case CURL_LOCK_DATA_SSL_SESSION:
    h->s.sessions = on ? &h->sessions : NULL;
    return CURLSHE_OK;
  case CURL_LOCK_DATA_CONNECT:
    h->s.pool = on ? &h->pool : NULL;
    return CURLSHE_OK;
  case CURL_LOCK_DATA_COOKIE: /* what is no longer shared is gone */
    if(on)
      return mote_shared_jar_make(&h->s.jar) ? CURLSHE_OK : CURLSHE_NOMEM;
    mote_shared_jar_free(h->s.jar);
    h->s.jar = NULL;
    return CURLSHE_OK;
  case CURL_LOCK_DATA_HSTS: /* likewise */
    if(on)
      return mote_shared_hsts_make(&h->s.hsts) ? CURLSHE_OK : CURLSHE_NOMEM;
    mote_shared_hsts_free(h->s.hsts);
    h->s.hsts = NULL;
    return CURLSHE_OK;
  case CURL_LOCK_DATA_PSL: /* libpsl's list is the process's */
    return CURLSHE_OK;
  default:
    return CURLSHE_BAD_OPTION;
  }
}

CURLSHcode(curl_share_setopt)(CURLSH *share, CURLSHoption option, ...)
{
  struct share_handle *h = share_of(share);
  CURLSHcode rc = CURLSHE_OK;
  va_list args;
  if(!h)
    return CURLSHE_INVALID;
  if(atomic_load(&h->users))
    return CURLSHE_IN_USE;
  va_start(args, option);
  switch(option) {
  case CURLSHOPT_SHARE:
    rc = set_shared(h, (curl_lock_data)va_arg(args, int), true);
    break;
  case CURLSHOPT_UNSHARE:
    rc = set_shared(h, (curl_lock_data)va_arg(args, int), false);
    break;
  case CURLSHOPT_LOCKFUNC:
    h->lock_fn = va_arg(args, curl_lock_function);
    break;
  case CURLSHOPT_UNLOCKFUNC:
    h->unlock_fn = va_arg(args, curl_unlock_function);
    break;
  case CURLSHOPT_USERDATA:
    h->data = va_arg(args, void *);
    break;
  default:
    rc = CURLSHE_BAD_OPTION;
  }
  va_end(args);
  return rc;
}

CURLSHcode curl_share_cleanup(CURLSH *share)
{
  struct share_handle *h = share_of(share);
  if(!h)
    return CURLSHE_INVALID;
  if(atomic_load(&h->users))
    return CURLSHE_IN_USE;
  h->magic = 0; /* callbacks that close sockets must not use the share any more */
  mote_pool_close(&h->pool);
  mote_names_close(&h->names);
  mote_session_cache_close(&h->sessions);
  mote_shared_jar_free(h->s.jar);
  mote_shared_hsts_free(h->s.hsts);
  mote_mem_free(mote_mem_process(), MOTE_PART_SHARE, h, sizeof *h);
  return CURLSHE_OK;
}

CURLSHcode mote_share_attach(CURLSH *share, struct mote_share **out)
{
  struct share_handle *h = share_of(share);
  if(!h)
    return CURLSHE_INVALID;
  atomic_fetch_add(&h->users, 1);
  *out = &h->s;
  return CURLSHE_OK;
}

void mote_share_detach(struct mote_share *s)
{
  if(s)
    atomic_fetch_sub(&mote_container_of(s, struct share_handle, s)->users, 1);
}
